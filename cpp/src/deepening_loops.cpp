// Iterative deepening by kernels: whole searches, and single passes in parts.

#include "tilewise/deepening_loops.hpp"

#include <stdexcept>

#include "tilewise/search/manhattan_kernel.hpp"
#include "tilewise/search/maximum_kernel.hpp"
#include "tilewise/search/pattern_kernel.hpp"
#include "tilewise/search/plain_kernel.hpp"
#include "tilewise/search/probe.hpp"
#include "tilewise/shape.hpp"

namespace tilewise {
namespace {

using PatternDomain = Domain<RuntimeShape, State5x5>;

template <BoardState State>
Domain<RuntimeShape, State> domain_of(const Request& request, const Estimate& estimate, const Tiles& start) {
    return {RuntimeShape(estimate.rows(), estimate.columns()), start.data(), estimate.goal().data(), request.order};
}

// Call with a kernel maker for one or two sums, or for more of them.
template <class Index, bool Pruned, class Call>
auto with_kernel(const PatternDomain& domain, const FollowedPatterns<Index>& patterns, std::size_t groups,
                 const MoveAutomaton* automaton, Call call) {
    const auto of_few = [&]<int Groups>() {
        return call([&](Meter& meter) {
            return PatternKernel<Index, Groups, Pruned, PatternDomain>(domain, patterns, automaton, meter);
        });
    };
    const auto of_many = [&]<int Groups>() {
        return call([&](Meter& meter) {
            return MaximumKernel<Index, Groups, Pruned, PatternDomain>(domain, patterns, groups, automaton, meter);
        });
    };
    if (groups == 1) return of_few.template operator()<1>();
    if (groups == 2) return of_few.template operator()<2>();
    if (groups == 8) return of_many.template operator()<8>();
    return of_many.template operator()<0>();
}

template <class Index, class Call>
auto with_kernel(const PatternDomain& domain, const FollowedPatterns<Index>& patterns, std::size_t groups,
                 const MoveAutomaton* automaton, Call call) {
    if (automaton == nullptr) return with_kernel<Index, false>(domain, patterns, groups, nullptr, call);
    return with_kernel<Index, true>(domain, patterns, groups, automaton, call);
}

// Call with a maker of the fastest kernel that the tables have by now.
template <class Call>
auto with_best_kernel(const Request& request, const PatternDomain& domain, const PatternTables& tables, std::uint64_t generated,
                      std::uint64_t expected, Meter& meter, Call call) {
    Stats so_far;
    so_far.generated = generated;
    const auto* spread = tables.spread(meter.memory(), request.threads, [&] { return !meter.stop(so_far); }, expected);
    if (spread != nullptr) return with_kernel(domain, *spread, tables.groups(), request.automaton, call);
    return with_kernel(domain, tables.compact(), tables.groups(), request.automaton, call);
}

template <BoardState State>
Outcome by_any_heuristic_on(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter) {
    using Puzzle = Domain<RuntimeShape, State>;
    const Puzzle domain = domain_of<State>(request, estimate, start);
    const Heuristic<State>& h = estimate.as<State>();
    Passes<Puzzle> passes(domain, request.threads, request.automaton, meter, request.below);
    const auto make = [&](Meter& own) { return PlainKernel<Puzzle>(domain, h, request.automaton, own); };
    return passes.run(h(domain.start()), [&](int bound) { return passes.one(bound, make); });
}

const PatternTables& tables_of(const Estimate& estimate) {
    if (estimate.tables() == nullptr) throw std::invalid_argument("expected a heuristic of tables for a pass in parts");
    return *estimate.tables();
}

}  // namespace

Outcome by_manhattan_in_threads(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter) {
    const PatternDomain domain = domain_of<State5x5>(request, estimate, start);
    Passes<PatternDomain> passes(domain, request.threads, nullptr, meter);
    const auto make = [&](Meter& own) { return ManhattanKernel<4, 4, default_order>(start.data(), estimate.goal().data(), own); };
    return passes.run(estimate.of(start), [&](int bound) { return passes.one(bound, make); });
}

Outcome by_patterns(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter) {
    const PatternTables& tables = *estimate.tables();
    const PatternDomain domain = domain_of<State5x5>(request, estimate, start);
    Passes<PatternDomain> passes(domain, request.threads, request.automaton, meter, request.below);
    return passes.run(estimate.of(start), [&](int bound) {
        const std::uint64_t before = passes.generated();
        const bool over =
            with_best_kernel(request, domain, tables, before, 0, meter, [&](auto make) { return passes.one(bound, make); });
        tables.add_nodes(passes.generated() - before);
        return over;
    });
}

Outcome by_any_heuristic(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter) {
    if (start.size() <= PackedState::max_cells) return by_any_heuristic_on<PackedState>(request, estimate, start, meter);
    if (estimate.rows() == 5 && estimate.columns() == 5) return by_any_heuristic_on<State5x5>(request, estimate, start, meter);
    return by_any_heuristic_on<LargeState>(request, estimate, start, meter);
}

Subtrees roots_of_pass(const Request& request, const Estimate& estimate, const Tiles& start, int bound, std::uint64_t wanted,
                       Meter& meter, Stats& stats) {
    const PatternTables& tables = tables_of(estimate);
    const PatternDomain domain = domain_of<State5x5>(request, estimate, start);
    return with_kernel(domain, tables.compact(), tables.groups(), request.automaton, [&](auto make) {
        auto kernel = make(meter);
        return subtrees_below(domain, request.automaton, bound, wanted, kernel, meter, stats);
    });
}

Subtrees roots_of_probe(const Request& request, const Estimate& estimate, const Tiles& start, int bound, std::uint64_t wanted,
                        std::size_t most_roots, Meter& meter, Stats& stats) {
    const PatternTables& tables = tables_of(estimate);
    const PatternDomain domain = domain_of<State5x5>(request, estimate, start);
    return ProbeFrontier<PatternDomain>(domain, tables.compact(), tables.groups(), bound).roots(wanted, most_roots, meter, stats);
}

SubtreesOutcome search_roots(const Request& request, const Estimate& estimate, const Tiles& start, int bound,
                             const std::vector<Path>& roots, std::uint64_t expected, Meter& meter, DoneSubtrees& done) {
    const PatternTables& tables = tables_of(estimate);
    const PatternDomain domain = domain_of<State5x5>(request, estimate, start);
    tables.add_nodes(expected / 8);  // so that tasks that are small by themselves come to it, too
    return with_best_kernel(request, domain, tables, 0, expected, meter,
                            [&](auto make) { return search_subtrees(roots, bound, request.threads, meter, done, make); });
}

}  // namespace tilewise
