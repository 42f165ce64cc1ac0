// The states of a graph search on up to 16 cells, about two of them in ten bytes.
//
// A horizontal slide does not change the order of the tiles. So the states that have their tiles
// in the same order and their blank within the same four cells are one entry, a quad: its name
// and four marks of four bits, one for each place of the blank, 0 for a state not yet generated.
// On 4x4 half of all neighbours are thus found without looking for them.
//
// A name is 58 bits (the order of the tiles, of which the last follows from the others, and the
// four cells), mixed so that its highest bits are a good hash. Six quads fill a line of the
// memory; what a line does not hold stands in the next.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>

#include "tilewise/memory.hpp"
#include "tilewise/search/growth.hpp"
#include "tilewise/search/names.hpp"
#include "tilewise/state.hpp"

namespace tilewise {

class QuadTable {
public:
    using Name = std::uint64_t;
    using Marks = std::uint16_t;

    // What an open list keeps of a state: the part of its quad's name that says where to look for
    // it, and the place in the quad.
    using Hint = std::uint32_t;

    static constexpr int most_mark = 15;

    QuadTable(int cells, std::uint64_t most_bytes) : sixteen_(cells == 16), lines_(most_bytes) { resize(growth.first_lines); }

    static Name name_of(PackedState state, int blank) {
        const int low = 4 * blank;
        const std::uint64_t below = (std::uint64_t{1} << low) - 1;
        const std::uint64_t order = (state.bits() & below) | (state.bits() >> low >> 4 << low);
        const std::uint64_t bits = (order & order_bits) | static_cast<std::uint64_t>(blank / 4) << 56;
        return Mixing<58>::mixed(bits);
    }
    static int place_of(int blank) { return blank % 4; }
    static Hint hint_of(Name name, int place) {
        return static_cast<Hint>(prefix_of(name) << 2 | static_cast<std::uint64_t>(place));
    }
    static int place_in(Hint hint) { return static_cast<int>(hint & 3); }

    static int mark_in(Marks marks, int place) { return marks >> (4 * place) & 15; }
    static void set_mark(Marks& marks, int place, int mark) {
        marks = static_cast<Marks>((marks & ~(15 << (4 * place))) | mark << (4 * place));
    }

    struct Member {
        PackedState state;
        int blank;
    };
    Member member(Name name, int place) const {
        const std::uint64_t bits = Mixing<58>::unmixed(name);
        std::uint64_t order = bits & order_bits;
        if (sixteen_) order |= missing_tile(order) << 56;
        const int blank = static_cast<int>(bits >> 56) * 4 + place;
        const int low = 4 * blank;
        const std::uint64_t below = (std::uint64_t{1} << low) - 1;
        return {PackedState::of_bits((order & below) | (order >> low << low << 4)), blank};
    }

    void prefetch(Name name) const { prefetched(&lines_[home(prefix_of(name))]); }
    void prefetch_for(Hint hint) const { prefetched(&lines_[home(hint >> 2)]); }

    // The marks of a quad; nothing where it is not in the table.
    Marks* find(Name name) {
        for (std::size_t at = home(prefix_of(name));; ++at) {
            Line& line = lines_[at];
            if (const unsigned which = line.where(name)) return &line.marks[first_of(which)];
            if (line.used < line_size) return nullptr;
        }
    }
    // The same, added without a mark where it is not; there must be room.
    Marks& find_or_add(Name name) {
        for (std::size_t at = home(prefix_of(name));; ++at) {
            Line& line = lines_[at];
            if (const unsigned which = line.where(name)) return line.marks[first_of(which)];
            if (line.used == line_size) continue;
            filling_.add_entry();
            return add(at, name, 0);
        }
    }
    // Call with name and marks of every quad that a hint fits, until a call returns false.
    template <class Function>
    bool for_hint(Hint hint, Function function) {
        const std::uint64_t prefix = hint >> 2;
        for (std::size_t at = home(prefix);; ++at) {
            Line& line = lines_[at];
            for (unsigned which = line.where_prefix(prefix); which != 0; which &= which - 1) {
                if (!function(line.names[first_of(which)], line.marks[first_of(which)])) return false;
            }
            if (line.used < line_size) return true;
        }
    }

    bool is_full() const { return filling_.is_full(); }
    std::uint64_t bytes_when_grown() const { return (filling_.larger() + growth.spare) * sizeof(Line); }

    void grow(const GoOn& go_on = nullptr) {
        using Moved = std::pair<Name, Marks>;
        const std::size_t lines_before = lines_.size();
        resize(filling_.larger());
        const auto take = [&](std::size_t from, auto give) {
            const Line taken = lines_[from];
            lines_[from] = {};
            for (std::size_t i = 0; i < taken.used; ++i) give(Moved{taken.names[i], taken.marks[i]});
        };
        const auto home_of = [&](const Moved& each) { return home(prefix_of(each.first)); };
        const auto put_there = [&](const Moved& each) { put(each.first, each.second); };
        move_entries<Moved>(lines_before, 1, take, home_of, put_there, go_on);
    }

    std::uint64_t bytes() const { return lines_.size() * sizeof(Line); }

private:
    static constexpr std::uint64_t order_bits = (std::uint64_t{1} << 56) - 1;
    static constexpr std::size_t line_size = 6;
    static constexpr Growth growth{line_size, 32, 80, 150, 16};

    struct Line {
        std::array<Name, line_size> names;  // 0 where there is none
        std::array<Marks, line_size> marks;
        std::uint32_t used;

        // A bit for each name that is meant.
        unsigned where(Name name) const {
            unsigned found = 0;
            for (std::size_t i = 0; i < line_size; ++i) found |= static_cast<unsigned>(names[i] == name) << i;
            return found;
        }
        unsigned where_prefix(std::uint64_t prefix) const {
            unsigned found = 0;
            for (std::size_t i = 0; i < line_size; ++i) found |= static_cast<unsigned>(prefix_of(names[i]) == prefix) << i;
            return found;
        }
    };
    static_assert(sizeof(Line) == 64);

    static std::uint64_t prefix_of(Name name) { return name >> 28; }
    std::size_t home(std::uint64_t prefix) const { return static_cast<std::size_t>(prefix * filling_.lines() >> 30); }

    static std::size_t first_of(unsigned bits) { return static_cast<std::size_t>(std::countr_zero(bits)); }

    Marks& add(std::size_t at, Name name, Marks marks) {
        Line& line = lines_[at];
        const std::size_t i = line.used++;
        line.names[i] = name;
        line.marks[i] = marks;
        if (at + 1 == lines_.size() && line.used == line_size) {  // there is always a gap at the end
            lines_.grow(lines_.size() + growth.spare);
            return lines_[at].marks[i];
        }
        return line.marks[i];
    }
    void put(Name name, Marks marks) {
        std::size_t at = home(prefix_of(name));
        while (lines_[at].used == line_size) ++at;
        add(at, name, marks);
    }

    void resize(std::size_t homes) {
        filling_.set_lines(homes);
        lines_.grow(std::max(lines_.size(), homes + growth.spare));
    }

    bool sixteen_;
    Filling<growth> filling_;
    GrowingZeros<Line> lines_;
};
static_assert(Growing<QuadTable>);

}  // namespace tilewise
