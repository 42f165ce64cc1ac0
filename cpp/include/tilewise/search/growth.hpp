// How the tables of packed states grow.
//
// Entries stand where the highest bits of their names say, or in the next gap. They are so in nearly
// ascending order, and a table grows in place: its entries are moved from its end to its front.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tilewise/go_on.hpp"
#include "tilewise/meter.hpp"

namespace tilewise {

// The sizes that a table has one after the other, in lines of memory.
struct Growth {
    std::size_t entries_a_line;
    std::size_t first_lines;
    std::size_t percent_filled;  // of its entries, when it grows
    std::size_t percent_grown;   // lines of the next size, of 100 lines of this one
    std::size_t spare;           // lines or entries behind the last, so that there is always a gap
};

// How full a table is, and how large it is to be next.
template <Growth growth>
class Filling {
public:
    std::size_t lines() const { return lines_; }
    std::size_t larger() const { return lines_ * growth.percent_grown / 100; }
    std::uint64_t used() const { return used_; }
    bool is_full() const { return used_ >= most_; }

    void add_entry() { ++used_; }
    void set_lines(std::size_t lines) {
        lines_ = lines;
        most_ = lines * growth.entries_a_line * growth.percent_filled / 100;
    }

private:
    std::size_t lines_ = 0;
    std::uint64_t used_ = 0;
    std::uint64_t most_ = 0;
};

// Move the entries of a table that has just been made larger to where they stand now. The places
// of the table before are taken in steps, the last first: `take(from, give)` empties those from
// `from` on and gives their entries, `home(entry)` is the place that an entry wants now, and
// `put(entry)` puts it there or into the next gap. In a table of gigabytes that takes seconds; one
// in which it was ended is of no use any more.
template <class Entry, class Take, class Home, class Put>
void move_entries(std::size_t places_before, std::size_t step, Take take, Home home, Put put, const GoOn& go_on) {
    constexpr std::size_t places_between_checks = std::size_t{1} << 18;
    std::vector<Entry> aside;
    for (std::size_t from = (places_before - 1) / step * step;; from -= step) {
        if (from % places_between_checks == 0) check(go_on);
        take(from, [&](const Entry& entry) {
            if (home(entry) < from) {
                aside.push_back(entry);  // entries in front of `from` still stand as they did before
            } else {
                put(entry);
            }
        });
        if (from == 0) break;
    }
    for (const Entry& entry : aside) put(entry);
}

// A table that says when it must grow and how much memory it has then.
template <class Table>
concept Growing = requires(Table table, const Table& full) {
    { full.is_full() } -> std::same_as<bool>;
    { full.bytes() } -> std::same_as<std::uint64_t>;
    { full.bytes_when_grown() } -> std::same_as<std::uint64_t>;
    table.grow(GoOn{});
};

// Grow a table that is full, beside an open list that may come to `open_bytes`; false where memory
// ends, or where the meter ends the search meanwhile.
template <Growing Table>
bool make_room(Table& table, std::uint64_t open_bytes, Meter& meter, const Stats& stats) {
    const std::uint64_t bytes = table.is_full() ? table.bytes_when_grown() : table.bytes();
    if (!meter.has_memory_for(bytes + open_bytes)) return false;
    try {
        if (table.is_full()) table.grow([&] { return !meter.over(stats); });
    } catch (const Ended&) {
        return false;
    }
    return true;
}

}  // namespace tilewise
