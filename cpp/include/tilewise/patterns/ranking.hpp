// Numbers for sets of cells and for orders of tiles: the two halves of a pattern's index.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilewise {

constexpr std::uint64_t factorial(int n) {
    std::uint64_t product = 1;
    for (int i = 2; i <= n; ++i) product *= static_cast<std::uint64_t>(i);
    return product;
}

constexpr std::uint64_t binomial(int n, int k) {
    if (k < 0 || k > n) return 0;
    std::uint64_t value = 1;
    for (int i = 1; i <= k; ++i) value = value * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
    return value;
}

// Cells as bits of a word.
using Mask = std::uint64_t;
constexpr int most_cells_of_patterns = 64;

constexpr Mask bit(int cell) { return Mask{1} << cell; }
constexpr int tiles_before(Mask mask, int cell) { return std::popcount(mask & (bit(cell) - 1)); }

// The cells below a number.
constexpr Mask cells_below(int cell) { return cell >= most_cells_of_patterns ? ~Mask{0} : bit(cell) - 1; }

// All sets of `size` of the first cells, in the order of their masks as numbers.
inline std::vector<Mask> masks_of_size(int cells, int size) {
    std::vector<Mask> masks;
    masks.reserve(binomial(cells, size));
    for (Mask mask = cells_below(size); masks.size() < binomial(cells, size);) {
        masks.push_back(mask);
        if (mask == 0) break;  // there is one empty set
        const Mask lowest = mask & (~mask + 1);
        const Mask carried = mask + lowest;
        mask = carried | (((mask ^ carried) / lowest) >> 2);
    }
    return masks;
}

// Sets of one size, in the order of their masks as numbers (colexicographic).
class MaskRanks {
public:
    MaskRanks() {
        for (int n = 0; n < most_cells_of_patterns; ++n) {
            for (int k = 0; k <= most_tiles; ++k) binomial_[at(n)][at(k)] = binomial(n, k);
        }
    }
    std::uint64_t rank(Mask mask) const {
        std::uint64_t rank = 0;
        for (int i = 1; mask != 0; mask &= mask - 1, ++i) rank += binomial_[at(std::countr_zero(mask))][at(i)];
        return rank;
    }

private:
    static constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static constexpr int most_tiles = 12;
    std::array<std::array<std::uint64_t, most_tiles + 1>, most_cells_of_patterns> binomial_{};
};

// An order of the tiles 0 .. length - 1.
using Sequence = std::array<std::uint8_t, 16>;

// The place of an order among all, sorted as sequences.
inline std::uint32_t order_rank(const Sequence& tiles, int length) {
    std::uint32_t rank = 0;
    for (int i = 0; i < length; ++i) {
        std::uint32_t smaller = 0;
        for (int later = i + 1; later < length; ++later)
            smaller += tiles[static_cast<std::size_t>(later)] < tiles[static_cast<std::size_t>(i)];
        rank = rank * static_cast<std::uint32_t>(length - i) + smaller;
    }
    return rank;
}

// The sum, modulo 2, of the digits that a rank has for the first places of an order: the parity
// of those places, or of the order if it is of all of them.
inline std::uint32_t digits_parity(std::uint32_t rank, int length, int places) {
    std::uint32_t sum = 0;
    for (int place = places - 1; place >= 0; --place) {
        const auto radix = static_cast<std::uint32_t>(length - place);
        sum += rank % radix;
        rank /= radix;
    }
    return sum & 1;
}

inline Sequence order_at(std::uint32_t rank, int length) {
    Sequence digits{};
    for (int i = 1; i <= length; ++i) {
        digits[static_cast<std::size_t>(length - i)] = static_cast<std::uint8_t>(rank % static_cast<std::uint32_t>(i));
        rank /= static_cast<std::uint32_t>(i);
    }
    Sequence tiles{};
    std::uint32_t left = (std::uint32_t{1} << length) - 1;
    for (int i = 0; i < length; ++i) {
        std::uint32_t rest = left;
        for (int skip = digits[static_cast<std::size_t>(i)]; skip > 0; --skip) rest &= rest - 1;
        tiles[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(std::countr_zero(rest));
        left &= ~(rest & (~rest + 1));
    }
    return tiles;
}

// Of the two orders that differ in their last two tiles, the one of a parity.
inline Sequence order_of_parity(std::uint32_t half, std::uint32_t parity, int length) {
    const std::uint32_t rank = 2 * half;
    return order_at(rank + (digits_parity(rank, length, length) != parity), length);
}

// The order after the tile at place `from` went to place `to`, the tiles between moving up.
inline Sequence moved(Sequence tiles, int from, int to) {
    const std::uint8_t tile = tiles[static_cast<std::size_t>(from)];
    for (int i = from; i < to; ++i) tiles[static_cast<std::size_t>(i)] = tiles[static_cast<std::size_t>(i) + 1];
    for (int i = from; i > to; --i) tiles[static_cast<std::size_t>(i)] = tiles[static_cast<std::size_t>(i) - 1];
    tiles[static_cast<std::size_t>(to)] = tile;
    return tiles;
}

}  // namespace tilewise
