// All states of nine cells, a byte each, found by arithmetic: a StateTable for
// searches that come to know most of them.
#pragma once

#include <array>
#include <cstdint>

#include "tilewise/domain.hpp"
#include "tilewise/memory.hpp"
#include "tilewise/search/packed_table.hpp"

namespace tilewise {

namespace nine_cells {

using Triples = std::array<std::uint16_t, 4096>;
// Three different tiles, four bits each, as a number below 9 * 8 * 7.
constexpr Triples numbered_places() {
    Triples numbers{};
    std::uint16_t next = 0;
    for (std::size_t triple = 0; triple < numbers.size(); ++triple) {
        const std::size_t a = triple & 15;
        const std::size_t b = triple >> 4 & 15;
        const std::size_t c = triple >> 8;
        if (a < 9 && b < 9 && c < 9 && a != b && b != c && a != c) numbers[triple] = next++;
    }
    return numbers;
}
// The order of three tiles as a number below 6.
constexpr Triples numbered_orders() {
    Triples numbers{};
    for (std::size_t triple = 0; triple < numbers.size(); ++triple) {
        const std::size_t a = triple & 15;
        const std::size_t b = triple >> 4 & 15;
        const std::size_t c = triple >> 8;
        numbers[triple] = static_cast<std::uint16_t>(((a > b) + (a > c)) * 2 + (b > c));
    }
    return numbers;
}

inline constexpr Triples places = numbered_places();
inline constexpr Triples orders = numbered_orders();

}  // namespace nine_cells

class NineTable {
public:
    using Name = std::uint64_t;  // the bits of the state
    using Entry = std::uint64_t;
    static constexpr std::uint64_t all = 504 * 504 * 6;

    NineTable(int, std::uint64_t) : moves_(all) {}

    static Name name_of(PackedState state) { return state.bits(); }
    static PackedState state_of(Name name) { return PackedState::of_bits(name); }
    static int blank_of(PackedState state) { return PackedTable::blank_of(state); }
    static Entry entry_of(Name name, int mark) { return PackedTable::entry_of(name, mark); }
    static Name name_in(Entry entry) { return PackedTable::name_in(entry); }
    static int mark_in(Entry entry) { return PackedTable::mark_in(entry); }
    static void prefetch(Name) {}

    static std::size_t find(Name name) {
        const std::size_t first = nine_cells::places[name & 4095];
        const std::size_t second = nine_cells::places[name >> 12 & 4095];
        return (first * 504 + second) * 6 + nine_cells::orders[name >> 24 & 4095];
    }
    bool operator[](std::size_t slot) const { return moves_[slot] != 0; }
    Move move_to(std::size_t slot) const { return static_cast<Move>(moves_[slot] - 1); }
    void fill(std::size_t slot, Entry, Move move) {
        ++used_;
        moves_[slot] = static_cast<std::uint8_t>(move == no_move ? after_moves : move + 1);
    }

    static bool is_full() { return false; }
    static void grow(const GoOn& /*go_on*/) {}
    std::uint64_t size() const { return used_; }
    static std::uint64_t bytes() { return all; }
    static std::uint64_t bytes_when_grown() { return all; }

private:
    static constexpr int after_moves = 5;

    ZeroedArray<std::uint8_t> moves_;
    std::uint64_t used_ = 0;
};
static_assert(StateTable<NineTable>);

}  // namespace tilewise
