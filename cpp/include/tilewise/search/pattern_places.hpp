// The place of a pattern in its table, followed through many boards at once: all that a move changes is prepared for each cell
// of the blank and each way, and nothing branches, since neighbours in a layer have little in common.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tilewise/heuristics/pattern_sum.hpp"
#include "tilewise/learned/homes_board.hpp"
#include "tilewise/patterns/indices.hpp"

namespace tilewise {

class PatternPlaces {
public:
    struct Place {
        std::uint32_t mask;
        std::uint32_t order;  // three bits for each tile, in the order of their cells
    };

    PatternPlaces(const PatternLookup& lookup, std::shared_ptr<const HalvedRanks> ranks, const BlankSteps& steps)
        : values_(lookup.values), cell_(lookup.cells), tile_(lookup.tiles), ranks_(std::move(ranks)) {
        for (int blank = 0; blank < steps.cells(); ++blank) {
            for (int way = 0; way < 4; ++way) {
                const int from = steps.to(blank, way);
                moves_.push_back(from == BlankSteps::none ? Move{} : move_of_tile(cell_of(from), cell_of(blank)));
            }
        }
    }

    Place start(const HomeCell* board) const {
        std::array<std::uint8_t, 32> on_cell{};
        Place at{0, 0};
        for (std::size_t cell = 0; cell < cell_.size(); ++cell) {
            const std::uint8_t tile = tile_[board[cell]];
            if (tile == not_in_pattern) continue;
            on_cell[cell_[cell]] = tile;
            at.mask |= std::uint32_t{1} << cell_[cell];
        }
        int place = 0;
        for (std::uint32_t rest = at.mask; rest != 0; rest &= rest - 1, ++place)
            at.order |= std::uint32_t{on_cell[static_cast<std::size_t>(std::countr_zero(rest))]} << (3 * place);
        return at;
    }

    // The place after the blank went a way and a tile of the pattern took its cell.
    Place moved(Place at, int blank, int way) const {
        const Move& move = moves_[static_cast<std::size_t>(blank * 4 + way)];
        const Counts counts = counted(at.mask & move.below, at.mask & move.between);
        // the tile and those that it passes are a part of the order, which is turned by one tile
        const std::uint32_t part_bits = (std::uint32_t{8} << counts.between) - 1;
        const std::uint32_t part = at.order >> counts.below & part_bits;
        const std::uint32_t upwards = part >> 3 | part << counts.between;
        const std::uint32_t downwards = part << 3 | part >> counts.between;
        const std::uint32_t turned = downwards ^ ((upwards ^ downwards) & move.upwards);
        return {at.mask ^ move.cells, at.order ^ ((part ^ turned) & part_bits) << counts.below};
    }

    const std::uint8_t* entry(Place at) const { return values_ + ranks_->index(at.mask, at.order); }

private:
    // A tile's move between two cells of the table.
    struct Move {
        std::uint32_t cells = 0;
        std::uint32_t below = 0;    // the cells below both
        std::uint32_t between = 0;  // those that the tile passes
        std::uint32_t upwards = 0;  // all bits if it goes to the higher cell
    };

    static Move move_of_tile(int from, int to) {
        const std::uint32_t low = std::uint32_t{1} << std::min(from, to);
        const std::uint32_t high = std::uint32_t{1} << std::max(from, to);
        return {low | high, low - 1, (high - 1) & ~(2 * low - 1), from < to ? ~std::uint32_t{0} : 0};
    }

    // How many bits two masks have, times three. Both are counted at once: processors of the oldest kind cannot count in one step.
    struct Counts {
        std::uint32_t below;
        std::uint32_t between;
    };
    static Counts counted(std::uint32_t below, std::uint32_t between) {
        std::uint64_t x = std::uint64_t{between} << 32 | below;
        x -= x >> 1 & 0x5555555555555555u;
        x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
        x = ((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x03030303u;
        return {static_cast<std::uint32_t>(x) >> 24, static_cast<std::uint32_t>(x >> 56)};
    }

    int cell_of(int cell) const { return cell_[static_cast<std::size_t>(cell)]; }

    const std::uint8_t* values_;
    std::vector<std::uint8_t> cell_;
    std::vector<std::uint8_t> tile_;
    std::shared_ptr<const HalvedRanks> ranks_;
    std::vector<Move> moves_;  // by the blank's cell and its way
};

}  // namespace tilewise
