// IDA* with Manhattan distance at full speed: the same search as Deepening, unobserved.
//
// The recursion is instantiated for each cell of the blank and each last move, so legal slides,
// shifts and the forbidden way back are constants. The state is one register with four bits for
// each cell: row and column of the home of the tile there. Whether a slide brings its tile closer
// is then a test of one or two of its bits.
//
// A slide changes the distance by one, so f - bound is always even and `slack` counts in twos.
// Most nodes have no slack left: they are `tight`, and only slides that bring a tile closer are
// made at all. The goal is the tight node at the depth of the bound; had it been nearer, an
// earlier pass would have found it.
//
// A pass counts the successors of a node all at once; those that were not made before the end
// are taken off again by walking along the path. Where the limit of generated nodes falls into a
// pass, or into what a thread searches of it, that is done again one by one, so that it stops
// exactly there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tilewise/heuristics/cellwise.hpp"
#include "tilewise/meter.hpp"
#include "tilewise/search/kernel.hpp"

namespace tilewise {

template <int Rows, int Columns, Order order>
class ManhattanKernel {
public:
    static constexpr int cells = Rows * Columns;
    static_assert(Rows <= 4 && Columns <= 4);

    ManhattanKernel(const std::uint8_t* start, const std::uint8_t* goal, Meter& meter) : meter_(meter) {
        const Homes homes(Rows, Columns, goal);
        for (int cell = 0; cell < cells; ++cell) {
            const std::uint8_t tile = start[cell];
            if (tile == 0) {
                first_.blank = cell;
            } else {
                first_.state |= static_cast<std::uint64_t>(homes.row[tile] * 4 + homes.column[tile]) << (4 * cell);
                first_.h += manhattan(homes, cell, tile);
            }
        }
        root_ = first_;
    }

    Outcome run() {
        for (int bound = root_.h;; bound += 2) {
            ++stats_.iterations;
            stats_.bound = static_cast<std::uint64_t>(bound);
            const Stats before = stats_;
            if (at_goal()) return end(Status::solved, before);
            const int slack = (bound - root_.h) / 2;
            made_.resize(static_cast<std::size_t>(bound), no_move);
            const std::vector<Move> made_before = made_;
            fast_pass(slack);
            if (near_limit_ || stats_.generated > meter_.most_generated()) {
                stats_ = before;
                made_ = made_before;
                found_ = false;
                one_by_one(root_, no_move, slack, 0);
            }
            if (found_) return end(Status::solved, before);
            if (stopped_) return end(meter_.status(), before);
        }
    }

    // As a kernel, for one of several threads, each with a meter of its own.
    void place(const std::vector<Move>& moves) {
        root_ = first_;
        for (const Move move : moves) root_ = after(root_, move);
        path_ = moves;
    }
    int h() const { return root_.h; }
    bool at_goal() const { return root_.h == 0; }
    bool pass(int bound, Stats& stats) {
        const int left = bound - static_cast<int>(path_.size());
        const int slack = (left - root_.h) / 2;
        made_.assign(static_cast<std::size_t>(left), no_move);
        found_ = stopped_ = false;
        least_above_ = bound + 2;
        stats_ = stats;
        of_thread_ = true;
        if (has_room()) fast_pass(slack);
        if (near_limit_ && !stopped_) {
            stats_ = stats;
            made_.assign(made_.size(), no_move);
            one_by_one(root_, path_.empty() ? no_move : path_.back(), slack, 0);
        }
        stats_.max_depth = std::max<std::uint64_t>(stats_.max_depth, path_.size() + deepest());
        stats = stats_;
        if (found_) path_.insert(path_.end(), made_.begin(), made_.end());
        return found_ || stopped_;
    }
    int least_above() const { return least_above_; }
    bool found() const { return found_; }
    const std::vector<Move>& moves() const { return path_; }

private:
    struct Position {
        std::uint64_t state = 0;
        int blank = 0;
        int h = 0;
    };

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
    static constexpr unsigned slides_from(int blank, Move last, std::size_t place) {
        unsigned count = 0;
        for (; place < order.size(); ++place) count += allowed(blank, last, order[place]);
        return count;
    }

