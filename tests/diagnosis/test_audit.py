"""The heuristic doctor: every wrong heuristic is found out, every right one passes."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.oracles.puzzle import distances, neighbours
from tilewise import Board, Goal, TilewiseError
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.registry import HEURISTICS
from tilewise.diagnosis.audit import Audit, audit
from tilewise.diagnosis.audited import from_callable, read_audited
from tilewise.diagnosis.state_samples import state_samples
from tilewise.diagnosis.zoo import ZOO, heuristic_of
from tilewise.puzzle.shapes import read_shape

REGISTERED = [
    name
    for name, entry in HEURISTICS.items()
    if not entry.combines and entry.built_in and entry.admissible
]
TRAP = Board(4, 4, (1, 2, 3, 4, 9, 7, 5, 6, 10, 0, 12, 8, 13, 14, 11, 15))

WRITTEN = """
def on_board(board):
    return sum(t != i for i, t in enumerate(board.tiles) if t)

def on_state(state):
    return sum(t != i for i, t in enumerate(state) if t)

def on_grid(grid):
    flat = [t for row in grid for t in row]
    return sum(t != i for i, t in enumerate(flat) if t)

def with_goal(board, goal):
    return sum(a != b for a, b in zip(board.tiles, goal.tiles) if a)

def made(goal):
    return lambda board: sum(a != b for a, b in zip(board.tiles, goal.board.tiles) if a)

def half(tiles):
    return on_state(tiles) / 2

def to_the_last(tiles):
    return sum(t != i + 1 for i, t in enumerate(tiles) if t)

def raises(board):
    return board.nothing

def says_nothing(board):
    return None

def not_a_number(board):
    return float("nan")

def too_many(a, b, c):
    return 0

draws = iter(range(10**9))

def moody(board):
    return 0 if board.tiles[0] == 0 else next(draws) % 997

NUMBER = 7
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "mine.py"
    path.write_text(WRITTEN, encoding="utf-8")
    return str(path)


@pytest.mark.full
@pytest.mark.parametrize("spec", [*REGISTERED, "pdb(4-4)", "max(pdb(3-5), walking_distance)"])
def test_every_registered_heuristic_passes_on_every_state_of_3x3(spec: str) -> None:
    found = audit(read_audited(spec), ["3x3"])
    facts = {"admissible"} if "pdb" in spec else {"admissible", "consistent"}
    assert found.passed and found.claims == facts
    assert found.examined[0].states == 181_440
    assert found.saving is not None and found.saving.longer == 0


def test_linear_conflict_passes_on_the_4x4_states_that_break_its_wrong_variants() -> None:
    found = audit(read_audited("linear_conflict"), ["4x4"], "last")
    assert found.passed and sum(each.states for each in found.examined) > 100_000
    wrong = audit(heuristic_of("zoo:running-maximum"), ["4x4"], "last")  # type: ignore[arg-type]
    assert wrong.failed == ["admissible", "consistent"]
    assert wrong.examined[0].violations["admissible"].distance == 13
    near = state_samples(Goal.blank_last(4, 4))[0]
    assert TRAP.tiles in set(near.states())


HEURISTICS_OF_THE_ZOO = [name for name, each in ZOO.items() if each.estimate]
FAILS = {"running-maximum": ["consistent"], "two-minds": ["consistent"]}
NEED_THREE_IN_A_LINE = ("pairwise-conflicts", "running-maximum")


@pytest.mark.parametrize(
    "name",
    [
        # docs/audit.md has the audit of this one
        pytest.param(name, marks=pytest.mark.full if name == "pairwise-conflicts" else ())
        for name in HEURISTICS_OF_THE_ZOO
    ],
)
def test_every_heuristic_of_the_zoo_is_found_out_on_small_boards(name: str) -> None:
    audited = heuristic_of(f"zoo:{name}")
    assert audited is not None
    found = audit(audited, ["3x3" if name in NEED_THREE_IN_A_LINE else "2x3"])
    assert found.failed == FAILS.get(name, ["admissible", "consistent"])
    check_examples(found)
    if name == "pairwise-conflicts":
        assert found.examined[0].violations["admissible"].states == 7


def check_examples(found: Audit) -> None:
    """What is shown as a counterexample is one, by another breadth-first search."""
    audited = heuristic_of(found.name)
    assert audited is not None
    goal = found.examined[0].goal
    h, known = audited.make(goal), distances(goal)
    over = found.examined[0].violations.get("admissible")
    if over:
        assert h(over.board.tiles) == over.h > known[over.board.tiles] == over.distance
        nearer = [tiles for tiles, depth in known.items() if depth < over.distance]
        assert all(h(tiles) <= known[tiles] for tiles in nearer)
    jump = found.examined[0].violations.get("consistent")
    if jump and jump.neighbour:
        assert abs(h(jump.board.tiles) - h(jump.neighbour.tiles)) > 1
        assert jump.neighbour.tiles in [made for _, made in neighbours(jump.board.tiles, 3)]


