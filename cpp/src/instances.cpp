// The table of compiled combinations: five kinds of boards, five searches, two observers.

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "tilewise/engine.hpp"
#include "tilewise/heuristics/cellwise.hpp"
#include "tilewise/heuristics/linear_conflict.hpp"
#include "tilewise/heuristics/walking_distance.hpp"
#include "tilewise/search/batched.hpp"
#include "tilewise/search/beam.hpp"
#include "tilewise/search/best_first.hpp"
#include "tilewise/search/deepening.hpp"
#include "tilewise/search/frontiers.hpp"
#include "tilewise/search/manhattan_kernel.hpp"
#include "tilewise/search/nine_table.hpp"
#include "tilewise/search/packed_astar.hpp"
#include "tilewise/search/packed_breadth_first.hpp"
#include "tilewise/search/passes.hpp"
#include "tilewise/search/pattern_kernel.hpp"
#include "tilewise/search/plain_kernel.hpp"
#include "tilewise/shape.hpp"

namespace tilewise {
namespace {

// The order with which Korf's published counts for the 15-puzzle (1985) come out.
constexpr Order korf_order{up, left, right, down};

template <class State>
std::unique_ptr<Heuristic<State>> make(const std::string& name, const Homes& homes) {
    if (name == "zero") return std::make_unique<Zero<State>>();
    if (name == "misplaced") return std::make_unique<Cellwise<State>>(homes, misplaced);
    if (name == "manhattan") return std::make_unique<Cellwise<State>>(homes, manhattan);
    if (name == "walking_distance") return std::make_unique<WalkingDistance<State>>(homes);
    if (name == "linear_conflict") {
        if constexpr (std::is_same_v<State, PackedState>) {
            if (LinearConflictByLines::serves(homes)) return std::make_unique<LinearConflictByLines>(homes);
        }
        return std::make_unique<LinearConflict<State>>(homes);
    }
    throw std::invalid_argument("no native heuristic " + name);
}

template <class State>
std::unique_ptr<Heuristic<State>> make(const std::vector<std::string>& names, const Homes& homes, bool summed,
                                       const std::vector<PatternGroups>& patterns) {
    std::vector<std::unique_ptr<Heuristic<State>>> parts;
    std::size_t tables = 0;
    for (const std::string& name : names) {
        if (name == "pdb") {
            parts.push_back(std::make_unique<PatternSum<State>>(patterns.at(tables++)));
        } else {
            parts.push_back(make<State>(name, homes));
        }
    }
    if (parts.size() == 1) return std::move(parts.front());
    if (summed) return std::make_unique<Sum<State>>(std::move(parts));
    return std::make_unique<Maximum<State>>(std::move(parts));
}

// Manhattan distance as the sum of one table for each tile.
PatternGroups single_tiles(const Homes& homes) {
    PatternGroup group;
    for (int tile = 1; tile < homes.cells(); ++tile) {
        auto values = std::make_shared<std::vector<std::uint8_t>>();
        PatternLookup lookup{
            nullptr, values, 1, {}, std::vector<std::uint8_t>(static_cast<std::size_t>(homes.cells()), not_in_pattern)};
        for (int cell = 0; cell < homes.cells(); ++cell) {
            values->push_back(static_cast<std::uint8_t>(manhattan(homes, cell, tile)));
            lookup.cells.push_back(static_cast<std::uint8_t>(cell));
        }
        lookup.values = values->data();
        lookup.tiles[static_cast<std::size_t>(tile)] = 0;
        group.push_back(std::move(lookup));
    }
    return {group};
}

using PatternDomain = Domain<RuntimeShape, State5x5>;

template <class Index, int Groups>
bool pattern_pass(Passes<PatternDomain>& passes, int bound, const PatternDomain& domain, const FollowedPatterns<Index>& patterns,
                  const MoveAutomaton* automaton) {
    if (automaton == nullptr) {
        return passes.one(bound, [&](Meter& meter) {
            return PatternKernel<Index, Groups, false, PatternDomain>(domain, patterns, nullptr, meter);
        });
    }
    return passes.one(bound, [&](Meter& meter) {
        return PatternKernel<Index, Groups, true, PatternDomain>(domain, patterns, automaton, meter);
    });
}

template <class Index>
bool pattern_pass(std::size_t groups, Passes<PatternDomain>& passes, int bound, const PatternDomain& domain,
                  const FollowedPatterns<Index>& patterns, const MoveAutomaton* automaton) {
    if (groups == 1) return pattern_pass<Index, 1>(passes, bound, domain, patterns, automaton);
    return pattern_pass<Index, 2>(passes, bound, domain, patterns, automaton);
}

// Manhattan distance by several threads.
Outcome deepen_by_manhattan(const Request& request, const Estimate& estimate, const std::vector<std::uint8_t>& start,
                            Meter& meter) {
    const PatternDomain domain(RuntimeShape(4, 4), start.data(), estimate.goal().data(), request.order);
    Passes<PatternDomain> passes(domain, request.threads, nullptr, meter);
    return passes.run(estimate.of(start), [&](int bound) {
        return passes.one(
            bound, [&](Meter& own) { return ManhattanKernel<4, 4, default_order>(start.data(), estimate.goal().data(), own); });
    });
}

Outcome deepen_by_patterns(const Request& request, const Estimate& estimate, const std::vector<std::uint8_t>& start,
                           Meter& meter) {
    const PatternTables& tables = *estimate.tables();
    const PatternDomain domain(RuntimeShape(estimate.rows(), estimate.columns()), start.data(), estimate.goal().data(),
                               request.order);
    Passes<PatternDomain> passes(domain, request.threads, request.automaton, meter);
    return passes.run(estimate.of(start), [&](int bound) {
        const std::uint64_t before = passes.generated();
        Stats so_far;
        so_far.generated = before;
        const auto* spread = tables.spread(meter.memory(), [&] { return !meter.stop(so_far); });
        const bool over = spread != nullptr
                              ? pattern_pass(tables.groups(), passes, bound, domain, *spread, request.automaton)
                              : pattern_pass(tables.groups(), passes, bound, domain, tables.compact(), request.automaton);
        tables.add_nodes(passes.generated() - before);
        return over;
    });
}

template <class Domain>
Outcome deepen_plainly(const Request& request, const Estimate& estimate, const Domain& domain, Meter& meter) {
    const auto& h = estimate.as<typename Domain::State>();
    Passes<Domain> passes(domain, request.threads, request.automaton, meter);
    return passes.run(h(domain.start()), [&](int bound) {
        return passes.one(bound, [&](Meter& own) { return PlainKernel<Domain>(domain, h, request.automaton, own); });
    });
}

template <class Domain, class Observer>
Outcome run(const Request& request, const Estimate& estimate, const Domain& domain, Meter& meter, Observer& observer) {
    const auto& h = estimate.as<typename Domain::State>();
    switch (request.algorithm) {
        case Algorithm::queue: return BestFirst<Domain, Queue, Observer>(domain, h, request.priority, meter, observer).run();
        case Algorithm::stack: return BestFirst<Domain, Stack, Observer>(domain, h, request.priority, meter, observer).run();
        case Algorithm::buckets: return BestFirst<Domain, Buckets, Observer>(domain, h, request.priority, meter, observer).run();
        case Algorithm::deepening: return Deepening<Domain, Observer>(domain, h, meter, observer).run();
        case Algorithm::beam: return Beam<Domain, Observer>(domain, h, request.width, meter, observer).run();
    }
    throw std::invalid_argument("no such search");
}

// The searches that keep a state in one word; none where they do not serve, or not to the end.
template <class Domain>
std::optional<Outcome> run_packed(const Request& request, const Estimate& estimate, const Domain& domain, Meter& meter) {
    const auto& h = estimate.as<PackedState>();
    if (request.algorithm == Algorithm::queue && estimate.is_zero()) {
        const bool nine = domain.shape().cells() == 9 && meter.has_memory_for(2 * NineTable::all);
        return nine ? PackedBreadthFirst<Domain, NineTable>(domain, meter).run()
                    : PackedBreadthFirst<Domain, PackedTable>(domain, meter).run();
    }
    if (request.algorithm != Algorithm::buckets) return std::nullopt;
    if (request.batch > 0) {
        if (const auto outcome = BatchedAStar<Domain>(domain, h, static_cast<std::size_t>(request.batch), meter).run())
            return outcome;
        meter.begin_anew();
    }
    const bool is_astar = request.priority.for_g == 1 && request.priority.for_h == 1 && request.priority.reopen;
    if (is_astar && estimate.changes_by_one()) return PackedAStar<Domain>(domain, h, meter).run();
    return std::nullopt;
}

template <class State, class Shape>
Outcome run_on(Shape shape, const Request& request, const Estimate& estimate, const std::vector<std::uint8_t>& start,
               Meter& meter, Recorder* recorder) {
    const Domain<Shape, State> domain(shape, start.data(), estimate.goal().data(), request.order);
    if (recorder != nullptr) return run(request, estimate, domain, meter, *recorder);
    if (request.automaton != nullptr || request.threads > 1) return deepen_plainly(request, estimate, domain, meter);
    if constexpr (std::is_same_v<State, PackedState>) {
        if (const auto outcome = run_packed(request, estimate, domain, meter)) return *outcome;
        meter.begin_anew();
    }
    Silent silent;
    return run(request, estimate, domain, meter, silent);
}

template <class State>
int value(const Heuristic<State>& heuristic, const std::vector<std::uint8_t>& tiles) {
    return heuristic(State(tiles.data(), static_cast<int>(tiles.size())));
}

}  // namespace

Estimate::Estimate(int rows, int columns, std::vector<std::uint8_t> goal, std::vector<std::string> names, bool summed,
                   std::vector<PatternGroups> patterns)
    : rows_(rows), columns_(columns), goal_(std::move(goal)), names_(std::move(names)), summed_(summed) {
    const Homes homes(rows, columns, goal_.data());
    if (homes.cells() <= PackedState::max_cells) {
        heuristic_ = make<PackedState>(names_, homes, summed, patterns);
    } else if (rows == 5 && columns == 5) {
        heuristic_ = make<State5x5>(names_, homes, summed, patterns);
    } else {
        heuristic_ = make<LargeState>(names_, homes, summed, patterns);
    }
    if (is_manhattan() && homes.cells() <= 25) patterns = {single_tiles(homes)};
    if (names_.size() == 1 && patterns.size() == 1 && PatternTables::serves(patterns.front(), homes.cells(), columns)) {
        tables_ = std::make_unique<PatternTables>(std::move(patterns.front()), columns);
    }
}

bool Estimate::changes_by_one() const {
    const auto by_one = [](const std::string& name) {
        return name == "manhattan" || name == "linear_conflict" || name == "walking_distance";
    };
    return std::all_of(names_.begin(), names_.end(), by_one) && (names_.size() == 1 || !summed_);
}

int Estimate::of(const std::vector<std::uint8_t>& tiles) const {
    return std::visit([&](const auto& heuristic) { return value(*heuristic, tiles); }, heuristic_);
}

Outcome search(const Request& request, const Estimate& estimate, const std::vector<std::uint8_t>& start, Meter& meter,
               Recorder* recorder) {
    const int rows = estimate.rows();
    const int columns = estimate.columns();
    const bool unwatched = request.algorithm == Algorithm::deepening && recorder == nullptr;
    const bool plain = request.automaton == nullptr && request.threads == 1;
    if (unwatched && plain && estimate.is_manhattan()) {
        const bool usual = request.order == default_order;
        if (rows == 3 && columns == 3 && usual)
            return ManhattanKernel<3, 3, default_order>(start.data(), estimate.goal().data(), meter).run();
        if (rows == 4 && columns == 4 && usual)
            return ManhattanKernel<4, 4, default_order>(start.data(), estimate.goal().data(), meter).run();
        if (rows == 4 && columns == 4 && request.order == korf_order)
            return ManhattanKernel<4, 4, korf_order>(start.data(), estimate.goal().data(), meter).run();
    }
    if (unwatched && request.automaton == nullptr && estimate.is_manhattan() && rows == 4 && columns == 4 &&
        request.order == default_order) {
        return deepen_by_manhattan(request, estimate, start, meter);
    }
    if (unwatched && estimate.tables() != nullptr) return deepen_by_patterns(request, estimate, start, meter);
    if (rows == 3 && columns == 3) return run_on<PackedState>(FixedShape<3, 3>{}, request, estimate, start, meter, recorder);
    if (rows == 4 && columns == 4) return run_on<PackedState>(FixedShape<4, 4>{}, request, estimate, start, meter, recorder);
    if (rows == 5 && columns == 5) return run_on<State5x5>(FixedShape<5, 5>{}, request, estimate, start, meter, recorder);
    const RuntimeShape shape(rows, columns);
    if (shape.cells() <= PackedState::max_cells) return run_on<PackedState>(shape, request, estimate, start, meter, recorder);
    return run_on<LargeState>(shape, request, estimate, start, meter, recorder);
}

}  // namespace tilewise
