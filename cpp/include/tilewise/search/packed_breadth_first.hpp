// Breadth-first search with the default rules, unobserved, on boards of up to 16 cells: the same
// search as BestFirst with a queue. The queue is this level and the next one, each node one word:
// its state and the move that led to it. The slide straight back leads to the parent: it is
// counted and not looked at.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "tilewise/meter.hpp"
#include "tilewise/search/packed_table.hpp"

namespace tilewise {

template <PuzzleDomain Domain, StateTable Table>
class PackedBreadthFirst {
public:
    PackedBreadthFirst(const Domain& domain, Meter& meter)
        : domain_(domain), meter_(meter), forward_(domain), table_(domain.shape().cells(), meter.memory()) {}

    Outcome run() {
        const typename Table::Name root = Table::name_of(domain_.start());
        table_.fill(table_.find(root), Table::entry_of(root, 0), no_move);
        next_.push_back(Table::entry_of(root, 0));
        for (std::size_t depth = 0; !next_.empty(); ++depth) {
            std::swap(level_, next_);
            next_.clear();
            stats_.bound = depth;
            const std::uint64_t expanded_before = stats_.expanded;
            for (std::size_t i = 0; i < level_.size(); ++i) {
                const PackedState state = table_.state_of(Table::name_in(level_[i]));
                if (state == domain_.goal()) {
                    stats_.expanded_below_cost = expanded_before;
                    return end(Status::solved, depth);
                }
                ++stats_.expanded;
                if (!expand(state, depth, static_cast<Move>(Table::mark_in(level_[i])))) return end(meter_.status(), 0);
                stats_.max_frontier = std::max<std::uint64_t>(stats_.max_frontier, level_.size() - i - 1 + next_.size());
            }
        }
        return end(Status::unsolvable, 0);
    }

private:
    // Make the successors of a node; false when a limit stops it.
    bool expand(PackedState state, std::size_t depth, Move last) {
        const int blank = Table::blank_of(state);
        if (stats_.generated + 4 > meter_.pause()) return expand_one_by_one(state, blank, depth, last);
        const auto& slides = depth > 0 ? forward_(blank, last) : domain_.slides(blank);
        std::array<typename Table::Name, 4> names;
        for (std::size_t i = 0; i < slides.size(); ++i) {
            names[i] = Table::name_of(state.slid(blank, slides[i].target));
            table_.prefetch(names[i]);
        }
        stats_.generated += domain_.slides(blank).size();
        stats_.duplicates += depth > 0;
        for (std::size_t i = 0; i < slides.size(); ++i) {
            if (!add(names[i], depth + 1, slides[i].move)) return false;
        }
        return true;
    }

    // The same where a check may fall between two successors.
    [[gnu::noinline]] bool expand_one_by_one(PackedState state, int blank, std::size_t depth, Move last) {
        for (const Slide slide : domain_.slides(blank)) {
            if (stats_.generated == meter_.pause() && meter_.stop(stats_)) return false;
            ++stats_.generated;
            if (depth > 0 && slide.move == opposite(last)) {
                ++stats_.duplicates;
            } else if (!add(Table::name_of(state.slid(blank, slide.target)), depth + 1, slide.move)) {
                return false;
            }
        }
        return true;
    }

    bool add(typename Table::Name name, std::size_t depth, Move move) {
        if ((table_.is_full() || next_.size() == next_.capacity()) &&
            !make_room(table_, queue_bytes_when_grown(), meter_, stats_))
            return false;
        const std::size_t slot = table_.find(name);
        if (table_[slot] != 0) {
            ++stats_.duplicates;
            return true;
        }
        table_.fill(slot, Table::entry_of(name, 0), move);
        next_.push_back(Table::entry_of(name, move));
        ++stats_.stored;
        stats_.max_depth = depth;
        return true;
    }

    // A vector that grows is held twice for a moment.
    std::uint64_t queue_bytes_when_grown() const { return queue_bytes() + 2 * next_.capacity() * sizeof(typename Table::Entry); }
    std::uint64_t queue_bytes() const { return (level_.capacity() + next_.capacity()) * sizeof(std::uint64_t); }

    Outcome end(Status status, std::size_t cost) {
        Outcome outcome;
        outcome.status = status;
        stats_.peak_stored = table_.size();
        stats_.peak_memory = table_.bytes() + queue_bytes();
        if (status == Status::solved) outcome.moves = way_to(table_, domain_, domain_.goal(), cost);
        outcome.stats = stats_;
        return outcome;
    }

    const Domain& domain_;
    Meter& meter_;
    ForwardSlides<Domain> forward_;
    Table table_;
    std::vector<typename Table::Entry> level_;
    std::vector<typename Table::Entry> next_;
    Stats stats_;
};

}  // namespace tilewise
