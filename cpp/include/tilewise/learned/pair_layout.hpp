// Which weights a board uses: one for each cell, and for each pair of cells one of its own and one that is shared.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tilewise/learned/homes_board.hpp"

namespace tilewise {

// A pair of cells a < b with tiles of homes ta and tb has a weight of its own. The shared weight depends on the relative
// position of the cells, if they lie within a window, and on the offset of each tile from its home, clipped. So shared
// weights do not depend on the size of the board.
class PairLayout {
public:
    static constexpr int window = 4;
    static constexpr int clip = 2;
    static constexpr int classes = (2 * clip + 1) * (2 * clip + 1) + 1;  // the blank is a class of its own
    static constexpr int relations = window * (2 * window + 1) + window;
    static constexpr std::size_t shared_weights = static_cast<std::size_t>(relations) * classes * classes;
    static constexpr int most_cells = 64;

    PairLayout(int rows, int columns) : steps_(rows, columns) {
        const int cells = rows * columns;
        if (rows < 2 || columns < 2 || cells > 256) throw std::invalid_argument("a shape has 2x2 to 256 cells");
        for (int a = 0; a < cells; ++a) {
            for (int b = a + 1; b < cells; ++b) relation_.push_back(relation_of(a, b));
        }
        for (int cell = 0; cell < cells; ++cell) {
            for (int home = 0; home < cells; ++home) class_.push_back(class_of(cell, home));
        }
    }

    const BlankSteps& steps() const { return steps_; }
    int rows() const { return steps_.rows(); }
    int columns() const { return steps_.columns(); }
    int cells() const { return steps_.cells(); }
    std::size_t pairs() const { return relation_.size(); }
    std::size_t singles() const { return size(cells()) * size(cells()); }
    std::size_t own_weights() const { return pairs() * singles(); }

    std::size_t single(int cell, int home) const { return size(cell) * size(cells()) + size(home); }
    // The number of a pair of cells, a < b.
    std::size_t pair(int a, int b) const { return size(a) * size(2 * cells() - a - 1) / 2 + size(b - a - 1); }
    std::size_t own(std::size_t pair, int home_a, int home_b) const {
        return (pair * size(cells()) + size(home_a)) * size(cells()) + size(home_b);
    }
    // The first weight of a pair's relation, or -1 if the cells are too far apart.
    int relation(std::size_t pair) const { return relation_[pair]; }
    int offset_class(int cell, int home) const { return class_[single(cell, home)]; }

    // Manhattan distance: what a tile's weight begins with.
    int distance(int cell, int home) const {
        if (home == 0) return 0;
        return std::abs(row(cell) - row(home)) + std::abs(column(cell) - column(home));
    }
    bool in_line(int a, int b) const { return row(a) == row(b) || column(a) == column(b); }
    // Two tiles in their line that must pass each other: their pair begins with 2.
    bool reversed(int a, int b, int home_a, int home_b) const {
        if (home_a == 0 || home_b == 0) return false;
        const bool in_row = row(a) == row(b) && row(home_a) == row(a) && row(home_b) == row(a) && column(home_a) > column(home_b);
        const bool in_column =
            column(a) == column(b) && column(home_a) == column(a) && column(home_b) == column(a) && row(home_a) > row(home_b);
        return in_row || in_column;
    }

    // The shared weight of the transposed image of each shared weight.
    static std::vector<std::size_t> transposed_shared() {
        std::vector<std::size_t> image(shared_weights);
        for (int down = 0; down <= window; ++down) {
            for (int right = down == 0 ? 1 : -window; right <= window; ++right) {
                const bool swapped = right < 0;  // the image's first cell is that of the second tile
                const int from = relation_of_offsets(down, right);
                const int to = swapped ? relation_of_offsets(-right, -down) : relation_of_offsets(right, down);
                for (int a = 0; a < classes; ++a) {
                    for (int b = 0; b < classes; ++b) {
                        const int first = transposed_class(swapped ? b : a);
                        const int second = transposed_class(swapped ? a : b);
                        image[size(from + a * classes + b)] = size(to + first * classes + second);
                    }
                }
            }
        }
        return image;
    }
    int transposed(int cell) const { return cell % columns() * rows() + cell / columns(); }

    // The class of the same offset, with rows and columns exchanged.
    static int transposed_class(int offsets) {
        constexpr int side = 2 * clip + 1;
        return offsets == classes - 1 ? offsets : offsets % side * side + offsets / side;
    }

private:
    static std::size_t size(int n) { return static_cast<std::size_t>(n); }
    int row(int cell) const { return cell / columns(); }
    int column(int cell) const { return cell % columns(); }

    int relation_of(int a, int b) const { return relation_of_offsets(row(b) - row(a), column(b) - column(a)); }
    static int relation_of_offsets(int down, int right) {
        if (down > window || std::abs(right) > window) return -1;
        const int number = down == 0 ? right - 1 : window + (down - 1) * (2 * window + 1) + right + window;
        return number * classes * classes;
    }
    std::uint8_t class_of(int cell, int home) const {
        if (home == 0) return static_cast<std::uint8_t>(classes - 1);
        const int down = std::clamp(row(home) - row(cell), -clip, clip);
        const int right = std::clamp(column(home) - column(cell), -clip, clip);
        return static_cast<std::uint8_t>((down + clip) * (2 * clip + 1) + right + clip);
    }

    BlankSteps steps_;
    std::vector<int> relation_;
    std::vector<std::uint8_t> class_;
};

}  // namespace tilewise
