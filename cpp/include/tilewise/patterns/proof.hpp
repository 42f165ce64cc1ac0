// A proof that a pattern database is right, which does not trust how it was built.
//
// Let d be a number for every state: a block (occupied cells and the component that the blank is
// in) and an order of the tiles. If
//   (1) d is 0 at the goal and nowhere else,
//   (2) d differs by one between any two states that a move of a tile joins, and
//   (3) every state with d > 0 is joined to one with d - 1,
// then d is the distance from the goal: by (1) and (2) no path to the goal is shorter, and by (3)
// there is one as short. States without a number must be joined to such states only. A table is
// right if each entry is the least d of its components. All this is looked up state by state.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "tilewise/memory.hpp"
#include "tilewise/patterns/builder.hpp"
#include "tilewise/threads.hpp"

namespace tilewise {

class PatternProof {
public:
    PatternProof(int rows, int columns, int tiles, Progress& progress)
        : builder_(rows, columns, tiles, kernels_named(""), &progress), layout_(builder_.layout()), progress_(progress) {
        for (int from = 0; from < tiles; ++from) {
            for (int to = 0; to < tiles; ++to) {
                auto& ranks = ranks_.emplace_back();
                progress.look();
                if (std::abs(from - to) >= columns || progress.ended()) continue;
                for (std::uint32_t rank = 0; rank < builder_.orders(); ++rank) {
                    ranks.push_back(order_rank(moved(order_at(rank, tiles), from, to), tiles));
                }
            }
        }
    }

    // The number of entries of `table` that are wrong, if the numbers themselves are proved; none
    // if the caller ended it; throws if they could not be proved.
    std::optional<std::uint64_t> wrong_entries(Mask goal, int blank, const std::uint8_t* table, int threads) {
        if (progress_.ended()) return std::nullopt;
        d_ = ZeroedArray<std::uint8_t>(builder_.entries(PatternBuilder::Keep::each));
        if (!builder_.run(goal, blank, &d_[0], threads, progress_, PatternBuilder::Keep::each)) return std::nullopt;
        const std::uint32_t home = layout_.block_of(goal, blank);
        std::atomic<std::size_t> next = 0;
        std::atomic<std::uint64_t> wrong = 0;
        std::atomic<bool> proved = true;
        in_threads(threads, [&](int number) {
            for (std::size_t mask = next++; mask < layout_.masks() && !progress_.ended(); mask = next++) {
                for (std::uint32_t block = layout_.first_block(mask); block < layout_.first_block(mask + 1); ++block) {
                    if (!holds(block, block == home)) proved = false;
                }
                wrong += differing(mask, table + mask * builder_.orders());
                if (number == 0) progress_.look();
            }
        });
        if (progress_.ended()) return std::nullopt;
        if (!proved) throw std::runtime_error("the numbers of this pattern could not be proved");
        return wrong.load();
    }

private:
    const std::uint8_t* d(std::uint32_t block) const { return &d_[block * builder_.orders()]; }

    // (1), (2) and (3) for all states of a block.
    bool holds(std::uint32_t block, bool is_home) const {
        const std::uint64_t orders = builder_.orders();
        const std::uint8_t* own = d(block);
        std::vector<std::uint8_t> nearer(orders);
        bool right = true;
        for (const Passage& passage : layout_.passages(block)) {
            const std::uint8_t* other = d(passage.source);
            const auto& rank = ranks_[static_cast<std::size_t>(passage.from * layout_.tiles() + passage.to)];
            for (std::uint64_t order = 0; order < orders; ++order) {
                const std::uint8_t there = other[order];
                const std::uint8_t here = own[rank[order]];
                const bool both_unreachable = there == unreachable && here == unreachable;
                right &= both_unreachable || here + 1 == there || there + 1 == here;
                nearer[rank[order]] |= there + 1 == here;
            }
        }
        for (std::uint64_t order = 0; order < orders; ++order) {
            const bool is_goal = is_home && order == 0;
            right &= is_goal ? own[order] == 0 : own[order] == unreachable || (own[order] > 0 && nearer[order] != 0);
        }
        return right;
    }

    std::uint64_t differing(std::size_t mask, const std::uint8_t* table) const {
        std::uint64_t count = 0;
        for (std::uint64_t order = 0; order < builder_.orders(); ++order) {
            std::uint8_t least = unreachable;
            for (std::uint32_t block = layout_.first_block(mask); block < layout_.first_block(mask + 1); ++block)
                least = std::min(least, d(block)[order]);
            count += table[order] != least;
        }
        return count;
    }

    PatternBuilder builder_;
    const PatternLayout& layout_;
    Progress& progress_;
    std::vector<std::vector<std::uint32_t>> ranks_;  // by from and to
    ZeroedArray<std::uint8_t> d_;
};

}  // namespace tilewise
