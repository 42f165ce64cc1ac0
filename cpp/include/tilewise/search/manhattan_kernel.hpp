// IDA* with Manhattan distance at full speed: the same search as Deepening, unobserved.
//
// The recursion is instantiated for each cell of the blank and each last move, so legal slides,
// shifts and the forbidden way back are constants; the state is one register. A slide changes
// the distance by one, so f - bound is always even and `slack` counts in twos.
//
// A pass counts the successors of a node all at once. Only where the limit of generated nodes
// falls into a pass is it done again, counting one by one, so that it stops exactly there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "tilewise/heuristics/cellwise.hpp"
#include "tilewise/meter.hpp"

namespace tilewise {

template <int Rows, int Columns, Order order>
class ManhattanKernel {
public:
    static constexpr int cells = Rows * Columns;
    static_assert(cells <= 16);

    ManhattanKernel(const std::uint8_t* start, const std::uint8_t* goal, Meter& meter) : meter_(meter) {
        const Homes homes(Rows, Columns, goal);
        for (int cell = 0; cell < cells; ++cell) {
            start_ |= std::uint64_t{start[cell]} << (4 * cell);
            goal_ |= std::uint64_t{goal[cell]} << (4 * cell);
            if (start[cell] == 0) blank_ = cell;
            start_h_ += manhattan(homes, cell, start[cell]);
            first_ = {start_, blank_, start_h_};
            for (const Move move : {up, down, left, right}) {
                const int target = neighbour(cell, move);
                for (int tile = 1; target >= 0 && tile < cells; ++tile) {
                    const bool closer = manhattan(homes, cell, tile) < manhattan(homes, target, tile);
                    closer_[slot(cell, move)] |= static_cast<std::uint32_t>(closer) << tile;
                }
            }
        }
    }

    Outcome run() {
        for (int bound = start_h_;; bound += 2) {
            ++stats_.iterations;
            moves_.assign(static_cast<std::size_t>(bound) + 1, no_move);
            reached_.resize(moves_.size());
            const std::uint64_t expanded_before = stats_.expanded;
            if (start_ == goal_) return end(Status::solved, expanded_before);
            const int slack = (bound - start_h_) / 2;
            const Count before{stats_.generated, stats_.expanded};
            const auto reached_before = reached_;
            Count after = visit_from<false>(slack, before);
            if (near_limit_) {
                reached_ = reached_before;
                after = visit_from<true>(slack, before);
            }
            stats_.generated = after.generated & ~ended;
            stats_.expanded = after.expanded;
            if (found_at_ > 0) return end(Status::solved, expanded_before);
            if (stopped_) return end(meter_.status(), expanded_before);
        }
    }

    // The same as PatternKernel has for one of several threads, each with a meter of its own.
    void place(const std::vector<Move>& moves) {
        start_ = first_.state;
        blank_ = first_.blank;
        start_h_ = first_.h;
        for (const Move move : moves) {
            const int target = neighbour(blank_, move);
            const std::uint64_t tile = start_ >> (4 * target) & 15;
            start_h_ += closer_[slot(blank_, move)] >> tile & 1 ? -1 : 1;
            start_ ^= (tile << (4 * target)) ^ (tile << (4 * blank_));
            blank_ = target;
        }
        path_ = moves;
        last_ = moves.empty() ? no_move : moves.back();
    }
    int h() const { return start_h_; }
    bool at_goal() const { return start_ == goal_; }
    bool pass(int bound, Stats& stats) {
        const int left = bound - static_cast<int>(path_.size());
        moves_.assign(static_cast<std::size_t>(left) + 1, no_move);
        reached_.assign(moves_.size(), 0);
        found_at_ = 0;
        least_above_ = bound + 2;
        const Count after = visit_from<false>((left - start_h_) / 2, {stats.generated, stats.expanded});
        stats.generated = after.generated & ~ended;
        stats.expanded = after.expanded;
        for (std::size_t depth = 0; depth < reached_.size(); ++depth) {
            if (reached_[depth] != 0) stats.max_depth = std::max<std::uint64_t>(stats.max_depth, path_.size() + depth);
        }
        if (found()) path_.insert(path_.end(), moves_.begin(), moves_.begin() + found_at_);
        return after.over();
    }
    int least_above() const { return least_above_; }
    bool found() const { return found_at_ > 0; }
    const std::vector<Move>& moves() const { return path_; }

private:
    static constexpr std::uint64_t ended = std::uint64_t{1} << 63;

    static constexpr int neighbour(int cell, Move move) {
        const int row = cell / Columns;
        const int column = cell % Columns;
        switch (move) {
            case up: return row > 0 ? cell - Columns : -1;
            case down: return row + 1 < Rows ? cell + Columns : -1;
            case left: return column > 0 ? cell - 1 : -1;
            case right: return column + 1 < Columns ? cell + 1 : -1;
            default: return -1;
        }
    }

    static constexpr bool allowed(int blank, Move last, Move next) {
        return neighbour(blank, next) >= 0 && (last == no_move || next != opposite(last));
    }

    // How many slides are allowed from a place in the order of successors on.
    static constexpr std::uint64_t slides_from(int blank, Move last, std::size_t place) {
        std::uint64_t count = 0;
        for (; place < order.size(); ++place) count += allowed(blank, last, order[place]);
        return count;
    }

    static constexpr std::size_t slot(int cell, Move move) { return static_cast<std::size_t>(cell * 4 + move); }

