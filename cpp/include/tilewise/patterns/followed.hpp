// The tables of one or more sums, ready to be followed by searches, which share them.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <type_traits>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/patterns/cell_patterns.hpp"
#include "tilewise/patterns/indices.hpp"

namespace tilewise {

template <class Index>
class FollowedPatterns {
public:
    static constexpr std::size_t most_groups = 16;
    static constexpr std::size_t most_lookups = 64;

    FollowedPatterns(const PatternGroups& groups, int columns, int threads = 1, const GoOn& go_on = nullptr,
                     SpreadTables* shared = nullptr)
        : groups_(groups.size()) {
        std::size_t lookups = 0;
        for (const PatternGroup& group : groups) lookups += group.size();
        indices_.reserve(lookups);
        for (std::size_t group = 0; group < groups.size(); ++group) {
            for (const PatternLookup& lookup : groups[group]) {
                for (std::size_t tile = 0; tile < lookup.tiles.size(); ++tile) {
                    if (lookup.has(static_cast<int>(tile)))
                        which_[tile * groups_ + group] = static_cast<std::uint8_t>(indices_.size());
                }
                indices_.emplace_back(lookup, indices_, threads, go_on, shared);
                if constexpr (is_sum) add_steps(group, lookup, columns);
            }
            end_[group] = indices_.size();
        }
    }

    static bool serves(const PatternGroups& groups, int columns) {
        for (const PatternGroup& group : groups) {
            for (const PatternLookup& lookup : group) {
                if (!Index::serves(lookup, columns)) return false;
            }
        }
        return true;
    }

    const std::vector<Index>& indices() const { return indices_; }
    std::size_t end(std::size_t group) const { return end_[group]; }
    typename Index::Place start(std::size_t lookup, const std::uint8_t* board) const { return indices_[lookup].start(board); }

    // The look-up of a group that has a tile. A kernel that knows the number of groups names it.
    template <std::size_t Groups = 0>
    std::size_t which(std::size_t group, int tile) const {
        return which_[static_cast<std::size_t>(tile) * number<Groups>() + group];
    }

    // The place of a look-up of a group after a tile of its pattern slid to the blank.
    template <std::size_t Groups = 0>
    typename Index::Place moved(std::size_t group, std::size_t lookup, const typename Index::Place& place, int tile, int blank,
                                Slide slide) const {
        if constexpr (is_sum) {
            return {place.value + steps_[first_step(tile, slide.move) * number<Groups>() + group]};
        } else {
            return indices_[lookup].moved(place, slide.target, blank);
        }
    }

private:
    static constexpr bool is_sum = std::is_same_v<Index, SparseIndex>;

    template <std::size_t Groups>
    std::size_t number() const {
        return Groups == 0 ? groups_ : Groups;
    }

    static std::size_t first_step(int tile, Move move) { return static_cast<std::size_t>(tile) * 4 + move; }

    // A tile slides against the move of the blank.
    void add_steps(std::size_t group, const PatternLookup& lookup, int columns) {
        for (int tile = 0; tile < static_cast<int>(lookup.tiles.size()); ++tile) {
            if (!lookup.has(tile)) continue;
            const auto step = [&](int from, int to) {
                return indices_.back().share(tile, to) - indices_.back().share(tile, from);
            };
            const auto add = [&](Move move, std::int32_t change) { steps_[first_step(tile, move) * groups_ + group] = change; };
            add(up, step(0, columns));
            add(down, step(columns, 0));
            add(left, step(0, 1));
            add(right, step(1, 0));
        }
    }

    std::size_t groups_;
    // by tile, then move, then group, so that what one move needs lies together
    alignas(64) std::array<std::int32_t, std::size_t{32} * 4 * most_groups> steps_{};
    std::array<std::uint8_t, std::size_t{32} * most_groups> which_{};  // by tile, then group
    std::array<std::size_t, most_groups> end_{};
    std::vector<Index> indices_;
};

// The two forms of the same tables. The spread form is faster and takes time and memory to make,
// so it is made once enough nodes have been looked up for it to pay.
class PatternTables {
public:
    // Spread forms are shared with other tables that have the same `shared`, or null.
    PatternTables(PatternSums sums, const Homes& homes, std::shared_ptr<SpreadTables> shared)
        : sums_(std::move(sums)),
          homes_(homes),
          compact_(sums_.by_tiles, homes.columns),
          compact_by_cells_(sums_.by_cells, homes, compact_.indices()),
          shared_(std::move(shared)) {}

