// Learned values of boards that are too large for tables of their slides: those of a smaller square board, stretched.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tilewise/go_on.hpp"
#include "tilewise/learned/pair_layout.hpp"
#include "tilewise/learned/pair_values.hpp"

namespace tilewise {

// Two cells and two homes are four rows and four columns. Lines that none of them is in are taken out until the pair fits the
// smaller board, whose value it takes: those in the widest gap first, where their absence changes least. The first lines
// stay, since the goal's blank is there. Pairs of cells that are far apart have no value.
class StretchedValues {
public:
    static constexpr int scale = PairValues::scale;
    // For each cell where its row and that of its tile's home lie in a row of `rows_`, and the same for columns.
    struct Prepared {
        std::array<std::uint8_t, 256> rows;
        std::array<std::uint8_t, 256> columns;
    };

    StretchedValues(const PairValues& small, int rows, int columns, const GoOn& go_on = nullptr)
        : layout_(rows, columns),
          side_(small.layout().columns()),
          table_(power4(side_) * power4(side_)),
          rows_(places(rows, static_cast<int>(power4(side_)))),
          columns_(places(columns, 1)) {
        for (int a = 0; a < side_ * side_; ++a) {
            check(go_on);
            for (int b = a + 1; b < side_ * side_; ++b) fill(small, a, b);
        }
        const int cells = layout_.cells();
        for (int cell = 0; cell < cells; ++cell) {
            for (int home = 0; home < cells; ++home) singles_.push_back(single(small, cell, home));
        }
        HomesBoard solved;
        for (int cell = 0; cell < cells; ++cell) solved.push_back(static_cast<HomeCell>(cell));
        solved_ = sum(solved.data());
    }

    const PairLayout& layout() const { return layout_; }
    const BlankSteps& steps() const { return layout_.steps(); }
    int cells() const { return layout_.cells(); }
    int value(const HomeCell* board) const { return sum(board) - solved_; }
    std::size_t bytes() const { return table_.size() * sizeof(table_[0]); }

    void prepare(const HomeCell* board, Prepared& prepared) const {
        const int across = layout_.columns();
        for (int cell = 0; cell < cells(); ++cell) {
            prepared.rows[size(cell)] = static_cast<std::uint8_t>(cell / across * layout_.rows() + board[cell] / across);
            prepared.columns[size(cell)] = static_cast<std::uint8_t>(cell % across * across + board[cell] % across);
        }
    }

    template <int Cells>
    int after(int value, const Prepared& prepared, int blank, int way, int tile) const {
        const int to = steps().to(blank, way);
        const int change = alone(blank, tile) - alone(to, tile) + alone(to, 0) - alone(blank, 0) + pair(blank, to, tile, 0) -
                           pair(blank, to, 0, tile);
        return value + change + beside(blank, to, tile, prepared) - beside(to, blank, tile, prepared);
    }

private:
    static constexpr int window = 4;

    static std::size_t size(int n) { return static_cast<std::size_t>(n); }
    static std::size_t power4(int n) { return size(n) * size(n) * size(n) * size(n); }
    const std::int32_t* row(int cell, int home) const {
        const int down = layout_.rows();
        return &rows_[size(cell * down + home) * size(down) * size(down)];
    }
    const std::int32_t* column(int cell, int home) const {
        const int across = layout_.columns();
        return &columns_[size(cell * across + home) * size(across) * size(across)];
    }
    int alone(int cell, int home) const { return singles_[size(cell) * size(cells()) + size(home)]; }

    int pair(int a, int b, int home_a, int home_b) const {
        const int across = layout_.columns();
        const int down = layout_.rows();
        if (std::abs(a / across - b / across) > window || std::abs(a % across - b % across) > window) return 0;
        return table_[size(row(a / across, home_a / across)[b / across * down + home_b / across] +
                           column(a % across, home_a % across)[b % across * across + home_b % across])];
    }

    // What the tile on this cell has with all others, less what the blank would have there.
    int beside(int cell, int except, int tile, const Prepared& prepared) const {
        const int across = layout_.columns();
        const int at_row = cell / across;
        const int at_column = cell % across;
        const std::int32_t* tile_rows = row(at_row, tile / across);
        const std::int32_t* tile_columns = column(at_column, tile % across);
        const std::int32_t* blank_rows = row(at_row, 0);
        const std::int32_t* blank_columns = column(at_column, 0);
        const int right = std::min(across - 1, at_column + window);
        int sum = 0;
        for (int r = std::max(0, at_row - window); r <= std::min(layout_.rows() - 1, at_row + window); ++r) {
            for (int c = std::max(0, at_column - window); c <= right; ++c) {
                const int other = r * across + c;
                if (other == cell || other == except) continue;
                const auto in_rows = prepared.rows[size(other)];
                const auto in_columns = prepared.columns[size(other)];
                sum += table_[size(tile_rows[in_rows] + tile_columns[in_columns])] -
                       table_[size(blank_rows[in_rows] + blank_columns[in_columns])];
            }
        }
        return sum;
    }

