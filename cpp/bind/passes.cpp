// The part of tilewise.native._native that makes single passes of IDA* in parts.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arguments.hpp"
#include "gil.hpp"
#include "letters.hpp"
#include "tables.hpp"
#include "tilewise/deepening_loops.hpp"

namespace nb = nanobind;
using namespace tilewise;

namespace {

constexpr std::uint64_t most_roots = 10'000'000;

Request request_of(const std::string& order, const MoveAutomaton* automaton, int threads) {
    const Order successors = order_of(order);
    expect(automaton == nullptr || automaton->order() == successors, "expected words of moves for the order of the search");
    return {Algorithm::deepening, {1, 1, false}, 1, successors, automaton, 0, checked_threads(threads)};
}

Tiles start_of(const Estimate& estimate, const nb::bytes& tiles, int bound) {
    expect(estimate.tables_of_passes() != nullptr, "expected a heuristic of tables for a pass in parts");
    expect(bound >= 0 && bound <= 10'000, "expected a bound of 0 to 10000");
    return checked_tiles(tiles, estimate.rows() * estimate.columns());
}

nb::object above(int least) { return least == INT32_MAX ? nb::none() : nb::object(nb::int_(least)); }

nb::object moves_or_none(bool found, const Path& moves) {
    return found ? nb::object(nb::str(text_of(moves).c_str())) : nb::none();
}

// Moves that stay on the board.
Path path_of(const std::string& letters, const Estimate& estimate, const Tiles& start) {
    auto blank = static_cast<int>(std::find(start.begin(), start.end(), 0) - start.begin());
    int row = blank / estimate.columns();
    int column = blank % estimate.columns();
    Path path;
    for (const char letter : letters) {
        const std::size_t move = std::string_view("UDLR").find(letter);
        expect(move <= right, "expected letters U D L R for a root");
        row += move == up ? -1 : move == down ? 1 : 0;
        column += move == left ? -1 : move == right ? 1 : 0;
        expect(row >= 0 && column >= 0 && row < estimate.rows() && column < estimate.columns(),
               "expected a root whose moves stay on the board");
        path.push_back(static_cast<Move>(move));
    }
    return path;
}

// Calls `make(request, start, meter, stats)` without the GIL, and returns the roots that it makes.
template <class Make>
nb::tuple made_roots(const Estimate& estimate, const nb::bytes& start_tiles, int bound, std::uint64_t wanted,
                     const Request& request, const nb::object& poll, Make make) {
    const Tiles start = start_of(estimate, start_tiles, bound);
    expect(wanted <= most_roots, "expected up to 10000000 roots");
    checked_poll(poll);
    Meter meter({}, [&](const Stats&) {
        const GilHeld gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        return !poll.is_none() && nb::cast<bool>(poll());
    });
    Stats stats;
    Subtrees top;
    {
        const GilReleased released;
        top = make(request, start, meter, stats);
    }
    nb::list words;
    for (const Path& root : top.roots) words.append(text_of(root));
    return nb::make_tuple(words, top.stopped, moves_or_none(top.found, top.moves), above(top.least_above), stats.expanded,
                          stats.generated, stats.max_depth);
}

nb::tuple roots(const Estimate& estimate, const nb::bytes& start_tiles, int bound, std::uint64_t wanted, const std::string& order,
                const MoveAutomaton* automaton, const nb::object& poll) {
    const Request wanted_pass = request_of(order, automaton, 1);
    return made_roots(estimate, start_tiles, bound, wanted, wanted_pass, poll,
                      [&](const Request& request, const Tiles& start, Meter& meter, Stats& stats) {
                          return roots_of_pass(request, estimate, start, bound, wanted, meter, stats);
                      });
}

nb::tuple probe_roots(const Estimate& estimate, const nb::bytes& start_tiles, int bound, std::uint64_t nodes,
                      std::uint64_t wanted, const std::string& order, const nb::object& poll) {
    expect(nodes <= most_roots, "expected up to 10000000 nodes");
    const Request probe = request_of(order, nullptr, 1);
    return made_roots(estimate, start_tiles, bound, wanted, probe, poll,
                      [&](const Request& request, const Tiles& start, Meter& meter, Stats& stats) {
                          return roots_of_probe(request, estimate, start, bound, nodes, wanted, meter, stats);
                      });
}

nb::list list_of(const std::vector<SubtreeDone>& done) {
    nb::list list;
    for (const SubtreeDone& each : done)
        list.append(nb::make_tuple(each.number, each.expanded, each.generated, each.max_depth, above(each.least_above)));
    return list;
}

nb::tuple search_each(const Estimate& estimate, const nb::bytes& start_tiles, const std::vector<std::string>& roots, int bound,
                      const std::string& order, const MoveAutomaton* automaton, int threads, std::uint64_t memory,
                      std::uint64_t expected, const nb::object& poll) {
    const Tiles start = start_of(estimate, start_tiles, bound);
    const Request request = request_of(order, automaton, threads);
    std::vector<Path> paths;
    for (const std::string& root : roots) paths.push_back(path_of(root, estimate, start));
    checked_poll(poll);
    DoneSubtrees done;
    Limits limits;
    limits.memory = memory;
    const auto report = [&](std::uint64_t generated) {
        const GilHeld gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        const nb::list list = list_of(done.take());
        return !poll.is_none() && nb::cast<bool>(poll(list, generated));
    };
    Meter meter(limits, [&](const Stats& stats) { return report(stats.generated); });
    SubtreesOutcome outcome;
    {
        const GilReleased released;
        outcome = search_roots(request, estimate, start, bound, paths, expected, meter, done);
        report(0);
    }
    return nb::make_tuple(outcome.stopped, moves_or_none(outcome.found, outcome.moves));
}

}  // namespace

void bind_passes(nb::module_& module) {
    module.def("roots", &roots, nb::arg("estimate"), nb::arg("start"), nb::kw_only(), nb::arg("bound"), nb::arg("wanted"),
               nb::arg("order"), nb::arg("automaton").none(), nb::arg("poll").none(),
               "The roots of the subtrees of a pass: their moves, whether it was stopped, a solution above them, the least f "
               "above the bound there, and what was expanded and generated and how deep.");
    module.def("probe_roots", &probe_roots, nb::arg("estimate"), nb::arg("start"), nb::kw_only(), nb::arg("bound"),
               nb::arg("nodes"), nb::arg("wanted"), nb::arg("order"), nb::arg("poll").none(),
               "Up to `wanted` open nodes of a best-first search of `nodes` nodes, smallest h first, in the form of `roots`.");
    module.def("search_roots", &search_each, nb::arg("estimate"), nb::arg("start"), nb::arg("roots"), nb::kw_only(),
               nb::arg("bound"), nb::arg("order"), nb::arg("automaton").none(), nb::arg("threads"), nb::arg("memory"),
               nb::arg("expected"), nb::arg("poll").none(),
               "Search subtrees of a pass. `poll` is called about every 50 ms and at the end with those that are done since: "
               "number, expanded, generated, depth, least f above the bound; and with all nodes so far. It returns whether to "
               "stop. Whether it was stopped, and a solution if one was found.");
}
