"""Stats: one table of counters, each shown on examples that are worked out by hand."""

from __future__ import annotations

import dataclasses
import json
import math

import pytest

import tilewise as tw
from tilewise import COUNTERS, Board, Goal, Stats
from tilewise.core.limits import bytes_per_state
from tilewise.core.stats import effective_branching_factor

TWO_MOVES = Board(3, 3, (1, 2, 0, 3, 4, 5, 6, 7, 8))
"""Two moves of the blank to the left from b12 345 678.

Below, a state is named by the moves that lead to it from here: D, L at depth 1;
DD, DL, LD, LL (the goal) at depth 2.
"""
DESIGNED = {"expanded", "generated", "stored", "duplicates", "reopened", "max_frontier"}
DESIGNED |= {"peak_stored", "max_depth", "iterations", "expanded_below_cost", "seconds"}
DESIGNED |= {"peak_memory", "effective_branching_factor"}


def figures(algorithm: str, heuristic: str | None = None, rules: str | None = None) -> Stats:
    result = tw.solve(
        TWO_MOVES,
        goal=Goal.blank_first(3, 3),
        algorithm=algorithm,
        heuristic=heuristic,
        rules=rules,
        engine="python",
    )
    assert result.moves == "LL"
    return result.stats


def check(stats: Stats, **expected: int | None) -> None:
    assert {name: getattr(stats, name) for name in expected} == expected


@pytest.mark.parametrize("rules", ["default", "fifo"])
def test_astar_on_a_board_two_moves_from_the_goal(rules: str) -> None:
    # root, h 2, f 2: makes D (h 3, f 4) and L (h 1, f 2).                    open: 2
    # L: makes LD (h 2, f 4), LL (h 0, f 2) and the root again, a duplicate.  open: D LD LL
    # LL is the goal. Nothing had f < 2.
    check(
        figures("astar", "manhattan", rules),
        expanded=2,
        generated=5,
        stored=4,
        duplicates=1,
        reopened=0,
        max_frontier=3,
        peak_stored=5,
        max_depth=2,
        iterations=0,
        expanded_below_cost=0,
    )


def test_breadth_first_on_a_board_two_moves_from_the_goal() -> None:
    # root: D, L (2 open). D: back, DD, DL (3). L: LD, LL, back (4). DD, in the corner: back and
    # one more (4). DL, in the middle: three and back (6). LD, in the middle: back and three (8).
    # LL is the goal. Below depth 2: the root, D and L.
    check(
        figures("bfs"),
        expanded=6,
        generated=2 + 3 + 3 + 2 + 4 + 4,
        stored=13,
        duplicates=5,
        max_frontier=8,
        peak_stored=14,
        max_depth=3,
        expanded_below_cost=3,
    )


def test_uniform_cost_takes_the_newest_of_equals_by_default_and_the_oldest_with_fifo() -> None:
    # root: D, L. L is newer: LD, LL, back. D: back, DD, DL. Then DL: three and back; DD: back and
    # one more; LL is the goal, LD is left.
    newest = figures("ucs")
    check(newest, expanded=5, generated=2 + 3 + 3 + 4 + 2, stored=10, duplicates=4, max_depth=3)
    oldest, queue = figures("ucs", rules="fifo"), figures("bfs")
    check(oldest, expanded=queue.expanded, generated=queue.generated, stored=queue.stored)
    check(newest, expanded_below_cost=3)
    check(oldest, expanded_below_cost=3)


def test_iterative_deepening_astar_on_a_board_two_moves_from_the_goal() -> None:
    # bound 2. root: D has f 4, too much; L has f 2. L: never back; LD has f 4, LL is the goal.
    check(
        figures("idastar", "manhattan"),
        expanded=2,
        generated=4,
        stored=0,
        iterations=1,
        max_depth=2,
        peak_stored=3,
        expanded_below_cost=0,
    )


def test_iterative_deepening_on_a_board_two_moves_from_the_goal() -> None:
    # bound 0: the root makes D, L.
    # bound 1: the root makes D, which makes DD, DL, and L, which makes LD, LL.
    # bound 2: D, DD with one more, DL with three more; L, LD with three more, LL is the goal.
    check(
        figures("ids"),
        expanded=1 + 3 + 6,
        generated=2 + 6 + (1 + 2 + 4) + (1 + 4 + 1),
        iterations=3,
        max_depth=2,
        expanded_below_cost=1 + 3,
    )


def test_the_beam_on_a_board_two_moves_from_the_goal() -> None:
    # h1 + h2 of D is 3 + 3, of L 1 + 1. Width 1 keeps L, which makes LD, LL and the root again.
    check(
        figures("beam(width=1)"),
        expanded=2,
        generated=5,
        stored=4,
        duplicates=1,
        iterations=2,
        max_depth=2,
        expanded_below_cost=None,
    )
    # Width 2 keeps both; L comes first (LD, LL, back), then D (back, DD, DL): the layer is whole.
    check(figures("beam(width=2)"), expanded=3, generated=8, stored=6, duplicates=2, iterations=2)


def test_bidirectional_search_on_a_board_two_moves_from_the_goal() -> None:
    # The start makes D, L. The goal, with fewer open states, makes the state below it and then L.
    check(figures("bidirectional"), expanded=2, generated=4, duplicates=0, iterations=2)


def test_the_table_of_counters_is_the_one_of_the_statistics() -> None:
    names = [counter.name for counter in COUNTERS]
    told_while_running = ["bound"]
    fields = [field.name for field in dataclasses.fields(Stats)]
    assert names == [name for name in fields if name not in told_while_running]
    assert set(names) == DESIGNED
    for counter in COUNTERS:
        assert counter.meaning and counter.unit
        assert counter.better in {"less", "more"} and counter.aggregate in {"mean", "max", "sum"}


def test_a_result_as_json_has_every_counter_under_its_name() -> None:
    fields = json.loads(json.dumps(tw.solve(TWO_MOVES).to_dict()))
    assert set(fields["stats"]) == DESIGNED
    expected = {"status": "solved", "cost": 2, "moves": "LL", "goal": "first", "optimal": True}
    assert {name: fields[name] for name in expected} == expected
    assert (fields["algorithm"], fields["heuristic"]) == ("astar", "linear_conflict")


def test_memory_is_the_states_held_times_what_a_state_takes() -> None:
    stats = figures("astar", "manhattan")
    assert stats.peak_memory == stats.peak_stored * bytes_per_state(9)
    assert stats.seconds > 0


@pytest.mark.parametrize("depth", [1, 2, 3, 10, 31, 80, 66125])
@pytest.mark.parametrize("generated", [1, 2, 5, 100, 53571, 10**9])
def test_the_effective_branching_factor_solves_its_equation(generated: int, depth: int) -> None:
    b = effective_branching_factor(generated, depth)
    assert b is not None and b > 0
    total = depth if b == 1 else b * math.expm1(depth * math.log(b)) / (b - 1)
    assert total == pytest.approx(generated, rel=1e-4)


def test_the_effective_branching_factor_of_known_trees() -> None:
    assert effective_branching_factor(2 + 4 + 8, 3) == pytest.approx(2)
    assert effective_branching_factor(7, 7) == pytest.approx(1)
    assert effective_branching_factor(5, 2) == pytest.approx((math.sqrt(21) - 1) / 2)
    assert figures("astar", "manhattan").effective_branching_factor == pytest.approx(1.791288)
    assert effective_branching_factor(0, 0) is None
    assert tw.solve("b12 345 678").stats.effective_branching_factor is None
