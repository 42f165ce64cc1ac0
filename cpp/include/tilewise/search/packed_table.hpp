// The states of a graph search on up to 16 cells, eight bytes each.
//
// A state's name is 60 bits of it (the last tile follows from the others), mixed so that its
// highest bits are a good hash. An entry is the name and 4 bits for the search.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/memory.hpp"
#include "tilewise/search/growth.hpp"
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
        resize(static_cast<std::size_t>(
            std::clamp<std::uint64_t>(most_bytes / (4 * line_size * slot_bytes), 1, growth.first_lines)));
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
        filling_.add_entry();
        change(gap, entry, move);
        if (gap + 1 == slots_.size()) extend(slots_.size() + growth.spare);  // there is always a gap at the end
    }
    void change(std::size_t slot, Entry entry, Move move) {
        slots_[slot] = entry;
        moves_[slot] = move;
    }

    bool is_full() const { return filling_.is_full(); }
    std::uint64_t bytes_when_grown() const { return (filling_.larger() * line_size + growth.spare) * slot_bytes; }

    void grow(const GoOn& go_on = nullptr) {
        using Moved = std::pair<Entry, Move>;
        const std::size_t slots_before = slots_.size();
        resize(filling_.larger());
        const auto take = [&](std::size_t from, auto give) {
            std::array<Moved, line_size> taken{};
            for (std::size_t i = 0; i < line_size && from + i < slots_before; ++i) {
                taken[i] = {std::exchange(slots_[from + i], 0), moves_[from + i]};
            }
            for (const Moved& each : taken) {
                if (each.first != 0) give(each);
            }
        };
        const auto home_of = [&](const Moved& each) { return home(name_in(each.first)); };
        const auto put_there = [&](const Moved& each) { put(each.first, each.second); };
        move_entries<Moved>(slots_before, line_size, take, home_of, put_there, go_on);
    }

    std::uint64_t size() const { return filling_.used(); }
    std::uint64_t bytes() const { return slots_.size() * slot_bytes; }

private:
    static constexpr std::size_t line_size = 8;
    static constexpr Growth growth{line_size, 1024, 75, 200, 64};
    static constexpr std::size_t slot_bytes = sizeof(Entry) + sizeof(Move);

    std::size_t home(Name name) const { return static_cast<std::size_t>((name >> 28) * filling_.lines() >> 29); }

    void put(Entry entry, Move move) {
        std::size_t gap = home(name_in(entry));
        while (slots_[gap] != 0) ++gap;
        change(gap, entry, move);
        if (gap + 1 == slots_.size()) extend(slots_.size() + growth.spare);
    }

    void resize(std::size_t lines) {
        filling_.set_lines(lines);
        extend(std::max(slots_.size(), lines * line_size + growth.spare));
    }
    void extend(std::size_t slots) {
        slots_.grow(slots);
        moves_.grow(slots);
    }

    bool sixteen_;
    Filling<growth> filling_;
    GrowingZeros<Entry> slots_;
    GrowingZeros<Move> moves_;
};

// A table of all states that a search has come to: a name for each state, and in the slot of a
// name an entry, which is the name and a mark, and the move that led to the state.
template <class Table>
concept StateTable = Growing<Table> && std::constructible_from<Table, int, std::uint64_t> &&
                     requires(Table table, const Table& known, PackedState state, typename Table::Name name,
                              typename Table::Entry entry, std::size_t slot, Move move, int mark) {
                         { Table::name_of(state) } -> std::same_as<typename Table::Name>;
                         { known.state_of(name) } -> std::same_as<PackedState>;
                         { Table::blank_of(state) } -> std::same_as<int>;
                         { Table::entry_of(name, mark) } -> std::same_as<typename Table::Entry>;
                         { Table::name_in(entry) } -> std::same_as<typename Table::Name>;
                         { Table::mark_in(entry) } -> std::same_as<int>;
                         { known.find(name) } -> std::same_as<std::size_t>;
                         { known[slot] != 0 } -> std::same_as<bool>;  // whether the slot is filled
                         { known.move_to(slot) } -> std::same_as<Move>;
                         { known.size() } -> std::same_as<std::uint64_t>;
                         known.prefetch(name);
                         table.fill(slot, entry, move);
                     };
static_assert(StateTable<PackedTable>);

// The moves that led to a state, `cost` of them, walked back by the moves beside the entries.
template <StateTable Table, PuzzleDomain Domain>
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
