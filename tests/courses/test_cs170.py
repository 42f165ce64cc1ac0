"""The search of the profile cs170: its heap is that of libstdc++, its figures are the course's."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from tilewise.core.algorithm_facts import Frontier
from tilewise.core.events import Kind, Observer, Recorder
from tilewise.core.limits import Limits, Meter
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem
from tilewise.core.result import Result, Status
from tilewise.core.rules import DEFAULT
from tilewise.courses.cs170 import COURSE
from tilewise.courses.cs170 import search as cs170
from tilewise.courses.running import run_course
from tilewise.puzzle.board import Board, Goal
from tilewise.search.best_first import best_first

GOLDEN = Path(__file__).parents[1] / "golden" / "cases.json"
CASES = [case for case in json.loads(GOLDEN.read_text())["cases"] if case["system"] == "D"]
HEURISTIC = {"ucs": "zero", "misplaced": "misplaced", "manhattan": "manhattan"}
GOAL = Goal.blank_last(3, 3)

REAL_QUEUE = r"""
#include <iostream>
#include <queue>
#include <vector>
#ifndef __GLIBCXX__
#error "the profile cs170 is defined by the heap of libstdc++: this test needs that library"
#endif
struct Node { int f; int number; };
struct Later { bool operator()(const Node& a, const Node& b) const { return a.f > b.f; } };
int main() {
    std::priority_queue<Node, std::vector<Node>, Later> queue;
    int number = 0;
    for (int f; std::cin >> f;) {
        if (f >= 0) { queue.push({f, number++}); continue; }
        std::cout << queue.top().f << ' ' << queue.top().number << '\n';
        queue.pop();
    }
}
"""


def solve(
    board: Board, heuristic: str, limits: Limits | None = None, observer: Observer | None = None
) -> Result:
    """The answer of the menu with the search of a heuristic."""
    method = COURSE.method(None, heuristic)
    return run_course(COURSE, method, board, limits=limits, observer=observer)


def operations(seed: int, count: int, different: int) -> list[int]:
    """Pushes (an f) and pops (-1) at random, never a pop of nothing; the queue grows, then ends."""
    rng = random.Random(seed)
    made: list[int] = []
    size = 0
    for _ in range(count):
        if size and rng.random() < 0.45:
            made.append(-1)
            size -= 1
        else:
            made.append(rng.randrange(different))
            size += 1
    return made + [-1] * size


@pytest.fixture(scope="module")
def real_queue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.fail("expected a C++ compiler (g++ or c++) on the path to compare the heap with")
    folder = tmp_path_factory.mktemp("queue")
    source, program = folder / "queue.cpp", folder / "queue"
    source.write_text(REAL_QUEUE)
    made = subprocess.run([compiler, source, "-o", program], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return program


@pytest.mark.parametrize(("seed", "different"), [(1, 1), (2, 2), (3, 5), (4, 1000)])
def test_entries_leave_the_queue_as_they_leave_the_one_of_libstdcxx(
    real_queue: Path, seed: int, different: int
) -> None:
    made = operations(seed, 5000, different)
    queue = cs170.PriorityQueue()
    ours: list[tuple[int, int]] = []
    number = 0
    for f in made:
        if f < 0:
            ours.append(queue.pop())
        else:
            queue.push(f, number)
            number += 1
    text = "\n".join(map(str, made))
    real = subprocess.run([real_queue], input=text, capture_output=True, text=True, check=True)
    assert ours == [(int(f), int(n)) for f, n in map(str.split, real.stdout.splitlines())]
    assert len(queue) == 0


def test_equal_entries_leave_the_queue_neither_oldest_nor_newest_first() -> None:
    queue = cs170.PriorityQueue()
    for number in range(7):
        queue.push(0, number)
    assert [queue.pop()[1] for _ in range(7)] == [0, 2, 5, 6, 4, 1, 3]


@pytest.mark.parametrize(
    "case",
    [case for case in CASES if "doc_expanded" in case["expect"]],
    ids=lambda case: case["id"],
)
def test_the_printed_figures_of_the_course_come_out(case: dict) -> None:  # type: ignore[type-arg]
    board = Board.parse(case["board"])
    outcome = solve(board, HEURISTIC[case["algorithm"]])
    assert outcome.moves is not None
    assert board.after(outcome.moves) == GOAL.board
    assert case["expect"] == {
        "steps": len(outcome.moves),
        "doc_expanded": outcome.stats.expanded,
        "doc_max_queue": outcome.stats.max_frontier,
    }


@pytest.mark.parametrize(
    "case", [case for case in CASES if "status" in case["expect"]], ids=lambda case: case["id"]
)
def test_an_unsolvable_board_is_known_without_a_search(case: dict) -> None:  # type: ignore[type-arg]
    outcome = solve(Board.parse(case["board"]), "manhattan")
    assert outcome.status == case["expect"]["status"]
    assert outcome.stats.generated == 0


def test_only_the_step_straight_back_is_left_out() -> None:
    recorder = Recorder(100_000, 3, 3)
    solve(Board.parse("703 215 846"), "zero", observer=recorder)
    made = {e.node: e for e in recorder.events if e.kind in (Kind.START, Kind.GENERATE)}
    expanded = [event.board for event in recorder.events if event.kind is Kind.EXPAND]
    assert len(set(expanded)) < len(expanded)
    grandchildren = [event for event in made.values() if event.g > 1]
    assert grandchildren
    assert all(event.board != made[made[event.parent].parent].board for event in grandchildren)


def test_paths_are_as_short_as_those_of_a_sound_search() -> None:
    rng = random.Random(7)
    for _ in range(10):
        board = GOAL.board
        for _ in range(30):
            board = board.move(rng.choice(board.legal_moves()))
        h = build_heuristic("manhattan", GOAL).estimate
        meter = Meter(Limits(), 9)
        sound = best_first(Problem(board, GOAL), h, meter, DEFAULT, None, Frontier(g=1, h=1))
        ours = solve(board, "manhattan")
        assert ours.moves is not None and sound.moves is not None
        assert board.after(ours.moves) == GOAL.board
        assert len(ours.moves) == len(sound.moves)


def test_a_start_on_the_goal_is_solved_with_nothing_expanded() -> None:
    outcome = solve(GOAL.board, "zero")
    assert (outcome.status, outcome.moves) == (Status.SOLVED, "")
    assert (outcome.stats.expanded, outcome.stats.max_frontier) == (0, 0)


def test_the_search_stops_exactly_at_a_limit_of_nodes() -> None:
    outcome = solve(Board.parse("867 254 3b1"), "zero", Limits(generated=1001))
    assert (outcome.status, outcome.moves) == (Status.LIMIT, None)
    assert outcome.stats.generated == 1001


def test_the_search_stops_at_a_limit_of_memory() -> None:
    outcome = solve(Board.parse("867 254 3b1"), "zero", Limits(memory=2_000_000))
    assert outcome.status is Status.LIMIT
    assert 2_000_000 < outcome.stats.stored * 432 < 3_000_000
