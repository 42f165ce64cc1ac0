// A model for one shape, ready for searches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "tilewise/learned/pair_values.hpp"
#include "tilewise/learned/shared_values.hpp"
#include "tilewise/learned/slide_values.hpp"
#include "tilewise/search/wide_beam.hpp"

namespace tilewise {

class LearnedValues {
public:
    using Poll = std::function<bool(const BeamOutcome&)>;

    LearnedValues(int rows, int columns, const std::int16_t* singles, const std::int16_t* own, const std::int16_t* shared);
    // Of shared weights alone, for any shape.
    LearnedValues(int rows, int columns, const std::int16_t* shared);
    explicit LearnedValues(const PairWeights& weights);
    LearnedValues(const LearnedValues&) = delete;
    LearnedValues& operator=(const LearnedValues&) = delete;

    const PairLayout& layout() const { return values_ ? values_->layout() : shared_->layout(); }
    int value(const HomesBoard& board) const { return values_ ? values_->value(board.data()) : shared_->value(board.data()); }
    std::size_t bytes() const { return slides_ ? slides_->bytes() : 0; }

    // A beam from the board to the goal; see WideBeam.
    BeamOutcome beam(const HomesBoard& start, const HomesBoard& goal, const BeamRequest& request, const Poll& poll) const;

private:
    std::optional<PairValues> values_;
    std::optional<SlideValues> slides_;
    std::optional<SharedValues> shared_;
};

}  // namespace tilewise
