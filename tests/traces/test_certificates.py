"""The verifier stands alone, proves what it says, and rejects every changed certificate."""

from __future__ import annotations

import ast
import copy
import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tilewise import Board, Goal, Limits, solve
from tilewise.cli import verify_certificate
from tilewise.cli.verify_certificate import RejectedError, verify
from tilewise.tables.distances import distance_table
from tilewise.traces.certificates import certificate

VERIFIER = Path(verify_certificate.__file__)
FAR = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
MUTATED = 200
Claim = dict[str, Any]


def certified(board: Board | str, **how: Any) -> Claim:
    claim = certificate(solve(board, **how), "tilewise")
    assert claim is not None
    return claim


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> Claim:
    """The certificate of a board that is too far away for the verifier's own search."""
    monkeypatch.setattr(verify_certificate, "CELLS", 160_000)
    return certified(FAR)


def a_letter(claim: Claim, dice: random.Random) -> None:
    place = dice.randrange(len(claim["moves"]))
    letter = dice.choice("UDLR".replace(claim["moves"][place], ""))
    claim["moves"] = claim["moves"][:place] + letter + claim["moves"][place + 1 :]


def a_move_less(claim: Claim, dice: random.Random) -> None:
    claim["moves"] = claim["moves"][:-1]
    claim["cost"] -= 1


def a_detour(claim: Claim, dice: random.Random) -> None:
    """Legal moves to the goal and the right cost, but two too many."""
    first = claim["moves"][0]
    back = {"U": "D", "D": "U", "L": "R", "R": "L"}[first]
    claim["moves"] = first + back + claim["moves"]
    claim["cost"] += 2


def not_a_move(claim: Claim, dice: random.Random) -> None:
    moves = claim["moves"]
    claim["moves"] = dice.choice(
        [moves.lower(), moves + " ", [*moves], None, 7, "", "X" + moves[1:]]
    )


def the_cost(claim: Claim, dice: random.Random) -> None:
    cost = claim["cost"]
    claim["cost"] = dice.choice([cost - 1, cost + 1, cost - 2, float(cost), str(cost), None, True])


def two_tiles_of(field: str) -> Callable[[Claim, random.Random], None]:
    def mutate(claim: Claim, dice: random.Random) -> None:
        one, other = dice.sample(range(9), 2)
        tiles = claim[field]
        tiles[one], tiles[other] = tiles[other], tiles[one]

    return mutate


def a_tile(claim: Claim, dice: random.Random) -> None:
    tiles, place = claim[dice.choice(["board", "goal"])], dice.randrange(9)
    tiles[place] = dice.choice(
        [9, -1, 256, 10**30, float(tiles[place]), str(tiles[place]), None, []]
    )


def other_tiles(claim: Claim, dice: random.Random) -> None:
    field = dice.choice(["board", "goal"])
    tiles = claim[field]
    claim[field] = dice.choice([tiles[:-1], [*tiles, 9], str(tiles), None, [tiles], {}])


def without_a_field(claim: Claim, dice: random.Random) -> None:
    del claim[dice.choice(sorted(claim))]


def another_field(claim: Claim, dice: random.Random) -> None:
    claim[dice.choice(["distance", "Moves", "", "note"])] = 0


def the_shape(claim: Claim, dice: random.Random) -> None:
    claim[dice.choice(["rows", "columns"])] = dice.choice([1, 2, 4, 9, 17, 3.0, "3", None, True])


def a_claim(claim: Claim, dice: random.Random) -> None:
    claims: dict[str, list[Any]] = {
        "optimal": [not claim["optimal"], None, 1, "true"],
        "solvable": [False, None, 1, "true"],
        "proof": ["search", "none", "parity", None, {}, "Exhaustive"],
        "log": [{}, {"expanded": 1}, 0, "", False],
        "version": [0, 2, 1.0, "1", None, True],
        "format": ["tilewise-trace", "", None],
    }
    name = dice.choice(sorted(claims))
    claim[name] = dice.choice(claims[name])


MUTATIONS = [
    a_letter,
    a_move_less,
    a_detour,
    not_a_move,
    the_cost,
    two_tiles_of("board"),
    two_tiles_of("goal"),
    a_tile,
    other_tiles,
    without_a_field,
    another_field,
    the_shape,
    a_claim,
]


def random_claims(count: int, dice: random.Random) -> list[Claim]:
    """Certificates of random boards to random goals, solved by different searches."""
    found: list[Claim] = []
    while len(found) < count:
        board, goal = (Board(3, 3, tuple(dice.sample(range(9), 9))) for _ in range(2))
        if board != goal and Goal(goal).reachable_from(board):
            algorithm = dice.choice(["astar", "idastar", "greedy", "beam"])
            found.append(certified(board, goal=goal, algorithm=algorithm))
    return found


def test_every_one_of_200_changed_certificates_is_rejected() -> None:
    dice = random.Random(85)
    claims = random_claims(20, dice)
    assert {claim["optimal"] for claim in claims} == {True, False}
    for number in range(MUTATED):
        original = claims[number % len(claims)]
        changed = copy.deepcopy(original)
        while json.dumps(changed) == json.dumps(original):
            mutate = dice.choice(MUTATIONS)
            if mutate is not a_detour or original["optimal"]:
                mutate(changed, dice)
        with pytest.raises(RejectedError):
            verify(changed)
    for claim in claims:
        assert "(proved here, with " in verify(claim)


