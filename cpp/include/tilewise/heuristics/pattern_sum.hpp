// Pattern databases as a heuristic: the largest of several sums of look-ups.
//
// A board can be looked up in two ways. By tiles: on which cells are the tiles of a pattern? By
// cells: which tiles are on the cells of a pattern (Felner, Zahavi, Schaeffer and Holte 2005, who
// call it the dual)? The second is the first for the way back: a path from the board to the goal,
// read backwards, leads from the goal to the board, and with the tiles renamed by the cells that
// they have on the board, it solves another board, the exchanged one, toward a goal with the blank
// on the cell that it has now. So the cell of the blank decides which patterns are looked up.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/patterns/ranking.hpp"

namespace tilewise {

constexpr std::uint8_t not_in_pattern = 255;

// A table and how a board is turned to be looked up in it.
struct PatternLookup {
    const std::uint8_t* values;
    std::shared_ptr<const void> owner;  // of the values
    int size;                           // tiles of the pattern
    std::vector<std::uint8_t> cells;    // for each cell of the board, the cell of the table
    std::vector<std::uint8_t> tiles;    // for each tile, its number in the pattern or not_in_pattern

    bool has(int tile) const { return tiles[static_cast<std::size_t>(tile)] != not_in_pattern; }
};

using PatternGroup = std::vector<PatternLookup>;
using PatternGroups = std::vector<PatternGroup>;

struct PatternSums {
    PatternGroups by_tiles;
    std::vector<PatternGroups> by_cells;  // for each cell of the blank, of exchanged boards; or empty
};

// The exchanged board: for the home of each tile the cell that it is on.
template <class TileAt>
void exchange(const Homes& homes, TileAt tile_at, std::uint8_t* exchanged) {
    for (int cell = 0; cell < homes.cells(); ++cell) exchanged[homes.cell(tile_at(cell))] = static_cast<std::uint8_t>(cell);
}

template <BoardState State>
class PatternSum final : public Heuristic<State> {
public:
    static constexpr std::string_view name = "pdb";
    static constexpr bool changes_by_one = false;

    PatternSum(const Homes& homes, PatternSums sums) : homes_(homes), sums_(std::move(sums)) {}

    int operator()(const State& state) const override {
        const auto on_board = [&](int cell) { return state.tile(cell); };
        const int most = largest(sums_.by_tiles, on_board);
        if (sums_.by_cells.empty()) return most;
        std::array<std::uint8_t, most_cells_of_patterns> exchanged{};
        exchange(homes_, on_board, exchanged.data());
        const auto on_exchanged = [&](int cell) { return exchanged[static_cast<std::size_t>(cell)]; };
        return std::max(most, largest(sums_.by_cells[exchanged[static_cast<std::size_t>(homes_.cell(0))]], on_exchanged));
    }

private:
    template <class TileAt>
    int largest(const PatternGroups& groups, TileAt tile_at) const {
        int most = 0;
        for (const PatternGroup& group : groups) {
            int sum = 0;
            for (const PatternLookup& lookup : group) sum += value(lookup, tile_at);
            most = std::max(most, sum);
        }
        return most;
    }

    template <class TileAt>
    int value(const PatternLookup& lookup, TileAt tile_at) const {
        std::array<std::uint8_t, most_cells_of_patterns> on_cell;
        on_cell.fill(not_in_pattern);
        Mask mask = 0;
        for (std::size_t cell = 0; cell < lookup.cells.size(); ++cell) {
            const int tile = tile_at(static_cast<int>(cell));
            if (!lookup.has(tile)) continue;
            on_cell[lookup.cells[cell]] = lookup.tiles[static_cast<std::size_t>(tile)];
            mask |= bit(lookup.cells[cell]);
        }
        Sequence order{};
        std::size_t count = 0;
        for (Mask rest = mask; rest != 0; rest &= rest - 1)
            order[count++] = on_cell[static_cast<std::size_t>(std::countr_zero(rest))];
        return lookup.values[ranks_.rank(mask) * factorial(lookup.size) + order_rank(order, lookup.size)];
    }

    Homes homes_;
    PatternSums sums_;
    MaskRanks ranks_;
};
static_assert(NamedHeuristic<PatternSum<PackedState>, PackedState>);

}  // namespace tilewise
