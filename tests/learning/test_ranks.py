"""Training by ranks, and values of squares that are learned beside those of pairs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import Run
from tests.oracles.puzzle import walked
from tilewise import Goal
from tilewise.errors import TableError
from tilewise.learning import model_file, models
from tilewise.learning.learned_beam import learned_beam
from tilewise.learning.model_file import Weights
from tilewise.learning.stretching import Shape, stretched
from tilewise.learning.training import SLICES, Trained, TrainingPlan, train


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWISE_CACHE", str(tmp_path))


@pytest.fixture(scope="module")
def before_ranks() -> Trained:
    """A model of 3x5 that knows distances, a little."""
    return train(3, 5, TrainingPlan(rounds=[3] * SLICES, seed=3, threads=2))


def by_ranks(begin: Trained, *, rounds: int, threads: int = 2) -> Trained:
    plan = TrainingPlan(
        rounds=[rounds] * SLICES, threads=threads, begin=begin.weights, begins_with="it", ranks=True
    )
    return train(3, 5, plan)


def test_ranks_are_learned_alike_with_any_number_of_threads(before_ranks: Trained) -> None:
    made = by_ranks(before_ranks, rounds=1)
    again = by_ranks(before_ranks, rounds=1, threads=1)
    assert made.header.ranks and not before_ranks.header.ranks
    assert np.array_equal(made.weights.own, again.weights.own)
    plan = TrainingPlan(
        rounds=made.header.rounds, threads=2, begin=before_ranks.weights, begins_with="it"
    )
    assert not np.array_equal(train(3, 5, plan).weights.own, made.weights.own)


def test_a_beam_by_ranks_loses_fewer_short_solutions(before_ranks: Trained) -> None:
    goal = Goal.blank_first(3, 5)
    boards = [walked(goal, 2000, seed) for seed in range(60)]

    def total(model: Trained) -> int:
        model_file.write(models.cached_path(3, 5), model.header, model.weights)
        return sum(len(learned_beam(board, goal, width=20).moves or "") for board in boards)

    assert total(by_ranks(before_ranks, rounds=1)) < total(before_ranks)


def test_the_header_of_a_model_says_whether_it_learned_ranks(
    before_ranks: Trained, tmp_path: Path
) -> None:
    made = by_ranks(before_ranks, rounds=1)
    path = tmp_path / "a.model"
    model_file.write(path, made.header, made.weights)
    assert model_file.read_header(path) == made.header
    line, _, rest = path.read_bytes().partition(b"\n")
    path.write_bytes(line.replace(b'"ranks": true', b'"ranks": "yes"') + b"\n" + rest)
    with pytest.raises(TableError, match="makes no sense"):
        model_file.read_header(path)


@pytest.fixture(scope="module")
def with_squares(before_ranks: Trained) -> Trained:
    plan = TrainingPlan(
        rounds=[1] * SLICES,
        threads=2,
        begin=before_ranks.weights,
        begins_with="it",
        ranks=True,
        squares=True,
        beams=(600, 60),
    )
    return train(3, 5, plan)


def test_a_model_learns_values_of_squares_and_its_file_keeps_them(
    before_ranks: Trained, with_squares: Trained, tmp_path: Path
) -> None:
    path = tmp_path / "a.model"
    assert len(before_ranks.weights.squares) == 0
    model_file.write(path, with_squares.header, with_squares.weights)
    header, weights = model_file.read(path)
    assert header == with_squares.header and header.squares and header.beams == (600, 60)
    assert np.any(weights.squares) and np.array_equal(weights.squares, with_squares.weights.squares)
    line, _, rest = path.read_bytes().partition(b"\n")
    for text in (b'"has_squares": false', b'"has_squares": 1'):
        path.write_bytes(line.replace(b'"has_squares": true', text) + b"\n" + rest)
        with pytest.raises(TableError, match=r"cannot be read|makes no sense"):
            model_file.read(path)
    path.write_bytes(line.replace(b"[600, 60]", b"[600]") + b"\n" + rest)
    with pytest.raises(TableError, match="makes no sense"):
        model_file.read(path)


def test_squares_count_in_the_value_of_a_board_and_a_slide_changes_them(
    with_squares: Trained,
) -> None:
    goal = Goal.blank_first(3, 5)
    weights = with_squares.weights
    none = replace(weights, squares=weights.squares[:0])
    squares, pairs = (models.native_values(3, 5, each) for each in (weights, none))
    home = bytes(goal.board.tiles)
    assert squares.value(home) == pairs.value(home) == 0
    boards = [bytes(walked(goal, 200, seed).tiles) for seed in range(30)]
    differences = [squares.value(board) - pairs.value(board) for board in boards]
    counted = [_of_squares(weights, board) - _of_squares(weights, home) for board in boards]
    assert differences == counted and any(differences)


def _of_squares(weights: Weights, board: bytes) -> int:
    """The sum over the squares of a 3x5 board, by the definition."""
    total = 0
    for cell in (row * 5 + column for row in range(2) for column in range(4)):
        number = 0
        for place in (cell, cell + 1, cell + 5, cell + 6):
            home = board[place]
            down, right = (
                min(2, max(-2, home // 5 - place // 5)),
                min(2, max(-2, home % 5 - place % 5)),
            )
            number = number * 26 + (25 if home == 0 else (down + 2) * 5 + right + 2)
        total += int(weights.squares[number])
    return total


def test_squares_serve_stretched_shapes_as_they_are(with_squares: Trained) -> None:
    longer = stretched(with_squares.weights, Shape(3, 5), Shape(3, 4))
    assert np.array_equal(longer.squares, with_squares.weights.squares)


def test_the_command_for_a_model_with_squares_makes_it_again(tilewise: Run) -> None:
    made = tilewise(
        *("learn", "train", "3x4", "--ranks", "--squares", "--beams", "300,30", "--rounds", "2")
    )
    assert made.returncode == 0, made.stderr
    first = models.cached_path(3, 4).read_bytes()
    shown = tilewise("learn", "show", "3x4").stdout.splitlines()[-1]
    assert shown.endswith(" --ranks --squares --beams 300,30")
    tilewise("learn", "remove", "3x4")
    again = tilewise(*shown.removeprefix("again: tilewise ").split())
    assert again.returncode == 0, again.stderr
    ours, theirs = (read.partition(b"\n")[2] for read in (first, _cached(3, 4)))
    assert ours == theirs


def _cached(rows: int, columns: int) -> bytes:
    return models.cached_path(rows, columns).read_bytes()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--squares"], "expected --squares beside --ranks, got it alone"),
        (["--beams", "30,3"], "expected --beams beside --ranks, got it alone"),
        (["--ranks", "--beams", "3,30"], "expected two widths up to 1,000,000 for --beams"),
        (["--ranks", "--beams", "30"], "the larger one first, got '30'"),
        (["--ranks", "--beams", "30,x"], "the larger one first, got '30,x'"),
        (["--ranks", "--beams", "2000000,1"], "expected two widths up to 1,000,000 for --beams"),
    ],
)
def test_options_of_ranks_that_make_no_sense_are_refused(
    tilewise: Run, options: list[str], error: str
) -> None:
    done = tilewise("learn", "train", "3x4", "--rounds", "1", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert error in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("begin", ["nothing", "shared"])
def test_ranks_are_learned_from_a_model_that_knows_distances(tilewise: Run, begin: str) -> None:
    done = tilewise("learn", "train", "4x4", "--ranks", "--begin", begin, "--rounds", "1")
    assert done.returncode == 2
    assert "a model that knows distances" in done.stderr
