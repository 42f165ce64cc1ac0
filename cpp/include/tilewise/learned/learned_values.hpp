// A model for one shape, ready for searches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "tilewise/learned/pair_values.hpp"
#include "tilewise/learned/slide_values.hpp"
#include "tilewise/learned/square_values.hpp"
#include "tilewise/learned/stretched_values.hpp"
#include "tilewise/search/wide_beam.hpp"

namespace tilewise {

class LearnedValues {
public:
    using Poll = std::function<bool(const BeamOutcome&)>;

    // Without weights of squares, `squares` is null.
    LearnedValues(int rows, int columns, const std::int16_t* singles, const std::int16_t* own, const std::int16_t* shared,
                  const std::int16_t* squares = nullptr);
    // For a shape that is too large for tables of its slides, by those of a smaller square one.
    LearnedValues(int rows, int columns, const PairValues& small, const GoOn& go_on = nullptr);
    // `look` is called now and then; what it throws ends the making.
    explicit LearnedValues(const PairWeights& weights, const std::function<void()>& look = {});
    LearnedValues(const LearnedValues&) = delete;
    LearnedValues& operator=(const LearnedValues&) = delete;

    const PairLayout& layout() const { return values_ ? values_->layout() : stretched_->layout(); }
    int value(const HomeCell* board) const {
        if (stretched_) return stretched_->value(board);
        return values_->value(board) + (squares_ ? squares_->value(board) : 0);
    }
    int value(const HomesBoard& board) const { return value(board.data()); }
    // The same as whole moves, where the goal has a value, too.
    int moves(const HomeCell* board, int at_goal) const {
        static_assert(PairValues::scale == 1 << 7);
        const std::int64_t beyond = std::int64_t{value(board)} - at_goal;
        return static_cast<int>(std::clamp<std::int64_t>((beyond + PairValues::scale / 2) >> 7, 0, most_moves));
    }
    static constexpr std::int64_t most_moves = 10'000;
    // Of a shape that has tables of its slides: what a slide changes, with squares or without.
    template <class Use>
    auto with_slides(Use use) const {
        return with_squares_ ? use(*with_squares_) : use(slides_.value());
    }
    std::size_t bytes() const {
        if (stretched_) return stretched_->bytes();
        return values_->bytes() + slides_->bytes() + (squares_ ? squares_->bytes() : 0);
    }

    // A beam from the board to the goal; see WideBeam.
    BeamOutcome beam(const HomesBoard& start, const HomesBoard& goal, const BeamRequest& request, const Poll& poll) const;

private:
    std::optional<PairValues> values_;
    std::optional<SlideValues> slides_;
    std::optional<SquareValues> squares_;
    std::optional<SlidesWithSquares> with_squares_;
    std::optional<StretchedValues> stretched_;
};

}  // namespace tilewise
