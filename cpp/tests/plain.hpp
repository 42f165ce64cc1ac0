// What the tests hold the core against: boards as arrays, definitions taken literally.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tilewise/domain.hpp"

namespace tilewise::plain {

using Tiles = std::vector<std::uint8_t>;
using Text = std::string;  // of tiles, to look them up
using Random = std::mt19937;

// An array of tiles and its shape.
struct Board {
    int rows;
    int columns;
    Tiles tiles;

    static Board goal(int rows, int columns) {
        Board board{rows, columns, Tiles(static_cast<std::size_t>(rows * columns))};
        std::iota(board.tiles.begin(), board.tiles.end(), std::uint8_t{0});
        return board;
    }

    Text text() const { return {tiles.begin(), tiles.end()}; }
    int cell_of(int tile) const { return static_cast<int>(std::find(tiles.begin(), tiles.end(), tile) - tiles.begin()); }

    // The cell from which a tile slides for a move of the blank, or -1 beyond the border.
    int target(Move move) const {
        const int row = cell_of(0) / columns + (move == down) - (move == up);
        const int column = cell_of(0) % columns + (move == right) - (move == left);
        return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : -1;
    }

    Board after(Move move) const {
        Board next = *this;
        std::swap(next.tiles[static_cast<std::size_t>(cell_of(0))], next.tiles[static_cast<std::size_t>(target(move))]);
        return next;
    }

    Board walked(Random& random, int steps) const {
        Board board = *this;
        while (steps > 0) {
            const auto move = static_cast<Move>(random() % 4);
            if (board.target(move) < 0) continue;
            board = board.after(move);
            --steps;
        }
        return board;
    }
};

inline int plain_misplaced(const Board& board, const Board& goal) {
    int count = 0;
    for (std::size_t cell = 0; cell < board.tiles.size(); ++cell)
        count += board.tiles[cell] != 0 && board.tiles[cell] != goal.tiles[cell];
    return count;
}

inline int plain_manhattan(const Board& board, const Board& goal) {
    int sum = 0;
    for (int tile = 1; tile < board.rows * board.columns; ++tile) {
        const int here = board.cell_of(tile);
        const int home = goal.cell_of(tile);
        sum += std::abs(here / board.columns - home / board.columns) + std::abs(here % board.columns - home % board.columns);
    }
    return sum;
}

// The fewest tiles that must leave a line, over all subsets that may stay.
inline int plain_leaving(const std::vector<int>& homes) {
    int most_staying = 0;
    for (unsigned staying = 0; staying < 1u << homes.size(); ++staying) {
        std::vector<int> kept;
        for (std::size_t i = 0; i < homes.size(); ++i) {
            if (staying >> i & 1) kept.push_back(homes[i]);
        }
        if (std::is_sorted(kept.begin(), kept.end())) most_staying = std::max(most_staying, static_cast<int>(kept.size()));
    }
    return static_cast<int>(homes.size()) - most_staying;
}

inline int plain_linear_conflict(const Board& board, const Board& goal) {
    std::vector<std::vector<int>> in_row(static_cast<std::size_t>(board.rows));
    std::vector<std::vector<int>> in_column(static_cast<std::size_t>(board.columns));
    for (int cell = 0; cell < board.rows * board.columns; ++cell) {
        const int tile = board.tiles[static_cast<std::size_t>(cell)];
        const int home = goal.cell_of(tile);
        if (tile == 0) continue;
        if (cell / board.columns == home / board.columns)
            in_row[static_cast<std::size_t>(cell / board.columns)].push_back(home % board.columns);
        if (cell % board.columns == home % board.columns)
            in_column[static_cast<std::size_t>(cell % board.columns)].push_back(home / board.columns);
    }
    int leaving = 0;
    for (const auto& line : in_row) leaving += plain_leaving(line);
    for (const auto& line : in_column) leaving += plain_leaving(line);
    return plain_manhattan(board, goal) + 2 * leaving;
}

// Walking distance of one direction: how many tiles of each home line are in each line, and the
// blank's line; one move swaps the blank with a tile of a line beside it.
using Matrix = std::vector<int>;

inline Matrix lines_of(const Board& board, const Board& goal, bool vertical) {
    const int lines = vertical ? board.rows : board.columns;
    const auto line = [&](int cell) { return vertical ? cell / board.columns : cell % board.columns; };
    Matrix matrix(static_cast<std::size_t>(lines * lines + 1));
    for (int tile = 1; tile < board.rows * board.columns; ++tile) {
        ++matrix[static_cast<std::size_t>(line(board.cell_of(tile)) * lines + line(goal.cell_of(tile)))];
    }
    matrix.back() = line(board.cell_of(0));
    return matrix;
}

inline std::map<Matrix, int> plain_walks(const Board& goal, bool vertical) {
    const int lines = vertical ? goal.rows : goal.columns;
    std::map<Matrix, int> distance{{lines_of(goal, goal, vertical), 0}};
    std::deque<Matrix> queue{distance.begin()->first};
    for (; !queue.empty(); queue.pop_front()) {
        const Matrix matrix = queue.front();
        for (const int other : {matrix.back() - 1, matrix.back() + 1}) {
            for (int home = 0; other >= 0 && other < lines && home < lines; ++home) {
                Matrix next = matrix;
                if (--next[static_cast<std::size_t>(other * lines + home)] < 0) continue;
                ++next[static_cast<std::size_t>(matrix.back() * lines + home)];
                next.back() = other;
                if (distance.emplace(next, distance[matrix] + 1).second) queue.push_back(next);
            }
        }
    }
    return distance;
}

}  // namespace tilewise::plain
