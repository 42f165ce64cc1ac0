"""Models of other shapes, made by taking lines out of boards or putting some in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.oracles.puzzle import replayed, shuffled
from tilewise import Goal, Problem
from tilewise.learning import model_file, models, training
from tilewise.learning.learned_beam import Beam, learned_beam, way_towards
from tilewise.learning.model_file import Weights
from tilewise.learning.stretching import Shape, stretched
from tilewise.native import LearnedValues, learned_sizes

FIVE = Shape(5, 5)


def values(weights: Weights, shape: Shape) -> LearnedValues:
    return models.native_values(*shape, weights)


def drawn_weights(shape: Shape) -> Weights:
    drawn = np.random.default_rng(1)
    return Weights(
        *(drawn.integers(-200, 200, count).astype(np.int16) for count in learned_sizes(*shape))
    )


def test_a_model_stretched_to_its_own_shape_has_the_same_values() -> None:
    weights = drawn_weights(FIVE)
    same = values(stretched(weights, FIVE, FIVE), FIVE)
    for seed in range(5):
        homes = bytes(shuffled(Goal.blank_first(5, 5), seed).tiles)
        assert same.value(homes) == values(weights, FIVE).value(homes)


@pytest.mark.parametrize("shape", [Shape(5, 6), Shape(4, 5), Shape(3, 7), Shape(6, 6)])
def test_weights_that_depend_on_nothing_but_order_keep_it(shape: Shape) -> None:
    """One number for each reversed pair in a line, which taking lines out does not change."""
    weights = drawn_weights(FIVE)
    for part in (weights.singles, weights.own, weights.shared):
        part[:] = 0
    longer = stretched(weights, FIVE, shape)
    assert not np.any(longer.own) and not np.any(longer.singles)
    assert len(longer.own) == learned_sizes(*shape)[1]


@pytest.mark.parametrize(("rows", "columns"), [(4, 5), (5, 7), (3, 6), (9, 10)])
def test_shapes_without_a_model_are_served_by_a_stretched_one(rows: int, columns: int) -> None:
    goal = Goal.blank_last(rows, columns)
    board = shuffled(goal, 2)
    assert models.model_for(goal).source == "stretched"
    way, stats = way_towards(board, goal, Beam(100))
    state = Problem(board, goal).replay(way)
    home = sum(tile == other for tile, other in zip(state, goal.board.tiles, strict=True))
    assert home > 0.5 * rows * columns and stats.generated > 0


def test_6x6_needs_no_training_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model of 5x5, stretched, solves boards of 6x6 nearly as well as that of 6x6."""
    goal = Goal.blank_first(6, 6)
    boards = [shuffled(goal, seed) for seed in range(4)]

    def total() -> int:
        found = [learned_beam(board, goal, width=100) for board in boards]
        for board, outcome in zip(boards, found, strict=True):
            assert replayed(board, outcome.moves) == goal.board.tiles
        return sum(len(outcome.moves or "") for outcome in found)

    trained = total()
    weights = stretched(models.weights_at_hand(FIVE), FIVE, Shape(6, 6))
    monkeypatch.setenv("TILEWISE_CACHE", str(tmp_path))
    header = model_file.read_header(models.shipped_path(6, 6))
    model_file.write(models.cached_path(6, 6), header, weights)
    assert total() < 1.15 * trained


def test_a_training_begins_with_the_nearest_shape_or_the_one_that_is_named() -> None:
    assert training.beginning(5, 6)[1] == "5x5" and training.beginning(7, 8, "6x6")[1] == "6x6"
    assert training.beginning(5, 6, "nothing") == (None, "nothing")
    weights, name = training.beginning(5, 6, "5x5")
    assert weights is not None and name == "5x5"
    assert len(weights.own) == learned_sizes(5, 6)[1] and np.any(weights.own)
