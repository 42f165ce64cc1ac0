// The values of a beam by any heuristic of the engine.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tilewise/estimate.hpp"
#include "tilewise/learned/homes_board.hpp"

namespace tilewise {

template <BoardState State>
class EstimatedValues {
public:
    static constexpr int scale = 1;
    using Prepared = State;

    explicit EstimatedValues(const Estimate& estimate) : h_(estimate.as<State>()), steps_(estimate.rows(), estimate.columns()) {}

    const BlankSteps& steps() const { return steps_; }
    int cells() const { return steps_.cells(); }
    int value(const HomeCell* board) const { return h_(State(board, cells())); }
    void prepare(const HomeCell* board, Prepared& state) const { state = State(board, cells()); }

    template <int Cells>
    int after(int value, const Prepared& state, int blank, int way, int /*tile*/) const {
        const int to = steps_.to(blank, way);
        return h_.after_slide(state, value, blank, to, state.slid(blank, to));
    }

private:
    const Heuristic<State>& h_;
    BlankSteps steps_;
};

}  // namespace tilewise
