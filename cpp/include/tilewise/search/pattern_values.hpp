// The values of a beam by pattern databases: the places in the tables are followed from board to board, and read ahead.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "tilewise/estimate.hpp"
#include "tilewise/learned/homes_board.hpp"
#include "tilewise/memory.hpp"
#include "tilewise/patterns/followed.hpp"
#include "tilewise/search/pattern_places.hpp"

namespace tilewise {

// The tables as they are.
class CompactPlaces {
public:
    using Place = PatternPlaces::Place;

    CompactPlaces(const PatternTables& tables, const BlankSteps& steps) {
        std::map<int, std::shared_ptr<const HalvedRanks>> ranks;  // by the size of the pattern
        for (const PatternGroup& group : tables.lookups()) {
            for (const PatternLookup& lookup : group) {
                auto& shared = ranks[lookup.size];
                if (!shared) shared = std::make_shared<const HalvedRanks>(steps.cells(), lookup.size);
                patterns_.emplace_back(lookup, shared, steps);
            }
        }
    }

    Place start(std::size_t lookup, const HomeCell* board) const { return patterns_[lookup].start(board); }
    template <std::size_t Groups>
    Place moved(std::size_t /*group*/, std::size_t lookup, Place at, int blank, int way, int /*tile*/) const {
        return patterns_[lookup].moved(at, blank, way);
    }
    const std::uint8_t* entry(std::size_t lookup, Place at) const { return patterns_[lookup].entry(at); }

private:
    std::vector<PatternPlaces> patterns_;
};

// The tables in their spread form: a place is the entry itself, and a move one addition.
class SpreadPlaces {
public:
    using Place = SparseIndex::Place;

    SpreadPlaces(const FollowedPatterns<SparseIndex>& patterns, const BlankSteps& steps) : patterns_(patterns), steps_(steps) {}

    Place start(std::size_t lookup, const HomeCell* board) const { return patterns_.start(lookup, board); }
    template <std::size_t Groups>
    Place moved(std::size_t group, std::size_t lookup, Place at, int blank, int way, int tile) const {
        const Slide slide{static_cast<Move>(way), static_cast<std::uint8_t>(steps_.to(blank, way))};
        return patterns_.moved<Groups>(group, lookup, at, tile, blank, slide);
    }
    const std::uint8_t* entry(std::size_t /*lookup*/, Place at) const { return at.value; }

private:
    const FollowedPatterns<SparseIndex>& patterns_;
    const BlankSteps& steps_;
};

// The largest of one or two sums, as many as `Groups` says. A value has the largest sum above 16 bits and in these the entries
// of the moved tile's patterns, one byte for each sum, so that a board's entries follow from its parent's.
template <std::size_t Groups, class Places>
class PatternValues {
public:
    static_assert(Groups == 1 || Groups == 2);
    static constexpr int scale = 1 << 16;
    static constexpr std::size_t most_lookups = 8;
    using Place = typename Places::Place;

    // What is kept of each board of a layer.
    struct Carried {
        std::array<Place, most_lookups> places;
        std::array<std::uint8_t, most_lookups> entries;
        std::array<std::uint8_t, Groups> sums;
    };
    // Where the entries of a child are, for each sum.
    using Entries = std::array<const std::uint8_t*, Groups>;

    // A sum is at most the distance, which is less than 256 on these shapes.
    static bool serves(const Estimate& estimate) {
        const PatternTables* tables = estimate.tables();
        return tables != nullptr && estimate.rows() == estimate.columns() && estimate.rows() <= 5 && tables->groups() == Groups &&
               tables->compact().end(Groups - 1) <= most_lookups;
    }

    PatternValues(const PatternTables& tables, const BlankSteps& steps, const Places& places) : steps_(steps), places_(places) {
        std::size_t number = 0;
        for (std::size_t group = 0; group < Groups; ++group) {
            for (const PatternLookup& lookup : tables.lookups()[group]) {
                for (int tile = 1; tile < cells(); ++tile) {
                    if (lookup.has(tile)) which_[static_cast<std::size_t>(tile)][group] = static_cast<std::uint8_t>(number);
                }
                ++number;
            }
            end_[group] = number;
        }
    }

    const BlankSteps& steps() const { return steps_; }
    int cells() const { return steps_.cells(); }
    int value(const HomeCell* board) const {
        const Carried carried = carry(board);
        return *std::max_element(carried.sums.begin(), carried.sums.end()) * scale;
    }

    Carried carry(const HomeCell* board) const {
        Carried carried{};
        std::size_t lookup = 0;
        for (std::size_t group = 0; group < Groups; ++group) {
            for (; lookup < end_[group]; ++lookup) {
                carried.places[lookup] = places_.start(lookup, board);
                carried.entries[lookup] = *places_.entry(lookup, carried.places[lookup]);
                carried.sums[group] = static_cast<std::uint8_t>(carried.sums[group] + carried.entries[lookup]);
            }
        }
        return carried;
    }

    // Where the entries of a child are that a step of the blank makes; they are asked for, to be read later.
    Entries ask(const Carried& parent, int blank, int way, int tile) const {
        Entries entries;
        for (std::size_t group = 0; group < Groups; ++group) {
            const std::size_t lookup = which(group, tile);
            entries[group] = places_.entry(lookup, moved(group, lookup, parent, blank, way, tile));
            prefetched(entries[group]);
        }
        return entries;
    }
    int read(const Carried& parent, int tile, const Entries& entries) const {
        int most = 0;
        int read = 0;
        for (std::size_t group = 0; group < Groups; ++group) {
            const int entry = *entries[group];
            most = std::max(most, parent.sums[group] - parent.entries[which(group, tile)] + entry);
            read |= entry << (8 * group);
        }
        return most * scale + read;
    }

    // What a child carries, by its parent and its own value.
    void carry(const Carried& parent, int blank, int way, int tile, int value, Carried& child) const {
        child = parent;
        for (std::size_t group = 0; group < Groups; ++group) {
            const std::size_t lookup = which(group, tile);
            const auto entry = static_cast<std::uint8_t>(value >> (8 * group));
            child.places[lookup] = moved(group, lookup, parent, blank, way, tile);
            child.sums[group] = static_cast<std::uint8_t>(parent.sums[group] - parent.entries[lookup] + entry);
            child.entries[lookup] = entry;
        }
    }

private:
    std::size_t which(std::size_t group, int tile) const { return which_[static_cast<std::size_t>(tile)][group]; }
    Place moved(std::size_t group, std::size_t lookup, const Carried& parent, int blank, int way, int tile) const {
        return places_.template moved<Groups>(group, lookup, parent.places[lookup], blank, way, tile);
    }

    const BlankSteps& steps_;
    const Places& places_;
    std::array<std::size_t, Groups> end_{};
    std::array<std::array<std::uint8_t, Groups>, 32> which_{};  // the pattern of each tile, for each sum
};

}  // namespace tilewise
