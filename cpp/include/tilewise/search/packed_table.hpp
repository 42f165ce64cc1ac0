// The states of a graph search on up to 16 cells, eight bytes each.
//
// A state's name is 60 bits of it (the last tile follows from the others), mixed so that its
// highest bits are a good hash. An entry is the name and 4 bits for the search. It stands where
// the highest bits say or in the next gap. Names are in nearly ascending order, so the table
// grows where it is, from its end to its front.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/memory.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/search/names.hpp"
#include "tilewise/state.hpp"

namespace tilewise {

// Slots are filled to three quarters, then doubled, and most look-ups end at the first. Beside each
// entry stands the move that led to its state.
class PackedTable {
public:
    using Name = std::uint64_t;
    using Entry = std::uint64_t;

    PackedTable(int cells, std::uint64_t most_bytes) : sixteen_(cells == 16), slots_(most_bytes), moves_(most_bytes) {
        resize(static_cast<std::size_t>(std::clamp<std::uint64_t>(most_bytes / (4 * line_size * slot_bytes), 1, first_lines)));
    }

    static Name name_of(PackedState state) { return Mixing<60>::mixed(state.bits() & Mixing<60>::all); }
    PackedState state_of(Name name) const {
        const std::uint64_t bits = Mixing<60>::unmixed(name);
        return PackedState::of_bits(sixteen_ ? bits | missing_tile(bits) << 60 : bits);
    }
    static int blank_of(PackedState state) {
        constexpr std::uint64_t ones = 0x1111111111111111u;
        return std::countr_zero((state.bits() - ones) & ~state.bits() & ones << 3) / 4;
    }

    static Entry entry_of(Name name, int mark) { return name << 4 | static_cast<Entry>(mark); }
    static Name name_in(Entry entry) { return entry >> 4; }
    static int mark_in(Entry entry) { return static_cast<int>(entry & 15); }

    void prefetch(Name name) const { prefetched(&slots_[home(name)]); }

    // The slot of a name, or the gap where it would be.
    std::size_t find(Name name) const {
        std::size_t at = home(name);
        while (slots_[at] != 0 && name_in(slots_[at]) != name) ++at;
        return at;
    }

    Entry operator[](std::size_t slot) const { return slots_[slot]; }
    Move move_to(std::size_t slot) const { return moves_[slot]; }

    void fill(std::size_t gap, Entry entry, Move move) {
        ++used_;
        change(gap, entry, move);
        if (gap + 1 == slots_.size()) extend(slots_.size() + spare);  // there is always a gap at the end
    }
    void change(std::size_t slot, Entry entry, Move move) {
        slots_[slot] = entry;
        moves_[slot] = move;
    }

    bool is_full() const { return used_ >= most_; }
    std::uint64_t bytes_when_grown() const { return (larger() * line_size + spare) * slot_bytes; }

    void grow() {
        const std::size_t old_slots = slots_.size();
        resize(larger());
        std::vector<std::pair<Entry, Move>> aside;
        for (std::size_t from = (old_slots - 1) / line_size * line_size;; from -= line_size) {
            std::array<std::pair<Entry, Move>, line_size> taken{};
            for (std::size_t i = 0; i < line_size && from + i < old_slots; ++i) {
                taken[i].first = std::exchange(slots_[from + i], 0);
                taken[i].second = moves_[from + i];
            }
            for (const auto& [entry, move] : taken) {
                if (entry == 0) continue;
                if (home(name_in(entry)) < from) {
                    aside.emplace_back(entry, move);  // there, slots are still those of the small table
                } else {
                    put(entry, move);
                }
            }
            if (from == 0) break;
        }
        for (const auto& [entry, move] : aside) put(entry, move);
    }

    std::uint64_t size() const { return used_; }
    std::uint64_t bytes() const { return slots_.size() * slot_bytes; }

private:
    static constexpr std::size_t line_size = 8;
    static constexpr std::size_t first_lines = 1024;
    static constexpr std::size_t spare = 64;
    static constexpr std::size_t slot_bytes = sizeof(Entry) + sizeof(Move);

    std::size_t home(Name name) const { return static_cast<std::size_t>((name >> 28) * lines_ >> 29); }
    std::size_t larger() const { return 2 * lines_; }

    void put(Entry entry, Move move) {
        std::size_t gap = home(name_in(entry));
        while (slots_[gap] != 0) ++gap;
        change(gap, entry, move);
        if (gap + 1 == slots_.size()) extend(slots_.size() + spare);
    }

    void resize(std::size_t lines) {
        lines_ = lines;
        most_ = lines * line_size * 75 / 100;
        extend(std::max(slots_.size(), lines * line_size + spare));
    }
    void extend(std::size_t slots) {
        slots_.grow(slots);
        moves_.grow(slots);
    }

    bool sixteen_;
    std::size_t lines_ = 0;
    std::uint64_t used_ = 0;
    std::uint64_t most_ = 0;
    GrowingZeros<Entry> slots_;
    GrowingZeros<Move> moves_;
};

// Grow a table that is full, beside an open list that may come to `open_bytes`; false where memory
// ends.
template <class Table>
bool make_room(Table& table, std::uint64_t open_bytes, const Meter& meter) {
    const std::uint64_t bytes = table.is_full() ? table.bytes_when_grown() : table.bytes();
    if (!meter.has_memory_for(bytes + open_bytes)) return false;
    if (table.is_full()) table.grow();
    return true;
}

// The moves that led to a state, `cost` of them, walked back by the moves beside the entries.
template <class Table, class Domain>
std::vector<Move> way_to(const Table& table, const Domain& domain, PackedState state, std::size_t cost) {
    std::vector<Move> moves(cost);
    for (std::size_t g = cost; g > 0; --g) {
        const int blank = Table::blank_of(state);
        moves[g - 1] = table.move_to(table.find(Table::name_of(state)));
        for (const Slide slide : domain.slides(blank)) {
            if (slide.move != opposite(moves[g - 1])) continue;
            state = state.slid(blank, slide.target);
            break;
        }
    }
    return moves;
}

}  // namespace tilewise
