// Walking distance (Takahashi 2002): moves across lines if tiles knew only their home line.
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "tilewise/go_on.hpp"
#include "tilewise/heuristics/heuristic.hpp"

namespace tilewise {

// The table of one direction: every distribution of tiles over lines and its distance.
class WalkingTable {
public:
    WalkingTable(int lines, int length, int blank_line, const GoOn& go_on = nullptr)
        : lines_(lines), bits_(static_cast<int>(std::bit_width(static_cast<unsigned>(length)))) {
        if (bits_ * lines * (lines - 1) > 64) refuse();
        std::vector<int> counts(static_cast<std::size_t>(lines * lines), 0);
        for (int line = 0; line < lines; ++line) counts[index(line, line)] = length - (line == blank_line);
        slots_.resize(64);
        insert(key(counts), 0);
        struct Entry {
            std::vector<int> counts;
            int blank;
        };
        std::vector<Entry> layer{{counts, blank_line}};
        std::size_t next_check = 0;
        for (int depth = 1; !layer.empty(); ++depth) {
            std::vector<Entry> following;
            for (auto& entry : layer) {
                if (used_ >= next_check) {
                    check(go_on);
                    next_check = used_ + entries_between_checks;
                }
                for (const int other : {entry.blank - 1, entry.blank + 1}) {
                    if (other < 0 || other >= lines) continue;
                    for (int home = 0; home < lines; ++home) {
                        if (entry.counts[index(other, home)] == 0) continue;
                        --entry.counts[index(other, home)];
                        ++entry.counts[index(entry.blank, home)];
                        if (insert(key(entry.counts), depth)) following.push_back({entry.counts, other});
                        ++entry.counts[index(other, home)];
                        --entry.counts[index(entry.blank, home)];
                    }
                }
            }
            layer = std::move(following);
        }
    }

    // What a tile with a home line adds to the key when it stands in a line. The last line
    // follows from the others and is left out, so that six lines still fit in 64 bits.
    std::uint64_t weight(int line, int home) const {
        return line + 1 == lines_ ? 0 : std::uint64_t{1} << (bits_ * static_cast<int>(index(line, home)));
    }

    // How many distributions there are.
    std::size_t size() const { return used_; }
    std::uint64_t bytes() const { return slots_.capacity() * sizeof(Slot); }

    int distance(std::uint64_t key) const {
        for (std::size_t at = place(key);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at].key == key + 1) return slots_[at].distance;
        }
    }

private:
    static constexpr std::size_t most_states = 1'000'000;  // as in walking_distance.py
    static constexpr std::size_t entries_between_checks = 4096;

    struct Slot {
        std::uint64_t key = 0;  // one more than the key; 0 is an empty slot
        std::uint8_t distance = 0;
    };

    std::size_t index(int line, int home) const { return static_cast<std::size_t>(line * lines_ + home); }

    std::uint64_t key(const std::vector<int>& counts) const {
        std::uint64_t sum = 0;
        for (int line = 0; line < lines_; ++line) {
            for (int home = 0; home < lines_; ++home)
                sum += weight(line, home) * static_cast<std::uint64_t>(counts[index(line, home)]);
        }
        return sum;
    }

    std::size_t place(std::uint64_t key) const { return (key * 0x9e3779b97f4a7c15u >> 32) & (slots_.size() - 1); }

    bool insert(std::uint64_t key, int distance) {
        if (used_ * 2 >= slots_.size()) grow();
        std::size_t at = place(key);
        for (; slots_[at].key != 0; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at].key == key + 1) return false;
        }
        slots_[at] = {key + 1, static_cast<std::uint8_t>(distance)};
        if (++used_ > most_states) refuse();
        return true;
    }

    [[noreturn]] static void refuse() { throw std::invalid_argument("a table of walking distance would be too large"); }

    void grow() {
        std::vector<Slot> old(slots_.size() * 2);
        old.swap(slots_);
        used_ = 0;
        for (const Slot& slot : old) {
            if (slot.key != 0) insert(slot.key - 1, slot.distance);
        }
    }

    int lines_;
    int bits_;
    std::size_t used_ = 0;
    std::vector<Slot> slots_;
};

template <BoardState State>
class WalkingDistance final : public Heuristic<State> {
public:
    static constexpr std::string_view name = "walking_distance";
    static constexpr bool changes_by_one = true;

    explicit WalkingDistance(const Homes& homes, const GoOn& go_on = nullptr)
        : vertical_(homes.rows, homes.columns, homes.row[0], go_on),
          horizontal_(homes.columns, homes.rows, homes.column[0], go_on) {
        for (int cell = 0; cell < homes.cells(); ++cell) {
            for (std::size_t tile = 0; tile < static_cast<std::size_t>(homes.cells()); ++tile) {
                const bool counts = tile != 0;
                weights_.push_back({counts ? vertical_.weight(cell / homes.columns, homes.row[tile]) : 0,
                                    counts ? horizontal_.weight(cell % homes.columns, homes.column[tile]) : 0});
            }
        }
        cells_ = homes.cells();
    }

    int operator()(const State& state) const override {
        std::uint64_t vertical = 0;
        std::uint64_t horizontal = 0;
        const Weights* row = weights_.data();
        for (int cell = 0; cell < cells_; ++cell, row += cells_) {
            const Weights& added = row[state.tile(cell)];
            vertical += added.vertical;
            horizontal += added.horizontal;
        }
        return vertical_.distance(vertical) + horizontal_.distance(horizontal);
    }

    std::uint64_t bytes() const override { return vertical_.bytes() + horizontal_.bytes(); }

private:
    struct Weights {
        std::uint64_t vertical;
        std::uint64_t horizontal;
    };

    WalkingTable vertical_;
    WalkingTable horizontal_;
    std::vector<Weights> weights_;
    int cells_ = 0;
};
static_assert(NamedHeuristic<WalkingDistance<PackedState>, PackedState>);

}  // namespace tilewise
