// Tests of the two tables of the engine: what its heuristics say of themselves, and which loop
// serves which search.

#include "tilewise/loops.hpp"

#include <cstdio>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "tilewise/engine.hpp"
#include "tilewise/heuristics/native_heuristics.hpp"

namespace {

using namespace tilewise;
using namespace tilewise::plain;

// Whether a move changes a heuristic by exactly one is said beside it; what does not say so is free
// to, but then some move of these boards shows it.
void test_changes_by_one() {
    Random random(9);
    for (const HeuristicFacts& facts : NativeHeuristics::facts) {
        // tables are built and models are read elsewhere
        if (facts.name == PatternSum<PackedState>::name || facts.name == Learned<PackedState>::name) continue;
        bool always = true;
        for (const auto& [rows, columns] : {std::pair{2, 3}, {3, 3}, {4, 4}, {3, 5}}) {
            const Board goal = Board::goal(rows, columns).walked(random, 40);
            const Estimate estimate(rows, columns, goal.tiles, {std::string(facts.name)}, false);
            check(estimate.changes_by_one() == facts.changes_by_one && estimate.of(goal.tiles) == 0);
            Board board = goal;
            for (int i = 0; i < 2'000; ++i) {
                const int before = estimate.of(board.tiles);
                board = board.walked(random, 1);
                always &= std::abs(estimate.of(board.tiles) - before) == 1;
            }
        }
        check(always == facts.changes_by_one);
    }
    const auto by_one = [](std::vector<std::string> names, bool summed) {
        return Estimate(3, 3, Board::goal(3, 3).tiles, std::move(names), summed).changes_by_one();
    };
    check(by_one({"manhattan", "walking_distance"}, false) && !by_one({"manhattan", "walking_distance"}, true));
    check(!by_one({"manhattan", "misplaced"}, false));
}

// The first loop of the table that serves a search.
const LoopRow* row_for(const Request& request, const Estimate& estimate, bool watched = false) {
    for (const LoopRow& row : loops) {
        if (row.serves(request, estimate, watched)) return &row;
    }
    return nullptr;
}

// A search goes down the table where a loop gives up, and must not meet one for options it lacks.
void test_batches_are_for_searches_that_have_them() {
    const Estimate manhattan(2, 4, Board::goal(2, 4).tiles, {"manhattan"}, false);
    for (const LoopRow& row : loops) {
        Request request{Algorithm::buckets, Priority{1, 1, true}, 0};
        check(!(row.loop == Loop::batched_astar && row.serves(request, manhattan, false)));
    }
}

void test_which_loop_serves() {
    const auto estimate = [](int rows, int columns, std::vector<std::string> names) {
        return Estimate(rows, columns, Board::goal(rows, columns).tiles, std::move(names), false);
    };
    const MoveAutomaton automaton(4, default_order);
    const Request bfs{Algorithm::queue, {1, 0, true}, 0};
    const Request dfs{Algorithm::stack, {-1, 0, false}, 0};
    const Request greedy{Algorithm::buckets, {0, 1, false}, 0};
    const Request beam{Algorithm::beam, {0, 1, false}, 5};
    const Request astar{Algorithm::buckets, {1, 1, true}, 0};
    Request batched = astar;
    batched.batch = 32;
    const Request idastar{Algorithm::deepening, {1, 1, false}, 0};
    Request korf = idastar;
    korf.order = korf_order;
    Request other = idastar;
    other.order = {right, left, down, up};
    Request shared = idastar;
    shared.threads = 2;
    Request pruned = shared;
    pruned.automaton = &automaton;
    const Request stored{Algorithm::astar_idastar, {1, 1, true}, 0};
    Request stored_pruned = stored;
    stored_pruned.automaton = &automaton;
    struct Case {
        Request request;
        Estimate estimate;
        bool watched;
        Loop loop;
    };
    Case cases[] = {
        {bfs, estimate(3, 3, {"zero"}), false, Loop::nine_breadth_first},
        {bfs, estimate(4, 4, {"zero"}), false, Loop::packed_breadth_first},
        {bfs, estimate(5, 5, {"zero"}), false, Loop::best_first},
        {bfs, estimate(4, 4, {"zero"}), true, Loop::best_first},
        {dfs, estimate(4, 4, {"zero"}), false, Loop::best_first},
        {astar, estimate(4, 4, {"linear_conflict"}), false, Loop::packed_astar},
        {astar, estimate(4, 4, {"manhattan", "walking_distance"}), false, Loop::packed_astar},
        {astar, estimate(4, 4, {"misplaced"}), false, Loop::best_first},
        {astar, estimate(5, 5, {"manhattan"}), false, Loop::best_first},
        {astar, estimate(4, 4, {"manhattan"}), true, Loop::best_first},
        {greedy, estimate(4, 4, {"manhattan"}), false, Loop::best_first},
        {batched, estimate(4, 4, {"manhattan"}), false, Loop::batched_astar},
        {idastar, estimate(3, 3, {"manhattan"}), false, Loop::manhattan},
        {idastar, estimate(4, 4, {"manhattan"}), false, Loop::manhattan},
        {korf, estimate(4, 4, {"manhattan"}), false, Loop::manhattan},
        {korf, estimate(3, 3, {"manhattan"}), false, Loop::patterns},
        {other, estimate(4, 4, {"manhattan"}), false, Loop::patterns},
        {idastar, estimate(3, 5, {"manhattan"}), false, Loop::patterns},
        {idastar, estimate(6, 6, {"manhattan"}), false, Loop::deepening},
        {idastar, estimate(4, 4, {"manhattan"}), true, Loop::deepening},
        {idastar, estimate(4, 4, {"linear_conflict"}), false, Loop::deepening},
        {shared, estimate(4, 4, {"manhattan"}), false, Loop::shared_manhattan},
        {shared, estimate(3, 3, {"manhattan"}), false, Loop::patterns},
        {pruned, estimate(4, 4, {"manhattan"}), false, Loop::patterns},
        {pruned, estimate(4, 4, {"linear_conflict"}), false, Loop::plain},
        {stored_pruned, estimate(3, 5, {"manhattan"}), false, Loop::stored_patterns},
        {stored_pruned, estimate(6, 6, {"linear_conflict"}), false, Loop::stored_plain},
        {beam, estimate(4, 4, {"manhattan"}), true, Loop::beam},
    };
    std::set<const LoopRow*> served;
    for (const Case& each : cases) {
        const LoopRow* row = row_for(each.request, each.estimate, each.watched);
        check(row != nullptr && row->loop == each.loop);
        served.insert(row);
    }
    check(served.size() == loops.size());  // no row is hidden by those before it
    check(row_for(batched, estimate(4, 4, {"misplaced"})) == nullptr);
    check(row_for(batched, estimate(5, 5, {"manhattan"})) == nullptr);
    check(row_for(pruned, estimate(4, 4, {"manhattan"}), true) == nullptr);
    check(row_for(stored, estimate(4, 4, {"manhattan"})) == nullptr);
    check(row_for(stored_pruned, estimate(4, 4, {"manhattan"}), true) == nullptr);
    bool refused = false;
    try {
        Meter meter({}, nullptr);
        search(batched, estimate(4, 4, {"misplaced"}), Board::goal(4, 4).tiles, meter, nullptr);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    check(refused);
}

}  // namespace

int main() {
    test_changes_by_one();
    test_which_loop_serves();
    test_batches_are_for_searches_that_have_them();
    std::puts("the tables of the engine: all checks passed");
}
