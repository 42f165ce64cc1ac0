"""The count doctor ends in time, keeps what it found, and its boards can be copied."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import HANG_GUARD, Run
from tilewise import Board, Goal, solve
from tilewise.cli.why import report_lines
from tilewise.diagnosis.budget import Budget, EndedEarlyError
from tilewise.diagnosis.counting import CountLimit, run
from tilewise.diagnosis.rule_variants import variants
from tilewise.diagnosis.why import Observation, diagnose
from tilewise.puzzle.position import read_position

BOARD = "312 475 68b"
STUCK_AFTER_TWO = """
import pathlib
import time

import tilewise as tw
from tilewise.core.result import Outcome
from tilewise.core.stats import Stats

runs = 0


@tw.algorithm("mine", needs_heuristic=True, complete=True)
def mine(problem, h, meter, rules, observer):
    "Solves nothing, counts seven, and never ends in the third run."
    global runs
    runs += 1
    if runs > 2:
        pathlib.Path("stuck").touch()
        while True:
            time.sleep(0.01)
    return Outcome(tw.Status.SOLVED, "LULU", Stats(expanded=7))
"""


def stuck_search(folder: Path) -> list[str]:
    """A file with an algorithm that hangs in its third run, and the options that use it."""
    (folder / "mine.py").write_text(STUCK_AFTER_TWO, encoding="utf-8")
    return [BOARD, "--count", "7", "-a", "mine", "-H", "manhattan", "--load", "mine.py"]


def test_ctrl_c_keeps_what_was_found(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tilewise", "why", *stuck_search(tmp_path), "--processes", "1"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    waited = 0.0
    while not (tmp_path / "stuck").exists() and waited < HANG_GUARD:
        time.sleep(0.05)
        waited += 0.05
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=HANG_GUARD)
    assert (process.returncode, errors) == (130, "")
    assert "2 of 48 searches compared\ninterrupted: there may be more explanations" in output
    assert "not tried: mine, manhattan (23); mine, manhattan, the blank" in output
    assert "1. mine, manhattan: expanded" in output
    assert "not looked for to the end: counterexamples" in output


def test_a_search_that_never_looks_at_the_clock_is_stopped(tilewise: Run, tmp_path: Path) -> None:
    large = [*stuck_search(tmp_path), "--processes", "2", "--seconds", "3"]
    large[2] = "700"  # a small count is looked for in one process
    answer = tilewise("why", *large)
    assert answer.returncode == 20, answer.stderr
    assert "the time ran out (--seconds)" in answer.stdout and "not tried: " in answer.stdout


def test_what_was_not_tried_is_named_when_the_time_is_over(tilewise: Run) -> None:
    answer = tilewise("why", "8b6 547 231", "-n", "30000", "--seconds", "1", "--json")
    found = json.loads(answer.stdout)
    assert answer.returncode in (0, 20)
    assert (found["complete"], found["ended"]) == (False, "time")
    assert found["compared"] + sum(found["left"].values()) == found["runs"]
    assert found["left"]["breadth-first search"] > 0


def test_the_default_is_a_minute(tilewise: Run) -> None:
    assert "[default: 60.0]" in " ".join(tilewise("why", "--help").stdout.split())


def test_counts_that_were_not_compared_are_named() -> None:
    boards = [Board.parse(BOARD), Board.parse("8b6 547 231")]
    seen = [Observation(boards[0], 4), Observation(boards[1], 30_000)]
    found = diagnose(seen, algorithm="astar", heuristic="manhattan", seconds=1.0, examples=0)
    assert not found.complete and found.matched <= 1


def test_a_run_ends_when_the_budget_does() -> None:
    variant = next(iter(variants("astar", "manhattan")))[0]
    board, goal = Board.parse("8b6 547 231"), Goal.blank_first(3, 3)
    for budget in (Budget(end=0.0), Budget(memory=100_000)):
        with pytest.raises(EndedEarlyError):
            run(variant, board, goal, CountLimit("expanded", 10**9), budget)


@pytest.mark.parametrize(
    "name",
    [
        "first",
        *(pytest.param(name, marks=pytest.mark.full) for name in ("last", "snail")),
        "1,2,3,4,5,6,7,0,8",
    ],
)
def test_the_board_that_tells_explanations_apart_can_be_copied(tilewise: Run, name: str) -> None:
    goal = Goal.named(name, 3, 3)
    start = goal.board.after("DRULDRU" if name == "first" else "ULDRULD")
    how: dict[str, str] = {"algorithm": "astar", "heuristic": "manhattan"}
    count = solve(start, goal=goal, **how).stats.expanded  # type: ignore[arg-type]
    seen = Observation(start, count, "expanded")
    found = diagnose([seen], goal=goal, examples=0, **how)  # type: ignore[arg-type]
    printed = "\n".join(report_lines(found, 8))
    match = re.search(r"to tell them apart, count on\n  (.+)\n", printed)
    assert match is not None and found.apart is not None, printed
    assert found.apart.to_dict()["board"] == match[1]
    assert read_position(match[1]).goal == goal
    compared = 0
    for each, promised in zip(found.explanations, found.apart.counts, strict=False):
        if each.rules is not None and not each.variant.blank:
            answer = tilewise(
                "solve", match[1], "-a", "astar", "-H", "manhattan", "--rules", each.rules, "--json"
            )
            assert json.loads(answer.stdout)["stats"]["expanded"] == promised
            compared += 1
    assert compared


def test_a_board_stays_on_one_line_with_its_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    goal = Goal.snail(3, 3)
    seen = Observation(goal.board.after("ULDRULD"), 7)
    found = diagnose([seen], goal=goal, algorithm="greedy", heuristic="misplaced", examples=2)
    lines = list(report_lines(found, 8))
    carried = [line for line in lines if "--goal" in line]
    assert carried and all(re.search(r"[0-9] --goal snail\b", line) for line in carried)