def test_the_verifier_finds_the_true_distance_of_every_small_board_tried() -> None:
    dice = random.Random(4)
    for shape in ((2, 2), (2, 3), (4, 2), (3, 3)):
        goal = Goal.blank_last(*shape)
        table = distance_table(goal)
        for distance in dice.sample(range(len(table.levels)), 4):
            state = dice.choice(list(table.states(distance)))
            found, _ = verify_certificate.shortest(bytes(state), bytes(goal.board.tiles), shape[1])
            assert found == distance


def test_a_longer_solution_is_certified_as_such() -> None:
    claim = certified("8b6 547 231", algorithm="greedy")
    assert claim["optimal"] is False
    assert verify(claim).startswith("45 moves lead to the goal, 31 would be enough (proved here")


def test_no_solution_is_proved_by_parity() -> None:
    claim = certified("1 2 3/4 5 6/8 7 0", goal="last")
    assert verify(claim) == "no moves lead to the goal (proved here, by parity)"
    for change in ({"solvable": True}, {"moves": ""}, {"cost": 0}, {"proof": "exhaustive"}):
        with pytest.raises(RejectedError):
            verify(claim | change)
    with pytest.raises(RejectedError, match="solvable is True, not False"):
        verify(claim | {"solvable": True, "moves": "", "cost": 0, "optimal": True})


def test_a_search_without_an_answer_has_no_certificate() -> None:
    assert certificate(solve("8b6 547 231", algorithm="astar", limits=Limits(generated=9))) is None


@pytest.mark.full
def test_a_larger_board_is_proved_while_the_states_suffice_and_trusted_beyond() -> None:
    near = certified("5 1 2 4/9 6 3 8/13 10 7 12/0 14 11 15", goal="last")
    assert verify(near).startswith("9 moves lead to the goal and no fewer do (proved here")
    with pytest.raises(RejectedError, match="it is not optimal: 9 moves are enough"):
        verify(near | {"moves": "UD" + near["moves"], "cost": 11})
    far = certified("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")
    said = verify(far)
    assert said.startswith("57 moves lead to the goal; at least 41 are needed (proved here); ")
    trusted = "that no fewer than 57 do is trusted, not proved: {'algorithm': 'astar_idastar("
    assert trusted in said
    by_people = certified("1 2 3 4/9 7 5 6/10 0 12 8/13 14 11 15", goal="last", algorithm="human")
    assert (by_people["optimal"], by_people["proof"]) == (None, "none")
    assert "(proved here" in verify(by_people)
    changes: list[Claim] = [{"proof": "none"}, {"log": None}, {"optimal": 1}, {"optimal": None}]
    for change in [*changes, {"proof": "exhaustive"}, {"moves": near["moves"][:-1]}]:
        with pytest.raises(RejectedError):
            verify(near | change)


@pytest.mark.parametrize("place", [0, 1, 23, 56, 57])
def test_a_detour_in_a_solution_that_is_too_long_for_a_proof_is_rejected(
    place: int, far: Claim
) -> None:
    board = Board.parse(FAR).after(far["moves"][:place])
    steps = min(board.legal_moves()), max(board.legal_moves())
    for step in steps:
        longer = far["moves"][:place] + step + step.opposite + far["moves"][place:]
        with pytest.raises(RejectedError, match=r"it is not optimal: .* moves can replace"):
            verify(far | {"moves": longer, "cost": 59})


def test_a_solution_as_people_find_it_cannot_be_passed_off_as_optimal(far: Claim) -> None:
    honest = certified(FAR, algorithm="human")
    moves = honest["moves"]
    assert (honest["optimal"], honest["proof"], honest["log"]) == (None, "none", None)
    with pytest.raises(RejectedError, match=r"it is not optimal: .* moves can replace"):
        verify(far | {"moves": moves, "cost": len(moves)})


def test_the_verifier_imports_nothing_of_tilewise_and_runs_alone(tmp_path: Path) -> None:
    tree = ast.parse(VERIFIER.read_text(encoding="utf-8"))
    names = [a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names]
    names += [str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert set(names) == {"__future__", "contextlib", "json", "os", "pathlib", "sys", "typing"}
    shutil.copy(VERIFIER, tmp_path / "check.py")
    claim = certified("8b6 547 231")
    (tmp_path / "good.json").write_text(json.dumps(claim), encoding="utf-8")
    (tmp_path / "bad.json").write_text(json.dumps(claim | {"cost": 30}), encoding="utf-8")
    (tmp_path / "broken.json").write_bytes(b"\xff{")
    (tmp_path / "deep.json").write_text("[" * 200_000, encoding="utf-8")
    (tmp_path / "large.json").write_text(" " * 1_000_001, encoding="utf-8")

    def run(*files: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, "-I", "check.py", *files],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        return done.returncode, done.stdout + done.stderr

    code, said = run("good.json")
    assert (code, "valid: 31 moves lead to the goal and no fewer do" in said) == (0, True)
    assert run("good.json", "bad.json")[0] == 1
    assert run("bad.json")[1] == "bad.json: REJECTED: cost is 30, not 31\n"
    assert run("large.json")[1] == "large.json: REJECTED: the file has more than 1,000,000 bytes\n"
    for name in ("broken.json", "deep.json", "none.json", "."):
        code, said = run(name)
        assert (code, said.startswith(f"{name}: cannot be read: ")) == (2, True)
    assert run()[0] == 2