    // Whether the tile that slides from `from` to its neighbour `to` comes closer to its home.
    static constexpr bool closer(std::uint64_t home, int from, int to) {
        const int row = static_cast<int>(home >> 2 & 3);
        const int column = static_cast<int>(home & 3);
        if (from % Columns == to % Columns) return to > from ? row > from / Columns : row < from / Columns;
        return to > from ? column > from % Columns : column < from % Columns;
    }

    // The state after the tile on `target` slid to the blank, whose bits are 0.
    static constexpr std::uint64_t slid(std::uint64_t state, int blank, int target) {
        const std::uint64_t tile = state & std::uint64_t{15} << (4 * target);
        return (state ^ tile) | (target > blank ? tile >> (4 * (target - blank)) : tile << (4 * (blank - target)));
    }

    static Position after(const Position& position, Move move) {
        const int target = neighbour(position.blank, move);
        const bool comes_closer = closer(position.state >> (4 * target), target, position.blank);
        return {slid(position.state, position.blank, target), target, position.h + (comes_closer ? -1 : 1)};
    }

    // Nodes since the last check, in one register: generated in the lower bits, expanded above,
    // and the highest bit says that the pass is over.
    using Count = std::uint64_t;
    static constexpr Count one_expanded = Count{1} << 26;
    static constexpr Count check_is_due = Count{1} << 13;
    static constexpr Count over = Count{1} << 63;

    void fast_pass(int slack) {
        stopped_ = near_limit_ = false;
        last_made_ = made_.data() + made_.size() - 1;
        add(pass_from(slack) & ~over);
        if (found_) take_back(made_.size());
    }

    template <int Blank = 0>
    Count pass_from(int slack) {
        if constexpr (Blank < cells) {
            if (root_.blank != Blank) return pass_from<Blank + 1>(slack);
            switch (path_.empty() ? no_move : path_.back()) {
                case up: return begin<Blank, up>(slack);
                case down: return begin<Blank, down>(slack);
                case left: return begin<Blank, left>(slack);
                case right: return begin<Blank, right>(slack);
                default: return begin<Blank, no_move>(slack);
            }
        }
        return 0;
    }

    template <int Blank, Move Last>
    Count begin(int slack) {
        if (slack == 0) return tight<Blank, Last>(root_.state, made_.data(), 0);
        return visit<Blank, Last>(root_.state, slack, made_.data(), 0);
    }

    // Expand a node with slack; `made` is where the moves to its successors are written.
    template <int Blank, Move Last>
    Count visit(std::uint64_t state, int slack, Move* made, Count count) {
        count += one_expanded + slides_from(Blank, Last, 0);
        if (count & check_is_due) [[unlikely]] {
            count = check(count, made);
            if (count & over) return count;
        }
        return visit_by<Blank, Last, 0>(state, slack, made, count);
    }

    template <int Blank, Move Last, std::size_t Place>
    [[gnu::always_inline]] Count visit_by(std::uint64_t state, int slack, Move* made, Count count) {
        if constexpr (Place < order.size()) {
            constexpr Move Next = order[Place];
            if constexpr (allowed(Blank, Last, Next)) {
                constexpr int target = neighbour(Blank, Next);
                const std::uint64_t next = slid(state, Blank, target);
                const int rest = slack - !closer(state >> (4 * target), target, Blank);
                *made = Next;
                count = rest == 0 ? tight<target, Next>(next, made + 1, count) : visit<target, Next>(next, rest, made + 1, count);
                if (count & over) [[unlikely]]
                    return count;
            }
            return visit_by<Blank, Last, Place + 1>(state, slack, made, count);
        }
        return count;
    }

    // Expand a node without slack.
    template <int Blank, Move Last>
    Count tight(std::uint64_t state, Move* made, Count count) {
        count += one_expanded + slides_from(Blank, Last, 0);
        if (count & check_is_due) [[unlikely]] {
            count = check(count, made);
            if (count & over) return count;
        }
        return tight_by<Blank, Last, 0>(state, made, count);
    }

