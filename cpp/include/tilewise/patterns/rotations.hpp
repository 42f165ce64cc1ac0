// What a shift of one tile in the order does to a set of orders.
//
// An order's rank has a digit for each place, and shifting a tile from one place to another
// changes the digits between these places only. So the words of a set move as wholes where the
// last four places stay out of it, and the bits change inside their words where only the last four
// take part. A tile that crosses the border goes first to the near side of it, or from there to
// its place, which moves the quarters of words: six bits that share the first of the last four
// digits. Where there are few bits, only the quarters that have some are moved.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tilewise/patterns/kernels.hpp"
#include "tilewise/patterns/ranking.hpp"

namespace tilewise {

class Rotations {
public:
    // A tile passes less than `columns` others in one move.
    Rotations(int tiles, int columns, const Kernels& kernels)
        : tiles_(tiles),
          border_(std::max(0, tiles - 4)),
          kernels_(kernels),
          orders_(static_cast<std::uint32_t>(factorial(tiles))),
          words_((orders_ + 23) / 24) {
        maps_.resize(static_cast<std::size_t>(tiles * tiles));
        for (int from = 0; from < tiles; ++from) {
            for (int to = 0; to < tiles; ++to) {
                if (std::abs(from - to) < columns && from != to) make(from, to);
            }
        }
    }

    // Add to `into` what a set of `count` orders becomes when the tile at place `from` goes to
    // place `to`. `between` is room for a set.
    void apply(int from, int to, std::uint32_t* into, const std::uint32_t* set, std::uint32_t count,
               std::uint32_t* between) const {
        if (from == to) return kernels_.unite(into, set, words_);
        const bool crosses = std::min(from, to) < border_ && std::max(from, to) >= border_;
        if (!crosses || from == border_ || to == border_) return step(from, to, into, set, count);
        std::memset(between, 0, std::size_t{words_} * 4);
        step(from, border_, between, set, count);
        step(border_, to, into, between, count);
    }

private:
    // One of the three, each seen from the target; the map of the opposite direction says where
    // something goes to.
    struct Map {
        std::vector<std::uint32_t> words;     // for each word, the one it comes from
        std::vector<std::uint32_t> quarters;  // for each first quarter of a word, each second, ...: source * 32 + shift
        std::vector<BitShift> bits;           // the bits of a word that move alike
    };

    const Map& map_of(int from, int to) const { return maps_[static_cast<std::size_t>(from * tiles_ + to)]; }

    void step(int from, int to, std::uint32_t* into, const std::uint32_t* set, std::uint32_t count) const {
        const Map& map = map_of(from, to);
        if (!map.words.empty()) return kernels_.gather(into, set, map.words.data(), words_);
        for (const BitShift& shift : map.bits) kernels_.shift(into, set, shift, words_);
        if (!map.bits.empty()) return;
        if (count < words_) return kernels_.scatter_quarters(into, set, map_of(to, from).quarters.data(), words_);
        kernels_.gather_quarters(into, set, map.quarters.data(), words_);
    }

    void make(int from, int to) {
        const auto after = [&](std::uint32_t rank) { return order_rank(moved(order_at(rank, tiles_), from, to), tiles_); };
        Map& map = maps_[static_cast<std::size_t>(from * tiles_ + to)];
        if (std::max(from, to) < border_) {
            map.words.resize(words_);
            for (std::uint32_t word = 0; word < words_; ++word) map.words[after(word * 24) / 24] = word;
        } else if (std::min(from, to) >= border_) {
            for (std::uint32_t bit = 0; bit < std::min(orders_, 24u); ++bit) add_shift(map.bits, bit, after(bit));
        } else if (std::max(from, to) == border_) {
            map.quarters.resize(std::size_t{words_} * 4);
            for (std::uint32_t rank = 0; rank < orders_; rank += 6) {
                const std::uint32_t there = after(rank);
                map.quarters[there % 24 / 6 * words_ + there / 24] = rank / 24 * 32 + ((there % 24 - rank % 24) & 31);
            }
        }
    }

    static void add_shift(std::vector<BitShift>& shifts, std::uint32_t from, std::uint32_t to) {
        const int left = static_cast<int>(to) - static_cast<int>(from);
        auto same = std::find_if(shifts.begin(), shifts.end(), [&](const BitShift& shift) { return shift.left == left; });
        if (same == shifts.end()) same = shifts.insert(same, {0, left});
        same->bits |= std::uint32_t{1} << from;
    }

    int tiles_;
    int border_;  // the first of the last four places, in which orders share a word
    const Kernels& kernels_;
    std::uint32_t orders_;
    std::uint32_t words_;
    std::vector<Map> maps_;
};

}  // namespace tilewise
