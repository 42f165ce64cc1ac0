// Which weights the squares of a board use. A square is 2x2 neighbouring cells; its weight depends on how far from home each
// of the four tiles is, in which direction, and on nothing else: it is the same everywhere and on boards of every size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tilewise/learned/homes_board.hpp"
#include "tilewise/learned/pair_layout.hpp"

namespace tilewise {

class SquareLayout {
public:
    static constexpr std::size_t places = 4;
    static constexpr std::size_t classes = PairLayout::classes;
    static constexpr std::size_t weights = classes * classes * classes * classes;
    // How much each place of a square counts in the number of its weight.
    static constexpr std::array<std::size_t, places> factors = {classes * classes * classes, classes * classes, classes, 1};
    using Square = std::array<std::size_t, places>;  // its cells, row by row

    explicit SquareLayout(const PairLayout& layout) : cells_(static_cast<std::size_t>(layout.cells())) {
        const auto across = static_cast<std::size_t>(layout.columns());
        for (std::size_t cell = 0; cell + across < cells_; ++cell) {
            if (cell % across + 1 < across) squares_.push_back({cell, cell + 1, cell + across, cell + across + 1});
        }
        for (int cell = 0; cell < layout.cells(); ++cell) {
            for (int home = 0; home < layout.cells(); ++home)
                classes_.push_back(static_cast<std::uint8_t>(layout.offset_class(cell, home)));
        }
    }

    const std::vector<Square>& squares() const { return squares_; }
    std::size_t class_of(std::size_t cell, std::size_t home) const { return classes_[cell * cells_ + home]; }

    std::size_t weight(const Square& square, const HomeCell* board) const {
        std::size_t number = 0;
        for (const std::size_t cell : square) number = number * classes + class_of(cell, board[cell]);
        return number;
    }

    // The weight of the transposed image of each weight.
    static std::vector<std::size_t> transposed() {
        std::vector<std::size_t> image(weights);
        std::size_t at = 0;
        for (std::size_t a = 0; a < classes; ++a) {
            for (std::size_t b = 0; b < classes; ++b) {
                for (std::size_t c = 0; c < classes; ++c) {
                    for (std::size_t d = 0; d < classes; ++d)
                        image[at++] = turned(a) * factors[0] + turned(c) * factors[1] + turned(b) * factors[2] + turned(d);
                }
            }
        }
        return image;
    }

private:
    static std::size_t turned(std::size_t offsets) {
        return static_cast<std::size_t>(PairLayout::transposed_class(static_cast<int>(offsets)));
    }

    std::size_t cells_;
    std::vector<Square> squares_;
    std::vector<std::uint8_t> classes_;
};

}  // namespace tilewise