    template <int Blank, Move Last, std::size_t Place>
    [[gnu::always_inline]] Count tight_by(std::uint64_t state, Move* made, Count count) {
        if constexpr (Place < order.size()) {
            constexpr Move Next = order[Place];
            if constexpr (allowed(Blank, Last, Next)) {
                constexpr int target = neighbour(Blank, Next);
                if (closer(state >> (4 * target), target, Blank)) {
                    *made = Next;
                    if (made == last_made_) [[unlikely]] {
                        found_ = true;
                        return count | over;
                    }
                    const std::uint64_t next = slid(state, Blank, target);
                    if constexpr (slides_from(Blank, Last, Place + 1) == 0) return tight<target, Next>(next, made + 1, count);
                    count = tight<target, Next>(next, made + 1, count);
                    if (count & over) [[unlikely]]
                        return count;
                }
            }
            return tight_by<Blank, Last, Place + 1>(state, made, count);
        }
        return count;
    }

    void add(Count count) {
        stats_.generated += count & (one_expanded - 1);
        stats_.expanded += count / one_expanded;
    }

    // Ask the meter; `made` is where the node counted last would write.
    [[gnu::noinline]] Count check(Count count, const Move* made) {
        add(count);
        if (of_thread_) {
            if (has_room()) return 0;
        } else {
            near_limit_ = stats_.generated >= meter_.most_generated();
            if (!near_limit_ && !meter_.stop(stats_)) return 0;
            stopped_ = true;
        }
        take_back(static_cast<std::size_t>(made - made_.data()));
        return over;
    }

    // Whether a thread may make all nodes up to the next check; else it has stopped, or it is near
    // the limit.
    bool has_room() {
        const std::uint64_t next_check = stats_.generated + check_is_due + order.size();
        if (meter_.pause() < next_check) stopped_ = meter_.stop(stats_);
        near_limit_ = !stopped_ && meter_.pause() < next_check;
        return !stopped_ && !near_limit_;
    }

    // Take the successors off the count that were not made: those after the path to a node of
    // this depth and, unless it is the goal, its own.
    void take_back(std::size_t depth) {
        int blank = root_.blank;
        Move last = path_.empty() ? no_move : path_.back();
        for (std::size_t i = 0; i < depth; ++i) {
            const auto place = std::find(order.begin(), order.end(), made_[i]) - order.begin();
            stats_.generated -= slides_from(blank, last, static_cast<std::size_t>(place) + 1);
            blank = neighbour(blank, made_[i]);
            last = made_[i];
        }
        if (!found_) stats_.generated -= slides_from(blank, last, 0);
    }

    // Expand a node whose successors are at `depth` in `made_`; true when the pass is over.
    bool one_by_one(const Position& position, Move last, int slack, std::size_t depth) {
        ++stats_.expanded;
        for (const Move move : order) {
            if (!allowed(position.blank, last, move)) continue;
            if (stats_.generated >= meter_.pause() && meter_.stop(stats_)) return stopped_ = true;
            ++stats_.generated;
            const Position next = after(position, move);
            const int rest = slack - (next.h > position.h);
            if (rest < 0) continue;
            made_[depth] = move;
            if (next.h == 0) return found_ = true;
            if (one_by_one(next, move, rest, depth + 1)) return true;
        }
        return false;
    }

    // The greatest depth at which a move was made.
    std::size_t deepest() const {
        std::size_t depth = made_.size();
        while (depth > 0 && made_[depth - 1] == no_move) --depth;
        return depth;
    }

    Outcome end(Status status, const Stats& before) {
        Outcome outcome;
        outcome.status = status;
        if (status == Status::solved) {
            outcome.moves = made_;
            stats_.expanded_below_cost = before.expanded;
        }
        stats_.max_depth = deepest();
        stats_.peak_stored = stats_.max_depth + 1;
        stats_.peak_memory = 2 * made_.capacity() + sizeof(*this);
        outcome.stats = stats_;
        return outcome;
    }

    Meter& meter_;
    Position first_;                   // of the whole search
    Position root_;                    // of this pass
    std::vector<Move> path_;           // from the first position to the root
    std::vector<Move> made_;           // the last move made to each depth, from the root on
    const Move* last_made_ = nullptr;  // where the move to the goal is written
    int least_above_ = 0;
    bool found_ = false;
    bool stopped_ = false;
    bool near_limit_ = false;
    bool of_thread_ = false;  // a kernel, not a search of its own
    Stats stats_;
};
static_assert(Kernel<ManhattanKernel<3, 3, default_order>> && Kernel<ManhattanKernel<4, 4, default_order>>);

}  // namespace tilewise
