// What a shift of one tile in the order does to a set of orders.
//
// An order's rank has a digit for each place, and shifting a tile from one place to another
// changes the digits between these places only. So the words of a set move as wholes where the
// last four places stay out of it, the bits change inside their words where only the last four
// take part, and go one by one elsewhere, or where there are few of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "tilewise/patterns/kernels.hpp"
#include "tilewise/patterns/ranking.hpp"

namespace tilewise {

class Rotations {
public:
    // A tile passes less than `columns` others in one move.
    Rotations(int tiles, int columns, const Kernels& kernels)
        : tiles_(tiles), kernels_(kernels), orders_(static_cast<std::uint32_t>(factorial(tiles))), words_((orders_ + 23) / 24) {
        maps_.resize(static_cast<std::size_t>(tiles * tiles));
        for (int from = 0; from < tiles; ++from) {
            for (int to = 0; to < tiles; ++to) {
                if (std::abs(from - to) < columns && from != to) make(from, to);
            }
        }
    }

    // Add to `into` what a set of `count` orders becomes when the tile at place `from` goes to
    // place `to`.
    void apply(int from, int to, std::uint32_t* into, const std::uint32_t* set, std::uint32_t count) const {
        if (from == to) return kernels_.unite(into, set, words_);
        const Map& map = maps_[at(from, to)];
        if (count >= words_ / few) {
            if (!map.source.empty()) return kernels_.gather(into, set, map.source.data(), words_);
            if (!map.bytes.empty()) return kernels_.permute(into, set, map.bytes.data(), words_);
        }
        kernels_.scatter(into, set, map.place.data(), words_);
    }

private:
    // Bit by bit where there are fewer bits than words / few.
    static constexpr std::uint32_t few = 4;

    struct Map {
        std::vector<std::uint32_t> source;  // for each word, the one it comes from
        std::vector<std::uint32_t> bytes;   // for each byte of a word, its bits in their new places
        std::vector<std::uint32_t> place;   // for each order, word * 32 + bit
    };

    std::size_t at(int from, int to) const { return static_cast<std::size_t>(from * tiles_ + to); }

    void make(int from, int to) {
        Map& map = maps_[at(from, to)];
        map.place.resize(std::size_t{words_} * 24);
        for (std::uint32_t rank = 0; rank < orders_; ++rank) {
            const std::uint32_t after = order_rank(moved(order_at(rank, tiles_), from, to), tiles_);
            map.place[rank] = after / 24 * 32 + after % 24;
        }
        if (tiles_ < 4) return;
        if (std::max(from, to) < tiles_ - 4) {
            map.source.resize(words_);
            for (std::uint32_t word = 0; word < words_; ++word) map.source[map.place[std::size_t{word} * 24] / 32] = word;
        } else if (std::min(from, to) >= tiles_ - 4) {
            map.bytes.resize(768);
            for (std::uint32_t value = 0; value < 256; ++value) {
                for (std::uint32_t bit = 0; bit < 24; ++bit) {
                    if (value >> (bit % 8) & 1) map.bytes[bit / 8 * 256 + value] |= std::uint32_t{1} << map.place[bit];
                }
            }
        }
    }

    int tiles_;
    const Kernels& kernels_;
    std::uint32_t orders_;
    std::uint32_t words_;
    std::vector<Map> maps_;
};

}  // namespace tilewise
