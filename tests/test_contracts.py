"""The contracts: every registered search with every admissible heuristic, against true distances.

The distances come from a breadth-first search of this file, the moves are replayed by this file.
"""

from __future__ import annotations

import itertools
import random
import sys
import threading
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

import pytest

import tilewise as tw
from tilewise import Board, Goal, Heuristic, Limits, Result, Stats, Status
from tilewise.events import Event, Recorder
from tilewise.limits import CHECK_EVERY, bytes_per_state
from tilewise.patterns.distances import distance_table
from tilewise.registry import ALGORITHMS, HEURISTICS, build_heuristic

Tiles = tuple[int, ...]

STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}
SMALL = [(2, 2), (2, 3), (3, 2)]
ADMISSIBLE = [entry.name for entry in HEURISTICS.values() if entry.admissible and not entry.combines]
ADMISSIBLE.append("max(manhattan, gaschnig, misplaced)")
WEAK = {"zero", "misplaced", "gaschnig"}
OPTIMAL = [
    (entry.name, heuristic)
    for entry in ALGORITHMS.values()
    if entry.optimal
    for heuristic in (ADMISSIBLE if entry.needs_heuristic else [None])
]
WITHOUT_PROOF = [entry.name for entry in ALGORITHMS.values() if not entry.optimal]
TO_THE_END = 10**9


def slide(tiles: Tiles, columns: int, move: str) -> Tiles | None:
    """The tiles after the blank goes one step, None if it would leave the board."""
    row, column = divmod(tiles.index(0), columns)
    down, right = STEPS[move]
    if not (0 <= row + down < len(tiles) // columns and 0 <= column + right < columns):
        return None
    made = list(tiles)
    here, there = row * columns + column, (row + down) * columns + column + right
    made[here], made[there] = made[there], made[here]
    return tuple(made)


def replayed(board: Board, moves: str | None) -> Tiles | None:
    """Where the moves lead, None if one of them is not legal or there are none."""
    tiles: Tiles | None = None if moves is None else board.tiles
    for move in moves or "":
        if tiles is not None:
            tiles = slide(tiles, board.columns, move)
    return tiles


@cache
def distances(goal: Goal) -> dict[Tiles, int]:
    """The distance of every state from which the goal can be reached, nearest first."""
    distance = {goal.board.tiles: 0}
    for tiles in (queue := [goal.board.tiles]):
        for move in STEPS:
            made = slide(tiles, goal.board.columns, move)
            if made is not None and made not in distance:
                distance[made] = distance[tiles] + 1
                queue.append(made)
    return distance


@cache
def by_depth(goal: Goal) -> list[list[Board]]:
    layers: list[list[Board]] = []
    for tiles, depth in distances(goal).items():
        if depth == len(layers):
            layers.append([])
        layers[depth].append(Board(goal.board.rows, goal.board.columns, tiles))
    return layers


def sample(goal: Goal, depth: int, count: int) -> list[Board]:
    """Some boards of one depth, spread evenly over all of them."""
    layer = by_depth(goal)[depth]
    count = min(count, len(layer))
    return [layer[number * len(layer) // count] for number in range(count)]


def small_goals() -> list[Goal]:
    return [make(*shape) for shape in SMALL for make in (Goal.blank_first, Goal.blank_last)]


def made_for(heuristic: str | None, goal: Goal) -> Heuristic | None:
    return None if heuristic is None else build_heuristic(heuristic, goal)


def check_optimal(result: Result, depth: int) -> None:
    assert result.status is Status.SOLVED
    assert result.cost == depth, result.board
    assert replayed(result.board, result.moves) == result.goal.board.tiles
    assert result.optimal


@pytest.mark.parametrize("goal", small_goals(), ids=lambda goal: f"{goal.board.shape}-{goal.name}")
def test_the_distance_table_holds_the_distances_of_a_plain_breadth_first_search(goal: Goal) -> None:
    table = distance_table(goal)
    held = {tiles: depth for depth in range(len(table.levels)) for tiles in table.states(depth)}
    assert held == distances(goal)
    assert all(table.distance(tiles) == depth for tiles, depth in distances(goal).items())


@pytest.mark.parametrize(("algorithm", "heuristic"), OPTIMAL)
def test_an_optimal_search_finds_the_distance_of_every_small_state(
    algorithm: str, heuristic: str | None
) -> None:
    for goal in small_goals():
        h = made_for(heuristic, goal)
        for depth, layer in enumerate(by_depth(goal)):
            for board in layer:
                check_optimal(tw.solve(board, goal=goal, algorithm=algorithm, heuristic=h), depth)


def depths_and_counts(algorithm: str, heuristic: str | None) -> Iterator[tuple[int, int]]:
    """How many boards of each depth of 3x3 a search can be asked for in reasonable time."""
    blind = heuristic is None or heuristic == "zero"
    if ALGORITHMS[algorithm].tree:
        deepest = 14 if heuristic is None or heuristic in WEAK else 24
        yield from ((depth, 3) for depth in range(deepest + 1))
    elif blind and algorithm != "bidirectional":
        yield from ((depth, 2) for depth in range(20))
        yield from ((depth, 1) for depth in (20, 23, 26, 29, 31))
    else:
        yield from ((depth, 4 if depth < 25 else 2) for depth in range(32))


@pytest.mark.parametrize(("algorithm", "heuristic"), OPTIMAL)
def test_an_optimal_search_finds_the_distance_of_8_puzzles_of_every_depth(
    algorithm: str, heuristic: str | None
) -> None:
    goal = Goal.blank_first(3, 3)
    h = made_for(heuristic, goal)
    for depth, count in depths_and_counts(algorithm, heuristic):
        for board in sample(goal, depth, count):
            check_optimal(tw.solve(board, goal=goal, algorithm=algorithm, heuristic=h), depth)


@pytest.mark.parametrize("goal_name", ["last", "snail", "281 b43 765"])
@pytest.mark.parametrize(("algorithm", "heuristic"), OPTIMAL)
def test_an_optimal_search_finds_the_distance_to_other_goals(
    algorithm: str, heuristic: str | None, goal_name: str
) -> None:
    goal = Goal.named(goal_name, 3, 3)
    h = made_for(heuristic, goal)
    to_first = Goal.blank_first(3, 3)
    for depth in (3, 8, 13):
        # distances are those of the goal as a start: turn the board round and rename the tiles
        for board in sample(to_first, depth, 40):
            ends = renamed(board, to_first.board, goal.board)
            if ends is not None:
                check_optimal(tw.solve(ends, goal=goal, algorithm=algorithm, heuristic=h), depth)
