// Tests of the native core without Python, for a debugger and for sanitizers. What is right is
// said here by plain models: arrays of tiles, definitions taken literally, breadth-first search.
// The program ends at the first check that fails, with its line.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <random>
#include <source_location>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tilewise/domain.hpp"
#include "tilewise/engine.hpp"
#include "tilewise/heuristics/walking_distance.hpp"
#include "tilewise/shape.hpp"
#include "tilewise/state.hpp"

namespace {

using namespace tilewise;
using Tiles = std::vector<std::uint8_t>;
using Text = std::string;  // of tiles, to look them up
using Random = std::mt19937;

void check(bool holds, std::source_location where = std::source_location::current()) {
    if (holds) return;
    std::fprintf(stderr, "%s:%u: a check of %s failed\n", where.file_name(), static_cast<unsigned>(where.line()), where.function_name());
    std::exit(1);
}

// The plain model: an array of tiles and its shape.
struct Board {
    int rows;
    int columns;
    Tiles tiles;

    static Board goal(int rows, int columns) {
        Board board{rows, columns, Tiles(static_cast<std::size_t>(rows * columns))};
        std::iota(board.tiles.begin(), board.tiles.end(), std::uint8_t{0});
        return board;
    }

    Text text() const { return {tiles.begin(), tiles.end()}; }
    int cell_of(int tile) const { return static_cast<int>(std::find(tiles.begin(), tiles.end(), tile) - tiles.begin()); }

    // The cell from which a tile slides for a move of the blank, or -1 beyond the border.
    int target(Move move) const {
        const int row = cell_of(0) / columns + (move == down) - (move == up);
        const int column = cell_of(0) % columns + (move == right) - (move == left);
        return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : -1;
    }

    Board after(Move move) const {
        Board next = *this;
        std::swap(next.tiles[static_cast<std::size_t>(cell_of(0))], next.tiles[static_cast<std::size_t>(target(move))]);
        return next;
    }

