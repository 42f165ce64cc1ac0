// The Python module tilewise.native._native: it translates and no more.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "arguments.hpp"
#include "gil.hpp"
#include "going_on.hpp"
#include "learned.hpp"
#include "letters.hpp"
#include "tables.hpp"
#include "tilewise/engine.hpp"
#include "tilewise/heuristics/native_heuristics.hpp"
#include "tilewise/threads.hpp"
#include "watching.hpp"

namespace nb = nanobind;
using namespace tilewise;

namespace {

// A table, the cell of the table for each cell of the board, the number in the pattern of each tile.
using Lookup =
    std::tuple<nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>, std::vector<int>, std::vector<int>>;

// `blank` is the tile that no pattern has.
PatternLookup lookup_of(const Lookup& given, int cells, int blank) {
    const auto& [table, cell, tile] = given;
    const auto all = static_cast<std::size_t>(cells);
    expect(cells <= most_cells_of_patterns && cell.size() == all && tile.size() == all,
           "expected a number for each cell and tile of a look-up");
    PatternLookup lookup{table.data(),
                         std::make_shared<nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(table),
                         0,
                         {},
                         {}};
    std::bitset<most_cells_of_patterns> seen;
    for (const int c : cell) {
        expect(c >= 0 && c < cells && !seen[static_cast<std::size_t>(c)], "expected a look-up to turn the board");
        seen.set(static_cast<std::size_t>(c));
        lookup.cells.push_back(static_cast<std::uint8_t>(c));
    }
    expect(tile[static_cast<std::size_t>(blank)] == not_in_pattern, "expected no pattern to have the blank");
    lookup.size = static_cast<int>(std::count_if(tile.begin(), tile.end(), [](int t) { return t != not_in_pattern; }));
    seen.reset();
    for (const int t : tile) {
        if (t != not_in_pattern) {
            expect(t >= 0 && t < lookup.size && !seen[static_cast<std::size_t>(t)], "expected a pattern's tiles numbered from 0");
            seen.set(static_cast<std::size_t>(t));
        }
        lookup.tiles.push_back(static_cast<std::uint8_t>(t));
    }
    expect(lookup.size >= 1 && lookup.size <= 10, "expected 1 to 10 tiles for a pattern");
    expect(table.size() == binomial(cells, lookup.size) * factorial(lookup.size), "expected a byte for each entry");
    return lookup;
}

using Groups = std::vector<std::vector<Lookup>>;

PatternGroups groups_of(const Groups& given, int cells, int blank) {
    expect(!given.empty(), "expected a sum of look-ups for each pdb");
    PatternGroups groups;
    for (const auto& group : given) {
        expect(!group.empty() && group.size() <= static_cast<std::size_t>(cells), "expected a look-up for each pattern of a sum");
        groups.emplace_back();
        for (const Lookup& lookup : group) groups.back().push_back(lookup_of(lookup, cells, blank));
    }
    return groups;
}

// Sums by tiles, and sums by cells for each cell of the blank, or none of them.
std::vector<PatternSums> patterns_of(const std::vector<std::pair<Groups, std::vector<Groups>>>& given, int cells) {
    std::vector<PatternSums> patterns;
    for (const auto& [by_tiles, by_cells] : given) {
        expect(by_cells.empty() || by_cells.size() == static_cast<std::size_t>(cells),
               "expected sums for each cell of the blank");
        patterns.push_back({groups_of(by_tiles, cells, 0), {}});
        for (int blank = 0; blank < static_cast<int>(by_cells.size()); ++blank)
            patterns.back().by_cells.push_back(groups_of(by_cells[static_cast<std::size_t>(blank)], cells, blank));
    }
    return patterns;
}

constexpr std::size_t most_heuristics = 64;

using Counters = nb::typed<nb::dict, nb::str, int>;
using Answer = nb::typed<nb::tuple, int, bool, nb::str, Counters, nb::any>;

Counters dict_of(const Stats& stats) {
    Counters dict;
    dict["expanded"] = stats.expanded;
    dict["generated"] = stats.generated;
    dict["stored"] = stats.stored;
    dict["duplicates"] = stats.duplicates;
    dict["reopened"] = stats.reopened;
    dict["max_frontier"] = stats.max_frontier;
    dict["peak_stored"] = stats.peak_stored;
    dict["max_depth"] = stats.max_depth;
    dict["iterations"] = stats.iterations;
    dict["expanded_below_cost"] = stats.expanded_below_cost;
    dict["peak_memory"] = stats.peak_memory;
    dict["bound"] = stats.bound;
    return dict;
}

// Called about every 50 ms without the GIL: lets Ctrl-C in, then asks the caller.
Meter::Poll polling(const nb::object& poll) {
    checked_poll(poll);
    return [poll](const Stats& stats) {
        const GilHeld gil;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
        if (poll.is_none()) return false;
        return nb::cast<bool>(poll(dict_of(stats)));
    };
}

nb::object recorded(const Recorder& recorder, int cells) {
    nb::list events;
    const std::uint8_t* board = recorder.boards().data();
    for (const Event& event : recorder.events()) {
        events.append(nb::make_tuple(static_cast<int>(event.kind), event.node, event.parent, static_cast<int>(event.move),
                                     event.g, event.h, event.key.priority, event.key.tie,
                                     nb::bytes(reinterpret_cast<const char*>(board), static_cast<std::size_t>(cells))));
        board += cells;
    }
    return nb::make_tuple(events, recorder.count(), recorder.digest());
}

// What for_g and for_h may be: open lists that sort need a priority that is not negative.
Priority priority_of(Algorithm algorithm, std::int64_t for_g, std::int64_t for_h, bool reopen) {
    constexpr std::int64_t finest = 1000;
    const std::int64_t least = algorithm == Algorithm::buckets ? 0 : -finest;
    expect(std::min(for_g, for_h) >= least && std::max(for_g, for_h) <= finest, "expected weights of 0 to 1000");
    return {for_g, for_h, reopen};
}

Answer run(Algorithm algorithm, const Estimate& estimate, const nb::bytes& start_tiles, std::int64_t for_g, std::int64_t for_h,
           bool reopen, std::uint64_t width, const std::string& order, const MoveAutomaton* automaton, int batch, int threads,
           int below, std::uint64_t nodes, std::uint64_t generated, double seconds, std::uint64_t memory,
           std::optional<std::uint64_t> keep_events, const nb::object& poll) {
    const int cells = estimate.rows() * estimate.columns();
    const auto start = checked_tiles(start_tiles, cells);
    expect(width >= 1, "expected a width of at least 1");
    expect(batch >= 0 && batch <= 1024, "expected a batch of 0 to 1024");
    expect(below >= 0, "expected a cost of at least 0 for a known solution");
    expect(seconds >= 0, "expected seconds of at least 0");
    expect(automaton == nullptr || automaton->order() == order_of(order), "expected words of moves for the order of the search");
    const Request request{algorithm,
                          priority_of(algorithm, for_g, for_h, reopen),
                          width,
                          order_of(order),
                          automaton,
                          batch,
                          checked_threads(threads),
                          below,
                          nodes};
    Meter meter({generated, seconds, memory}, polling(poll));
    std::optional<Recorder> recorder;
    if (keep_events) recorder.emplace(*keep_events, cells);
    Outcome outcome;
    {
        const GilReleased released;
        outcome = search(request, estimate, start, meter, recorder ? &*recorder : nullptr);
    }
    return nb::borrow<Answer>(nb::make_tuple(static_cast<int>(outcome.status), meter.out_of_time(), text_of(outcome.moves),
                                             dict_of(outcome.stats), recorder ? recorded(*recorder, cells) : nb::none()));
}

// What the engine has: its heuristics, and the table of its loops.
void bind_facts(nb::module_& module) {
    nb::class_<LoopRow>(module, "Loop", "A row of the table that says which loop serves which search.")
        .def_ro("search", &LoopRow::search)
        .def_ro("by_f", &LoopRow::by_f, "Only where the priority is g + h and cheaper paths re-open states.")
        .def_prop_ro("heuristic", [](const LoopRow& row) { return std::string(text_of(row.heuristic)); })
        .def_prop_ro("shape", [](const LoopRow& row) { return text_of(row.shape); })
        .def_prop_ro("most_cells", [](const LoopRow& row) { return row.shape.most_cells; })
        .def_prop_ro("order", [](const LoopRow& row) { return text_of(row.order); })
        .def_prop_ro(
            "options", [](const LoopRow& row) { return names_of(row.takes); }, "What the loop can also do.")
        .def_prop_ro("about", [](const LoopRow& row) { return std::string(text_of(row.loop)); })
        .def_prop_ro("header", [](const LoopRow& row) { return std::string(header_of(row.loop)); });
    module.def(
        "loops", [] { return std::vector<LoopRow>(loops.begin(), loops.end()); },
        "The table of the loops; the first row that serves a search is taken.");
    module.def(
        "heuristics",
        [] {
            std::vector<std::pair<std::string, bool>> all;
            for (const HeuristicFacts& each : NativeHeuristics::facts) all.emplace_back(each.name, each.changes_by_one);
            return all;
        },
        "The heuristics of the engine, and whether every move changes them by exactly one.");
}

}  // namespace