    int sum(const HomeCell* board) const {
        int total = 0;
        for (int a = 0; a < cells(); ++a) {
            total += alone(a, board[a]);
            for (int b = a + 1; b < cells(); ++b) total += pair(a, b, board[a], board[b]);
        }
        return total;
    }

    // The pairs of two cells. What depends on one tile only belongs to it alone: in pairs it would count more often here.
    void fill(const PairValues& small, int a, int b) {
        const int homes = side_ * side_;
        std::vector<float> of_a(size(homes));
        std::vector<float> of_b(size(homes));
        float mean = 0;
        for (int ta = 0; ta < homes; ++ta) {
            for (int tb = 0; tb < homes; ++tb) {
                if (ta == tb) continue;
                const auto value = static_cast<float>(small.pair(a, b, ta, tb)) / static_cast<float>(homes - 1);
                of_a[size(ta)] += value;
                of_b[size(tb)] += value;
            }
            mean += of_a[size(ta)] / static_cast<float>(homes);
        }
        moved_.resize(power4(side_));
        for (int ta = 0; ta < homes; ++ta) {
            moved_[size(a * homes + ta)] += of_a[size(ta)] - mean;
            moved_[size(b * homes + ta)] += of_b[size(ta)] - mean;
            for (int tb = 0; tb < homes; ++tb) {
                const std::size_t in_rows = place(a / side_, b / side_, ta / side_, tb / side_);
                const std::size_t in_columns = place(a % side_, b % side_, ta % side_, tb % side_);
                const float value = static_cast<float>(small.pair(a, b, ta, tb)) - of_a[size(ta)] - of_b[size(tb)] + mean;
                const std::size_t as_rows = place(b / side_, a / side_, tb / side_, ta / side_);
                const std::size_t as_columns = place(b % side_, a % side_, tb % side_, ta % side_);
                const auto rounded = static_cast<std::int16_t>(std::lround(value));
                table_[in_rows * power4(side_) + in_columns] = rounded;
                table_[as_rows * power4(side_) + as_columns] = rounded;  // the same pair, seen from the other cell
            }
        }
    }
    std::size_t place(int a, int b, int home_a, int home_b) const {
        return size(((a * side_ + b) * side_ + home_a) * side_ + home_b);
    }

    int single(const PairValues& small, int cell, int home) const {
        const int across = layout_.columns();
        const int down = layout_.rows();
        const auto fourth = static_cast<int>(power4(side_));
        const int in_rows = row(cell / across, home / across)[cell / across * down + home / across] / fourth;
        const int in_columns = column(cell % across, home % across)[cell % across * across + home % across];
        const int cube = side_ * side_ * side_;
        const int there = in_rows / cube * side_ + in_columns / cube;
        const int its_home = in_rows % side_ * side_ + in_columns % side_;
        const int beyond = small.single(there, its_home) - small.layout().distance(there, its_home) * scale;
        const float moved = moved_[size(there * side_ * side_ + its_home)];
        return layout_.distance(cell, home) * scale + beyond + static_cast<int>(std::lround(moved));
    }

    // For the line of a cell and of its tile's home, and those of another one, where the smaller board has such a pair.
    std::vector<std::int32_t> places(int lines, int factor) const {
        std::vector<std::int32_t> found;
        for (int a = 0; a < lines; ++a) {
            for (int home_a = 0; home_a < lines; ++home_a) {
                for (int b = 0; b < lines; ++b) {
                    for (int home_b = 0; home_b < lines; ++home_b) {
                        std::array<int, 4> four{a, b, home_a, home_b};
                        for (int left = lines; left > side_; --left) take_out(four, left);
                        found.push_back(static_cast<std::int32_t>(place(four[0], four[1], four[2], four[3])) * factor);
                    }
                }
            }
        }
        return found;
    }

    // Of the lines that none of the four is in, the one in the widest gap, rather beyond them than between them.
    static void take_out(std::array<int, 4>& four, int lines) {
        int widest = -1;
        int gone = 0;
        for (int line = 1; line < lines; ++line) {
            int below = -1;
            int above = lines;
            bool taken = false;
            for (const int one : four) {
                taken = taken || one == line;
                if (one < line) below = std::max(below, one);
                if (one > line) above = std::min(above, one);
            }
            const bool between = below >= 0 && above < lines;
            const int gap = (above - below - 2) * (between ? 5 : 9);
            if (!taken && gap > widest) {
                widest = gap;
                gone = line;
            }
        }
        for (int& one : four) one -= one > gone ? 1 : 0;
    }

    PairLayout layout_;
    int side_;
    std::vector<std::int16_t> table_;
    std::vector<std::int32_t> rows_;
    std::vector<std::int32_t> columns_;
    std::vector<float> moved_;
    std::vector<int> singles_;
    int solved_ = 0;
};

}  // namespace tilewise