@pytest.mark.parametrize("shape", ["2x2", "2x3", "3x2", "2x4"])
def test_a_small_shape_is_examined_as_a_whole(shape: str) -> None:
    found = audit(read_audited("manhattan"), [shape], "snail")
    goal = Goal.named("snail", *read_shape(shape))
    known = distances(goal, 40)
    (each,) = found.examined
    h = build_heuristic("manhattan", goal).estimate
    assert each.states == len(known) == sum(each.errors.values())
    assert each.mean == pytest.approx(sum(map(h, known)) / len(known))
    assert each.mean_distance == pytest.approx(sum(known.values()) / len(known))
    assert each.edges == sum(len(neighbours(tiles, goal.board.columns)) for tiles in known) // 2


@pytest.mark.parametrize(
    "name", ["on_board", "on_state", "on_grid", "with_goal", "made", "half", "to_the_last"]
)
def test_functions_of_all_kinds_are_understood(file: str, name: str) -> None:
    found = audit(read_audited(f"{file}:{name}"), ["3x2"])
    assert found.passed, found.verdict
    assert found.examined[0].goal.name == ("last" if name == "to_the_last" else "first")
    assert found.examined[0].mean > 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises", "failed on b1 23: AttributeError"),
        ("says_nothing", "expected a number"),
        ("not_a_number", "finite number"),
        ("too_many", "3 parameters"),
        ("NUMBER", "expected a function"),
        ("absent", "expected a function of"),
    ],
)
def test_a_function_that_cannot_be_audited_is_an_error(file: str, name: str, words: str) -> None:
    with pytest.raises(TilewiseError, match=words):
        audit(read_audited(f"{file}:{name}"), ["2x2"])


def test_a_heuristic_that_changes_its_mind_is_none(file: str) -> None:
    found = audit(read_audited(f"{file}:moody"), ["2x3"])
    assert not found.steady and not found.passed and "change from call to call" in found.verdict


def test_claims_decide_what_is_a_failure(file: str) -> None:
    two_minds = heuristic_of("zoo:two-minds", "admissible")
    assert two_minds is not None and audit(two_minds, ["2x3"]).passed
    added = audit(read_audited("sum(misplaced, manhattan)"), ["2x3"])
    assert added.passed and added.violation("admissible") and not added.claims
    with pytest.raises(TilewiseError, match="--claims"):
        read_audited("manhattan", claims="fast")


def test_a_random_overestimate_of_one_state_is_found() -> None:
    known = distances(Goal.blank_first(2, 3))
    for seed in range(20):
        victim = random.Random(seed).choice(list(known)[1:])
        table = {tiles: depth + 2 * (tiles == victim) for tiles, depth in known.items()}
        found = audit(from_callable(table.__getitem__, "table", "tiles"), ["2x3"], "first")
        wrong = found.examined[0].violations
        assert wrong["admissible"].board.tiles == victim and wrong["admissible"].states == 1
        assert wrong["admissible"].distance == known[victim]
        assert victim in (wrong["consistent"].board.tiles,)


def test_the_program_gives_a_verdict_and_an_exit_code(tilewise: Run, file: str) -> None:
    right = tilewise("audit", f"{file}:on_state", "--shape", "2x3")
    assert right.returncode == 0, right.stderr
    assert "on_state: admissible and consistent on 360 states of 2x3" in right.stdout
    assert "us a call" in right.stdout and "with Manhattan" in right.stdout
    wrong = tilewise("audit", "zoo:blank-counted", "--shape", "2x3", "--json")
    assert wrong.returncode == 1
    answer = json.loads(wrong.stdout)
    assert answer["passed"] is False and answer["examined"][0]["admissible"]["distance"] == 1


def test_a_heuristic_for_3x3_alone_is_audited_there(tilewise: Run) -> None:
    answer = tilewise("audit", "perfect")
    assert answer.returncode == 0, answer.stderr
    assert "4x4 left out" in answer.stdout and "181,440 states of 3x3" in answer.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("nothing.py:h",),
        ("nothing",),
        ("zoo:nothing",),
        ("zoo:g-forgotten",),
        ("manhattan", "--shape", "5x5"),
        ("manhattan", "--shape", "x"),
        ("perfect", "--shape", "4x4"),
        ("manhattan", "--goal", "middle"),
    ],
)
def test_the_program_refuses_what_makes_no_sense(tilewise: Run, arguments: tuple[str, ...]) -> None:
    answer = tilewise("audit", *arguments)
    assert answer.returncode == 2 and "expected" in answer.stderr
    assert len(answer.stderr.splitlines()) == 1
