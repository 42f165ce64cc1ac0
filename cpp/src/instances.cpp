// The table of compiled combinations: five kinds of boards, five searches, two observers.

#include <stdexcept>

#include "tilewise/engine.hpp"
#include "tilewise/heuristics/cellwise.hpp"
#include "tilewise/heuristics/linear_conflict.hpp"
#include "tilewise/heuristics/walking_distance.hpp"
#include "tilewise/search/beam.hpp"
#include "tilewise/search/best_first.hpp"
#include "tilewise/search/deepening.hpp"
#include "tilewise/search/frontiers.hpp"
#include "tilewise/search/manhattan_kernel.hpp"
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
std::unique_ptr<Heuristic<State>> make(const std::vector<std::string>& names, const Homes& homes, bool summed) {
    if (names.size() == 1) return make<State>(names.front(), homes);
    std::vector<std::unique_ptr<Heuristic<State>>> parts;
    for (const std::string& name : names) parts.push_back(make<State>(name, homes));
    if (summed) return std::make_unique<Sum<State>>(std::move(parts));
    return std::make_unique<Maximum<State>>(std::move(parts));
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

template <class State, class Shape>
Outcome run_on(Shape shape, const Request& request, const Estimate& estimate, const std::vector<std::uint8_t>& start, Meter& meter,
               Recorder* recorder) {
    const Domain<Shape, State> domain(shape, start.data(), estimate.goal().data(), request.order);
    if (recorder != nullptr) return run(request, estimate, domain, meter, *recorder);
    Silent silent;
    return run(request, estimate, domain, meter, silent);
}

template <class State>
int value(const Heuristic<State>& heuristic, const std::vector<std::uint8_t>& tiles) {
    return heuristic(State(tiles.data(), static_cast<int>(tiles.size())));
}

}  // namespace

Estimate::Estimate(int rows, int columns, std::vector<std::uint8_t> goal, std::vector<std::string> names, bool summed)
    : rows_(rows), columns_(columns), goal_(std::move(goal)), names_(std::move(names)) {
    const Homes homes(rows, columns, goal_.data());
    if (homes.cells() <= PackedState::max_cells) {
        heuristic_ = make<PackedState>(names_, homes, summed);
    } else if (rows == 5 && columns == 5) {
        heuristic_ = make<State5x5>(names_, homes, summed);
    } else {
        heuristic_ = make<LargeState>(names_, homes, summed);
    }
}

int Estimate::of(const std::vector<std::uint8_t>& tiles) const {
    return std::visit([&](const auto& heuristic) { return value(*heuristic, tiles); }, heuristic_);
}

Outcome search(const Request& request, const Estimate& estimate, const std::vector<std::uint8_t>& start, Meter& meter,
               Recorder* recorder) {
    const int rows = estimate.rows();
    const int columns = estimate.columns();
    if (request.algorithm == Algorithm::deepening && recorder == nullptr && estimate.is_manhattan()) {
        const bool usual = request.order == default_order;
        if (rows == 3 && columns == 3 && usual) return ManhattanKernel<3, 3, default_order>(start.data(), estimate.goal().data(), meter).run();
        if (rows == 4 && columns == 4 && usual) return ManhattanKernel<4, 4, default_order>(start.data(), estimate.goal().data(), meter).run();
        if (rows == 4 && columns == 4 && request.order == korf_order) return ManhattanKernel<4, 4, korf_order>(start.data(), estimate.goal().data(), meter).run();
    }
    if (rows == 3 && columns == 3) return run_on<PackedState>(FixedShape<3, 3>{}, request, estimate, start, meter, recorder);
    if (rows == 4 && columns == 4) return run_on<PackedState>(FixedShape<4, 4>{}, request, estimate, start, meter, recorder);
    if (rows == 5 && columns == 5) return run_on<State5x5>(FixedShape<5, 5>{}, request, estimate, start, meter, recorder);
    const RuntimeShape shape(rows, columns);
    if (shape.cells() <= PackedState::max_cells) return run_on<PackedState>(shape, request, estimate, start, meter, recorder);
    return run_on<LargeState>(shape, request, estimate, start, meter, recorder);
}

}  // namespace tilewise
