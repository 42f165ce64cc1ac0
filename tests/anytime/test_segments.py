"""Beams over segments of a path, and large boards by them."""

from __future__ import annotations

import threading
from itertools import pairwise

import tilewise as tw
from tests.oracles.puzzle import replayed, shuffled
from tilewise import Goal, Limits
from tilewise.anytime.division import CORE
from tilewise.anytime.segments import Sweep, segments, sweep_over
from tilewise.core.problem import Problem
from tilewise.core.stats import Stats

TEN = Goal.blank_last(10, 10)


def by_people(seed: int) -> tuple[Problem, str]:
    board = shuffled(TEN, seed)
    return Problem(board, TEN), tw.solve(board, goal=TEN, algorithm="human").moves or ""


def swept(problem: Problem, moves: str, sweep: Sweep, threads: int) -> tuple[str, int]:
    spent = Stats()
    path = sweep_over(
        problem,
        moves,
        sweep,
        threads=threads,
        limits=Limits,
        stopped=lambda: False,
        spend=spent.include,
    )
    return path, spent.generated


def test_segments_follow_each_other_and_the_blank_stays_in_their_rectangles() -> None:
    problem, moves = by_people(1)
    states = list(problem.states(moves))
    for number in range(4):
        cut = segments(problem, moves, number)
        assert cut[-1].end == len(moves) and len(cut) > 10
        for segment, after in pairwise(cut):
            assert segment.end <= after.begin
        for segment in cut:
            assert states[segment.begin] == segment.start
            assert states[segment.end] == segment.target
            inside = set(segment.rectangle.cells(10))
            assert len(inside) == CORE * CORE
            assert all(
                state.index(0) in inside for state in states[segment.begin : segment.end + 1]
            )
    assert segments(problem, moves, 1) != segments(problem, moves, 2)


def test_a_sweep_shortens_a_path_and_does_not_depend_on_the_number_of_threads() -> None:
    problem, moves = by_people(2)
    for number in (0, 1):  # forwards and backwards
        path, generated = swept(problem, moves, Sweep(number, 30), threads=1)
        assert len(path) < 0.97 * len(moves) and problem.replay(path) == problem.goal
        assert swept(problem, moves, Sweep(number, 30), threads=3) == (path, generated)


def test_a_segment_is_at_most_three_quarters_of_a_short_path() -> None:
    goal = Goal.blank_last(6, 6)
    board = shuffled(goal, 5)
    moves = (tw.solve(board, goal=goal, algorithm="human").moves or "")[:80]
    state = Problem(board, goal).replay(moves)
    problem = Problem(board, Goal(board.trusted(6, 6, state)))
    for number in range(20):
        lengths = [each.end - each.begin for each in segments(problem, moves, number)]
        assert lengths and max(lengths) <= 60


def test_a_sweep_that_is_stopped_leaves_the_path_whole() -> None:
    problem, moves = by_people(3)
    stop = threading.Event()
    path = sweep_over(
        problem,
        moves,
        Sweep(0, 30),
        threads=2,
        limits=Limits,
        stopped=stop.is_set,
        spend=lambda stats: stop.set(),
    )
    assert problem.replay(path) == problem.goal and len(path) <= len(moves)


def test_a_large_board_takes_less_than_half_of_what_people_need_and_is_repeatable() -> None:
    board = shuffled(TEN, 4)
    people = tw.solve(board, goal=TEN, algorithm="human")
    limits = Limits(generated=1_500_000)
    results = [tw.solve(board, goal=TEN, algorithm="anytime", limits=limits) for _ in range(2)]
    assert results[0].moves == results[1].moves
    assert results[0].stats.generated == results[1].stats.generated <= 1_500_000
    assert replayed(board, results[0].moves) == TEN.board.tiles
    assert (results[0].cost or 0) < 0.5 * (people.cost or 0)
