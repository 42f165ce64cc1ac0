// Boards for learned values: for each cell the home cell of its tile. The blank's home is cell 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewise {

using HomeCell = std::uint8_t;
using HomesBoard = std::vector<HomeCell>;

// Where the blank can go from each cell; the ways are up, down, left, right, and way ^ 1 leads back.
class BlankSteps {
public:
    static constexpr int none = -1;

    BlankSteps(int rows, int columns) : rows_(rows), columns_(columns) {
        for (int cell = 0; cell < rows * columns; ++cell) {
            const int row = cell / columns;
            const int column = cell % columns;
            to_.push_back({row > 0 ? cell - columns : none, row + 1 < rows ? cell + columns : none, column > 0 ? cell - 1 : none,
                           column + 1 < columns ? cell + 1 : none});
        }
    }
    int rows() const { return rows_; }
    int columns() const { return columns_; }
    int cells() const { return rows_ * columns_; }
    int to(int cell, int way) const { return to_[static_cast<std::size_t>(cell)][static_cast<std::size_t>(way)]; }

private:
    int rows_;
    int columns_;
    std::vector<std::array<int, 4>> to_;
};

inline int blank_of(const HomesBoard& board) {
    return static_cast<int>(std::find(board.begin(), board.end(), HomeCell{0}) - board.begin());
}

inline void slide(HomesBoard& board, int& blank, int to) {
    board[static_cast<std::size_t>(blank)] = board[static_cast<std::size_t>(to)];
    board[static_cast<std::size_t>(to)] = 0;
    blank = to;
}

}  // namespace tilewise
