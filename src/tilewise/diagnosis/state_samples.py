"""Samples of the states of one shape, with true distances and the moves between the states."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from tilewise.core.problem import Problem, State
from tilewise.errors import TableError
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.shapes import solvable_states
from tilewise.suites import load
from tilewise.tables.distances import PYTHON_STATES
from tilewise.tables.distances.small import packed_layers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_CELLS = 16
BALL = 100_000
"""On larger shapes: all states up to the first depth at which there are this many."""
WALKS, WALK_LENGTH, SEED = 100, 100, 1


class StateSample:
    """States packed as in a distance table, sorted; a distance of -1 means unknown."""

    def __init__(
        self, goal: Goal, what: str, packed: NDArray[np.uint64], distance: NDArray[np.int64]
    ) -> None:
        import numpy as np

        order = np.argsort(packed)
        self.goal, self.what = goal, what
        self.packed, self.distance = packed[order], distance[order]
        cells = len(goal.board.tiles)
        self._shifts = [4 * (cells - 1 - cell) for cell in range(cells)]

    @property
    def whole(self) -> bool:
        """Whether these are all states that reach the goal."""
        board = self.goal.board
        return len(self) == solvable_states(board.rows, board.columns)

    def __len__(self) -> int:
        return len(self.packed)

    def state(self, place: int) -> State:
        """The state at a place, as a tuple of tiles."""
        packed = int(self.packed[place])
        return tuple([packed >> shift & 15 for shift in self._shifts])

    def board(self, place: int) -> Board:
        """The state at a place, as people see it."""
        return Board.trusted(self.goal.board.rows, self.goal.board.columns, self.state(place))

    def states(self) -> Iterator[State]:
        """All states, in the order of their places."""
        shifts = self._shifts
        for packed in self.packed.tolist():
            yield tuple([packed >> shift & 15 for shift in shifts])

    @cached_property
    def edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The places of all pairs of states that one move to the right or down connects."""
        import numpy as np

        rows, columns = self.goal.board.rows, self.goal.board.columns
        found: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        for cell in range(rows * columns):
            blank = np.uint64(self._shifts[cell])
            here = np.flatnonzero((self.packed >> blank) & np.uint64(15) == 0)
            for other in [cell + 1] * (cell % columns < columns - 1) + [cell + columns] * (
                cell < (rows - 1) * columns
            ):
                tile = np.uint64(self._shifts[other])
                moved = (self.packed[here] >> tile) & np.uint64(15)
                wanted = self.packed[here] + (moved << blank) - (moved << tile)
                there = np.searchsorted(self.packed, wanted)
                there[there == len(self.packed)] = 0
                known = self.packed[there] == wanted
                found.append((here[known], there[known]))
        return (
            np.concatenate([here for here, _ in found]),
            np.concatenate([there for _, there in found]),
        )


def state_samples(goal: Goal) -> list[StateSample]:
    """The samples of a shape: all states, or those near the goal, random walks and a suite."""
    rows, columns = goal.board.rows, goal.board.columns
    if rows * columns > MOST_CELLS:
        raise TableError(
            f"expected a shape of at most {MOST_CELLS} cells, whose states are known, "
            f"got {goal.board.shape}"
        )
    if solvable_states(rows, columns) <= PYTHON_STATES:
        return [_around(goal, "all states", None)]
    found = [_around(goal, "states near the goal", BALL), _walked(goal)]
    if goal == Goal.blank_first(4, 4):
        found.append(_suite(goal))
    return found


def _around(goal: Goal, what: str, enough: int | None) -> StateSample:
    import numpy as np

    layers = packed_layers(goal, enough)
    distance = np.repeat(np.arange(len(layers)), [len(layer) for layer in layers])
    if enough is not None:
        what = f"{what}, up to depth {len(layers) - 1}"
    return StateSample(goal, what, np.concatenate(layers), distance)


def _walked(goal: Goal) -> StateSample:
    """Long random walks from random states, to check consistency far from the goal."""
    draw = random.Random(SEED)
    problem = Problem(goal.board, goal)
    seen: set[State] = set()
    for _ in range(WALKS):
        tiles = list(goal.board.tiles)
        draw.shuffle(tiles)
        if not goal.reachable_from(Board(goal.board.rows, goal.board.columns, tuple(tiles))):
            first, second = [cell for cell, tile in enumerate(tiles) if tile][:2]
            tiles[first], tiles[second] = tiles[second], tiles[first]
        state, last = tuple(tiles), ""
        for _ in range(WALK_LENGTH):
            seen.add(state)
            seen.update(child for _, child in problem.successors(state))
            last, state = draw.choice(problem.successors(state, last))
    return _listed(goal, "states of random walks", dict.fromkeys(seen, -1))


def _suite(goal: Goal) -> StateSample:
    known = {each.board.tiles: each.best for each in load("korf100").instances}
    return _listed(goal, "states of the suite korf100", known)


def _listed(goal: Goal, what: str, known: dict[State, int]) -> StateSample:
    import numpy as np

    shifts = [4 * (len(goal.board.tiles) - 1 - cell) for cell in range(len(goal.board.tiles))]
    packed = [sum(map(int.__lshift__, state, shifts)) for state in known]
    return StateSample(
        goal, what, np.array(packed, dtype=np.uint64), np.array([*known.values()], dtype=np.int64)
    )
