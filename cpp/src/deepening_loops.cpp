// Iterative deepening by kernels: whole searches, and single passes in parts.

#include "tilewise/deepening_loops.hpp"

#include <optional>
#include <stdexcept>

#include "tilewise/search/astar_idastar.hpp"
#include "tilewise/search/manhattan_kernel.hpp"
#include "tilewise/search/maximum_kernel.hpp"
#include "tilewise/search/pattern_kernel.hpp"
#include "tilewise/search/plain_kernel.hpp"
#include "tilewise/search/probe.hpp"
#include "tilewise/search/subtrees_in_turn.hpp"
#include "tilewise/search/two_way_kernel.hpp"
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

// The same for tables that are looked up by tiles alone or in two ways.
template <class Index, class Call>
auto with_kernel(const PatternDomain& domain, const FollowedPatterns<Index>& patterns, const CellPatterns<Index>& by_cells,
                 std::size_t groups, const MoveAutomaton* automaton, Call call) {
    if (by_cells.views() == 0) return with_kernel(domain, patterns, groups, automaton, call);
    const auto in_two_ways = [&]<int Sums, bool Pruned>() {
        return call([&](Meter& meter) {
            return TwoWayKernel<Index, Sums, Sums, Pruned, PatternDomain>(domain, patterns, groups, by_cells, automaton, meter);
        });
    };
    if (automaton == nullptr) return in_two_ways.template operator()<0, false>();
    if (groups == 2 && by_cells.views() == 2) return in_two_ways.template operator()<2, true>();
    return in_two_ways.template operator()<0, true>();
}

// Call with a maker of the fastest kernel that the tables have by now.
template <class Call>
auto with_best_kernel(const Request& request, const PatternDomain& domain, const PatternTables& tables, std::uint64_t generated,
                      std::uint64_t expected, Meter& meter, Call call) {
    Stats so_far;
    so_far.generated = generated;
    const auto* spread = tables.spread(meter.memory(), request.threads, [&] { return !meter.stop(so_far); }, expected);
    if (spread != nullptr)
        return with_kernel(domain, *spread, tables.spread_by_cells(), tables.groups(), request.automaton, call);
    return with_kernel(domain, tables.compact(), tables.compact_by_cells(), tables.groups(), request.automaton, call);
}

// What is stored follows one form of the tables, and so do the passes; the faster form comes when
// it pays.
template <BoardState State>
class StoredPatterns {
public:
    StoredPatterns(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter)
        : request_(request),
          tables_(*estimate.tables()),
          cells_(static_cast<int>(start.size())),
          meter_(meter),
          domain_(domain_of<State5x5>(request, estimate, start)),
          stored_domain_(domain_of<State>(request, estimate, start)),
          search_(stored_domain_, request.automaton, meter, request.below) {}

    Outcome run() {
        look_for_spread();
        const auto ended = spread_ != nullptr
                               ? search_.store(request_.nodes, fast_.emplace(*spread_, tables_.groups(), cells_))
                               : search_.store(request_.nodes, small_.emplace(tables_.compact(), tables_.groups(), cells_));
        tables_.add_nodes(search_.generated());
        if (ended) return *ended;
        return search_.run([&](int bound) {
            const std::uint64_t before = search_.generated();
            if (spread_ == nullptr) look_for_spread();
            if (spread_ != nullptr && !fast_) follow_spread();
            const bool over = fast_ ? pass(bound, *spread_, *fast_) : pass(bound, tables_.compact(), *small_);
            tables_.add_nodes(search_.generated() - before);
            return over;
        });
    }

private:
    void look_for_spread() {
        Stats so_far;
        so_far.generated = search_.generated();
        spread_ = tables_.spread(meter_.memory(), request_.threads, [&] { return !meter_.stop(so_far); });
    }

    void follow_spread() {
        fast_.emplace(*spread_, tables_.groups(), cells_);
        fast_->reserve(search_.stored().size());
        for (std::uint32_t number = 0; number < search_.stored().size(); ++number) fast_->start(search_.stored()[number].state);
        small_.reset();
    }

