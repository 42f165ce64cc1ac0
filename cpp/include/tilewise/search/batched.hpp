// A* that takes many nodes at once: the same solutions, other counters, in the least memory. For
// boards of up to 16 cells and heuristics that change by an odd number at each move.
//
// A stored node is one word of a PackedTable: its four bits say by how much f grew, counted in
// twos from the start's, and g is f - h. The open list has the prefixes of names, four bytes each,
// which nearly always say which entry is meant; where they do not, all that fit are expanded.
// Nodes of the least f are taken together, and the memory of all their successors is asked for
// before the first is looked at. The way back is found at the end: a predecessor is a neighbour
// whose g is smaller by one.
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

template <class Domain>
class BatchedAStar {
public:
    BatchedAStar(const Domain& domain, const Heuristic<PackedState>& h, std::size_t batch, Meter& meter)
        : domain_(domain), h_(h), batch_(batch), meter_(meter), table_(domain.shape().cells(), meter.memory()) {}

    // None where f grew by more than four bits can say.
    std::optional<Outcome> run() {
        start_h_ = h_(domain_.start());
        if (!add({Table::name_of(domain_.start()), start_h_, 0})) return end(Status::limit, 0);
        stats_.stored = 0;  // the root is not counted
        while (open_.size() > 0) {
            take();
            if (at_goal()) return end(Status::solved, level_);
            children_.clear();
            for (const Taken& taken : taken_) expand(taken);
            for (const Child& child : children_) {
                if (stats_.generated == meter_.pause() && meter_.stop(stats_)) return end(meter_.status(), 0);
                ++stats_.generated;
                if (!add(child)) return end(Status::limit, 0);
            }
            stats_.max_frontier = std::max<std::uint64_t>(stats_.max_frontier, open_.size());
        }
        if (too_far_) return std::nullopt;
        return end(Status::unsolvable, 0);
    }

private:
    using Table = PackedTable<false>;
    static constexpr int levels = 16;

    struct Taken {
        std::uint32_t prefix;
        int h;
    };
    struct Child {
        Table::Name name;
        int h;
        int g;
    };

    // The nodes of the least f with the smallest h, as many as fit into a batch.
    void take() {
        taken_.clear();
        level_ = static_cast<int>(open_.best_level());
        stats_.bound = static_cast<std::uint64_t>(start_h_ + 2 * level_);
        while (taken_.size() < batch_ && open_.size() > 0 && static_cast<int>(open_.best_level()) == level_) {
            const std::uint32_t prefix = open_.pop();
            table_.prefetch(prefix);
            taken_.push_back({prefix, static_cast<int>(open_.h())});
            if (open_.h() == 0) break;
        }
    }

    bool at_goal() const {
        if (taken_.front().h > 0) return false;
        const Table::Entry entry = table_[table_.find(Table::name_of(domain_.goal()))];
        return entry != 0 && Table::mark_in(entry) == level_;
    }

    // Those found again at less cost have another mark by now.
    void expand(const Taken& taken) {
        table_.for_prefix(taken.prefix, [&](Table::Entry entry) {
            if (Table::mark_in(entry) != level_) return;
            const PackedState state = table_.state_of(Table::name_in(entry));
            if (h_(state) == taken.h) expand(state, start_h_ + 2 * level_ - taken.h + 1);
        });
    }

    void expand(PackedState state, int g) {
        ++stats_.expanded;
        ++expanded_at_[static_cast<std::size_t>(level_)];
        const int blank = Table::blank_of(state);
        for (const Slide slide : domain_.slides(blank)) {
            const PackedState next = state.slid(blank, slide.target);
            const Table::Name name = Table::name_of(next);
            table_.prefetch(Table::prefix_of(name));
            children_.push_back({name, h_(next), g});
        }
    }

    bool add(const Child& child) {
        const int level = (child.g + child.h - start_h_) / 2;
        if (level >= levels) return too_far_ = true;
        if ((table_.is_full() || open_.is_full()) && !make_room(table_, open_.bytes_when_grown(), meter_)) return false;
        const std::size_t slot = table_.find(child.name);
        if (table_[slot] == 0) {
            table_.fill(slot, Table::entry_of(child.name, level), no_move);
        } else if (Table::mark_in(table_[slot]) <= level) {
            ++stats_.duplicates;
            return true;
        } else {
            table_.change(slot, Table::entry_of(child.name, level), no_move);
        }
        ++stats_.stored;
        stats_.max_depth = std::max(stats_.max_depth, static_cast<std::uint64_t>(child.g));
        open_.push(Table::prefix_of(child.name), level, child.h);
        return true;
    }

    Outcome end(Status status, int level) {
        Outcome outcome;
        outcome.status = status;
        stats_.peak_stored = table_.size();
        stats_.peak_memory = table_.bytes() + open_.bytes();
        if (status == Status::solved) {
            for (int below = 0; below < level; ++below) stats_.expanded_below_cost += expanded_at_[static_cast<std::size_t>(below)];
            outcome.moves = way_back(start_h_ + 2 * level);
        }
        outcome.stats = stats_;
        return outcome;
    }

    std::vector<Move> way_back(int cost) const {
        std::vector<Move> moves;
        PackedState state = domain_.goal();
        for (int g = cost; g > 0; --g) {
            const int blank = Table::blank_of(state);
            for (const Slide slide : domain_.slides(blank)) {
                const PackedState before = state.slid(blank, slide.target);
                const Table::Entry entry = table_[table_.find(Table::name_of(before))];
                if (entry == 0 || start_h_ + 2 * Table::mark_in(entry) - h_(before) != g - 1) continue;
                moves.push_back(opposite(slide.move));
                state = before;
                break;
            }
        }
        std::reverse(moves.begin(), moves.end());
        return moves;
    }

    const Domain& domain_;
    const Heuristic<PackedState>& h_;
    std::size_t batch_;
    Meter& meter_;
    int start_h_ = 0;
    int level_ = 0;
    bool too_far_ = false;
    Table table_;
    Buckets open_;
    std::array<std::uint64_t, levels> expanded_at_{};
    std::vector<Taken> taken_;
    std::vector<Child> children_;
    Stats stats_;
};

}  // namespace tilewise