    Board walked(Random& random, int steps) const {
        Board board = *this;
        while (steps > 0) {
            const auto move = static_cast<Move>(random() % 4);
            if (board.target(move) < 0) continue;
            board = board.after(move);
            --steps;
        }
        return board;
    }
};

const std::vector<std::pair<int, int>> shapes{{2, 2}, {2, 3}, {3, 2}, {3, 3}, {4, 4}, {2, 8}, {3, 5}, {5, 5}, {6, 6}, {2, 16}, {16, 16}};
const Move all_moves[] = {up, down, left, right};

// ---- states and slides

template <class State>
void check_same_tiles(const State& state, const Board& board) {
    for (int cell = 0; cell < board.rows * board.columns; ++cell) check(state.tile(cell) == board.tiles[static_cast<std::size_t>(cell)]);
}

template <class State>
void states_follow_the_model(const Board& goal, Random& random) {
    const int cells = goal.rows * goal.columns;
    const RuntimeShape shape(goal.rows, goal.columns);
    Board board = goal;
    State state(board.tiles.data(), cells);
    std::map<Text, std::uint64_t> identities;
    for (int step = 0; step < 300; ++step) {
        check_same_tiles(state, board);
        check(state == State(board.tiles.data(), cells));
        const auto [known, is_new] = identities.emplace(board.text(), state.identity());
        check(known->second == state.identity());  // whatever path led to the state
        const Domain<RuntimeShape, State> domain(shape, board.tiles.data(), goal.tiles.data());
        check(domain.start_blank() == board.cell_of(0));
        std::vector<Slide> expected;
        for (const Move move : all_moves) {
            if (board.target(move) >= 0) expected.push_back({move, static_cast<std::uint8_t>(board.target(move))});
        }
        const auto& slides = domain.slides(board.cell_of(0));
        check(slides.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) check(slides[i].move == expected[i].move && slides[i].target == expected[i].target);
        const Slide slide = expected[random() % expected.size()];
        const State next = state.slid(board.cell_of(0), slide.target);
        check(!(next == state) && next.identity() != state.identity());
        board = board.after(slide.move);
        state = next;
    }
    std::map<std::uint64_t, Text> text_of;  // no two of these few states share a number
    for (const auto& [text, identity] : identities) check(text_of.emplace(identity, text).second);
}

void test_states() {
    Random random(1);
    for (const auto& [rows, columns] : shapes) {
        const Board goal = Board::goal(rows, columns);
        if (rows * columns <= 16) states_follow_the_model<PackedState>(goal, random);
        if (rows * columns <= 25) states_follow_the_model<State5x5>(goal, random);
        states_follow_the_model<LargeState>(goal, random);
    }
    for (const Move move : all_moves) check(opposite(opposite(move)) == move && opposite(move) != move);
    check(opposite(up) == down && opposite(left) == right);
}

// ---- heuristics against their definitions

int plain_misplaced(const Board& board, const Board& goal) {
    int count = 0;
    for (std::size_t cell = 0; cell < board.tiles.size(); ++cell) count += board.tiles[cell] != 0 && board.tiles[cell] != goal.tiles[cell];
    return count;
}

int plain_manhattan(const Board& board, const Board& goal) {
    int sum = 0;
    for (int tile = 1; tile < board.rows * board.columns; ++tile) {
        const int here = board.cell_of(tile);
        const int home = goal.cell_of(tile);
        sum += std::abs(here / board.columns - home / board.columns) + std::abs(here % board.columns - home % board.columns);
    }
    return sum;
}

// The fewest tiles that must leave a line, over all subsets that may stay.
int plain_leaving(const std::vector<int>& homes) {
    int most_staying = 0;
    for (unsigned staying = 0; staying < 1u << homes.size(); ++staying) {
        std::vector<int> kept;
        for (std::size_t i = 0; i < homes.size(); ++i) {
            if (staying >> i & 1) kept.push_back(homes[i]);
        }
        if (std::is_sorted(kept.begin(), kept.end())) most_staying = std::max(most_staying, static_cast<int>(kept.size()));
    }
    return static_cast<int>(homes.size()) - most_staying;
}

int plain_linear_conflict(const Board& board, const Board& goal) {
    std::vector<std::vector<int>> in_row(static_cast<std::size_t>(board.rows));
    std::vector<std::vector<int>> in_column(static_cast<std::size_t>(board.columns));
    for (int cell = 0; cell < board.rows * board.columns; ++cell) {
        const int tile = board.tiles[static_cast<std::size_t>(cell)];
        const int home = goal.cell_of(tile);
        if (tile == 0) continue;
        if (cell / board.columns == home / board.columns) in_row[static_cast<std::size_t>(cell / board.columns)].push_back(home % board.columns);
        if (cell % board.columns == home % board.columns) in_column[static_cast<std::size_t>(cell % board.columns)].push_back(home / board.columns);
    }
    int leaving = 0;
    for (const auto& line : in_row) leaving += plain_leaving(line);
    for (const auto& line : in_column) leaving += plain_leaving(line);
    return plain_manhattan(board, goal) + 2 * leaving;
}

// Walking distance of one direction: how many tiles of each home line are in each line, and the
// blank's line; one move swaps the blank with a tile of a line beside it.
using Matrix = std::vector<int>;

Matrix lines_of(const Board& board, const Board& goal, bool vertical) {
    const int lines = vertical ? board.rows : board.columns;
    const auto line = [&](int cell) { return vertical ? cell / board.columns : cell % board.columns; };
    Matrix matrix(static_cast<std::size_t>(lines * lines + 1));
    for (int tile = 1; tile < board.rows * board.columns; ++tile) {
        ++matrix[static_cast<std::size_t>(line(board.cell_of(tile)) * lines + line(goal.cell_of(tile)))];
    }
    matrix.back() = line(board.cell_of(0));
    return matrix;
}

std::map<Matrix, int> plain_walks(const Board& goal, bool vertical) {
    const int lines = vertical ? goal.rows : goal.columns;
    std::map<Matrix, int> distance{{lines_of(goal, goal, vertical), 0}};
    std::deque<Matrix> queue{distance.begin()->first};
    for (; !queue.empty(); queue.pop_front()) {
        const Matrix matrix = queue.front();
        for (const int other : {matrix.back() - 1, matrix.back() + 1}) {
            for (int home = 0; other >= 0 && other < lines && home < lines; ++home) {
                Matrix next = matrix;
                if (--next[static_cast<std::size_t>(other * lines + home)] < 0) continue;
                ++next[static_cast<std::size_t>(matrix.back() * lines + home)];
                next.back() = other;
                if (distance.emplace(next, distance[matrix] + 1).second) queue.push_back(next);
            }
        }
    }
    return distance;
}

void test_heuristics() {
    Random random(2);
    for (const auto& [rows, columns] : {std::pair{3, 3}, {4, 4}, {3, 5}, {2, 8}, {5, 5}, {6, 6}}) {
        const Board goal = Board::goal(rows, columns).walked(random, 50);
        const auto estimate = [&, r = rows, c = columns](std::vector<std::string> names, bool summed = false) {
            return Estimate(r, c, goal.tiles, std::move(names), summed);
        };
        const Estimate zero = estimate({"zero"});
        const Estimate misplaced = estimate({"misplaced"});
        const Estimate manhattan = estimate({"manhattan"});
        const Estimate conflict = estimate({"linear_conflict"});
        const Estimate both = estimate({"misplaced", "linear_conflict", "manhattan"});
        const Estimate sum = estimate({"misplaced", "manhattan"}, true);
        Board board = goal;
        for (int i = 0; i < 200; ++i) {
            check(zero.of(board.tiles) == 0);
            check(misplaced.of(board.tiles) == plain_misplaced(board, goal));
            check(manhattan.of(board.tiles) == plain_manhattan(board, goal));
            check(conflict.of(board.tiles) == plain_linear_conflict(board, goal));
            check(both.of(board.tiles) == plain_linear_conflict(board, goal));
            check(sum.of(board.tiles) == plain_misplaced(board, goal) + plain_manhattan(board, goal));
            std::shuffle(board.tiles.begin(), board.tiles.end(), random);  // solvable or not
            if (i % 2 == 0) board = goal.walked(random, i);
        }
    }
}

void test_walking_distance() {
    Random random(3);
    for (const auto& [rows, columns] : {std::pair{2, 3}, {3, 3}, {4, 4}, {3, 5}}) {
        const Board goal = Board::goal(rows, columns);
        const Estimate estimate(rows, columns, goal.tiles, {"walking_distance"}, false);
        const auto vertical = plain_walks(goal, true);
        const auto horizontal = plain_walks(goal, false);
        check(WalkingTable(rows, columns, 0).size() == vertical.size());
        for (int i = 0; i < 100; ++i) {
            const Board board = goal.walked(random, 3 * i);
            check(estimate.of(board.tiles) == vertical.at(lines_of(board, goal, true)) + horizontal.at(lines_of(board, goal, false)));
        }
    }
    check(WalkingTable(4, 4, 0).size() == 24964);
}

void test_names() {
    const Board goal = Board::goal(3, 3);
    bool refused = false;
    try {
        const Estimate estimate(3, 3, goal.tiles, {"manhatten"}, false);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    check(refused);
}

// ---- searches

struct Named {
    const char* name;
    Request request;
    bool optimal;
};

const Named searches[] = {
    {"bfs", {Algorithm::queue, {1, 0, true}, 0}, true},
    {"dfs", {Algorithm::stack, {-1, 0, false}, 0}, false},
    {"ucs", {Algorithm::buckets, {1, 0, true}, 0}, true},
    {"greedy", {Algorithm::buckets, {0, 1, false}, 0}, false},
    {"astar", {Algorithm::buckets, {1, 1, true}, 0}, true},
    {"wastar", {Algorithm::buckets, {2, 3, true}, 0}, false},
    {"idastar", {Algorithm::deepening, {1, 1, false}, 0}, true},
    {"beam", {Algorithm::beam, {0, 1, false}, 500}, false},
};

Outcome run(const Request& request, const Estimate& estimate, const Board& board, Limits limits = {}, Recorder* recorder = nullptr) {
    Meter meter(limits, nullptr);
    return search(request, estimate, board.tiles, meter, recorder);
}

bool same_counters(const Stats& a, const Stats& b) {
    return a.expanded == b.expanded && a.generated == b.generated && a.stored == b.stored && a.duplicates == b.duplicates &&
           a.reopened == b.reopened && a.max_frontier == b.max_frontier && a.peak_stored == b.peak_stored && a.max_depth == b.max_depth &&
           a.iterations == b.iterations && a.expanded_below_cost == b.expanded_below_cost;
}

bool leads_to(const Board& goal, Board board, const std::vector<Move>& moves) {
    for (const Move move : moves) {
        if (board.target(move) < 0) return false;
        board = board.after(move);
    }
    return board.tiles == goal.tiles;
}

void test_searches_on_every_state_of_2x3() {
    const Board goal = Board::goal(2, 3);
    const Estimate estimate(2, 3, goal.tiles, {"manhattan"}, false);
    std::map<Text, std::size_t> distance{{goal.text(), 0}};
    std::deque<Board> queue{goal};
    for (; !queue.empty(); queue.pop_front()) {
        const Board board = queue.front();
        for (const Move move : all_moves) {
            if (board.target(move) < 0) continue;
            if (distance.emplace(board.after(move).text(), distance[board.text()] + 1).second) queue.push_back(board.after(move));
        }
        for (const Named& named : searches) {
            const Outcome outcome = run(named.request, estimate, board);
            check(outcome.status == Status::solved);
            check(leads_to(goal, board, outcome.moves));
            check(outcome.moves.size() >= distance[board.text()]);
            if (named.optimal) check(outcome.moves.size() == distance[board.text()]);
        }
    }
    check(distance.size() == 360);
    Board swapped = goal;
    std::swap(swapped.tiles[1], swapped.tiles[2]);
    for (const Named& named : searches) {
        if (named.request.algorithm == Algorithm::deepening) continue;  // its tree has no end
        const Outcome outcome = run(named.request, estimate, swapped);
        check(outcome.status == (named.request.algorithm == Algorithm::beam ? Status::stuck : Status::unsolvable));
        check(outcome.moves.empty() && outcome.stats.expanded - outcome.stats.reopened == 360 && outcome.stats.peak_stored == 360);
    }
}

void test_observed_and_silent_searches_agree() {
    Random random(4);
    for (const auto& [rows, columns] : shapes) {
        const Board goal = Board::goal(rows, columns);
        const Estimate estimate(rows, columns, goal.tiles, {"manhattan"}, false);
        for (const int steps : {0, 1, 10, 60, 400}) {
            const Board board = goal.walked(random, steps);
            for (const Named& named : searches) {
                const Limits limits{3000, 0, UINT64_MAX};
                Recorder recorder(5, rows * columns);
                const Outcome watched = run(named.request, estimate, board, limits, &recorder);
                const Outcome silent = run(named.request, estimate, board, limits);
                check(watched.status == silent.status && watched.moves == silent.moves);
                check(same_counters(watched.stats, silent.stats));
                check(recorder.events().size() == std::min<std::uint64_t>(5, recorder.count()));
                check(recorder.boards().size() == recorder.events().size() * static_cast<std::size_t>(rows * columns));
                check(recorder.events().front().kind == Kind::start);
            }
        }
    }
}

// ---- limits

const Board hard{4, 4, {15, 14, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0}};

void test_limit_of_generated_nodes() {
    const Estimate estimate(4, 4, Board::goal(4, 4).tiles, {"manhattan"}, false);
    for (const Named& named : searches) {
        for (const std::uint64_t most : {1, 2, 3, 4, 5, 6, 7, 50, 51, 8191, 8192, 8193, 8194, 8195, 8196, 8197, 20000}) {
            Recorder recorder(0, 16);
            for (Recorder* watching : {&recorder, static_cast<Recorder*>(nullptr)}) {
                const Outcome outcome = run(named.request, estimate, hard, {most, 0, UINT64_MAX}, watching);
                if (most < 2000 || named.optimal) check(outcome.status == Status::limit);
                check(outcome.status == Status::solved ? outcome.stats.generated <= most : outcome.stats.generated == most);
            }
        }
    }
}

void test_limit_of_memory() {
    for (const auto& [rows, columns] : {std::pair{4, 4}, {5, 5}, {6, 6}}) {
        Random random(5);
        const Estimate estimate(rows, columns, Board::goal(rows, columns).tiles, {"zero"}, false);
        const Board board = rows == 4 ? hard : Board::goal(rows, columns).walked(random, 3000);
        for (const Named& named : searches) {
            if (named.request.algorithm == Algorithm::deepening) continue;  // it stores a path only
            Request request = named.request;
            request.width = UINT64_MAX;
            const std::uint64_t most = 3 << 20;
            const Outcome outcome = run(request, estimate, board, {UINT64_MAX, 0, most});
            check(outcome.status == Status::limit && outcome.moves.empty());
            check(outcome.stats.peak_memory <= most && outcome.stats.generated > 1000);
            check(run(request, estimate, board, {UINT64_MAX, 0, 1}).status == Status::limit);
        }
    }
}

void stops_in_time_and_when_cancelled(const Request& request, const Estimate& estimate) {
    struct Interrupted {};
    check(run(request, estimate, hard, {UINT64_MAX, 0.001, UINT64_MAX}).status == Status::limit);
    std::uint64_t told = 0;
    Meter cancelled({}, [&](const Stats& stats) {
        told = stats.generated;
        return true;
    });
    const Outcome outcome = search(request, estimate, hard.tiles, cancelled, nullptr);
    check(outcome.status == Status::cancelled && outcome.moves.empty());
    check(told > 0 && outcome.stats.generated <= told && outcome.stats.generated + 200 > told);
    Meter interrupted({}, [](const Stats&) -> bool { throw Interrupted(); });
    bool thrown = false;
    try {
        search(request, estimate, hard.tiles, interrupted, nullptr);
    } catch (const Interrupted&) {
        thrown = true;
    }
    check(thrown);
}

void test_limit_of_time_and_cancelling() {
    const Estimate zero(4, 4, Board::goal(4, 4).tiles, {"zero"}, false);
    const Estimate manhattan(4, 4, Board::goal(4, 4).tiles, {"manhattan"}, false);
    for (const Named& named : searches) {
        Request request = named.request;
        request.width = UINT64_MAX;
        stops_in_time_and_when_cancelled(request, zero);
        if (named.optimal) stops_in_time_and_when_cancelled(request, manhattan);
    }
}

// ---- threads

struct Seen {
    Outcome outcome;
    std::uint64_t digest;
};

std::vector<Seen> all_searches(const Estimate& estimate, const std::vector<Board>& boards) {
    std::vector<Seen> seen;
    for (const Board& board : boards) {
        for (const Named& named : searches) {
            Recorder recorder(3, estimate.rows() * estimate.columns());
            const Limits limits{5000, 0, UINT64_MAX};
            const Outcome watched = run(named.request, estimate, board, limits, &recorder);
            seen.push_back({watched, recorder.digest()});
            seen.push_back({run(named.request, estimate, board, limits), 0});
        }
    }
    return seen;
}

void test_threads_that_share_an_estimate() {
    Random random(6);
    for (const auto& [rows, columns, name] : {std::tuple{3, 3, "manhattan"}, {4, 4, "linear_conflict"}, {4, 4, "walking_distance"}, {5, 5, "linear_conflict"}}) {
        const Board goal = Board::goal(rows, columns);
        const Estimate estimate(rows, columns, goal.tiles, {name}, false);
        std::vector<Board> boards;
        for (const int steps : {5, 30, 300}) boards.push_back(goal.walked(random, steps));
        const std::vector<Seen> alone = all_searches(estimate, boards);
        std::vector<std::vector<Seen>> together(4);
        std::vector<std::thread> threads;
        for (auto& seen : together) threads.emplace_back([&] { seen = all_searches(estimate, boards); });
        for (std::thread& thread : threads) thread.join();
        for (const auto& seen : together) {
            check(seen.size() == alone.size());
            for (std::size_t i = 0; i < seen.size(); ++i) {
                check(seen[i].outcome.status == alone[i].outcome.status && seen[i].outcome.moves == alone[i].outcome.moves);
                check(same_counters(seen[i].outcome.stats, alone[i].outcome.stats) && seen[i].digest == alone[i].digest);
            }
        }
    }
}

}  // namespace

int main() {
    test_states();
    test_heuristics();
    test_walking_distance();
    test_names();
    test_searches_on_every_state_of_2x3();
    test_observed_and_silent_searches_agree();
    test_limit_of_generated_nodes();
    test_limit_of_memory();
    test_limit_of_time_and_cancelling();
    test_threads_that_share_an_estimate();
    std::puts("the native core: all checks passed");
}
