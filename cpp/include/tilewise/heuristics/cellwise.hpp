// Heuristics that are a sum over cells: misplaced tiles and Manhattan distance.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "tilewise/heuristics/heuristic.hpp"

namespace tilewise {

inline int misplaced(const Homes& homes, int cell, int tile) { return tile != 0 && homes.cell(tile) != cell; }

inline int manhattan(const Homes& homes, int cell, int tile) {
    if (tile == 0) return 0;
    const auto at = static_cast<std::size_t>(tile);
    return std::abs(cell / homes.columns - homes.row[at]) + std::abs(cell % homes.columns - homes.column[at]);
}

using CellValue = int (*)(const Homes&, int cell, int tile);

template <BoardState State>
class Cellwise : public Heuristic<State> {
public:
    Cellwise(const Homes& homes, CellValue value) : cells_(homes.cells()) {
        for (int cell = 0; cell < cells_; ++cell) {
            for (int tile = 0; tile < cells_; ++tile) table_.push_back(static_cast<std::uint8_t>(value(homes, cell, tile)));
        }
    }

    int operator()(const State& state) const final {
        int sum = 0;
        const std::uint8_t* row = table_.data();
        for (int cell = 0; cell < cells_; ++cell, row += cells_) sum += row[state.tile(cell)];
        return sum;
    }

    int after_slide(const State& state, int h, int blank, int target, const State&) const final {
        const int tile = state.tile(target);
        return h + table_[static_cast<std::size_t>(blank * cells_ + tile)] -
               table_[static_cast<std::size_t>(target * cells_ + tile)];
    }

private:
    int cells_;
    std::vector<std::uint8_t> table_;
};

template <BoardState State>
class Misplaced final : public Cellwise<State> {
public:
    static constexpr std::string_view name = "misplaced";
    static constexpr bool changes_by_one = false;

    explicit Misplaced(const Homes& homes) : Cellwise<State>(homes, misplaced) {}
};
static_assert(NamedHeuristic<Misplaced<PackedState>, PackedState>);

template <BoardState State>
class Manhattan final : public Cellwise<State> {
public:
    static constexpr std::string_view name = "manhattan";
    static constexpr bool changes_by_one = true;

    explicit Manhattan(const Homes& homes) : Cellwise<State>(homes, manhattan) {}
};
static_assert(NamedHeuristic<Manhattan<PackedState>, PackedState>);

}  // namespace tilewise
