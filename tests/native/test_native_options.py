"""Options that only the native engine has: the optimum is kept, the counters are not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import tilewise as tw
from tilewise import native
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.errors import EngineError, SpecError
from tilewise.scrambling import scramble
from tilewise.suites import load
from tilewise.tables.distances import distance_table

SPECS = [
    "astar(batch=1)",
    "astar(batch=32)",
    "idastar(prune=2)",
    "idastar(prune=8)",
    "idastar(prune=12)",
    "idastar(threads=2)",
    "idastar(prune=10, threads=3)",
    "astar_idastar(nodes=1, prune=8)",
    "astar_idastar(nodes=300, prune=1)",
    "astar_idastar(nodes=3000, prune=10)",
]
HEURISTICS = ["manhattan", "linear_conflict", "walking_distance", "max(manhattan, linear_conflict)"]


def boards_by_depth(goal: tw.Goal, each: int) -> Iterator[tuple[tw.Board, int]]:
    """Some states of every depth."""
    table = distance_table(goal)
    for depth, count in enumerate(table.levels):
        chosen = set(random.Random(depth).sample(range(count), min(each, count)))
        for number, state in enumerate(table.states(depth)):
            if number in chosen:
                yield tw.Board(goal.board.rows, goal.board.columns, state), depth


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (2, 3)])
def test_every_depth_of_small_shapes_is_solved_optimally(spec: str, shape: tuple[int, int]) -> None:
    goal = tw.Goal.blank_first(*shape)
    for board, depth in boards_by_depth(goal, 3):
        result = tw.solve(board, goal=goal, algorithm=spec, heuristic="manhattan")
        assert (result.cost, result.optimal, result.engine) == (depth, True, "native")


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("heuristic", HEURISTICS)
def test_a_15_puzzle_is_solved_in_the_published_number_of_moves(spec: str, heuristic: str) -> None:
    board = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"
    assert tw.solve(board, goal="first", algorithm=spec, heuristic=heuristic).cost == 42


@pytest.mark.parametrize("batch", [1, 7, 1024])
@pytest.mark.parametrize("shape", [(2, 8), (8, 2), (3, 5), (5, 3), (3, 4), (4, 4)])
def test_a_batch_serves_every_shape_of_up_to_16_cells(shape: tuple[int, int], batch: int) -> None:
    goal = tw.Goal.blank_last(*shape)
    for board in scramble(f"{shape[0]}x{shape[1]}", goal=goal, walk=60, count=3, seed=1):
        result = tw.solve(
            board, goal=goal, algorithm=f"astar(batch={batch})", heuristic="linear_conflict"
        )
        one_by_one = tw.solve(board, goal=goal, algorithm="idastar", heuristic="manhattan")
        assert (result.cost, result.optimal) == (one_by_one.cost, True)


@pytest.mark.full
@pytest.mark.parametrize("order", ["UDLR", "RLDU", "LURD"])
def test_any_order_of_successors_keeps_the_optimum(order: str) -> None:
    for board, depth in boards_by_depth(tw.Goal.blank_first(3, 3), 1):
        for spec in ("idastar(prune=12)", "idastar(threads=2)", "astar(batch=32)"):
            result = tw.solve(board, algorithm=spec, heuristic="manhattan", rules=f"order={order}")
            assert result.cost == depth


def test_subtrees_are_really_shared_when_a_pass_is_large() -> None:
    board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    one = tw.solve(board, goal="first", algorithm="idastar", heuristic="linear_conflict")
    two = tw.solve(board, goal="first", algorithm="idastar(threads=2)", heuristic="linear_conflict")
    assert (two.cost, two.status) == (57, tw.Status.SOLVED)
    below = one.stats.expanded_below_cost
    assert two.stats.expanded_below_cost == below  # whole passes are the same


def test_pruned_words_save_nodes() -> None:
    board = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"
    counts = [
        tw.solve(board, goal="first", algorithm=spec, heuristic="manhattan").stats.generated
        for spec in ("idastar", "idastar(prune=8)", "idastar(prune=12)")
    ]
    assert counts == sorted(counts, reverse=True) and counts[0] > counts[2]


def test_a_batch_needs_at_most_12_bytes_a_node_and_4_an_open_entry() -> None:
    board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    stats = tw.solve(
        board, goal="first", algorithm="astar(batch=32)", heuristic="linear_conflict"
    ).stats
    assert stats.peak_memory is not None and stats.peak_stored is not None
    # memory of the open list is handed out by the megabyte
    assert stats.peak_memory <= 12 * stats.peak_stored + 4.1 * stats.max_frontier + 2**20


def test_limits_are_kept_with_the_options() -> None:
    board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    for spec in SPECS:
        result = tw.solve(
            board,
            goal="first",
            algorithm=spec,
            heuristic="manhattan",
            limits=tw.Limits(generated=200_000),
        )
        assert (result.status, result.stats.generated) == (tw.Status.LIMIT, 200_000)
    small = tw.Limits(memory=2_000_000)
    result = tw.solve(
        board, goal="first", algorithm="astar(batch=32)", heuristic="manhattan", limits=small
    )
    assert result.status is tw.Status.LIMIT
    assert result.stats.peak_memory is not None and result.stats.peak_memory <= 2_000_000


@pytest.mark.parametrize("heuristic", ["manhattan", "linear_conflict", "pdb(6-6-3)"])
@pytest.mark.parametrize("threads", [2, 7])
def test_threads_stop_exactly_at_the_limit_of_nodes(heuristic: str, threads: int) -> None:
    board = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
    for most in (1, 2, 80, 8_195, 99_999, 600_000, 1_000_003):
        result = tw.solve(
            board,
            algorithm=f"idastar(threads={threads})",
            heuristic=heuristic,
            goal="first",
            limits=tw.Limits(generated=most),
        )
        assert (result.status, result.stats.generated) == (tw.Status.LIMIT, most)


@pytest.mark.parametrize(
    ("number", "heuristic"), [(57, "manhattan"), (57, "linear_conflict"), (17, "pdb(5-5-5)")]
)
@pytest.mark.parametrize("threads", [2, 3, 7])
def test_nodes_that_a_thread_was_allowed_and_did_not_make_are_made_by_the_others(
    number: int, heuristic: str, threads: int
) -> None:
    # At the end of a proof threads run out of subtrees one by one, each with a part of the nodes
    # that it was allowed. The last node of the proof can be made only if none of them are lost.
    board = load("korf100").instances[number - 1].board
    best = tw.solve(board, goal="first", algorithm="idastar", heuristic="pdb(6-6-3)")

    def proof(threads: int, most: int | None = None) -> tw.Result:
        return tw.solve(
            board,
            goal="first",
            algorithm=f"idastar(threads={threads})",
            heuristic=heuristic,
            incumbent=best.moves,
            limits=tw.Limits(generated=most),
        )

    needed = proof(1).stats.generated
    enough, too_few = proof(threads, needed), proof(threads, needed - 1)
    assert (enough.optimal, enough.stats.generated) == (True, needed)
    assert (too_few.optimal, too_few.stats.generated) == (False, needed - 1)


def test_an_option_that_is_off_is_not_shown_and_one_that_is_on_changes_the_contract() -> None:
    assert build_algorithm("astar").spec == "astar"
    assert build_algorithm("idastar(threads=2)").spec == "idastar(threads=2)"
    assert build_algorithm("idastar").contract == "EXACT"
    assert build_algorithm("idastar(prune=4)").contract == "OPTIMAL"


@pytest.mark.parametrize(
    ("algorithm", "how", "message"),
    [
        ("idastar(prune=99)", {}, "expected 0 to 12 for prune of idastar, got 99"),
        ("astar(batch=9999)", {}, "expected 0 to 1024 for batch of astar"),
        ("idastar(threads=2)", {"engine": "python"}, "alone has threads"),
        ("astar(batch=32)", {"heuristic": "misplaced"}, "change by odd numbers, not misplaced"),
        ("astar(batch=32)", {"rules": "fifo"}, "default rules"),
        ("astar_idastar", {"engine": "native"}, "it has no astar_idastar without prune"),
        ("astar_idastar(prune=8)", {"engine": "python"}, "alone has prune"),
        ("astar_idastar(prune=13)", {}, "expected 0 to 12 for prune of astar_idastar, got 13"),
    ],
)
def test_what_an_option_cannot_do_is_said(
    algorithm: str, how: dict[str, Any], message: str
) -> None:
    with pytest.raises((SpecError, EngineError), match=message):
        tw.solve("8b6 547 231", algorithm=algorithm, **{"heuristic": "manhattan", **how})


def test_tables_are_the_same_with_every_level_of_instructions() -> None:
    import math

    import numpy as np

    for rows, columns, cells in [
        (4, 4, (1, 4, 5, 8, 9)),
        (3, 4, (1, 2, 5, 6, 7, 11)),
        (2, 3, (1, 2)),
    ]:
        entries = math.comb(rows * columns, len(cells)) * math.factorial(len(cells))
        made = []
        for level in native.table_kernels():
            table = np.empty(entries, np.uint8)
            native.build_pattern(rows, columns, cells, 0, table, kernels=level, threads=2)
            made.append(table)
        assert native.table_kernels()[-1] == "portable"
        assert all((table == made[-1]).all() for table in made)
