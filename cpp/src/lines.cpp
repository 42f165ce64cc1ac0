#include "tilewise/path/lines.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <set>
#include <thread>
#include <utility>

#include "tilewise/threads.hpp"

namespace tilewise {

namespace {

using Cells = std::vector<std::uint8_t>;
constexpr int unreachable = 1 << 20;
constexpr int moves_for_a_step = 3;  // of one tile by one cell, about
constexpr int none = -1;

struct Grid {
    int rows, columns;
    int cells() const { return rows * columns; }
    int beside(int cell, Move move) const {
        switch (move) {
            case up: return cell < columns ? none : cell - columns;
            case down: return cell >= columns * (rows - 1) ? none : cell + columns;
            case left: return cell % columns == 0 ? none : cell - 1;
            default: return cell % columns == columns - 1 ? none : cell + 1;
        }
    }
    int apart(int a, int b) const { return std::abs(a / columns - b / columns) + std::abs(a % columns - b % columns); }
};

// A board on the way, with what led to it.
struct Placed {
    Cells tiles;
    std::vector<bool> locked;
    std::vector<Move> moves;
    int blank = 0;
    int value = 0;
};

struct Target {
    int first, second;  // cells; the second may be none
};

// Distances of one tile and the blank to the tile's home, all other tiles alike.
class OneTile {
public:
    OneTile(const Grid& grid, const std::vector<bool>& locked, int home) : cells_(grid.cells()) {
        distance_.assign(static_cast<std::size_t>(cells_ * cells_), unreachable);
        std::vector<std::pair<int, int>> layer, next;
        for (int blank = 0; blank < cells_; ++blank) {
            if (blank != home && !locked[static_cast<std::size_t>(blank)]) {
                distance_[index(home, blank)] = 0;
                layer.emplace_back(home, blank);
            }
        }
        for (int depth = 1; !layer.empty(); ++depth, layer.swap(next), next.clear()) {
            for (const auto& [tile, blank] : layer) {
                for (const Move move : default_order) {
                    const int to = grid.beside(blank, move);
                    if (to == none || locked[static_cast<std::size_t>(to)]) continue;
                    const int moved = to == tile ? blank : tile;
                    int& known = distance_[index(moved, to)];
                    if (known < unreachable) continue;
                    known = depth;
                    next.emplace_back(moved, to);
                }
            }
        }
    }
    int operator()(int tile, int blank) const { return distance_[index(tile, blank)]; }

private:
    std::size_t index(int tile, int blank) const { return static_cast<std::size_t>(tile * cells_ + blank); }
    int cells_;
    std::vector<int> distance_;
};

// Best-first search over the cells of the blank and two tiles; its tables are used again and again.
class PairSearch {
public:
    explicit PairSearch(const Grid& grid) : grid_(grid) {
        const auto cells = static_cast<std::size_t>(grid.cells());
        seen_.assign(cells * cells * cells, 0);
        by_.resize(seen_.size());
    }

    // The moves that bring both tiles home, or an empty vector and false: none was found, or it was stopped.
    bool run(const Placed& from, Target target, int first_at, int second_at, std::vector<Move>& way,
             const std::atomic<bool>& stop) {
        const OneTile to_first(grid_, from.locked, target.first);
        const OneTile to_second(grid_, from.locked, target.second == none ? target.first : target.second);
        begin();
        const State start{from.blank, first_at, second_at};
        mark(start, no_move);
        push(estimate(start, target, to_first, to_second), {start, 0});
        while (least_ < buckets_.size()) {
            auto& bucket = buckets_[least_];
            if (bucket.empty()) {
                ++least_;
                continue;
            }
            const auto [state, g] = bucket.back();
            bucket.pop_back();
            if (state.first == target.first && (target.second == none || state.second == target.second)) {
                trace(start, state, way);
                return true;
            }
            if (++expanded_ > most_expanded || (expanded_ % expanded_between_looks == 0 && stop)) return false;
            for (const Move move : default_order) {
                const int to = grid_.beside(state.blank, move);
                if (to == none || from.locked[static_cast<std::size_t>(to)]) continue;
                const State child{to, to == state.first ? state.blank : state.first,
                                  to == state.second ? state.blank : state.second};
                if (seen_[index(child)] == stamp_) continue;
                mark(child, move);
                const int h = estimate(child, target, to_first, to_second);
                if (h < unreachable) push(g + 1 + h, {child, g + 1});
            }
        }
        return false;
    }

private:
    struct State {
        int blank, first, second;
    };
    struct Node {
        State state;
        int g;
    };
    static constexpr std::size_t most_expanded = 400'000;
    static constexpr std::size_t expanded_between_looks = 1024;

    void begin() {
        if (++stamp_ == 0) {
            std::fill(seen_.begin(), seen_.end(), std::uint16_t{0});
            stamp_ = 1;
        }
        for (auto& bucket : buckets_) bucket.clear();
        least_ = 0;
        expanded_ = 0;
    }