NB_MODULE(_native, module) {
    module.doc() = "The native engine of tilewise: the default rules at full speed.";
    // A daemon thread that still searches when Python ends keeps its objects: that is no leak.
    nb::set_leak_warnings(false);
    nb::module_::import_("atexit").attr("register")(nb::cpp_function([] { doorkeeper.leave(); }));
    nb::exception<Ended>(module, "Ended");
    const nb::object engine_error = nb::module_::import_("tilewise.errors").attr("EngineError");
    nb::exception<NoThreads>(module, "NoThreads", engine_error);
    nb::enum_<Algorithm>(module, "Algorithm")
        .value("QUEUE", Algorithm::queue)
        .value("STACK", Algorithm::stack)
        .value("BUCKETS", Algorithm::buckets)
        .value("DEEPENING", Algorithm::deepening)
        .value("ASTAR_IDASTAR", Algorithm::astar_idastar)
        .value("BEAM", Algorithm::beam);
    nb::class_<SpreadTables>(module, "SpreadTables", "Spread forms of tables that estimates share while they are in use.")
        .def(nb::init<>());
    nb::class_<Estimate>(module, "Estimate", "The largest or the sum of named heuristics, for one goal.")
        .def(
            "__init__",
            [](Estimate* self, int rows, int columns, const nb::bytes& goal, std::vector<std::string> names,
               const std::string& combined, const std::vector<std::pair<Groups, std::vector<Groups>>>& patterns,
               const std::vector<LearnedModel>& models, const nb::object& poll, std::shared_ptr<SpreadTables> shared) {
                const int cells = checked_cells(rows, columns);
                expect(combined == "max" || combined == "sum", "expected max or sum for how heuristics are combined");
                expect(!names.empty() && names.size() <= most_heuristics, "expected 1 to 64 heuristics");
                expect(patterns.size() == static_cast<std::size_t>(std::count(names.begin(), names.end(), "pdb")),
                       "expected tables for each pdb");
                expect(models.size() == static_cast<std::size_t>(std::count(names.begin(), names.end(), "learned")),
                       "expected a model for each learned");
                for (const LearnedModel& model : models)
                    expect(model.cells.size() == static_cast<std::size_t>(cells), "expected models for the shape");
                auto tiles = checked_tiles(goal, cells);
                auto groups = patterns_of(patterns, cells);
                const GoOn go_on = going_on(poll);
                const GilReleased released;
                new (self) Estimate(rows, columns, std::move(tiles), std::move(names), combined == "sum", std::move(groups),
                                    models, go_on, std::move(shared));
            },
            nb::arg("rows"), nb::arg("columns"), nb::arg("goal"), nb::arg("names"), nb::arg("combined") = "max",
            nb::arg("patterns") = nb::list(), nb::arg("models") = nb::list(), nb::arg("poll") = nb::none(),
            nb::arg("shared").none() = nb::none())
        .def(
            "__call__",
            [](const Estimate& self, const nb::bytes& tiles) {
                return self.of(checked_tiles(tiles, self.rows() * self.columns()));
            },
            nb::arg("tiles"))
        .def_prop_ro("nbytes", &Estimate::bytes, "The memory of the tables that were made for it.");
    nb::class_<MoveAutomaton>(module, "MoveAutomaton", "Words of moves that IDA* may leave out, for an order of successors.")
        .def(
            "__init__",
            [](MoveAutomaton* self, int length, const std::string& order, const nb::object& poll) {
                const Order alphabet = order_of(order);
                expect(length >= 1 && length <= 12, "expected words of 1 to 12 moves");
                const GoOn go_on = going_on(poll);
                const GilReleased released;
                new (self) MoveAutomaton(length, alphabet, go_on);
            },
            nb::arg("length"), nb::arg("order"), nb::arg("poll") = nb::none())
        .def_prop_ro("nbytes", &MoveAutomaton::bytes, "Its memory.")
        .def_prop_ro("words", &MoveAutomaton::words, "How many words are forbidden that have no forbidden part.");
    module.def("search", &run, nb::arg("algorithm"), nb::arg("estimate"), nb::arg("start"), nb::kw_only(), nb::arg("for_g"),
               nb::arg("for_h"), nb::arg("reopen"), nb::arg("width"), nb::arg("order"), nb::arg("automaton").none(),
               nb::arg("batch"), nb::arg("threads"), nb::arg("below"), nb::arg("nodes"), nb::arg("generated"), nb::arg("seconds"),
               nb::arg("memory"), nb::arg("keep_events").none(), nb::arg("poll").none(),
               "Run one search without the GIL: status, whether the time was over, moves, counters, and the events if they are "
               "kept.");
    module.attr("sources_hash") = TILEWISE_SOURCES_HASH;
    bind_facts(module);
    bind_passes(module);
    bind_paths(module);
    bind_tables(module);
    bind_learned(module);
    bind_models(module);
    bind_watching(module);
}
