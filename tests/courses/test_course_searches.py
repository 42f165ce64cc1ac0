"""The searches of the courses, run like any other search."""

from __future__ import annotations

import random
from dataclasses import replace
from random import Random
from threading import Event as CancelFlag
from typing import Any

import pytest

from tilewise import Board, Limits, Status, solve
from tilewise.checking import known_distance
from tilewise.core.events import Kind, Recorder
from tilewise.core.result import Outcome, Result
from tilewise.core.rules import DEFAULT
from tilewise.core.stats import Stats
from tilewise.courses import COURSES, course_named, own_search
from tilewise.courses.eecs391 import search as eecs391
from tilewise.courses.running import run_course
from tilewise.errors import InternalError, TilewiseError
from tilewise.lab.execute import execute_run
from tilewise.lab.run import Run
from tilewise.lab.validation import normal_run
from tilewise.scrambling import scramble
from tilewise.traces.explain import explain

EASY = Board.parse("321 574 6b8")
MENU = Board.parse("1 3 6/5 0 7/4 8 2")
FAR = Board.parse("8b6 547 231")


def far(name: str) -> Board:
    """A board that is far from the goal of a course."""
    return next(iter(scramble("3x3", goal=COURSES[name].goal, depth=28, seed=1)))


def run(
    name: str,
    board: Board,
    *,
    algorithm: str | None = None,
    heuristic: str | None = None,
    **how: Any,
) -> Result:
    """A course's search of an algorithm and a heuristic."""
    course = course_named(name)
    goal = course.checked_goal(board, how.pop("goal", "auto"))
    return run_course(course, course.method(algorithm, heuristic), board, goal=goal, **how)


def test_moves_of_a_course_that_miss_the_goal_are_never_passed_on() -> None:
    course = course_named("cs170")
    assert course.usual.own is not None
    wrong = replace(course.usual.own, run=lambda _: Outcome(Status.SOLVED, "U", Stats()))
    with pytest.raises(InternalError, match="the moves of cs170 miss the goal"):
        run_course(course, replace(course.usual, own=wrong), MENU)


@pytest.mark.parametrize(("heuristic", "nodes"), [("h1", 524), ("h2", 213)])
def test_the_figures_of_the_handout_come_with_the_counters_of_all_searches(
    heuristic: str, nodes: int
) -> None:
    recorder = Recorder(10_000, 3, 3)
    result = run("eecs391-table", EASY, heuristic=heuristic, observer=recorder)
    assert result.stats.stored == nodes and f"counts {nodes} nodes" in str(result.note)
    kinds = [event.kind for event in recorder.events]
    assert kinds.count(Kind.GENERATE) == nodes
    assert kinds.count(Kind.EXPAND) == result.stats.expanded
    assert kinds.count(Kind.DUPLICATE) == result.stats.duplicates
    assert result.stats.generated == nodes + result.stats.duplicates
    assert EASY.after(str(result.moves)) == result.goal.board


@pytest.mark.parametrize("profile", list(COURSES))
def test_every_method_takes_what_the_rules_take(profile: str) -> None:
    course = COURSES[profile]
    board = next(iter(scramble("3x3", goal=course.goal, depth=16, seed=2)))
    for method in course.methods:
        recorder = Recorder(4_000, 3, 3)
        result = run(
            profile,
            board,
            algorithm=method.spec if method.own else method.name,
            heuristic=method.heuristic,
            observer=recorder,
            limits=Limits(generated=1_000),
        )
        rules = DEFAULT if own_search(result.algorithm) else course.rules_for(method)
        choices = list(explain(recorder.events, result.algorithm, rules))
        assert len(choices) > 10 or result.solved, method
        for choice in choices[:-1]:
            assert choice.expected == choice.event.node, (method, choice.reason)


def test_watching_changes_nothing() -> None:
    for width in (3, 10):
        dialect = eecs391.DIALECTS["eecs391"]
        actions = eecs391.Actions(dialect, random.Random(eecs391.DEFAULT_SEED))
        answer = eecs391.beam(EASY, width, dialect, actions, eecs391.DEFAULT_MAX_NODES)
        watched = run("eecs391", EASY, algorithm=f"beam({width})", observer=Recorder(9, 3, 3))
        assert (watched.status, watched.moves) == (answer.status, answer.moves)


def test_what_is_called_optimal_is() -> None:
    for board in scramble("3x3", count=12, seed=3):
        for profile in ("eecs391", "cs170"):
            found = run(profile, board, limits=Limits(generated=20_000))
            assert not found.optimal or found.cost == known_distance(board, found.goal)


