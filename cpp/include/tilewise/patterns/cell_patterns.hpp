// The tables of sums by cells, ready for searches, which share them: which tiles are on the cells of
// a pattern? The cell of the blank decides which patterns a sum has.
//
// A move of the blank changes what is on two cells, and the patterns of a sum. Most patterns are
// patterns of the sum after the move, too, and have none of the two cells: their values stay. Sums of
// one view have their patterns in an order in which that is mostly the pattern of the same number.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/heuristics/pattern_sum.hpp"
#include "tilewise/patterns/indices.hpp"

namespace tilewise {

template <class Index>
class CellPatterns {
public:
    static constexpr std::size_t most_views = 4;
    static constexpr std::size_t most_patterns = 4;  // of a sum
    static constexpr std::size_t most_cells = 25;

    // A bit for each pattern of a sum: whether a move changes it.
    using Changed = std::uint8_t;

    CellPatterns(const std::vector<PatternGroups>& by_cells, const Homes& homes, const std::vector<Index>& before,
                 int threads = 1, const GoOn& go_on = nullptr, SpreadTables* shared = nullptr)
        : shared_(shared) {
        if (by_cells.empty()) return;
        for (const PatternGroups& groups : by_cells) views_ = std::max(views_, groups.size());
        known_ = before;
        for (std::size_t blank = 0; blank < by_cells.size(); ++blank) {
            for (std::size_t view = 0; view < views_; ++view)
                add_sum(blank, view, by_cells[blank][view % by_cells[blank].size()], homes, threads, go_on);
        }
        align(homes);
        compare(homes);
    }

    // Sums of few patterns, all of as many: a sum follows from that of a neighbour.
    static bool serves(const std::vector<PatternGroups>& by_cells, int columns) {
        if (by_cells.empty()) return true;
        const std::size_t patterns = by_cells.front().front().size();
        if (by_cells.size() > most_cells || patterns > most_patterns) return false;
        for (const PatternGroups& groups : by_cells) {
            if (groups.size() > most_views) return false;
            for (const PatternGroup& group : groups) {
                if (group.size() != patterns) return false;
                for (const PatternLookup& lookup : group) {
                    if (lookup.size > 8 || !Index::serves(lookup, columns)) return false;
                }
            }
        }
        return true;
    }

    std::size_t views() const { return views_; }
    std::size_t patterns(int blank, std::size_t view) const { return sum_of(blank, view).count; }
    Changed changed(int blank, Move move, std::size_t view) const {
        return changed_[(static_cast<std::size_t>(blank) * 4 + move) * most_views + view];
    }

    // Where the value of a pattern of a sum stands.
    const std::uint8_t* at(int blank, std::size_t view, std::size_t pattern, const std::uint8_t* board) const {
        const Pattern& looked = patterns_[sum_of(blank, view).patterns[pattern]];
        std::array<std::uint8_t, 8> cells{};
        for (std::size_t i = 0; i < 6; ++i) cells[i] = looked.home[board[looked.cells[i]]];
        if (looked.size > 6) {
            for (std::size_t i = 6; i < looked.size; ++i) cells[i] = looked.home[board[looked.cells[i]]];
        }
        return looked.index->at(cells);
    }

private:
    struct Pattern {
        const Index* index;
        std::size_t size;                   // cells
        std::array<std::uint8_t, 8> cells;  // of the board, by number in the pattern
        std::array<std::uint8_t, 32> home;  // of each tile, as a cell of the table
        const std::uint8_t* values;         // of the table as it was given
        bool operator==(const Pattern& other) const {
            return values == other.values && cells == other.cells && home == other.home;
        }
    };
    struct Sum {
        std::size_t count = 0;
        std::array<std::uint16_t, most_patterns> patterns{};
    };

    const Sum& sum_of(int blank, std::size_t view) const { return sums_[static_cast<std::size_t>(blank) * most_views + view]; }