    // The counters go through registers; the highest bit of `generated` says the pass is over.
    struct Count {
        std::uint64_t generated;
        std::uint64_t expanded;
        bool over() const { return generated & ended; }
    };

    template <bool OneByOne, int Blank = 0>
    Count visit_from(int slack, Count count) {
        if constexpr (Blank < cells) {
            if (blank_ == Blank) return visit_after<OneByOne, Blank>(slack, count);
            return visit_from<OneByOne, Blank + 1>(slack, count);
        }
        return count;
    }

    template <bool OneByOne, int Blank>
    Count visit_after(int slack, Count count) {
        if constexpr (!OneByOne) {  // only passes of a subtree have a last move
            switch (last_) {
                case up: return visit<false, Blank, up>(start_, slack, 1, count);
                case down: return visit<false, Blank, down>(start_, slack, 1, count);
                case left: return visit<false, Blank, left>(start_, slack, 1, count);
                case right: return visit<false, Blank, right>(start_, slack, 1, count);
                default: break;
            }
        }
        return visit<OneByOne, Blank, no_move>(start_, slack, 1, count);
    }

    // Expand a node whose successors are at depth g.
    template <bool OneByOne, int Blank, Move Last>
    Count visit(std::uint64_t state, int slack, int g, Count count) {
        ++count.expanded;
        if constexpr (!OneByOne) {
            if (count.generated >= pause_) [[unlikely]] {
                if (poll(count)) return {count.generated | ended, count.expanded};
            }
            count.generated += slides_from(Blank, Last, 0);
        }
        count = slide<OneByOne, Blank, Last, 0>(state, slack, g, count);
        if (count.over()) [[unlikely]] return count;
        count = slide<OneByOne, Blank, Last, 1>(state, slack, g, count);
        if (count.over()) [[unlikely]] return count;
        count = slide<OneByOne, Blank, Last, 2>(state, slack, g, count);
        if (count.over()) [[unlikely]] return count;
        return slide<OneByOne, Blank, Last, 3>(state, slack, g, count);
    }

    template <bool OneByOne, int Blank, Move Last, std::size_t Place>
    [[gnu::always_inline]] Count slide(std::uint64_t state, int slack, int g, Count count) {
        constexpr Move Next = order[Place];
        if constexpr (!allowed(Blank, Last, Next)) {
            return count;
        } else {
            constexpr int target = neighbour(Blank, Next);
            if constexpr (OneByOne) {
                if (count.generated >= meter_.pause() && stop(count)) return {count.generated | ended, count.expanded};
                ++count.generated;
            }
            const std::uint64_t tile = state >> (4 * target) & 15;
            const int left_over = slack - 1 + static_cast<int>(closer_[slot(Blank, Next)] >> tile & 1);
            if (left_over < 0) return count;
            const std::uint64_t next = state ^ (tile << (4 * target)) ^ (tile << (4 * Blank));
            reached_[static_cast<std::size_t>(g)] = 1;
            if (next == goal_) [[unlikely]] {
                found_at_ = g;
                count.generated |= ended;
            } else {
                count = visit<OneByOne, target, Next>(next, left_over, g + 1, count);
            }
            if (count.over()) [[unlikely]] {
                moves_[static_cast<std::size_t>(g - 1)] = Next;
                if constexpr (!OneByOne) count.generated -= slides_from(Blank, Last, Place + 1);
            }
            return count;
        }
    }

    // In a fast pass the count runs ahead by the siblings of the current path, so the limit may
    // be near: then the pass is given up and done again one by one.
    [[gnu::noinline]] bool poll(Count count) {
        if (count.generated + 4 >= meter_.most_generated()) return near_limit_ = true;
        if (stop(count)) return true;
        pause_ = std::min(meter_.pause(), meter_.most_generated() - 4);
        return false;
    }

    [[gnu::noinline]] bool stop(Count count) {
        stats_.generated = count.generated;
        stats_.expanded = count.expanded;
        return stopped_ = meter_.stop(stats_);
    }

    Outcome end(Status status, std::uint64_t expanded_before) {
        Outcome outcome;
        outcome.status = status;
        if (status == Status::solved) {
            outcome.moves.assign(moves_.begin(), moves_.begin() + found_at_);
            stats_.expanded_below_cost = expanded_before;
        }
        while (!reached_.empty() && reached_.back() == 0) reached_.pop_back();
        stats_.max_depth = reached_.empty() ? 0 : reached_.size() - 1;
        stats_.peak_stored = stats_.max_depth + 1;
        stats_.peak_memory = 2 * moves_.capacity() + sizeof(*this);
        outcome.stats = stats_;
        return outcome;
    }

    std::uint64_t start_ = 0;
    std::uint64_t goal_ = 0;
    std::uint64_t pause_ = 0;
    std::array<std::uint32_t, static_cast<std::size_t>(cells) * 4> closer_{};
    struct First {
        std::uint64_t state;
        int blank;
        int h;
    };
    First first_{};
    int blank_ = 0;
    int start_h_ = 0;
    Move last_ = no_move;
    int least_above_ = 0;
    int found_at_ = 0;
    bool stopped_ = false;
    bool near_limit_ = false;
    Meter& meter_;
    Stats stats_;
    std::vector<Move> path_;  // to the subtree
    std::vector<Move> moves_;
    std::vector<std::uint8_t> reached_;  // 1 for each depth that a node below the bound had
};

}  // namespace tilewise
