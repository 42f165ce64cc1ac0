// The beams over learned values: one for each usual number of cells, which the compiler unrolls, and one for all others.

#include "tilewise/learned/learned_values.hpp"

namespace tilewise {

namespace {

template <int Cells, class Values>
BeamOutcome run_beam(const Values& values, const HomesBoard& start, const HomesBoard& goal, const BeamRequest& request,
                     const LearnedValues::Poll& poll) {
    return WideBeam<Values, Cells>(values).run(start, goal, request, poll);
}

}  // namespace

LearnedValues::LearnedValues(int rows, int columns, const std::int16_t* singles, const std::int16_t* own,
                             const std::int16_t* shared, const std::int16_t* squares) {
    values_.emplace(rows, columns, singles, own, shared);
    slides_.emplace(*values_);
    if (squares == nullptr) return;
    squares_.emplace(values_->layout(), squares);
    with_squares_.emplace(*slides_, *squares_);
}

LearnedValues::LearnedValues(int rows, int columns, const PairValues& small, const GoOn& go_on) {
    stretched_.emplace(small, rows, columns, go_on);
}

LearnedValues::LearnedValues(const PairWeights& weights, const std::function<void()>& look) {
    values_.emplace(weights, look);
    slides_.emplace(*values_, look);
    if (weights.squares.empty()) return;
    squares_.emplace(values_->layout(), weights.squares);
    with_squares_.emplace(*slides_, *squares_);
}

BeamOutcome LearnedValues::beam(const HomesBoard& start, const HomesBoard& goal, const BeamRequest& request,
                                const Poll& poll) const {
    if (stretched_) return run_beam<0>(*stretched_, start, goal, request, poll);
    return with_slides([&](const auto& slides) {
        switch (slides.cells()) {
            case 25: return run_beam<25>(slides, start, goal, request, poll);
            case 36: return run_beam<36>(slides, start, goal, request, poll);
            case 49: return run_beam<49>(slides, start, goal, request, poll);
            case 64: return run_beam<64>(slides, start, goal, request, poll);
            default: return run_beam<0>(slides, start, goal, request, poll);
        }
    });
}

}  // namespace tilewise
