// Pattern databases as a heuristic: the largest of several sums of look-ups.
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

template <BoardState State>
class PatternSum final : public Heuristic<State> {
public:
    static constexpr std::string_view name = "pdb";
    static constexpr bool changes_by_one = false;

    explicit PatternSum(PatternGroups groups) : groups_(std::move(groups)) {}

    int operator()(const State& state) const override {
        int most = 0;
        for (const PatternGroup& group : groups_) {
            int sum = 0;
            for (const PatternLookup& lookup : group) sum += value(lookup, state);
            most = std::max(most, sum);
        }
        return most;
    }

    const PatternGroups& groups() const { return groups_; }

private:
    int value(const PatternLookup& lookup, const State& state) const {
        std::array<std::uint8_t, most_cells_of_patterns> on_cell;
        on_cell.fill(not_in_pattern);
        Mask mask = 0;
        for (std::size_t cell = 0; cell < lookup.cells.size(); ++cell) {
            const int tile = state.tile(static_cast<int>(cell));
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

    PatternGroups groups_;
    MaskRanks ranks_;
};
static_assert(NamedHeuristic<PatternSum<PackedState>, PackedState>);

}  // namespace tilewise
