// Values of squares as searches use them, and how a slide changes them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tilewise/learned/pair_values.hpp"
#include "tilewise/learned/slide_values.hpp"
#include "tilewise/learned/square_layout.hpp"

namespace tilewise {

class SquareValues {
public:
    // From weights in 1/128 of a move.
    SquareValues(const PairLayout& layout, const std::int16_t* weights) : layout_(layout) {
        for (std::size_t i = 0; i < SquareLayout::weights; ++i) values_.push_back(bounded(weights[i]));
        values_.push_back(0);  // numbers are read two at once
        find_solved();
    }
    SquareValues(const PairLayout& layout, const std::vector<float>& weights) : layout_(layout) {
        for (const float weight : weights) values_.push_back(bounded(std::lround(weight * PairValues::scale)));
        values_.push_back(0);
        find_solved();
    }

    const SquareLayout& layout() const { return layout_; }
    const std::int16_t* values() const { return values_.data(); }
    std::size_t bytes() const { return values_.size() * sizeof(values_[0]); }

    // The value of a board, 0 for the solved one.
    int value(const HomeCell* board) const { return sum(board) - solved_; }

private:
    static std::int16_t bounded(long value) {
        return static_cast<std::int16_t>(std::clamp<long>(value, -PairValues::largest, PairValues::largest));
    }
    int sum(const HomeCell* board) const {
        int total = 0;
        for (const auto& square : layout_.squares()) total += values_[layout_.weight(square, board)];
        return total;
    }
    void find_solved() {
        std::vector<HomeCell> solved(layout_.squares().back().back() + 1);  // the last square has the last cell
        for (std::size_t cell = 0; cell < solved.size(); ++cell) solved[cell] = static_cast<HomeCell>(cell);
        solved_ = sum(solved.data());
    }

    SquareLayout layout_;
    std::vector<std::int16_t> values_;
    int solved_ = 0;
};

// How a slide changes the values of pairs and of squares together.
class SlidesWithSquares {
public:
    static constexpr int scale = SlideValues::scale;

    SlidesWithSquares(const SlideValues& pairs, const SquareValues& squares)
        : pairs_(pairs), squares_(squares), cells_(static_cast<std::size_t>(pairs.cells())) {
        const SquareLayout& layout = squares.layout();
        for (std::size_t cell = 0; cell < cells_; ++cell) {
            for (std::size_t home = 0; home < cells_; ++home)
                classes_.push_back(static_cast<std::uint8_t>(layout.class_of(cell, home)));
            for (const std::size_t times : {std::size_t{1}, SquareLayout::classes}) {
                for (std::size_t home = 0; home < SlideBatch::padded; ++home)
                    padded_classes_.push_back(
                        static_cast<std::uint16_t>(home < cells_ ? times * layout.class_of(cell, home) : 0));
            }
        }
        for (std::size_t blank = 0; blank < cells_; ++blank) {
            for (int way = 0; way < 4; ++way) {
                const int to = steps().to(static_cast<int>(blank), way);
                around_.push_back(to == BlankSteps::none ? Around{} : around(blank, static_cast<std::size_t>(to)));
            }
        }
    }

    const BlankSteps& steps() const { return pairs_.steps(); }
    int cells() const { return pairs_.cells(); }
    int value(const HomeCell* board) const { return pairs_.value(board) + squares_.value(board); }

private:
    static constexpr std::size_t most_squares = 6;  // that hold one of two neighbouring cells
    static constexpr std::size_t most_others = 3;

    // A square that a slide changes: its other cells, and what each of its places counts.
    struct Changed {
        std::array<std::uint8_t, most_others> cells{};
        std::array<std::uint32_t, most_others> factors{};  // 0 for none
        std::uint32_t at_blank = 0;
        std::uint32_t at_tile = 0;
        BatchSquare batched{};
    };
    struct Around {
        std::array<Changed, most_squares> squares{};
        std::size_t count = 0;
    };

public:
    struct Slide {
        SlideValues::Slide pairs;
        const Around* around;
        std::array<std::uint32_t, most_squares> before;  // what blank and tile count in each square's weight
        std::array<std::uint32_t, most_squares> after;
    };