    // Bytes of spread tables: up to here most values come from a cache, and one subtree after the other is as fast.
    static constexpr std::uint64_t cached = std::uint64_t{64} << 20;

    template <class Index>
    bool pass(int bound, const FollowedPatterns<Index>& patterns, const FollowedNodes<Index>& values) {
        using InTurn = SubtreesInTurn<Index, 2, PatternDomain>;
        if (tables_.groups() == 2 && cells_ <= PackedState::max_cells && InTurn::serves(patterns) &&
            tables_.room_for_spread() > cached) {
            InTurn subtrees(domain_, patterns, values, *request_.automaton, meter_);
            return search_.one_in_turn(bound, subtrees);
        }
        return with_kernel<Index, true>(domain_, patterns, tables_.groups(), request_.automaton, [&](auto make) {
            auto kernel = make(meter_);
            return search_.one(bound, kernel, values);
        });
    }

    const Request& request_;
    const PatternTables& tables_;
    int cells_;
    Meter& meter_;
    const PatternDomain domain_;
    const Domain<RuntimeShape, State> stored_domain_;
    AStarIdaStar<Domain<RuntimeShape, State>> search_;
    const FollowedPatterns<SparseIndex>* spread_ = nullptr;
    std::optional<FollowedNodes<SparseIndex>> fast_;
    std::optional<FollowedNodes<CompactIndex>> small_;
};

template <BoardState State>
Outcome by_stored_nodes_on(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter) {
    using Puzzle = Domain<RuntimeShape, State>;
    const Puzzle domain = domain_of<State>(request, estimate, start);
    const Heuristic<State>& h = estimate.as<State>();
    AStarIdaStar<Puzzle> search(domain, request.automaton, meter, request.below);
    EstimatedNodes<State> values(h);
    if (const auto ended = search.store(request.nodes, values)) return *ended;
    PlainKernel<Puzzle> kernel(domain, h, request.automaton, meter);
    return search.run([&](int bound) { return search.one(bound, kernel, values); });
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
    if (estimate.tables_of_passes() == nullptr) throw std::invalid_argument("expected a heuristic of tables for a pass in parts");
    return *estimate.tables_of_passes();
}

}  // namespace

Outcome by_manhattan_in_threads(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter) {
    const PatternDomain domain = domain_of<State5x5>(request, estimate, start);
    Passes<PatternDomain> passes(domain, request.threads, nullptr, meter);
    const auto make = [&](Meter& own) { return ManhattanKernel<4, 4, default_order>(start.data(), estimate.goal().data(), own); };
    return passes.run(estimate.of(start), [&](int bound) { return passes.one(bound, make); });
}

Outcome by_patterns(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter) {
    const PatternTables& tables = tables_of(estimate);
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

Outcome by_stored_patterns(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter) {
    if (start.size() <= PackedState::max_cells) return StoredPatterns<PackedState>(request, estimate, start, meter).run();
    return StoredPatterns<State5x5>(request, estimate, start, meter).run();
}

Outcome by_stored_nodes(const Request& request, const Estimate& estimate, const Tiles& start, Meter& meter) {
    if (start.size() <= PackedState::max_cells) return by_stored_nodes_on<PackedState>(request, estimate, start, meter);
    if (estimate.rows() == 5 && estimate.columns() == 5) return by_stored_nodes_on<State5x5>(request, estimate, start, meter);
    return by_stored_nodes_on<LargeState>(request, estimate, start, meter);
}

Subtrees roots_of_pass(const Request& request, const Estimate& estimate, const Tiles& start, int bound, std::uint64_t wanted,
                       Meter& meter, Stats& stats) {
    const PatternTables& tables = tables_of(estimate);
    const PatternDomain domain = domain_of<State5x5>(request, estimate, start);
    return with_kernel(domain, tables.compact(), tables.compact_by_cells(), tables.groups(), request.automaton, [&](auto make) {
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
