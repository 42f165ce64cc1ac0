"""The bug zoo: every creature is betrayed by what its card says."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Run
from tests.oracles.puzzle import by_depth, distances, replayed
from tilewise import Board, Goal, Rules, solve
from tilewise.diagnosis.why import Observation, diagnose
from tilewise.diagnosis.zoo import ZOO

FIRST = Goal.blank_first(3, 3)
BOARDS = [Board.parse("4,6,2,7,1,5,3,0,8"), Board.parse("6,2,5,7,0,3,4,1,8")]
SOLVERS = {
    "greedy-called-astar": ("greedy", Rules(ties="oldest"), "none"),
    "skip-if-in-frontier": (
        "astar",
        Rules(ties="oldest", duplicates="skip-if-in-frontier"),
        "none",
    ),
    "closed-when-generated": (
        "astar",
        Rules(ties="oldest", duplicates="closed-when-generated"),
        "none",
    ),
    "g-forgotten": ("astar", Rules(ties="oldest", duplicates="skip-if-in-frontier"), "none"),
    "no-closed-list": ("astar", Rules(ties="oldest", duplicates="ancestors(2)"), "none"),
    "goal-counted": ("astar", Rules(ties="oldest", goal_test="generated"), "goal"),
    "parity-of-the-wrong-goal": ("astar", Rules(ties="oldest"), "none"),
}


def test_the_zoo_has_at_least_ten_creatures_and_all_solvers_are_known_here() -> None:
    assert len(ZOO) >= 10
    assert {name for name, each in ZOO.items() if each.solver} == set(SOLVERS)
    assert all(each.wrong.endswith(".") and each.betrayed_by for each in ZOO.values())


@pytest.mark.parametrize("name", SOLVERS)
def test_the_count_doctor_finds_the_defect_of_every_solver(name: str) -> None:
    solver = ZOO[name].solver
    assert solver is not None
    algorithm, rules, count = SOLVERS[name]
    seen = [Observation(board, solver(board, FIRST).expanded, "expanded") for board in BOARDS[:1]]
    found = diagnose(seen, algorithm=algorithm, heuristic="manhattan", examples=0)
    assert any(
        each.variant.rules == rules and each.counting.rule == count and not each.variant.blank
        for each in found.explanations
    ), [each.words for each in found.explanations]


@pytest.mark.parametrize("name", SOLVERS)
def test_a_solver_solves_and_betrays_itself(name: str) -> None:
    solver = ZOO[name].solver
    assert solver is not None
    longer = lying = 0
    for board in [*by_depth(FIRST)[11][::20], *by_depth(FIRST)[13][::50], *BOARDS]:
        printed = solver(board, FIRST)
        assert replayed(board, printed.moves) == FIRST.board.tiles
        longer += len(printed.moves or "") > distances(FIRST)[board.tiles]
        lying += printed.cost != len(printed.moves or "")
    assert (lying > 0) == (name == "g-forgotten")
    unsound = {"greedy-called-astar", "skip-if-in-frontier", "closed-when-generated"}
    assert (longer > 0) == (name in unsound) or name == "g-forgotten"


def test_the_wrong_parity_is_noticed_on_an_even_number_of_columns_only() -> None:
    solver = ZOO["parity-of-the-wrong-goal"].solver
    assert solver is not None
    even = Goal.blank_first(4, 4)
    near = even.board.move("R")
    assert solver(near, even).says == "unsolvable" and solve(near, goal=even).cost == 1
    assert all(solver(board, FIRST).moves is not None for board in by_depth(FIRST)[6])


def test_the_program_shows_the_zoo(tilewise: Run) -> None:
    every = tilewise("zoo")
    assert every.returncode == 0 and all(name in every.stdout for name in ZOO)
    one = tilewise("zoo", "g-forgotten", "4,6,2,7,1,5,3,0,8")
    assert "cost         15" in one.stdout and "LURULDRDLURUL" in one.stdout
    answer = json.loads(tilewise("zoo", "pairwise-conflicts", "--json").stdout)
    assert answer["kind"] == "heuristic" and "7 states" in answer["betrayed_by"]
    for wrong in (("nobody",), ("added-up", "1b2 345 678"), ("no-closed-list", "1b")):
        refused = tilewise("zoo", *wrong)
        assert refused.returncode == 2 and "expected" in refused.stderr
    assert tilewise("zoo", "no-closed-list", "b21 345 678").returncode == 10
