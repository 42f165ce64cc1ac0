// Tests of the native core without Python, for a debugger and for sanitizers. What is right is
// said here by plain models: arrays of tiles, definitions taken literally, breadth-first search.
// The program ends at the first check that fails, with its line.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "tilewise/domain.hpp"
#include "tilewise/engine.hpp"
#include "tilewise/heuristics/linear_conflict.hpp"
#include "tilewise/heuristics/walking_distance.hpp"
#include "tilewise/search/packed_table.hpp"
#include "tilewise/search/passes.hpp"
#include "tilewise/search/quad_table.hpp"
#include "tilewise/search/ways_in_pieces.hpp"
#include "tilewise/shape.hpp"
#include "tilewise/state.hpp"

namespace {

using namespace tilewise;
using namespace tilewise::plain;

const std::vector<std::pair<int, int>> shapes{{2, 2}, {2, 3}, {3, 2}, {3, 3},  {4, 4},  {2, 8},
                                              {3, 5}, {5, 5}, {6, 6}, {2, 16}, {16, 16}};
constexpr Order all_moves = default_order;

// ---- states and slides

template <class State>
void check_same_tiles(const State& state, const Board& board) {
    for (int cell = 0; cell < board.rows * board.columns; ++cell)
        check(state.tile(cell) == board.tiles[static_cast<std::size_t>(cell)]);
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
        Order order = all_moves;
        std::shuffle(order.begin(), order.end(), random);
        const Domain<RuntimeShape, State> domain(shape, board.tiles.data(), goal.tiles.data(), order);
        check(domain.start_blank() == board.cell_of(0));
        std::vector<Slide> expected;
        for (const Move move : order) {
            if (board.target(move) >= 0) expected.push_back({move, static_cast<std::uint8_t>(board.target(move))});
        }
        const auto& slides = domain.slides(board.cell_of(0));
        check(slides.size() == expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            check(slides[i].move == expected[i].move && slides[i].target == expected[i].target);
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

// ---- tables that grow

// Growing asks whether to go on, in small tables as well.
template <class Table>
void test_growing_can_be_ended() {
    for (const bool wanted : {true, false}) {
        Table table(16, UINT64_MAX);
        int asked = 0;
        bool ended = false;
        try {
            table.grow([&] { return ++asked, wanted; });
        } catch (const Ended&) {
            ended = true;
        }
        check(asked > 0 && ended == !wanted);
    }
}

// ---- quads: states by the order of their tiles

// Each state with a mark of its own, kept while the table grows; the neighbours in a row share a quad.
void test_quads() {
    Random random(7);
    for (const auto& [rows, columns] : {std::pair{2, 2}, {3, 3}, {3, 5}, {2, 8}, {8, 2}, {4, 4}}) {
        QuadTable table(rows * columns, UINT64_MAX);
        std::map<Text, int> marks;
        Board board = Board::goal(rows, columns);
        for (int i = 0; i < 20'000; ++i) {
            const int blank = board.cell_of(0);
            const PackedState state(board.tiles.data(), rows * columns);
            const QuadTable::Name name = QuadTable::name_of(state, blank);
            const auto [found, found_blank] = table.member(name, QuadTable::place_of(blank));
            check(found == state && found_blank == blank);
            const int mark = 1 + i % QuadTable::most_mark;
            if (table.is_full()) table.grow();
            QuadTable::set_mark(table.find_or_add(name), QuadTable::place_of(blank), mark);
            marks[board.text()] = mark;
            if (blank % columns > 0 && blank % 4 > 0)
                check(QuadTable::name_of(PackedState(board.after(left).tiles.data(), rows * columns), blank - 1) == name);
            board = board.walked(random, 1);
        }
        for (const auto& [text, mark] : marks) {
            const Board kept{rows, columns, Tiles(text.begin(), text.end())};
            const int blank = kept.cell_of(0);
            const QuadTable::Name name = QuadTable::name_of(PackedState(kept.tiles.data(), rows * columns), blank);
            const QuadTable::Marks* all = table.find(name);
            check(all != nullptr && QuadTable::mark_in(*all, QuadTable::place_of(blank)) == mark);
            bool hinted = false;
            table.for_hint(QuadTable::hint_of(name, QuadTable::place_of(blank)), [&](QuadTable::Name other, QuadTable::Marks&) {
                hinted |= other == name;
                return true;
            });
            check(hinted);
        }
    }
}

// ---- heuristics against their definitions

// What a slide changes is the difference of two values.
void test_slides_of_linear_conflict() {
    Random random(8);
    for (const auto& [rows, columns] : {std::pair{3, 3}, {4, 4}, {3, 4}}) {
        const Board goal = Board::goal(rows, columns).walked(random, 60);
        const LinearConflictByLines h(Homes(rows, columns, goal.tiles.data()));
        Board board = goal;
        for (int i = 0; i < 2'000; ++i) {
            const PackedState state(board.tiles.data(), rows * columns);
            for (const Move move : all_moves) {
                if (board.target(move) < 0) continue;
                const PackedState next(board.after(move).tiles.data(), rows * columns);
                check(h.after_slide(state, h(state), board.cell_of(0), board.target(move), next) == h(next));
            }
            board = board.walked(random, 1);
        }
    }
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
            check(estimate.of(board.tiles) ==
                  vertical.at(lines_of(board, goal, true)) + horizontal.at(lines_of(board, goal, false)));
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
    {"bfs", {Algorithm::queue, {1, 0, true}, 0}, true},          {"dfs", {Algorithm::stack, {-1, 0, false}, 0}, false},
    {"ucs", {Algorithm::buckets, {1, 0, true}, 0}, true},        {"greedy", {Algorithm::buckets, {0, 1, false}, 0}, false},
    {"astar", {Algorithm::buckets, {1, 1, true}, 0}, true},      {"wastar", {Algorithm::buckets, {2, 3, true}, 0}, false},
    {"idastar", {Algorithm::deepening, {1, 1, false}, 0}, true}, {"beam", {Algorithm::beam, {0, 1, false}, 500}, false},
};

Outcome run(const Request& request, const Estimate& estimate, const Board& board, Limits limits = {},
            Recorder* recorder = nullptr) {
    Meter meter(limits, nullptr);
    return search(request, estimate, board.tiles, meter, recorder);
}

bool same_counters(const Stats& a, const Stats& b) {
    return a.expanded == b.expanded && a.generated == b.generated && a.stored == b.stored && a.duplicates == b.duplicates &&
           a.reopened == b.reopened && a.max_frontier == b.max_frontier && a.peak_stored == b.peak_stored &&
           a.max_depth == b.max_depth && a.iterations == b.iterations && a.expanded_below_cost == b.expanded_below_cost;
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
        check(outcome.moves.empty() && outcome.stats.expanded - outcome.stats.reopened == 360 &&
              outcome.stats.peak_stored == 360);
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

// Threads share out the nodes that are left; large passes are split.
void test_limit_of_generated_nodes_is_exact_with_threads() {
    const MoveAutomaton automaton(4, default_order);
    for (const char* heuristic : {"manhattan", "linear_conflict"}) {
        const Estimate estimate(4, 4, Board::goal(4, 4).tiles, {heuristic}, false);
        for (const MoveAutomaton* words : {static_cast<const MoveAutomaton*>(nullptr), &automaton}) {
            for (const int threads : {2, 5}) {
                const Request request{Algorithm::deepening, {1, 1, false}, 0, default_order, words, 0, threads};
                for (const std::uint64_t most : {1, 2, 80, 8195, 99'999, 300'000, 700'001}) {
                    const Outcome outcome = run(request, estimate, hard, {most, 0, UINT64_MAX});
                    check(outcome.status == Status::limit && outcome.stats.generated == most);
                }
            }
        }
    }
}

// Threads share a limit of 100 nodes: it is reached when all that still work wait and none is left.
void test_nodes_that_a_thread_did_not_make_are_there_for_the_others() {
    SharedWork work(100, 3);
    check(work.take(70) == 70 && work.take(70) == 30 && work.take(70) == 0);
    work.wait(1);
    check(!work.limit_reached());
    work.leave(25);
    check(!work.limit_reached() && work.take(20) == 20 && work.take(20) == 5 && work.take(20) == 0);
    work.leave(0);
    check(work.limit_reached() && !work.all_done());
    work.wait(-1);
    check(!work.limit_reached());
    work.leave(1);
    check(work.all_done() && work.take(2) == 1);
}

// A fast pass may end just beyond the last pause and just before the limit.
void test_limit_that_falls_between_two_passes() {
    const Estimate estimate(4, 4, Board::goal(4, 4).tiles, {"manhattan"}, false);
    const Request idastar{Algorithm::deepening, {1, 1, false}, 0};
    const Board first{4, 4, {0, 1, 6, 3, 5, 2, 7, 15, 8, 10, 12, 11, 14, 9, 4, 13}};
    const Board second{4, 4, {1, 14, 5, 8, 4, 6, 2, 3, 9, 10, 7, 15, 12, 13, 11, 0}};
    for (std::uint64_t most = 8180; most < 8210; ++most)
        check(run(idastar, estimate, first, {most, 0, UINT64_MAX}).stats.generated == most);
    for (std::uint64_t most = 16380; most < 16400; ++most)
        check(run(idastar, estimate, second, {most, 0, UINT64_MAX}).stats.generated == most);
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
    std::uint64_t reported = 0;
    Meter cancelled({}, [&](const Stats& stats) {
        reported = stats.generated;
        return true;
    });
    const Outcome outcome = search(request, estimate, hard.tiles, cancelled, nullptr);
    check(outcome.status == Status::cancelled && outcome.moves.empty());
    check(reported > 0 && outcome.stats.generated <= reported && outcome.stats.generated + 200 > reported);
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
    for (const auto& [rows, columns, name] :
         {std::tuple{3, 3, "manhattan"}, {4, 4, "linear_conflict"}, {4, 4, "walking_distance"}, {5, 5, "linear_conflict"}}) {
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

// Whole ways to the nodes of 50 layers, beside those that are put together from pieces.
void test_ways_in_pieces() {
    constexpr std::size_t width = 7;
    std::mt19937 random(1);
    WaysInPieces ways;
    std::vector<WayPiece> pieces(width);
    std::vector<std::vector<int>> whole(width);
    for (std::size_t layer = 1; layer <= 50; ++layer) {
        ways.begin_layer(layer, width);
        std::vector<WayPiece> next(width);
        std::vector<std::vector<int>> longer(width);
        for (std::uint32_t node = 0; node < width; ++node) {
            const std::size_t parent = random() % width;
            const int way = static_cast<int>(random() % 4);
            next[node] = ways.next(pieces[parent], way, node);
            longer[node] = whole[parent];
            longer[node].push_back(way);
        }
        pieces = next;
        whole = longer;
        for (std::size_t node = 0; node < width; ++node) {
            std::vector<int> back = ways.back_from(layer, pieces[node]);
            std::reverse(back.begin(), back.end());
            check(back == whole[node]);
        }
    }
}

}  // namespace

int main() {
    test_ways_in_pieces();
    test_states();
    test_growing_can_be_ended<PackedTable>();
    test_growing_can_be_ended<QuadTable>();
    test_quads();
    test_heuristics();
    test_slides_of_linear_conflict();
    test_walking_distance();
    test_names();
    test_searches_on_every_state_of_2x3();
    test_observed_and_silent_searches_agree();
    test_limit_of_generated_nodes();
    test_limit_of_generated_nodes_is_exact_with_threads();
    test_nodes_that_a_thread_did_not_make_are_there_for_the_others();
    test_limit_that_falls_between_two_passes();
    test_limit_of_memory();
    test_limit_of_time_and_cancelling();
    test_threads_that_share_an_estimate();
    std::puts("the native core: all checks passed");
}
