// The states of a graph search on up to 16 cells, eight bytes each.
//
// A state's name is 60 bits of it (the last tile follows from the others), mixed so that its
// highest bits are a good hash. An entry is the name and 4 bits for the search. It stands where
// the highest bits say or in the next gap. Names are in nearly ascending order, so the table
// grows where it is, from its end to its front.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/memory.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/state.hpp"

namespace tilewise {

// With `Moves` each entry has the move that led to its state beside it, and the table has room to
// spare: slots are filled to three quarters, then doubled, and most look-ups end at the first. In
// tables without moves memory counts: slots are filled to 85 in 100, then there are a quarter
// more, 9.4 to 12 bytes an entry; and a look-up begins at one of each eight slots, which are read
// from memory together.
template <bool Moves>
class PackedTable {
public:
    using Name = std::uint64_t;
    using Entry = std::uint64_t;

    PackedTable(int cells, std::uint64_t most_bytes) : sixteen_(cells == 16), slots_(most_bytes), moves_(most_bytes) {
        resize(first_lines);
    }

    static Name name_of(PackedState state) {
        const std::uint64_t bits = state.bits() & name_bits;
        return (bits ^ bits >> 31) * mixer & name_bits;
    }
    PackedState state_of(Name name) const {
        const std::uint64_t mixed = name * unmixer & name_bits;
        std::uint64_t bits = mixed ^ mixed >> 31;
        if (sixteen_) {  // all tiles together are 0
            std::uint64_t sum = bits ^ bits >> 32;
            sum ^= sum >> 16;
            sum ^= sum >> 8;
            sum ^= sum >> 4;
            bits |= sum << 60;
        }
        return PackedState::of_bits(bits);
    }
    static int blank_of(PackedState state) {
        constexpr std::uint64_t ones = 0x1111111111111111u;
        return std::countr_zero((state.bits() - ones) & ~state.bits() & ones << 3) / 4;
    }

    static Entry entry_of(Name name, int mark) { return name << 4 | static_cast<Entry>(mark); }
    static Name name_in(Entry entry) { return entry >> 4; }
    static int mark_in(Entry entry) { return static_cast<int>(entry & 15); }
    // The part of a name that says where to look for it.
    static std::uint32_t prefix_of(Name name) { return static_cast<std::uint32_t>(name >> 28); }

    void prefetch(std::uint32_t prefix) const { prefetched(&slots_[home(prefix)]); }

    // The slot of a name, or the gap where it would be.
    std::size_t find(Name name) const {
        std::size_t at = home(prefix_of(name));
        while (slots_[at] != 0 && name_in(slots_[at]) != name) ++at;
        return at;
    }
    // Call with every entry that has a prefix.
    template <class Function>
    void for_prefix(std::uint32_t prefix, Function function) const {
        for (std::size_t at = home(prefix); slots_[at] != 0; ++at) {
            if (prefix_of(name_in(slots_[at])) == prefix) function(slots_[at]);
        }
    }

    Entry operator[](std::size_t slot) const { return slots_[slot]; }
    Move move_to(std::size_t slot) const
        requires Moves
    {
        return moves_[slot];
    }

    void fill(std::size_t gap, Entry entry, Move move) {
        ++used_;
        change(gap, entry, move);
        if (gap + 1 == slots_.size()) extend(slots_.size() + spare);  // there is always a gap at the end
    }
    void change(std::size_t slot, Entry entry, Move move) {
        slots_[slot] = entry;
        if constexpr (Moves) moves_[slot] = move;
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
                if constexpr (Moves) taken[i].second = moves_[from + i];
            }
            for (const auto& [entry, move] : taken) {
                if (entry == 0) continue;
                if (home(prefix_of(name_in(entry))) < from) {
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
    static constexpr std::uint64_t name_bits = (std::uint64_t{1} << 60) - 1;
    static constexpr std::uint64_t mixer = 0x9e3779b97f4a7c15u;
    static constexpr std::size_t line_size = 8;
    static constexpr std::size_t first_lines = Moves ? 256 : 32;
    static constexpr std::size_t spare = 64;
    static constexpr std::size_t slot_bytes = sizeof(Entry) + (Moves ? sizeof(Move) : 0);

    // The number whose product with an odd one ends in 1.
    static constexpr std::uint64_t inverse(std::uint64_t odd) {
        std::uint64_t found = odd;
        for (int i = 0; i < 6; ++i) found *= 2 - odd * found;
        return found;
    }
    static constexpr std::uint64_t unmixer = inverse(mixer);
    static_assert(mixer * unmixer == 1);

    struct Nothing {
        explicit Nothing(std::uint64_t) {}
    };

    std::size_t home(std::uint32_t prefix) const { return static_cast<std::size_t>(prefix * std::uint64_t{lines_} >> 29) & (Moves ? SIZE_MAX : ~(line_size - 1)); }
    std::size_t larger() const { return Moves ? 2 * std::size_t{lines_} : lines_ * std::size_t{127} / 100; }

    void put(Entry entry, Move move) {
        std::size_t gap = home(prefix_of(name_in(entry)));
        while (slots_[gap] != 0) ++gap;
        change(gap, entry, move);
        if (gap + 1 == slots_.size()) extend(slots_.size() + spare);
    }

    void resize(std::size_t lines) {
        lines_ = static_cast<std::uint32_t>(lines);
        most_ = lines * line_size * (Moves ? 75 : 85) / 100;
        extend(std::max(slots_.size(), lines * line_size + spare));
    }
    void extend(std::size_t slots) {
        slots_.grow(slots);
        if constexpr (Moves) moves_.grow(slots);
    }

    bool sixteen_;
    std::uint32_t lines_ = 0;
    std::uint64_t used_ = 0;
    std::uint64_t most_ = 0;
    GrowingZeros<Entry> slots_;
    std::conditional_t<Moves, GrowingZeros<Move>, Nothing> moves_;
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
