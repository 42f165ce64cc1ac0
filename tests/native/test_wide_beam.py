"""The beam for speed, `beam(threads=N)`: any native heuristic, any shape, limits that hold."""

from __future__ import annotations

import time
from itertools import pairwise
from threading import Event

import pytest

from tests.oracles.puzzle import distances, shuffled
from tilewise import Board, Goal, Limits, Status
from tilewise.core.algorithm_facts import Contract
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.limits import Meter
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem
from tilewise.core.result import StoppedBy
from tilewise.core.rules import DEFAULT
from tilewise.core.stats import Stats
from tilewise.errors import EngineError
from tilewise.learning.learned_beam import learned_beam
from tilewise.native import run
from tilewise.solving import solve

HEURISTICS = ["manhattan", "linear_conflict", "sum(misplaced, manhattan)", "learned"]


@pytest.mark.parametrize(
    ("shape", "heuristic"),
    [
        pytest.param(
            shape,
            heuristic,
            marks=pytest.mark.full
            if (shape, heuristic) in {((4, 6), HEURISTICS[0]), ((4, 6), HEURISTICS[2])}
            or (shape, heuristic) in {((5, 5), HEURISTICS[1]), ((5, 5), HEURISTICS[3])}
            else (),
        )
        for shape in [(3, 3), (4, 4), (5, 5), (4, 6)]
        for heuristic in HEURISTICS
    ],
)
def test_any_number_of_threads_finds_the_same_solution(
    shape: tuple[int, int], heuristic: str
) -> None:
    goal = Goal.blank_last(*shape)
    results = [
        solve(
            shuffled(goal, 1),
            goal=goal,
            algorithm=f"beam(width=4500, threads={threads})",
            heuristic=heuristic,
        )
        for threads in (1, 3)
    ]
    assert [result.status for result in results] == [Status.SOLVED] * 2
    assert results[0].moves == results[1].moves
    assert results[0].stats.generated == results[1].stats.generated
    assert results[0].engine == "native"


@pytest.mark.parametrize("heuristic", ["manhattan", "learned"])
def test_a_beam_as_wide_as_the_space_finds_shortest_solutions(heuristic: str) -> None:
    goal = Goal.blank_first(2, 4)
    for tiles, distance in list(distances(goal).items())[::1997]:
        result = solve(
            Board(2, 4, tiles),
            goal=goal,
            algorithm="beam(width=20160, threads=2)",
            heuristic=heuristic,
        )
        assert result.cost == distance


def test_a_beam_that_narrows_keeps_fewer_boards_near_the_goal() -> None:
    goal = Goal.blank_first(6, 6)
    board = shuffled(goal, 2)
    uniform = learned_beam(board, goal, width=2000)
    narrow, by_three = (
        learned_beam(board, goal, width=2000, narrows=True, threads=threads) for threads in (1, 3)
    )
    assert uniform.moves is not None and narrow.moves is not None
    assert uniform.stats.generated // 5 < narrow.stats.generated < uniform.stats.generated
    assert (narrow.moves, narrow.stats.generated) == (by_three.moves, by_three.stats.generated)


def test_a_beam_that_has_to_end_in_a_time_comes_to_its_last_depth() -> None:
    goal = Goal.blank_first(6, 6)
    whole, hurried, unhurried = (
        learned_beam(shuffled(goal, 2), goal, width=50_000, most_moves=60, ends_in=seconds)
        for seconds in (0.0, 1e-3, 1e6)
    )
    assert hurried.stats.max_depth == 60
    assert 60 < hurried.stats.generated < whole.stats.generated // 10
    assert unhurried.stats.generated == whole.stats.generated


def test_a_full_layer_has_as_many_states_as_the_width() -> None:
    goal = Goal.blank_first(5, 5)
    stored = [
        learned_beam(shuffled(goal, 1), goal, width=700, most_moves=depth).stats.stored
        for depth in (30, 31, 32)
    ]
    assert [later - earlier for earlier, later in pairwise(stored)] == [700, 700]