    void add_sum(std::size_t blank, std::size_t view, const PatternGroup& group, const Homes& homes, int threads,
                 const GoOn& go_on) {
        Sum& sum = sums_[blank * most_views + view];
        for (const PatternLookup& lookup : group) {
            Pattern pattern{nullptr, static_cast<std::size_t>(lookup.size), {}, {}, lookup.values};
            for (int cell = 0; cell < homes.cells(); ++cell) {
                if (lookup.has(cell))
                    pattern.cells[lookup.tiles[static_cast<std::size_t>(cell)]] = static_cast<std::uint8_t>(cell);
                pattern.home[static_cast<std::size_t>(cell)] = lookup.cells[static_cast<std::size_t>(homes.cell(cell))];
            }
            auto known = std::find(patterns_.begin(), patterns_.end(), pattern);
            if (known == patterns_.end()) {
                pattern.index = index_of(lookup, threads, go_on);
                known = patterns_.insert(known, pattern);
            }
            sum.patterns[sum.count++] = static_cast<std::uint16_t>(known - patterns_.begin());
        }
    }

    const Index* index_of(const PatternLookup& lookup, int threads, const GoOn& go_on) {
        for (const Pattern& pattern : patterns_) {
            if (pattern.values == lookup.values) return pattern.index;
        }
        indices_.push_back(std::make_shared<const Index>(lookup, known_, threads, go_on, shared_));
        known_.push_back(*indices_.back());
        return indices_.back().get();
    }

    // The patterns of a sum are put in the order of those of a neighbour that they are like, so that
    // most of them stay where they are when the blank moves.
    void align(const Homes& homes) {
        for (int blank = 1; blank < homes.cells(); ++blank) {
            const int neighbour = blank % homes.columns > 0 ? blank - 1 : blank - homes.columns;
            for (std::size_t view = 0; view < views_; ++view) {
                const Sum& like = sum_of(neighbour, view);
                Sum& sum = sums_[static_cast<std::size_t>(blank) * most_views + view];
                for (std::size_t i = 0; i < std::min(sum.count, like.count); ++i) {
                    auto* best = std::max_element(
                        sum.patterns.begin() + i, sum.patterns.begin() + sum.count,
                        [&](auto a, auto b) { return likeness(a, like.patterns[i]) < likeness(b, like.patterns[i]); });
                    std::swap(sum.patterns[i], *best);
                }
            }
        }
    }

    // The cells that two patterns have in common.
    std::size_t likeness(std::uint16_t one, std::uint16_t other) const {
        const Pattern& a = patterns_[one];
        const Pattern& b = patterns_[other];
        return static_cast<std::size_t>(std::count_if(a.cells.begin(), a.cells.begin() + a.size, [&](std::uint8_t cell) {
            return std::find(b.cells.begin(), b.cells.begin() + b.size, cell) != b.cells.begin() + b.size;
        }));
    }

    void compare(const Homes& homes) {
        for (int blank = 0; blank < homes.cells(); ++blank) {
            for (const Move move : default_order) {
                const int row = blank / homes.columns + (move == down) - (move == up);
                const int column = blank % homes.columns + (move == right) - (move == left);
                if (row < 0 || column < 0 || row >= homes.rows || column >= homes.columns) continue;
                for (std::size_t view = 0; view < views_; ++view) {
                    const Sum& from = sum_of(blank, view);
                    const Sum& to = sum_of(row * homes.columns + column, view);
                    Changed& changed = changed_[(static_cast<std::size_t>(blank) * 4 + move) * most_views + view];
                    for (std::size_t i = 0; i < to.count; ++i) {
                        if (i >= from.count || from.patterns[i] != to.patterns[i]) changed |= static_cast<Changed>(1U << i);
                    }
                }
            }
        }
    }

    SpreadTables* shared_;
    std::size_t views_ = 0;
    std::vector<Index> known_;  // before, and those below
    std::vector<std::shared_ptr<const Index>> indices_;
    std::vector<Pattern> patterns_;
    std::array<Sum, most_cells * most_views> sums_{};
    std::array<Changed, most_cells * 4 * most_views> changed_{};
};

}  // namespace tilewise