    void push(int priority, Node node) {
        const auto at = static_cast<std::size_t>(priority);
        if (at >= buckets_.size()) buckets_.resize(at + 1);
        buckets_[at].push_back(node);
        least_ = std::min(least_, at);
    }

    int estimate(const State& state, Target target, const OneTile& to_first, const OneTile& to_second) const {
        const int first = to_first(state.first, state.blank);
        if (target.second == none) return first;
        const int second = to_second(state.second, state.blank);
        if (first >= unreachable || second >= unreachable) return unreachable;
        const int other = first > second ? grid_.apart(state.second, target.second) : grid_.apart(state.first, target.first);
        return std::max(first, second) + 2 * other;
    }

    std::size_t index(const State& state) const {
        const auto cells = static_cast<std::size_t>(grid_.cells());
        const auto second = static_cast<std::size_t>(state.second == none ? 0 : state.second);
        return (static_cast<std::size_t>(state.blank) * cells + static_cast<std::size_t>(state.first)) * cells + second;
    }

    void mark(const State& state, Move move) {
        seen_[index(state)] = stamp_;
        by_[index(state)] = move;
    }

    void trace(const State& start, State state, std::vector<Move>& way) const {
        way.clear();
        while (index(state) != index(start)) {
            const Move move = by_[index(state)];
            way.push_back(move);
            const int before = grid_.beside(state.blank, opposite(move));
            if (state.first == before) state.first = state.blank;
            if (state.second == before) state.second = state.blank;
            state.blank = before;
        }
        std::reverse(way.begin(), way.end());
    }

    Grid grid_;
    std::vector<std::uint16_t> seen_;
    std::vector<Move> by_;
    std::vector<std::vector<Node>> buckets_;
    std::size_t least_ = 0, expanded_ = 0;
    std::uint16_t stamp_ = 0;
};

class LineBeam {
public:
    LineBeam(Grid grid, const Cells& goal, const LineOptions& options, Meter& meter)
        : grid_(grid), goal_(goal), options_(options), meter_(meter), home_(goal.size()) {
        for (std::size_t cell = 0; cell < goal.size(); ++cell) home_[goal[cell]] = static_cast<int>(cell);
    }

    std::vector<Move> run(const Cells& start) {
        Placed first{start, std::vector<bool>(start.size()), {}, 0, 0};
        first.blank = static_cast<int>(std::find(start.begin(), start.end(), 0) - start.begin());
        std::vector<Placed> kept{first};
        while (true) {
            std::vector<std::pair<std::size_t, Target>> tasks;
            for (std::size_t i = 0; i < kept.size(); ++i) {
                for (const Target target : targets(kept[i])) tasks.emplace_back(i, target);
            }
            if (tasks.empty()) return kept.front().moves;
            std::vector<Placed> made = all_placed(kept, tasks);
            if (made.empty()) return {};
            keep_best(made);
            kept = std::move(made);
        }
    }

private:
    // The free rectangle, without the outermost lines that are done.
    struct Rectangle {
        int top, bottom, left, right;
    };

    Rectangle rectangle(const Placed& board) const {
        Rectangle free{0, grid_.rows - 1, 0, grid_.columns - 1};
        const int last_row = options_.core_row + options_.core_rows - 1;
        const int last_column = options_.core_column + options_.core_columns - 1;
        bool again = true;
        while (again) {
            again = false;
            if (free.top < options_.core_row && row_done(board, free.top, free)) ++free.top, again = true;
            if (free.bottom > last_row && row_done(board, free.bottom, free)) --free.bottom, again = true;
            if (free.left < options_.core_column && column_done(board, free.left, free)) ++free.left, again = true;
            if (free.right > last_column && column_done(board, free.right, free)) --free.right, again = true;
        }
        return free;
    }

    bool is_locked(const Placed& board, int row, int column) const {
        return board.locked[static_cast<std::size_t>(row * grid_.columns + column)];
    }
    bool row_done(const Placed& board, int row, const Rectangle& free) const {
        for (int column = free.left; column <= free.right; ++column)
            if (!is_locked(board, row, column)) return false;
        return true;
    }
    bool column_done(const Placed& board, int column, const Rectangle& free) const {
        for (int row = free.top; row <= free.bottom; ++row)
            if (!is_locked(board, row, column)) return false;
        return true;
    }

    // What can be placed next: neighbouring cells of the outermost lines that are not done.
    std::vector<Target> targets(const Placed& board) const {
        const Rectangle free = rectangle(board);
        std::vector<Target> found;
        const auto add_line = [&](int first, int step, int count) {
            std::vector<int> open;
            for (int i = 0; i < count; ++i) {
                if (!board.locked[static_cast<std::size_t>(first + i * step)]) open.push_back(first + i * step);
            }
            if (open.size() % 2 == 1) {  // one tile at an end, where its line is still open beside it
                if (open.size() == static_cast<std::size_t>(count) || open.size() > 1) {
                    found.push_back({open.front(), none});
                    found.push_back({open.back(), none});
                    return;
                }
            }
            for (std::size_t i = 0; i + 1 < open.size(); i += 2) found.push_back({open[i], open[i + 1]});
        };
        // of the lines that are still to be done the one on the longer side
        const int height = free.bottom - free.top + 1, width = free.right - free.left + 1;
        const bool rows_left = height > options_.core_rows, columns_left = width > options_.core_columns;
        if (rows_left && (!columns_left || height >= width)) {
            const int row = free.bottom > options_.core_row + options_.core_rows - 1 ? free.bottom : free.top;
            add_line(row * grid_.columns + free.left, 1, width);
        } else if (columns_left) {
            const int column = free.right > options_.core_column + options_.core_columns - 1 ? free.right : free.left;
            add_line(free.top * grid_.columns + column, grid_.columns, height);
        }
        return found;
    }

