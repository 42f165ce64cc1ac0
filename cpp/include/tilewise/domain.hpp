// The puzzle as a search sees it: start, goal, and the slides from each cell of the blank.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <vector>

#include "tilewise/shape.hpp"
#include "tilewise/state.hpp"

namespace tilewise {

enum Move : std::uint8_t { up, down, left, right, no_move = 255 };

constexpr Move opposite(Move move) { return static_cast<Move>(move ^ 1); }

// The order in which successors are made.
using Order = std::array<Move, 4>;
constexpr Order default_order{up, down, left, right};

struct Slide {
    Move move;
    std::uint8_t target;
};

template <BoardShape ShapeType, BoardState StateType>
class Domain {
public:
    using Shape = ShapeType;
    using State = StateType;

    Domain(Shape shape, const std::uint8_t* start, const std::uint8_t* goal, Order order = default_order)
        : shape_(shape), start_(start, shape.cells()), goal_(goal, shape.cells()) {
        for (int cell = 0; cell < shape.cells(); ++cell) {
            if (start[cell] == 0) start_blank_ = static_cast<std::uint8_t>(cell);
            slides_.push_back(slides_from(cell, order));
        }
    }

    const Shape& shape() const { return shape_; }
    const State& start() const { return start_; }
    const State& goal() const { return goal_; }
    std::uint8_t start_blank() const { return start_blank_; }

    class Slides {
    public:
        void add(Slide slide) { all_[count_++] = slide; }
        std::size_t size() const { return count_; }
        Slide operator[](std::size_t i) const { return all_[i]; }
        const Slide* begin() const { return all_.data(); }
        const Slide* end() const { return all_.data() + count_; }

    private:
        std::array<Slide, 4> all_{};
        std::size_t count_ = 0;
    };

    // In the order of successors.
    const Slides& slides(int blank) const { return slides_[static_cast<std::size_t>(blank)]; }

private:
    Slides slides_from(int cell, const Order& order) const {
        const int row = cell / shape_.columns();
        const int column = cell % shape_.columns();
        Slides slides;
        auto add = [&](bool inside, Move move, int target) {
            if (inside) slides.add({move, static_cast<std::uint8_t>(target)});
        };
        for (const Move move : order) {
            if (move == up) add(row > 0, up, cell - shape_.columns());
            if (move == down) add(row + 1 < shape_.rows(), down, cell + shape_.columns());
            if (move == left) add(column > 0, left, cell - 1);
            if (move == right) add(column + 1 < shape_.columns(), right, cell + 1);
        }
        return slides;
    }

    Shape shape_;
    State start_;
    State goal_;
    std::uint8_t start_blank_ = 0;
    std::vector<Slides> slides_;
};

// What a search asks of the puzzle.
template <class Puzzle>
concept PuzzleDomain =
    BoardShape<typename Puzzle::Shape> && BoardState<typename Puzzle::State> && requires(const Puzzle& puzzle, int blank) {
        { puzzle.shape() } -> std::convertible_to<typename Puzzle::Shape>;
        { puzzle.start() } -> std::convertible_to<typename Puzzle::State>;
        { puzzle.goal() } -> std::convertible_to<typename Puzzle::State>;
        { puzzle.start_blank() } -> std::same_as<std::uint8_t>;
        { puzzle.slides(blank)[0] } -> std::same_as<Slide>;  // in the order of successors
        { puzzle.slides(blank).size() } -> std::same_as<std::size_t>;
    };
static_assert(PuzzleDomain<Domain<FixedShape<3, 3>, PackedState>> && PuzzleDomain<Domain<RuntimeShape, ByteState<25>>>);

// The slides from each cell after each move, without the one straight back.
template <PuzzleDomain Domain>
class ForwardSlides {
public:
    explicit ForwardSlides(const Domain& domain) {
        for (int blank = 0; blank < domain.shape().cells(); ++blank) {
            for (const Move last : {up, down, left, right}) {
                slides_.emplace_back();
                for (const Slide slide : domain.slides(blank)) {
                    if (slide.move != opposite(last)) slides_.back().add(slide);
                }
            }
        }
    }

    const typename Domain::Slides& operator()(int blank, Move last) const {
        return slides_[static_cast<std::size_t>(blank * 4 + last)];
    }

private:
    std::vector<typename Domain::Slides> slides_;
};

}  // namespace tilewise
