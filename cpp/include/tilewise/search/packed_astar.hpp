// A* with the default rules, unobserved: the same search as BestFirst in a quarter of the memory,
// for boards of up to 16 cells and heuristics that every move changes by exactly one.
//
// Such a heuristic is consistent, so no expanded state is ever improved, and f grows in twos: four
// bits of a table's entry say by how much, and g is f - h. The open list has names of states and
// the moves that led there; a state found again at less cost has a smaller f in the table than
// the bucket that its old entry waits in. The slide straight back leads to the parent, which is
// cheaper: it is counted and not looked at.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tilewise/heuristics/heuristic.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/search/frontiers.hpp"
#include "tilewise/search/packed_table.hpp"

namespace tilewise {

template <PuzzleDomain Domain>
class PackedAStar {
public:
    PackedAStar(const Domain& domain, const Heuristic<PackedState>& h, Meter& meter)
        : domain_(domain), h_(h), meter_(meter), forward_(domain), table_(domain.shape().cells(), meter.memory()) {}

    // None where f grew by more than four bits can say.
    std::optional<Outcome> run() {
        start_h_ = h_(domain_.start());
        if (!add(Table::name_of(domain_.start()), start_h_, 0, up)) return end(Status::limit, 0);
        stats_.stored = 0;  // the root is not counted
        while (open_.size() > 0) {
            const std::uint64_t taken = open_.pop();
            const Table::Name name = Table::name_in(taken);
            const int level = static_cast<int>(open_.level());
            if (Table::mark_in(table_[table_.find(name)]) != level) continue;  // found again at less cost
            const PackedState state = table_.state_of(name);
            const int h = static_cast<int>(open_.h());
            const int g = start_h_ + 2 * level - h;
            if (state == domain_.goal()) return end(Status::solved, g);
            stats_.bound = static_cast<std::uint64_t>(start_h_ + 2 * level);
            ++stats_.expanded;
            ++expanded_at_[static_cast<std::size_t>(level)];
            if (!expand(state, g, h, static_cast<Move>(Table::mark_in(taken)))) {
                if (too_far_) return std::nullopt;
                return end(meter_.status(), 0);
            }
            stats_.max_frontier = std::max<std::uint64_t>(stats_.max_frontier, open_.size());
        }
        return end(Status::unsolvable, 0);
    }

private:
    using Table = PackedTable;
    static constexpr int levels = 16;

    // Make the successors of a node; false when a limit stops it, or a bound of this class.
    bool expand(PackedState state, int g, int parent_h, Move last) {
        const int blank = Table::blank_of(state);
        if (stats_.generated + 4 > meter_.pause()) return expand_one_by_one(state, blank, g, last);
        const auto& slides = g > 0 ? forward_(blank, last) : domain_.slides(blank);
        std::array<Table::Name, 4> names;
        std::array<int, 4> h;
        for (std::size_t i = 0; i < slides.size(); ++i) {
            const PackedState next = state.slid(blank, slides[i].target);
            names[i] = Table::name_of(next);
            table_.prefetch(names[i]);
            h[i] = h_.after_slide(state, parent_h, blank, slides[i].target, next);
        }
        stats_.generated += domain_.slides(blank).size();
        stats_.duplicates += g > 0;
        for (std::size_t i = 0; i < slides.size(); ++i) {
            if (!add(names[i], h[i], g + 1, slides[i].move)) return false;
        }
        return true;
    }

    // The same where a check may fall between two successors.
    [[gnu::noinline]] bool expand_one_by_one(PackedState state, int blank, int g, Move last) {
        for (const Slide slide : domain_.slides(blank)) {
            if (stats_.generated == meter_.pause() && meter_.stop(stats_)) return false;
            ++stats_.generated;
            if (g > 0 && slide.move == opposite(last)) {
                ++stats_.duplicates;
                continue;
            }
            const PackedState next = state.slid(blank, slide.target);
            if (!add(Table::name_of(next), h_(next), g + 1, slide.move)) return false;
        }
        return true;
    }

    bool add(Table::Name name, int h, int g, Move move) {
        const int level = (g + h - start_h_) / 2;
        if (level >= levels) {
            too_far_ = true;
            return false;
        }
        if ((table_.is_full() || open_.is_full()) && !make_room(table_, open_.bytes_when_grown(), meter_, stats_)) return false;
        const std::size_t slot = table_.find(name);
        if (table_[slot] == 0) {
            table_.fill(slot, Table::entry_of(name, level), move);
        } else if (Table::mark_in(table_[slot]) <= level) {
            ++stats_.duplicates;
            return true;
        } else {
            table_.change(slot, Table::entry_of(name, level), move);
        }
        ++stats_.stored;
        stats_.max_depth = std::max(stats_.max_depth, static_cast<std::uint64_t>(g));
        open_.push(Table::entry_of(name, move), level, h);
        return true;
    }

    Outcome end(Status status, int cost) {
        Outcome outcome;
        outcome.status = status;
        stats_.peak_stored = table_.size();
        stats_.peak_memory = table_.bytes() + open_.bytes();
        if (status == Status::solved) {
            for (int level = 0; level < levels && start_h_ + 2 * level < cost; ++level)
                stats_.expanded_below_cost += expanded_at_[static_cast<std::size_t>(level)];
            outcome.moves = way_to(table_, domain_, domain_.goal(), static_cast<std::size_t>(cost));
        }
        outcome.stats = stats_;
        return outcome;
    }

    const Domain& domain_;
    const Heuristic<PackedState>& h_;
    Meter& meter_;
    ForwardSlides<Domain> forward_;
    int start_h_ = 0;
    bool too_far_ = false;
    Table table_;
    BucketsOf<std::uint64_t> open_;
    std::array<std::uint64_t, levels> expanded_at_{};
    Stats stats_;
};

}  // namespace tilewise