    std::vector<Placed> all_placed(const std::vector<Placed>& kept, const std::vector<std::pair<std::size_t, Target>>& tasks) {
        std::vector<Placed> made(tasks.size());
        std::atomic<std::size_t> next = 0;
        std::atomic<bool> stop = false;
        std::atomic<int> working = options_.threads;
        while (static_cast<int>(searches_.size()) < options_.threads) searches_.push_back(std::make_unique<PairSearch>(grid_));
        const auto work = [&](PairSearch& search) {
            for (std::size_t i = next++; i < tasks.size() && !stop; i = next++)
                place(search, kept[tasks[i].first], tasks[i].second, made[i], stop);
        };
        const auto watch = [&] {  // the calling thread alone looks at the clock and lets signals in
            while (working > 0) {
                std::this_thread::sleep_for(std::chrono::microseconds(200));
                if (!stop && meter_.stop(Stats{})) stop = true;
            }
        };
        in_threads(options_.threads + 1, [&](int number) {
            try {
                number == 0 ? watch() : work(*searches_[static_cast<std::size_t>(number - 1)]);
            } catch (...) {
                stop = true;
                if (number > 0) --working;
                throw;
            }
            if (number > 0) --working;
        });
        if (stop) return {};
        std::erase_if(made, [](const Placed& board) { return board.tiles.empty(); });
        return made;
    }

    void place(PairSearch& search, const Placed& from, Target target, Placed& to, const std::atomic<bool>& stop) const {
        const int first = at(from, goal_[static_cast<std::size_t>(target.first)]);
        const int second = target.second == none ? none : at(from, goal_[static_cast<std::size_t>(target.second)]);
        std::vector<Move> way;
        if (!search.run(from, target, first, second, way, stop)) return;
        to = from;
        for (const Move move : way) {
            const int next = grid_.beside(to.blank, move);
            to.tiles[static_cast<std::size_t>(to.blank)] = to.tiles[static_cast<std::size_t>(next)];
            to.tiles[static_cast<std::size_t>(next)] = 0;
            to.blank = next;
        }
        to.moves.insert(to.moves.end(), way.begin(), way.end());
        to.locked[static_cast<std::size_t>(target.first)] = true;
        if (target.second != none) to.locked[static_cast<std::size_t>(target.second)] = true;
        to.value = static_cast<int>(to.moves.size()) + rest(to);
    }

    int at(const Placed& board, std::uint8_t tile) const {
        return static_cast<int>(std::find(board.tiles.begin(), board.tiles.end(), tile) - board.tiles.begin());
    }

    // About what is left to do: tiles outside of the core come home one or two at a time, those of the core together.
    int rest(const Placed& board) const {
        int together = 0, alone = 0;
        for (std::size_t cell = 0; cell < board.tiles.size(); ++cell) {
            const std::uint8_t tile = board.tiles[cell];
            if (tile == 0) continue;
            const int home = home_[tile], apart = grid_.apart(static_cast<int>(cell), home);
            (in_core(home) ? together : alone) += apart;
        }
        return together * 5 / 4 + alone * moves_for_a_step;
    }

    bool in_core(int cell) const {
        const int row = cell / grid_.columns - options_.core_row, column = cell % grid_.columns - options_.core_column;
        return row >= 0 && row < options_.core_rows && column >= 0 && column < options_.core_columns;
    }

    void keep_best(std::vector<Placed>& made) const {
        std::stable_sort(made.begin(), made.end(), [](const Placed& a, const Placed& b) { return a.value < b.value; });
        std::vector<Placed> kept;
        std::set<Cells> seen;
        for (Placed& board : made) {
            if (seen.insert(board.tiles).second) kept.push_back(std::move(board));
            if (kept.size() == static_cast<std::size_t>(options_.width)) break;
        }
        made = std::move(kept);
    }

    Grid grid_;
    Cells goal_;
    LineOptions options_;
    Meter& meter_;
    std::vector<int> home_;
    std::vector<std::unique_ptr<PairSearch>> searches_;
};

}  // namespace

std::vector<Move> solve_outer_lines(int rows, int columns, const std::vector<std::uint8_t>& start,
                                    const std::vector<std::uint8_t>& goal, const LineOptions& options, Meter& meter) {
    return LineBeam({rows, columns}, goal, options, meter).run(start);
}

}  // namespace tilewise
