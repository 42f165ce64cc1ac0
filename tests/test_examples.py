"""The programs in examples/ run, print what they should, and what they claim holds."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tilewise as tw
from tilewise.core import registry
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem
from tilewise.plugins import load_file
from tilewise.tables.distances import DistanceTable, distance_table

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
SOURCE = Path(tw.__file__).resolve().parents[1]

PRINTED = {
    ("own_heuristic.py",): """\
misplaced  31 moves, 121,529 states expanded
lines_off  31 moves, 46,443 states expanded
manhattan  31 moves, 6,728 states expanded
""",
    ("own_algorithm.py",): """\
astar                  31 moves, 6,728 states expanded
enforced_hill_climbing 51 moves, 1,533 states expanded
greedy                 53 moves, 88 states expanded
""",
    ("folder_of_boards.py", "boards"): """\
broken.txt   not a board: expected 4, 9, 16 or another square number of tiles when no shape is \
given (as in 3x4:1,2,...), got 8: '1,2,5,3,4,0,6,7\\n'
driver.txt   3 moves: ULL
fifteen.txt  4 moves: ULLL
hardest.txt  31 moves: LDRDLURURDDLUURDDLUULDDRUURDLLU
swapped.txt  unsolvable: no moves lead from 1b2 345 687 to b12 345 678: the tiles are an even \
number of swaps away (2), the blank an odd number of steps (1), and every move changes both \
parities at once
""",
}


@pytest.fixture
def loaded() -> Iterator[None]:
    """What the examples register, for one test."""
    registries: list[dict[str, Any]] = [registry.HEURISTICS, registry.ALGORITHMS]
    before = [dict(known) for known in registries]
    load_file(str(EXAMPLES / "own_heuristic.py"))
    load_file(str(EXAMPLES / "own_algorithm.py"))
    yield
    for known, kept in zip(registries, before, strict=True):
        known.clear()
        known.update(kept)


@pytest.mark.parametrize("arguments", PRINTED, ids=lambda arguments: arguments[0])
def test_an_example_prints_what_it_should(arguments: tuple[str, ...]) -> None:
    process = subprocess.run(
        [sys.executable, *arguments],
        cwd=EXAMPLES,
        env={**os.environ, "PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (process.stdout, process.stderr, process.returncode) == (PRINTED[arguments], "", 0)


def test_every_example_is_run_here() -> None:
    assert {file.name for file in EXAMPLES.glob("*.py")} == {first for first, *_ in PRINTED}


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_the_example_heuristic_is_admissible_and_consistent(shape: tuple[int, int]) -> None:
    for goal in (tw.Goal.blank_first(*shape), tw.Goal.blank_last(*shape)):
        table = distance_table(goal)
        h = build_heuristic("lines_off", goal).estimate
        problem = Problem(goal.board, goal)
        for distance, state in sampled(table):
            assert h(state) <= distance
            assert all(abs(h(child) - h(state)) <= 1 for _, child in problem.successors(state))


@pytest.mark.usefixtures("loaded")
def test_the_example_algorithm_solves_boards_of_every_depth_and_stops_at_a_limit() -> None:
    for distance, state in sampled(distance_table(tw.Goal.blank_first(3, 3)), most=3):
        board = tw.Board(3, 3, state)
        result = tw.solve(board, algorithm="enforced_hill_climbing", heuristic="manhattan")
        assert result.solved and result.optimal == (result.cost == result.bound)
        assert len(result.moves or "") >= distance
        assert result.stats.stored + result.stats.duplicates <= result.stats.generated
    hardest = tw.solve(
        "8b6 547 231", algorithm="enforced_hill_climbing", limits=tw.Limits(generated=100)
    )
    assert (hardest.status, hardest.stats.generated) == (tw.Status.LIMIT, 100)


def sampled(table: DistanceTable, most: int = 40) -> Iterator[tuple[int, tuple[int, ...]]]:
    """States of every distance, evenly taken from each level."""
    for distance, size in enumerate(table.levels):
        step = max(1, size // most)
        for number, state in enumerate(table.states(distance)):
            if number % step == 0:
                yield distance, state
