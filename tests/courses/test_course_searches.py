"""The searches of the courses, run like any other search."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tilewise import Board, Limits, Status
from tilewise.checking import known_distance
from tilewise.core.events import Kind, Recorder
from tilewise.courses import PROFILES, columbia
from tilewise.courses.cs170 import search as cs170
from tilewise.courses.eecs391 import search as eecs391
from tilewise.courses.running import METHODS, own_search, run_profile
from tilewise.errors import TilewiseError
from tilewise.scrambling import scramble
from tilewise.traces.explain import explain

EASY = Board.parse("321 574 6b8")
MENU = Board.parse("1 3 6/5 0 7/4 8 2")


@pytest.mark.parametrize(("heuristic", "nodes"), [("h1", 524), ("h2", 213)])
def test_the_figures_of_the_handout_come_with_the_counters_of_all_searches(
    heuristic: str, nodes: int
) -> None:
    recorder = Recorder(10_000, 3, 3)
    result = run_profile("eecs391-table", EASY, heuristic=heuristic, observer=recorder)
    assert result.stats.stored == nodes and f"counts {nodes} nodes" in str(result.note)
    kinds = [event.kind for event in recorder.events]
    assert kinds.count(Kind.GENERATE) == nodes
    assert kinds.count(Kind.EXPAND) == result.stats.expanded
    assert kinds.count(Kind.DUPLICATE) == result.stats.duplicates
    assert result.stats.generated == nodes + result.stats.duplicates
    assert EASY.after(str(result.moves)) == result.goal.board


@pytest.mark.parametrize("profile", list(PROFILES))
def test_every_method_takes_what_the_rules_take(profile: str) -> None:
    board = MENU if profile == "cs170" else EASY
    for method in METHODS[profile]:
        recorder = Recorder(4_000, 3, 3)
        result = run_profile(
            profile,
            board,
            algorithm=method.algorithm,
            heuristic=method.heuristic,
            observer=recorder,
            limits=Limits(generated=1_000),
        )
        rules = "default" if own_search(result.algorithm) else profile
        choices = list(explain(recorder.events, result.algorithm, rules))
        assert len(choices) > 10, method
        for choice in choices[:-1]:
            assert choice.expected == choice.event.node, (method, choice.reason)


def test_watching_changes_nothing_and_the_answers_are_those_of_the_programs() -> None:
    for width in (3, 10):
        dialect = eecs391.DIALECTS["eecs391"]
        actions = eecs391.Actions(dialect, random.Random(eecs391.DEFAULT_SEED))
        answer = eecs391.beam(EASY, width, dialect, actions, eecs391.DEFAULT_MAX_NODES)
        watched = run_profile(
            "eecs391", EASY, algorithm=f"beam({width})", observer=Recorder(9, 3, 3)
        )
        assert (watched.status, watched.moves) == (answer.status, answer.moves)
    menu = cs170.solve(MENU, "misplaced")
    mine = run_profile("cs170", MENU, heuristic="misplaced")
    assert (mine.moves, mine.stats.expanded) == (menu.moves, menu.stats.expanded)
    driver = columbia.run("ast", EASY)
    ours = run_profile("columbia", EASY, algorithm="ast")
    assert (ours.moves, ours.stats.expanded) == (driver.moves, driver.stats.expanded)


def test_what_is_called_optimal_is() -> None:
    for board in scramble("3x3", count=12, seed=3):
        for profile in ("eecs391", "cs170"):
            found = run_profile(profile, board, limits=Limits(generated=20_000))
            assert not found.optimal or found.cost == known_distance(board, found.goal)


def test_a_course_stops_at_its_number_of_nodes_or_at_the_callers() -> None:
    far = Board.parse("8b6 547 231")
    assert run_profile("eecs391", far, heuristic="h1").stats.stored == 10_000
    limited = run_profile("eecs391", far, limits=Limits(generated=50))
    assert limited.status is Status.LIMIT and limited.stats.stored == 50
    hurried = run_profile("eecs391", far, limits=Limits(generated=10**9, seconds=1e-9))
    assert hurried.status is Status.LIMIT and hurried.stats.stored < 5_000
    assert run_profile("eecs391", Board.parse("b21 345 678")).status is Status.UNSOLVABLE


@pytest.mark.parametrize(
    ("profile", "asked", "expected"),
    [
        ("harvard", {}, "expected a profile eecs391"),
        ("eecs391", {"algorithm": "bfs"}, "expected astar or beam"),
        ("eecs391", {"algorithm": "beam(width=0)"}, "expected astar or beam"),
        ("eecs391", {"heuristic": "gaschnig"}, "expected the heuristic h1 or h2"),
        ("eecs391", {"algorithm": "beam", "heuristic": "h1"}, "expected no heuristic"),
        ("eecs391", {"goal": "last"}, "expected the goal first of eecs391, got 'last'"),
        ("cs170", {"algorithm": "bfs"}, "expected nothing but a heuristic"),
        ("columbia", {"algorithm": "x"}, "expected the name of an algorithm"),
    ],
)
def test_what_a_course_does_not_have_is_refused(
    profile: str, asked: dict[str, Any], expected: str
) -> None:
    with pytest.raises(TilewiseError, match=expected):
        run_profile(profile, EASY, **asked)
    if profile == "eecs391":
        with pytest.raises(TilewiseError, match="expected a 3x3 board"):
            run_profile(profile, Board.parse("b12 345"))