    Slide slide(int blank, int way, int tile) const {
        const Around& around = around_[static_cast<std::size_t>(blank) * 4 + static_cast<std::size_t>(way)];
        const auto from = static_cast<std::size_t>(steps().to(blank, way));
        constexpr auto blank_class = static_cast<std::uint32_t>(SquareLayout::classes - 1);
        const std::uint32_t class_before = classes_[from * cells_ + static_cast<std::size_t>(tile)];
        const std::uint32_t class_after = classes_[static_cast<std::size_t>(blank) * cells_ + static_cast<std::size_t>(tile)];
        Slide slide{pairs_.slide(blank, way, tile), &around, {}, {}};
        for (std::size_t i = 0; i < around.count; ++i) {
            const Changed& square = around.squares[i];
            slide.before[i] = square.at_blank * blank_class + square.at_tile * class_before;
            slide.after[i] = square.at_blank * class_after + square.at_tile * blank_class;
        }
        return slide;
    }

    template <int Cells>
    int after(int value, const Slide& slide, const HomeCell* board) const {
        const std::size_t cells = Cells > 0 ? static_cast<std::size_t>(Cells) : cells_;
        const std::int16_t* values = squares_.values();
        int change = 0;
        for (std::size_t i = 0; i < slide.around->count; ++i) {
            const Changed& square = slide.around->squares[i];
            std::uint32_t others = 0;
            for (std::size_t j = 0; j < most_others; ++j) {
                const std::size_t cell = square.cells[j];
                others += square.factors[j] * classes_[cell * cells + board[cell]];
            }
            change += values[others + slide.after[i]] - values[others + slide.before[i]];
        }
        return pairs_.template after<Cells>(value, slide.pairs, board) + change;
    }

    ChangeValues change() const { return pairs_.change(); }
    void prepare(SlideBatch& batch, const Slide& slide) const {
        pairs_.prepare(batch, slide.pairs);
        batch.squares = slide.around->count;
        for (std::size_t i = 0; i < batch.squares; ++i) {
            batch.square[i] = slide.around->squares[i].batched;
            batch.square[i].before = slide.before[i];
            batch.square[i].after = slide.after[i];
        }
        batch.classes = padded_classes_.data();
        batch.weights = squares_.values();
    }

private:
    Around around(std::size_t blank, std::size_t to) const {
        Around found;
        for (const auto& square : squares_.layout().squares()) {
            Changed changed;
            std::size_t others = 0;
            for (std::size_t place = 0; place < SquareLayout::places; ++place) {
                const auto factor = static_cast<std::uint32_t>(SquareLayout::factors[place]);
                if (square[place] == blank) {
                    changed.at_blank = factor;
                } else if (square[place] == to) {
                    changed.at_tile = factor;
                } else if (others < most_others) {
                    changed.cells[others] = static_cast<std::uint8_t>(square[place]);
                    changed.batched.cells[others] = changed.cells[others];
                    changed.batched.high = static_cast<std::uint8_t>(changed.batched.high + (place < 2 ? 1 : 0));
                    changed.batched.times_26[others] = place % 2 == 0;
                    changed.factors[others++] = factor;
                    changed.batched.others = static_cast<std::uint8_t>(others);
                }
            }
            if (changed.at_blank != 0 || changed.at_tile != 0) found.squares[found.count++] = changed;
        }
        return found;
    }

    const SlideValues& pairs_;
    const SquareValues& squares_;
    std::size_t cells_;
    std::vector<std::uint8_t> classes_;          // by cell and home
    std::vector<std::uint16_t> padded_classes_;  // see SlideBatch
    std::vector<Around> around_;                 // by the blank's cell and way
};

}  // namespace tilewise