@pytest.mark.parametrize(
    ("shape", "patterns"), [((3, 3), "pdb(4-4)"), ((4, 4), "pdb(5-5-5)"), ((3, 4), "pdb(5-6)")]
)
@pytest.mark.parametrize("blank_first", [True, False])
def test_entries_that_are_followed_give_the_beam_of_whole_look_ups(
    shape: tuple[int, int], patterns: str, blank_first: bool
) -> None:
    goal = Goal.blank_first(*shape) if blank_first else Goal.snail(*shape)
    for seed in range(2):
        results = [
            solve(
                shuffled(goal, seed),
                goal=goal,
                algorithm=f"beam(width={width}, threads=2)",
                heuristic=heuristic,
            )
            for width in (100, 6000)
            for heuristic in (patterns, f"max({patterns}, misplaced)")  # never more than patterns
        ]
        for followed, whole in (results[:2], results[2:]):
            assert followed.moves == whole.moves is not None
            assert followed.stats.generated == whole.stats.generated
            assert followed.stats.duplicates == whole.stats.duplicates


def test_a_limit_of_nodes_is_never_exceeded() -> None:
    goal = Goal.blank_first(6, 6)
    result = solve(
        shuffled(goal, 1),
        goal=goal,
        algorithm="beam(width=1000, threads=2)",
        heuristic="learned",
        limits=Limits(generated=20_000),
    )
    assert result.status is Status.LIMIT and result.stats.generated <= 20_000


def test_tables_of_its_heuristic_are_made_within_the_limits() -> None:
    blank_in_the_middle = Board(3, 5, (1, 2, 3, 4, 5, 6, 7, 0, 8, 9, 10, 11, 12, 13, 14))
    goal = Goal(blank_in_the_middle)  # no other test has made its tables
    cancel, seen = Event(), []

    def progress(stats: Stats) -> None:
        seen.append(stats.generated)
        cancel.set()

    result = solve(
        shuffled(goal, 1),
        goal=goal,
        algorithm="beam(width=10, threads=1)",
        heuristic="walking_distance",
        engine="native",
        cancel=cancel,
        progress=progress,
    )
    assert result.status is Status.CANCELLED
    assert seen[0] == 0 and result.stats.generated == 0


def test_time_that_was_spent_before_the_search_is_not_given_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    goal = Goal.blank_first(5, 5)
    problem = Problem(shuffled(goal, 1), goal)
    meter = Meter(Limits(seconds=1000.0), 25)
    now = time.perf_counter()
    monkeypatch.setattr(time, "perf_counter", lambda: now + 2000.0)
    beam = build_algorithm("beam(width=1000, threads=1)")
    outcome = run("native", beam, problem, build_heuristic("manhattan", goal), meter, DEFAULT, None)
    assert outcome.status is Status.LIMIT and outcome.stats.generated == 0
    assert meter.stopped_by is StoppedBy.SECONDS


def test_the_limit_that_ends_a_beam_is_named() -> None:
    goal = Goal.blank_first(5, 5)

    def ended_by(**limits: int) -> StoppedBy | None:
        return solve(
            shuffled(goal, 1),
            goal=goal,
            algorithm="beam(width=1000, threads=1)",
            heuristic="manhattan",
            limits=Limits(**limits),
        ).stopped_by

    assert ended_by(generated=20_000) is StoppedBy.NODES
    assert ended_by(generated=4_000_000, memory=740_000) is StoppedBy.MEMORY


def test_a_limit_that_was_not_set_never_ends_a_beam() -> None:
    goal, ends = Goal.blank_first(3, 3), set()
    for megabytes in range(6, 40):
        result = solve(
            shuffled(goal, 1),
            goal=goal,
            algorithm="beam(width=20000, threads=2)",
            heuristic="pdb(4-4)",
            limits=Limits(memory=megabytes * 1_000_000),
        )
        ends.add(result.stopped_by)
    assert ends == {StoppedBy.MEMORY, None}


def test_it_is_valid_not_exact_and_native_only() -> None:
    assert build_algorithm("beam(threads=2)").contract is Contract.VALID
    assert build_algorithm("beam(width=7)").contract is Contract.EXACT
    with pytest.raises(EngineError, match="threads"):
        solve("125 348 67b", algorithm="beam(threads=2)", engine="python")
