"""Models of learned values: their files, the goals that they serve, the beam that uses them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

import tilewise as tw
from tilewise import Board, Goal
from tilewise.core.limits import Limits
from tilewise.core.result import Status
from tilewise.errors import TableError, TableWarning
from tilewise.learning import model_file, models
from tilewise.learning.beam import bytes_for, learned_beam
from tilewise.learning.frames import frame_of
from tilewise.learning.training import SLICES, Plan, Trained, train

ROUNDS = [1, *[0] * (SLICES - 2), 1]


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWISE_CACHE", str(tmp_path))


@pytest.fixture(scope="module")
def trained() -> Trained:
    return train(3, 4, Plan(rounds=ROUNDS, seed=3))


def walked(goal: Goal, moves: int, seed: int = 1) -> Board:
    board, draw = goal.board, random.Random(seed)
    for _ in range(moves):
        board = board.move(draw.choice(board.legal_moves()))
    return board


def replayed(board: Board, moves: str) -> Board:
    for move in moves:
        board = board.move(move)
    return board


def every_goal(rows: int, columns: int) -> list[Goal]:
    shuffled = walked(Goal.blank_first(rows, columns), 501)
    named = (Goal.blank_first, Goal.blank_last, Goal.snail)
    return [*(make(rows, columns) for make in named), Goal(shuffled)]


@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (3, 3), (4, 5), (5, 4), (6, 6), (3, 9)])
def test_every_goal_of_a_shape_is_reached(rows: int, columns: int) -> None:
    for goal in every_goal(rows, columns):
        board = walked(goal, 40)
        outcome = learned_beam(board, goal, width=300)
        assert outcome.status is Status.SOLVED
        assert replayed(board, outcome.moves or "") == goal.board


def test_a_board_too_large_for_a_model_takes_the_shared_weights() -> None:
    goal = Goal.blank_last(9, 9)
    board = walked(goal, 20)
    outcome = learned_beam(board, goal, width=100)
    assert replayed(board, outcome.moves or "") == goal.board
    assert models.model_for(goal).source == "shared"


def test_the_value_at_every_goal_is_0_and_transposed_goals_agree() -> None:
    for goal in every_goal(4, 5):
        assert tw.make_heuristic("learned", goal)(goal.board) == 0
    wide, high = Goal.blank_first(4, 6), Goal.blank_first(6, 4)
    board = walked(wide, 200)
    turned = tuple(board.tiles[column * 1 + row * 6] for column in range(6) for row in range(4))
    name = {tile: row + column * 4 for tile in range(24) for row, column in [divmod(tile, 6)]}
    image = Board(6, 4, tuple(name[tile] for tile in turned))
    value = tw.make_heuristic("learned", wide)(board)
    assert tw.make_heuristic("learned", high)(image) == value > 0


def test_a_beam_gives_the_same_answer_on_any_number_of_threads() -> None:
    goal = Goal.blank_first(5, 5)
    board = walked(goal, 300)
    outcomes = [learned_beam(board, goal, width=4200, threads=threads) for threads in (1, 2, 3)]
    assert len({outcome.moves for outcome in outcomes}) == 1
    assert len({outcome.stats.generated for outcome in outcomes}) == 1


def test_limits_stop_a_beam_before_they_are_exceeded() -> None:
    goal = Goal.blank_first(5, 5)
    board = walked(goal, 300)
    for limits in (Limits(generated=5000), Limits(memory=20_000), Limits(seconds=1e-6)):
        outcome = learned_beam(board, goal, width=500, limits=limits)
        assert outcome.status is Status.LIMIT and outcome.moves is None
        assert outcome.stats.generated <= 5000
    shortest = learned_beam(board, goal, width=500)
    most = len(shortest.moves or "") - 1
    assert learned_beam(board, goal, width=500, most_moves=most).status is Status.LIMIT
    assert shortest.stats.peak_memory <= bytes_for(25, 500, most + 1)


def test_a_cancelled_beam_ends() -> None:
    goal = Goal.blank_first(6, 6)
    outcome = learned_beam(walked(goal, 3000), goal, width=200_000, cancelled=lambda: True)
    assert outcome.status is Status.CANCELLED


def test_a_model_read_back_is_the_one_that_was_written(tmp_path: Path, trained: Trained) -> None:
    path = tmp_path / "one.model"
    model_file.write(path, trained.header, trained.weights)
    header, weights = model_file.read(path)
    assert header == trained.header
    for name in ("singles", "own", "shared"):
        assert np.array_equal(getattr(weights, name), getattr(trained.weights, name))
    assert np.any(weights.own) and np.any(weights.shared)


def test_a_model_in_the_cache_is_used_until_it_is_removed(trained: Trained) -> None:
    goal = Goal.blank_last(4, 3)
    path = models.cached_path(3, 4)
    before = models.model_for(goal)
    assert before.source == "shared" and not before.trained
    model_file.write(path, trained.header, trained.weights)
    assert models.model_for(goal).header == trained.header
    path.unlink()
    assert models.model_for(goal).source == "shared"


def damaged(content: bytes, how: str) -> bytes:
    line, _, data = content.partition(b"\n")
    facts = json.loads(line)
    if how == "cut off":
        return content[:-10]
    if how == "changed":
        return content[:-10] + b"0123456789"
    if how == "foreign":
        return b"\x7fELF" + content
    if how == "another version":
        facts["version"] = 999
    if how == "no shape":
        facts["rows"] = "three"
    if how == "another shape":
        facts["columns"] = 5
    return json.dumps(facts).encode() + b"\n" + data


@pytest.mark.parametrize(
    "how", ["cut off", "changed", "foreign", "another version", "no shape", "another shape"]
)
def test_a_damaged_model_is_refused_and_not_used(how: str, trained: Trained) -> None:
    path = models.cached_path(3, 4)
    path.write_bytes(damaged(model_file.packed(trained.header, trained.weights), how))
    with pytest.raises(TableError, match="model file"):
        model_file.read(path)
    with pytest.warns(TableWarning, match="not used"):
        assert models.model_for(Goal.blank_first(3, 4)).source == "shared"


def test_training_is_reproducible_and_goes_on_from_a_model(trained: Trained) -> None:
    again = train(3, 4, Plan(rounds=ROUNDS, seed=3, threads=2))
    assert np.array_equal(again.weights.own, trained.weights.own)
    other = train(3, 4, Plan(rounds=ROUNDS, seed=4))
    assert not np.array_equal(other.weights.own, trained.weights.own)
    longer = train(3, 4, Plan(rounds=ROUNDS, seed=3, begin=trained.weights, begins_with="it"))
    assert longer.header.begins_with == "it"
    assert not np.array_equal(longer.weights.own, trained.weights.own)


def test_training_makes_solutions_shorter() -> None:
    goal = Goal.blank_first(4, 4)
    boards = [walked(goal, 2000, seed) for seed in range(12)]

    def total() -> int:
        return sum(len(learned_beam(board, goal, width=30).moves or "") for board in boards)

    before = total()
    made = train(4, 4, Plan(rounds=[3] * SLICES, threads=2))
    model_file.write(models.cached_path(4, 4), made.header, made.weights)
    assert total() < before


def test_the_shipped_models_are_whole() -> None:
    shipped = [path for source, path in models.files() if source == "package"]
    for path in shipped:
        header, _ = model_file.read(path)
        assert sum(header.rounds) > 0
    assert sum(path.stat().st_size for path in shipped) < 10_000_000


def test_a_frame_names_every_tile_by_its_home() -> None:
    for goal in every_goal(3, 5):
        frame = frame_of(goal)
        assert sorted(frame.home) == sorted(frame.cell) == list(range(15))
        assert frame.home[0] == 0
        if goal.name in ("first", "last"):
            assert frame.solved == bytes(range(15))
