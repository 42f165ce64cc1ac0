"""States with their true distances, made without the package: what heuristics are proved on.

A whole shape is addressed by the rank of a permutation, so that no state is looked up; a ball
around a goal is the plain breadth-first search of `tests.oracles.puzzle`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tests.oracles.puzzle import Tiles, distances, neighbours
from tilewise import Goal

Estimate = Callable[[Tiles], int]
Ints = NDArray[np.int64]
Matrix = NDArray[np.uint8]


def goal_of(shape: str, name: str) -> Goal:
    """A named goal of a shape such as 3x4."""
    rows, columns = map(int, shape.split("x"))
    return Goal.named(name, rows, columns)


@dataclass(frozen=True)
class Sample:
    """States of one shape, a row of tiles each, their distances, and the moves between them."""

    goal: Goal
    tiles: Matrix
    distance: Ints
    edges: tuple[Ints, Ints]
    """Places in `tiles`: for each move within the sample, from where and to where."""

    def values(self, estimate: Estimate) -> Ints:
        """The heuristic on every state."""
        made: list[int] = []
        for start in range(0, len(self.tiles), 100_000):
            made += map(estimate, map(tuple, self.tiles[start : start + 100_000].tolist()))
        return np.array(made)

    def overestimated(self, values: Ints) -> list[Tiles]:
        """The states where a heuristic is larger than the distance, or negative."""
        wrong = np.flatnonzero((values > self.distance) | (values < 0))
        return [tuple(tiles) for tiles in self.tiles[wrong].tolist()]

    def broken_edges(self, values: Ints) -> int:
        """The moves along which a heuristic changes by more than the one move costs."""
        here, there = self.edges
        return int((abs(values[here] - values[there]) > 1).sum())


@cache
def whole(shape: str, name: str) -> Sample:
    """All states of a shape from which the goal can be reached."""
    goal = goal_of(shape, name)
    cells, columns = len(goal.board.tiles), goal.board.columns
    every = _unranked(np.arange(math.factorial(cells)), cells)
    here, there = _slides(every, columns)
    distance = np.full(len(every), -1)
    layer = _ranked(np.array([goal.board.tiles], dtype=np.uint8))
    for depth in range(math.factorial(cells)):
        distance[layer] = depth
        reached = np.zeros(len(every), dtype=bool)
        in_layer = distance == depth
        reached[there[in_layer[here]]] = True
        layer = np.flatnonzero(reached & (distance < 0))
        if not len(layer):
            break
    known = distance >= 0
    place = np.cumsum(known) - 1
    within = known[here]
    return Sample(goal, every[known], distance[known], (place[here[within]], place[there[within]]))


@cache
def ball(shape: str, name: str, depth: int) -> Sample:
    """All states within a depth of the goal."""
    goal = goal_of(shape, name)
    found = distances(goal, depth)
    place = {tiles: number for number, tiles in enumerate(found)}
    steps = [
        (place[tiles], place[made])
        for tiles in found
        for _, made in neighbours(tiles, goal.board.columns)
        if made in place
    ]
    here, there = np.array(steps).T
    return Sample(
        goal, np.array(list(found), dtype=np.uint8), np.array([*found.values()]), (here, there)
    )


def _unranked(ranks: Ints, cells: int) -> Matrix:
    """The permutation of each rank, by its digits in the factorial number system."""
    left = [np.full(len(ranks), tile, dtype=np.uint8) for tile in range(cells)]
    rows = np.empty((len(ranks), cells), dtype=np.uint8)
    for cell in range(cells):
        digit, ranks = np.divmod(ranks, math.factorial(cells - 1 - cell))
        rows[:, cell] = np.choose(digit, left)
        left = [
            np.where(digit <= number, left[number + 1], left[number])
            for number in range(len(left) - 1)
        ]
    return rows


def _ranked(rows: Matrix) -> Ints:
    """The rank of each permutation: how many later tiles are smaller, weighted by factorials."""
    cells = rows.shape[1]
    ranks = np.zeros(len(rows), dtype=np.int64)
    for cell in range(cells - 1):
        smaller = (rows[:, cell + 1 :] < rows[:, cell : cell + 1]).sum(axis=1, dtype=np.int64)
        ranks += smaller * math.factorial(cells - 1 - cell)
    return ranks


def _slides(rows: Matrix, columns: int) -> tuple[Ints, Ints]:
    """All moves between permutations that are given by their ranks: from where, to where."""
    cells = rows.shape[1]
    froms, tos = [], []
    for cell in range(cells):
        here = np.flatnonzero(rows[:, cell] == 0)
        row, column = divmod(cell, columns)
        for other in range(cells):
            there_row, there_column = divmod(other, columns)
            if abs(row - there_row) + abs(column - there_column) == 1:
                moved = rows[here].copy()
                moved[:, cell], moved[:, other] = rows[here, other], 0
                froms.append(here)
                tos.append(_ranked(moved))
    return np.concatenate(froms), np.concatenate(tos)
