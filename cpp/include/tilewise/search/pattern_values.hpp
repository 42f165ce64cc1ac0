// The values of a beam by pattern databases: the places in the tables are followed from board to board, and read ahead.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "tilewise/domain.hpp"
#include "tilewise/estimate.hpp"
#include "tilewise/learned/homes_board.hpp"
#include "tilewise/memory.hpp"
#include "tilewise/patterns/followed.hpp"

namespace tilewise {

// The largest of at most two sums. A value has the largest sum above 16 bits and in these the entries of the moved tile's
// patterns, one byte for each sum, so that a board's entries follow from its parent's.
class PatternValues {
public:
    static constexpr int scale = 1 << 16;
    static constexpr std::size_t most_groups = 2;
    static constexpr std::size_t most_lookups = 8;

    // What is kept of each board of a layer.
    struct Carried {
        struct Place {
            std::uint32_t mask;
            std::uint32_t order;
        };
        std::array<Place, most_lookups> places;
        std::array<std::uint8_t, most_lookups> entries;
        std::array<std::uint8_t, most_groups> sums;
    };
    // Where the entries of a child are, for each sum.
    using Entries = std::array<const std::uint8_t*, most_groups>;

    // A sum is at most the distance, which is less than 256 on these shapes.
    static bool serves(const Estimate& estimate) {
        const PatternTables* tables = estimate.tables();
        return tables != nullptr && estimate.rows() == estimate.columns() && estimate.rows() <= 5 &&
               tables->groups() <= most_groups && tables->compact().end(tables->groups() - 1) <= most_lookups;
    }

    explicit PatternValues(const Estimate& estimate)
        : patterns_(estimate.tables()->compact()),
          groups_(estimate.tables()->groups()),
          steps_(estimate.rows(), estimate.columns()) {}

    const BlankSteps& steps() const { return steps_; }
    int cells() const { return steps_.cells(); }
    int value(const HomeCell* board) const {
        const Carried carried = carry(board);
        return std::max(carried.sums[0], carried.sums[1]) * scale;
    }

    Carried carry(const HomeCell* board) const {
        Carried carried{};
        std::size_t lookup = 0;
        for (std::size_t group = 0; group < groups_; ++group) {
            for (; lookup < patterns_.end(group); ++lookup) {
                const CompactIndex::Place place = patterns_.start(lookup, board);
                carried.places[lookup] = {place.mask, place.order};
                carried.entries[lookup] = *place.value;
                carried.sums[group] = static_cast<std::uint8_t>(carried.sums[group] + *place.value);
            }
        }
        return carried;
    }

    // Where the entries of a child are that the blank's step to a cell makes; they are asked for, to be read later.
    Entries ask(const Carried& parent, int blank, int to, int tile) const {
        Entries entries{};
        for (std::size_t group = 0; group < groups_; ++group) {
            entries[group] = moved(parent, group, blank, to, tile).value;
            prefetched(entries[group]);
        }
        return entries;
    }
    int read(const Carried& parent, int tile, const Entries& entries) const {
        int most = 0;
        int read = 0;
        for (std::size_t group = 0; group < groups_; ++group) {
            const int entry = *entries[group];
            most = std::max(most, parent.sums[group] - parent.entries[patterns_.which(group, tile)] + entry);
            read |= entry << (8 * group);
        }
        return most * scale + read;
    }

    // What a child carries, by its parent and its own value.
    void carry(const Carried& parent, int blank, int to, int tile, int value, Carried& child) const {
        child = parent;
        for (std::size_t group = 0; group < groups_; ++group) {
            const std::size_t lookup = patterns_.which(group, tile);
            const CompactIndex::Place place = moved(parent, group, blank, to, tile);
            const auto entry = static_cast<std::uint8_t>(value >> (8 * group));
            child.places[lookup] = {place.mask, place.order};
            child.sums[group] = static_cast<std::uint8_t>(child.sums[group] - child.entries[lookup] + entry);
            child.entries[lookup] = entry;
        }
    }

private:
    CompactIndex::Place moved(const Carried& parent, std::size_t group, int blank, int to, int tile) const {
        const std::size_t lookup = patterns_.which(group, tile);
        const CompactIndex::Place place{parent.places[lookup].mask, parent.places[lookup].order, nullptr};
        return patterns_.moved(group, lookup, place, tile, blank, {up, static_cast<std::uint8_t>(to)});
    }

    const FollowedPatterns<CompactIndex>& patterns_;
    std::size_t groups_;
    BlankSteps steps_;
};

}  // namespace tilewise
