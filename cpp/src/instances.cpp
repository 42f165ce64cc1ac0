// The searches that are compiled: every loop, for the kinds of boards that it serves.

#include <optional>
#include <stdexcept>
#include <type_traits>

#include "tilewise/deepening_loops.hpp"
#include "tilewise/engine.hpp"
#include "tilewise/search/batched.hpp"
#include "tilewise/search/beam.hpp"
#include "tilewise/search/best_first.hpp"
#include "tilewise/search/deepening.hpp"
#include "tilewise/search/frontiers.hpp"
#include "tilewise/search/manhattan_kernel.hpp"
#include "tilewise/search/nine_table.hpp"
#include "tilewise/search/packed_astar.hpp"
#include "tilewise/search/packed_breadth_first.hpp"
#include "tilewise/search/packed_table.hpp"
#include "tilewise/shape.hpp"

namespace tilewise {
namespace {

// One call of the engine.
struct Run {
    const Request& request;
    const Estimate& estimate;
    const std::vector<std::uint8_t>& start;
    Meter& meter;
    Recorder* recorder;

    int rows() const { return estimate.rows(); }
    int columns() const { return estimate.columns(); }

    template <BoardState State, BoardShape Shape>
    Domain<Shape, State> domain(Shape shape) const {
        return {shape, start.data(), estimate.goal().data(), request.order};
    }
};

// ---- by the shape: call with the puzzle of a run

template <class Call>
auto on_packed_board(const Run& run, Call call) {
    if (run.rows() == 3 && run.columns() == 3) return call(run.domain<PackedState>(FixedShape<3, 3>{}));
    if (run.rows() == 4 && run.columns() == 4) return call(run.domain<PackedState>(FixedShape<4, 4>{}));
    return call(run.domain<PackedState>(RuntimeShape(run.rows(), run.columns())));
}

template <class Call>
auto on_board(const Run& run, Call call) {
    if (run.rows() * run.columns() <= PackedState::max_cells) return on_packed_board(run, call);
    if (run.rows() == 5 && run.columns() == 5) return call(run.domain<State5x5>(FixedShape<5, 5>{}));
    return call(run.domain<LargeState>(RuntimeShape(run.rows(), run.columns())));
}

template <class Call>
Outcome observed(const Run& run, Call call) {
    if (run.recorder != nullptr) return call(*run.recorder);
    Silent silent;
    return call(silent);
}

template <class Value>
using Plain = std::remove_cvref_t<Value>;

// ---- the general loops

template <OpenList Frontier>
Outcome best_first(const Run& run) {
    return on_board(run, [&]<class Domain>(const Domain& domain) {
        return observed(run, [&](auto& observer) {
            const auto& h = run.estimate.as<typename Domain::State>();
            return BestFirst<Domain, Frontier, Plain<decltype(observer)>>(domain, h, run.request.priority, run.meter, observer)
                .run();
        });
    });
}

Outcome best_first(const Run& run) {
    switch (run.request.algorithm) {
        case Algorithm::queue: return best_first<Queue>(run);
        case Algorithm::stack: return best_first<Stack>(run);
        default: return best_first<Buckets>(run);
    }
}

Outcome deepen(const Run& run) {
    return on_board(run, [&]<class Domain>(const Domain& domain) {
        return observed(run, [&](auto& observer) {
            const auto& h = run.estimate.as<typename Domain::State>();
            return Deepening<Domain, Plain<decltype(observer)>>(domain, h, run.meter, observer).run();
        });
    });
}

Outcome beam(const Run& run) {
    return on_board(run, [&]<class Domain>(const Domain& domain) {
        return observed(run, [&](auto& observer) {
            const auto& h = run.estimate.as<typename Domain::State>();
            return Beam<Domain, Plain<decltype(observer)>>(domain, h, run.request.width, run.meter, observer).run();
        });
    });
}

// ---- states in one word

template <StateTable Table>
Outcome packed_breadth_first(const Run& run) {
    return on_packed_board(
        run, [&]<class Domain>(const Domain& domain) { return PackedBreadthFirst<Domain, Table>(domain, run.meter).run(); });
}

std::optional<Outcome> nine_breadth_first(const Run& run) {
    if (!run.meter.has_memory_for(2 * NineTable::all)) return std::nullopt;
    return packed_breadth_first<NineTable>(run);
}

std::optional<Outcome> packed_astar(const Run& run) {
    return on_packed_board(run, [&]<class Domain>(const Domain& domain) {
        return PackedAStar<Domain>(domain, run.estimate.as<PackedState>(), run.meter).run();
    });
}

// Where it gives up, the search is the one without batches.
Outcome batched_astar(const Run& run) {
    const auto batch = static_cast<std::size_t>(run.request.batch);
    const std::optional<Outcome> outcome = on_packed_board(run, [&]<class Domain>(const Domain& domain) {
        return BatchedAStar<Domain>(domain, run.estimate.as<PackedState>(), batch, run.meter).run();
    });
    if (outcome) return *outcome;
    run.meter.begin_anew();
    Request one_by_one = run.request;
    one_by_one.batch = 0;
    return search(one_by_one, run.estimate, run.start, run.meter, run.recorder);
}

// ---- iterative deepening by kernels

Outcome by_manhattan(const Run& run) {
    const std::uint8_t* start = run.start.data();
    const std::uint8_t* goal = run.estimate.goal().data();
    if (run.rows() == 3) return ManhattanKernel<3, 3, default_order>(start, goal, run.meter).run();
    if (run.request.order == korf_order) return ManhattanKernel<4, 4, korf_order>(start, goal, run.meter).run();
    return ManhattanKernel<4, 4, default_order>(start, goal, run.meter).run();
}

std::optional<Outcome> run_loop(Loop loop, const Run& run) {
    switch (loop) {
        case Loop::manhattan: return by_manhattan(run);
        case Loop::shared_manhattan: return by_manhattan_in_threads(run.request, run.estimate, run.start, run.meter);
        case Loop::patterns: return by_patterns(run.request, run.estimate, run.start, run.meter);
        case Loop::deepening: return deepen(run);
        case Loop::plain: return by_any_heuristic(run.request, run.estimate, run.start, run.meter);
        case Loop::stored_patterns: return by_stored_patterns(run.request, run.estimate, run.start, run.meter);
        case Loop::stored_plain: return by_stored_nodes(run.request, run.estimate, run.start, run.meter);
        case Loop::nine_breadth_first: return nine_breadth_first(run);
        case Loop::packed_breadth_first: return packed_breadth_first<PackedTable>(run);
        case Loop::packed_astar: return packed_astar(run);
        case Loop::batched_astar: return batched_astar(run);
        case Loop::best_first: return best_first(run);
        case Loop::beam: return beam(run);
    }
    return std::nullopt;
}

}  // namespace

Outcome search(const Request& request, const Estimate& estimate, const std::vector<std::uint8_t>& start, Meter& meter,
               Recorder* recorder) {
    for (const LoopRow& row : loops) {
        if (!row.serves(request, estimate, recorder != nullptr)) continue;
        if (const auto outcome = run_loop(row.loop, {request, estimate, start, meter, recorder})) return *outcome;
        meter.begin_anew();
    }
    throw std::invalid_argument("no loop serves this search with these options");
}

}  // namespace tilewise
