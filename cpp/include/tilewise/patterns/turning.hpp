// What a step of the blank does to a set of orders (see space.hpp for how orders are bits).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tilewise/patterns/ranking.hpp"

namespace tilewise {

class Turning {
public:
    // The place that the moved tile leaves in the order, and the one it comes to.
    static std::pair<int, int> shift(int columns, int blank, int target) {
        if (target == blank + columns) return {target - 1, blank};
        if (target == blank - columns) return {target, blank - 1};
        return {0, 0};
    }

    Turning(int tiles, int columns, int blank, int target, std::uint32_t parity) : source(blank), tiles_(tiles), parity_(parity) {
        const auto [from, to] = shift(columns, blank, target);
        if (from == to) return;
        first_ = std::min(from, to);
        const int taking_part = std::abs(from - to) + 1;
        const int rest = tiles - first_;
        if (rest - taking_part >= 5) {
            kind_ = Kind::runs;
            run_ = static_cast<std::uint32_t>(factorial(rest - taking_part) / 120);
            for (int i = 0; i < taking_part; ++i) turns_ *= static_cast<std::uint32_t>(rest - i);
            source_of_.resize(turns_);
            const auto orders = static_cast<std::uint32_t>(factorial(rest - taking_part));
            for (std::uint32_t turn = 0; turn < turns_; ++turn) {
                const Sequence shifted = moved(order_at(turn * orders, rest), from - first_, to - first_);
                source_of_[order_rank(shifted, rest) / orders] = turn;
            }
        } else {
            kind_ = rest <= 5 ? Kind::inside : Kind::single;
            for (const std::uint32_t odd : {0u, 1u}) place_[odd] = places(rest, from, to, odd);
            if (kind_ == Kind::inside) make_bytes();
        }
    }

    // Add to `made`, the words from `begin` on, what comes from a set; `sizes` says which ranges
    // of it (of as many words as are made) are empty. False if nothing came.
    bool pull(std::uint64_t* made, const std::uint64_t* set, const std::uint32_t* sizes, const std::uint8_t* word_parity,
              std::uint32_t begin, std::uint32_t words) const {
        if (kind_ == Kind::runs) return pull_runs(made, set, sizes, begin, words);
        if (sizes[begin / words] == 0) return false;
        set += begin;
        if (kind_ == Kind::same) {
            for (std::uint32_t i = 0; i < words; ++i) made[i] |= set[i];
        } else if (kind_ == Kind::inside) {
            pull_inside(made, set, word_parity + begin, words);
        } else {
            pull_single(made, set, begin, words);
        }
        return true;
    }

    const int source;  // the cell the blank comes from

private:
    enum class Kind { same, runs, inside, single };
    using Bytes = std::array<std::array<std::uint64_t, 256>, 8>;

    bool pull_runs(std::uint64_t* made, const std::uint64_t* set, const std::uint32_t* sizes, std::uint32_t begin,
                   std::uint32_t words) const {
        bool any = false;
        for (std::uint32_t at = 0; at < words;) {
            const std::uint32_t word = begin + at;
            const std::uint32_t turn = word / run_ % turns_;
            const std::uint32_t from = word - turn * run_ + source_of_[turn] * run_;
            const std::uint32_t length = std::min(run_ - word % run_, words - at);
            if (sizes[from / words] != 0) {
                any = true;
                for (std::uint32_t i = 0; i < length; ++i) made[at + i] |= set[from + i];
            }
            at += length;
        }
        return any;
    }

    // The orders of the last five tiles, or fewer, change inside their word.
    void pull_inside(std::uint64_t* made, const std::uint64_t* set, const std::uint8_t* word_parity, std::uint32_t words) const {
        for (std::uint32_t i = 0; i < words; ++i) {
            const std::uint64_t word = set[i];
            if (word == 0) continue;
            const Bytes& bytes = bytes_[parity_ ^ word_parity[i]];
            for (std::size_t byte = 0; byte < 8; ++byte) made[i] |= bytes[byte][word >> (8 * byte) & 255];
        }
    }

    void pull_single(std::uint64_t* made, const std::uint64_t* set, std::uint32_t begin, std::uint32_t words) const {
        const auto group = static_cast<std::uint32_t>(factorial(tiles_ - first_) / 120);
        for (std::uint32_t base = 0; base < words; base += group) {
            const auto& place = place_[parity_ ^ digits_parity((begin + base) / group, tiles_, first_)];
            for (std::uint32_t i = 0; i < group; ++i) {
                for (std::uint64_t rest = set[base + i]; rest != 0; rest &= rest - 1) {
                    const std::uint32_t target = place[std::size_t{i} * 64 + static_cast<std::size_t>(std::countr_zero(rest))];
                    made[base + (target >> 6)] |= std::uint64_t{1} << (target & 63);
                }
            }
        }
    }

    // For each order of the last tiles with a parity, as word * 64 + bit, where it goes.
    std::vector<std::uint16_t> places(int rest, int from, int to, std::uint32_t odd) const {
        const auto half = static_cast<std::uint32_t>(factorial(rest) / 2);
        std::vector<std::uint16_t> places_((std::size_t{half} + 59) / 60 * 64);
        for (std::uint32_t order = 0; order < half; ++order) {
            const Sequence shifted = moved(order_of_parity(order, odd, rest), from - first_, to - first_);
            const auto target = order_rank(shifted, rest) / 2;
            places_[order / 60 * 64 + order % 60] = static_cast<std::uint16_t>(target / 60 * 64 + target % 60);
        }
        return places_;
    }

    void make_bytes() {
        const auto group = static_cast<std::size_t>(std::max<std::uint64_t>(1, factorial(tiles_ - first_) / 2));
        const std::size_t used = std::min<std::size_t>(60, static_cast<std::size_t>(factorial(tiles_) / 2));
        const int length = std::min(tiles_, 5);
        bytes_.resize(2);
        for (std::uint32_t odd : {0u, 1u}) {
            for (std::size_t value = 0; value < 256; ++value) {
                for (std::size_t bit = 0; bit < used; ++bit) {
                    if ((value >> (bit % 8) & 1) == 0) continue;
                    // a word has groups of the orders that differ in the tiles taking part; the
                    // tiles before them decide the parity
                    const std::size_t base = bit / group * group;
                    const std::uint32_t local =
                        odd ^ digits_parity(static_cast<std::uint32_t>(base / group), length, first_ - (tiles_ - length));
                    bytes_[odd][bit / 8][value] |= std::uint64_t{1} << (base + place_[local][bit - base]);
                }
            }
        }
    }

    int tiles_;
    std::uint32_t parity_;
    Kind kind_ = Kind::same;
    int first_ = 0;
    std::uint32_t run_ = 0;
    std::uint32_t turns_ = 1;
    std::vector<std::uint32_t> source_of_;
    std::array<std::vector<std::uint16_t>, 2> place_;
    std::vector<Bytes> bytes_;
};

}  // namespace tilewise