def test_a_course_stops_at_its_number_of_nodes_or_at_the_callers() -> None:
    far = Board.parse("8b6 547 231")
    assert run("eecs391", far, heuristic="h1").stats.stored == 10_000
    limited = run("eecs391", far, limits=Limits(generated=50))
    assert limited.status is Status.LIMIT and limited.stats.stored == 50
    hurried = run("eecs391", far, limits=Limits(generated=10**9, seconds=1e-9))
    assert hurried.status is Status.LIMIT and hurried.stats.stored < 5_000
    assert run("eecs391", Board.parse("b21 345 678")).status is Status.UNSOLVABLE


@pytest.mark.parametrize(
    ("profile", "asked", "expected"),
    [
        ("harvard", {}, "expected a profile eecs391"),
        ("eecs391", {"algorithm": "bfs"}, "expected astar or beam"),
        ("eecs391", {"algorithm": "beam(width=0)"}, "expected astar or beam"),
        ("eecs391", {"heuristic": "gaschnig"}, "expected the heuristic h1 or h2"),
        ("eecs391", {"algorithm": "beam", "heuristic": "h1"}, "expected no heuristic for beam"),
        ("eecs391", {"goal": "last"}, "expected the goal first of eecs391, got 'last'"),
        ("cs170", {"algorithm": "bfs"}, "expected ucs or astar for the profile cs170"),
        (
            "columbia",
            {"algorithm": "greedy"},
            "expected bfs, dfs, astar or idastar for",
        ),
        ("columbia", {"heuristic": "gaschnig"}, "expected the heuristic manhattan"),
    ],
)
def test_what_a_course_does_not_have_is_refused(
    profile: str, asked: dict[str, Any], expected: str
) -> None:
    with pytest.raises(TilewiseError, match=expected):
        run(profile, EASY, **asked)
    if profile == "eecs391":
        with pytest.raises(TilewiseError, match="expected a 3x3 board"):
            run(profile, Board.parse("b12 345"))


EVERY = [
    (course.name, method.word)
    for course in COURSES.values()
    for method in course.methods
    if method.algorithm != "hill_climbing"  # it ends before it looks at its limits
]


@pytest.mark.parametrize(("name", "word"), EVERY)
@pytest.mark.parametrize("limits", [Limits(seconds=1e-6), Limits(memory=1)])
def test_seconds_and_memory_end_every_search_of_every_course(
    name: str, word: str, limits: Limits
) -> None:
    course = COURSES[name]
    result = run_course(course, course.by_word(word), far(name), limits=limits)
    assert result.status is Status.LIMIT and result.stats.generated < 10_000


@pytest.mark.parametrize(("name", "word"), EVERY)
def test_every_search_of_every_course_can_be_cancelled(name: str, word: str) -> None:
    course, cancel = COURSES[name], CancelFlag()
    cancel.set()
    result = run_course(course, course.by_word(word), far(name), cancel=cancel)
    assert result.status is Status.CANCELLED


@pytest.mark.parametrize(("name", "word"), EVERY)
def test_the_limits_of_an_experiment_hold_for_every_course(name: str, word: str) -> None:
    course = COURSES[name]
    method = course.by_word(word)
    spec = method.spec if method.own else method.name
    plain = Run(str(far(name)), course.goal, spec, method.heuristic or "", profile=name)
    run = normal_run(plain)
    for limit in ({"max_seconds": 1e-6}, {"max_memory": 1}):
        row = execute_run(replace(run, max_nodes=200_000, **limit))
        assert row is not None and row.status == "limit", row
    cancel = CancelFlag()
    cancel.set()
    assert execute_run(run, cancel=cancel) is None


def test_a_session_hands_its_random_numbers_on() -> None:
    course = COURSES["eecs391"]
    method, generator = course.by_word("solveBeam 10"), Random(course.seed)
    board = Board.parse("315 624 b78")
    counts = [run_course(course, method, board, random=generator).stats.stored for _ in range(8)]
    assert counts[0] == run_course(course, method, board).stats.stored
    assert len(set(counts)) > 1


@pytest.mark.parametrize("name", ["eecs391", "eecs391-table"])
def test_rules_that_contradicted_their_course_are_gone(name: str) -> None:
    with pytest.raises(TilewiseError, match=f"nearest to it are fifo.*--profile {name}"):
        solve(EASY, algorithm="astar", heuristic="manhattan", rules=name)
    for board, nodes in (("4b5 231 678", 87), ("482 713 b56", 1_988)):
        start = Board.parse(board)
        fifo = solve(start, algorithm="astar", heuristic="manhattan", rules="fifo")
        own = run_course(COURSES["eecs391-table"], COURSES["eecs391-table"].usual, start)
        assert fifo.stats.generated == own.stats.stored == nodes
        assert fifo.cost == own.cost