    // Sums in which every tile has its place.
    static bool serves(const PatternSums& sums, int cells, int columns) {
        const PatternGroups& groups = sums.by_tiles;
        if (!CellPatterns<CompactIndex>::serves(sums.by_cells, columns)) return false;
        if (groups.empty() || groups.size() > FollowedPatterns<CompactIndex>::most_groups || cells > 25) return false;
        std::size_t lookups = 0;
        for (const PatternGroup& group : groups) {
            std::vector<int> covered(static_cast<std::size_t>(cells), 0);
            for (const PatternLookup& lookup : group) {
                ++lookups;
                for (int tile = 1; tile < cells; ++tile) covered[static_cast<std::size_t>(tile)] += lookup.has(tile);
            }
            if (std::count(covered.begin(), covered.end(), 1) != cells - 1) return false;
        }
        return lookups <= FollowedPatterns<CompactIndex>::most_lookups && FollowedPatterns<CompactIndex>::serves(groups, columns);
    }

    std::size_t groups() const { return sums_.by_tiles.size(); }
    const PatternGroups& lookups() const { return sums_.by_tiles; }
    bool has_sums_by_cells() const { return !sums_.by_cells.empty(); }
    const FollowedPatterns<CompactIndex>& compact() const { return compact_; }
    const CellPatterns<CompactIndex>& compact_by_cells() const { return compact_by_cells_; }
    // Once there is a spread form.
    const CellPatterns<SparseIndex>& spread_by_cells() const { return *spread_by_cells_; }

    // The spread form, if it is there or pays by now and there is memory for it; or null, also
    // if making it was ended, and while another search makes it: that takes seconds.
    // `expected` are the nodes that the search is known to come to.
    const FollowedPatterns<SparseIndex>* spread(std::uint64_t memory, int threads, const GoOn& go_on,
                                                std::uint64_t expected = 0) const {
        const std::unique_lock lock(spreading_, std::try_to_lock);
        if (!lock) return nullptr;
        if (!spread_ && can_be_spread()) {
            const std::uint64_t room = room_for_spread();
            const bool pays = looked_up_ >= room / bytes_for_a_node || expected >= room / bytes_for_a_look_up;
            if (room <= memory && pays) make_spread(room, threads, go_on);
        }
        return spread_.get();
    }

    // The memory of the spread form.
    std::uint64_t bytes() const { return bytes_; }
    // What it takes, or would take.
    std::uint64_t room_for_spread() const {
        std::uint64_t room = 0;
        std::set<const std::uint8_t*> counted;
        const auto count = [&](const PatternGroups& groups) {
            for (const PatternGroup& group : groups) {
                for (const PatternLookup& lookup : group) {
                    if (counted.insert(lookup.values).second) room += SparseIndex::room(lookup);
                }
            }
        };
        count(sums_.by_tiles);
        for (const PatternGroups& groups : sums_.by_cells) count(groups);
        return room;
    }
    void add_nodes(std::uint64_t nodes) const { looked_up_ += nodes; }

private:
    // A look-up in the spread form saves about the time in which 64 bytes of it are made, and the
    // next pass of a search is about eight times as long as all before it.
    static constexpr std::uint64_t bytes_for_a_look_up = 64;
    static constexpr std::uint64_t bytes_for_a_node = 8 * bytes_for_a_look_up;

    bool can_be_spread() const {
        return FollowedPatterns<SparseIndex>::serves(sums_.by_tiles, homes_.columns) &&
               CellPatterns<SparseIndex>::serves(sums_.by_cells, homes_.columns);
    }

    void make_spread(std::uint64_t room, int threads, const GoOn& go_on) const {
        try {
            auto spread =
                std::make_unique<FollowedPatterns<SparseIndex>>(sums_.by_tiles, homes_.columns, threads, go_on, shared_.get());
            spread_by_cells_ = std::make_unique<CellPatterns<SparseIndex>>(sums_.by_cells, homes_, spread->indices(), threads,
                                                                           go_on, shared_.get());
            spread_ = std::move(spread);
            bytes_ = room;
        } catch (const Ended&) {
        }
    }

    PatternSums sums_;
    Homes homes_;
    FollowedPatterns<CompactIndex> compact_;
    CellPatterns<CompactIndex> compact_by_cells_;
    std::shared_ptr<SpreadTables> shared_;
    mutable std::mutex spreading_;
    mutable std::unique_ptr<FollowedPatterns<SparseIndex>> spread_;
    mutable std::unique_ptr<CellPatterns<SparseIndex>> spread_by_cells_;
    mutable std::atomic<std::uint64_t> looked_up_ = 0;
    mutable std::atomic<std::uint64_t> bytes_ = 0;
};

}  // namespace tilewise
