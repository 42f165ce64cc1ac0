// The state space of a pattern in blocks: one for each set of occupied cells and each connected
// component of the other cells, in which the blank moves freely. A block holds all orders of the
// tiles; a move of a tile joins two blocks and shifts the tile in the order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tilewise/patterns/progress.hpp"
#include "tilewise/patterns/ranking.hpp"

namespace tilewise {

// Orders of a block that lead to a neighbouring block: the tile goes from one place to another.
struct Passage {
    std::uint32_t source;
    std::uint8_t from;
    std::uint8_t to;
};

class PatternLayout {
public:
    // Sixty-four cells have many sets: if the caller ends it, the layout is not whole, and of no use.
    PatternLayout(int rows, int columns, int tiles, Progress* progress = nullptr)
        : rows_(rows), columns_(columns), tiles_(tiles), masks_(masks_of_size(rows * columns, tiles)) {
        part_of_.resize(masks_.size() * static_cast<std::size_t>(cells()));
        for (std::size_t i = 0; i < masks_.size() && !ended(progress, i); ++i) {
            first_block_.push_back(blocks_);
            blocks_ += split(masks_[i], &part_of_[i * static_cast<std::size_t>(cells())]);
        }
        first_block_.push_back(blocks_);
        if (progress == nullptr || !progress->ended()) join(progress);
    }

    int cells() const { return rows_ * columns_; }
    int tiles() const { return tiles_; }
    std::size_t masks() const { return masks_.size(); }
    std::uint32_t blocks() const { return blocks_; }
    std::uint32_t first_block(std::size_t mask) const { return first_block_[mask]; }
    std::uint32_t block_of(Mask mask, int blank) const {
        const std::size_t rank = ranks_.rank(mask);
        return first_block_[rank] + part_of_[rank * static_cast<std::size_t>(cells()) + static_cast<std::size_t>(blank)];
    }
    std::uint64_t rank(Mask mask) const { return ranks_.rank(mask); }
    // 0 or 1: a move of a tile changes it.
    int colour(std::size_t mask) const { return std::popcount(masks_[mask] & black_) & 1; }
    std::span<const Passage> passages(std::uint32_t block) const {
        return {passages_.data() + first_passage_[block], first_passage_[block + 1] - first_passage_[block]};
    }

private:
    static constexpr std::size_t masks_between_looks = 1024;

    Mask neighbours(Mask cells_) const {
        const Mask sideways = (cells_ & ~last_column_) << 1 | (cells_ & ~first_column_) >> 1;
        return (sideways | cells_ << columns_ | cells_ >> columns_) & all_;
    }

    // Number the components of the empty cells; returns how many there are.
    std::uint32_t split(Mask occupied, std::uint8_t* part_of) const {
        std::uint8_t parts = 0;
        for (Mask left = all_ & ~occupied; left != 0; ++parts) {
            Mask part = left & (~left + 1);
            for (Mask grown = 0; grown != part;) {
                grown = part;
                part |= neighbours(part) & left;
            }
            left &= ~part;
            for (; part != 0; part &= part - 1) part_of[std::countr_zero(part)] = parts;
        }
        return parts;
    }

    static bool ended(Progress* progress, std::size_t mask) {
        if (progress == nullptr || mask % masks_between_looks != 0) return false;
        progress->look();
        return progress->ended();
    }

    void join(Progress* progress) {
        for (std::size_t i = 0; i < masks_.size() && !ended(progress, i); ++i) {
            const Mask mask = masks_[i];
            const std::uint8_t* part_of = &part_of_[i * static_cast<std::size_t>(cells())];
            for (std::uint32_t block = first_block_[i]; block < first_block_[i + 1]; ++block) {
                first_passage_.push_back(passages_.size());
                for (Mask empty = all_ & ~mask; empty != 0; empty &= empty - 1) {
                    const int from = std::countr_zero(empty);
                    if (first_block_[i] + part_of[from] != block) continue;
                    for (Mask near = neighbours(bit(from)) & mask; near != 0; near &= near - 1) {
                        const int to = std::countr_zero(near);
                        const Mask before = mask ^ bit(to) ^ bit(from);
                        passages_.push_back({block_of(before, to), static_cast<std::uint8_t>(tiles_before(before, from)),
                                             static_cast<std::uint8_t>(tiles_before(mask, to))});
                    }
                }
            }
        }
        first_passage_.push_back(passages_.size());
    }

    static Mask column(int rows, int columns, int which) {
        Mask cells_ = 0;
        for (int row = 0; row < rows; ++row) cells_ |= bit(row * columns + which);
        return cells_;
    }

    static Mask chequers(int rows, int columns) {
        Mask cells_ = 0;
        for (int cell = 0; cell < rows * columns; ++cell) cells_ |= Mask((cell / columns + cell % columns) & 1) << cell;
        return cells_;
    }

    int rows_;
    int columns_;
    int tiles_;
    MaskRanks ranks_;
    Mask all_ = cells_below(rows_ * columns_);
    Mask black_ = chequers(rows_, columns_);
    Mask first_column_ = column(rows_, columns_, 0);
    Mask last_column_ = column(rows_, columns_, columns_ - 1);
    std::uint32_t blocks_ = 0;
    std::vector<Mask> masks_;
    std::vector<std::uint8_t> part_of_;
    std::vector<std::uint32_t> first_block_;
    std::vector<Passage> passages_;
    std::vector<std::size_t> first_passage_;
};

}  // namespace tilewise
