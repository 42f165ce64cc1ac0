"""The distances of all states of a small shape, made in memory by breadth-first search."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.memo import Memo
from tilewise.core.problem import State
from tilewise.errors import TableError
from tilewise.puzzle.board import Goal, Move
from tilewise.puzzle.shapes import solvable_states
from tilewise.tables.distances.sizes import SMALL_STATES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_PACKED = 16
"""Cells whose tiles fit in 64 bits."""
BYTES_A_STATE = 130
"""Memory of a state: 8 bytes in its layer, the rest in a dictionary of distances, about."""


class SmallTable:
    """All states that reach a goal, layer by layer.

    A state is packed into 64 bits, four for each cell, the first cell highest, so that packed
    states are sorted as their tuples are.
    """

    def __init__(self, goal: Goal, layers: list[NDArray[np.uint64]]) -> None:
        self.goal = goal
        self.packed_layers = layers
        self._shifts = _shifts(len(goal.board.tiles))

    @property
    def table_bytes(self) -> int:
        """The memory of the layers and of the distances by state, about."""
        return BYTES_A_STATE * sum(map(len, self.packed_layers))

    @property
    def levels(self) -> list[int]:
        """The number of states at distance 0, 1, 2, ..."""
        return [len(layer) for layer in self.packed_layers]

    def distance(self, state: State) -> int:
        """Moves from a state to the goal; the state must be one that can reach it."""
        try:
            return self._distance_of[sum(map(int.__lshift__, state, self._shifts))]
        except KeyError:
            board = self.goal.board
            raise TableError(f"expected a state that reaches {board}, got {state}") from None

    def states(self, distance: int, context: BuildContext = DEFAULT_CONTEXT) -> list[State]:
        """The states at one distance, sorted as tuples; they need no building."""
        import numpy as np

        shifts = np.array(self._shifts, np.uint64)
        tiles = self.packed_layers[distance][:, None] >> shifts & np.uint64(15)
        return list(map(tuple, tiles.tolist()))

    @cached_property
    def _distance_of(self) -> dict[int, int]:
        return {
            packed: distance
            for distance, layer in enumerate(self.packed_layers)
            for packed in layer.tolist()
        }


_made: Memo[Goal, SmallTable] = Memo(4, lambda table: table.table_bytes)


def small_table(
    goal: Goal, max_states: int = SMALL_STATES, context: BuildContext = DEFAULT_CONTEXT
) -> SmallTable:
    """The table of a goal; refuses shapes with more states than it may hold."""
    states = solvable_states(goal.board.rows, goal.board.columns)
    if len(goal.board.tiles) > MOST_PACKED or states > max_states:
        raise TableError(
            f"expected a shape of at most {max_states:,} states for a distance table (up to "
            f"3x3 and 2x4), got {goal.board.shape}"
        )
    return _made.get(
        goal, lambda: SmallTable(goal, packed_layers(goal, context=context)), context.cancelled
    )


def packed_layers(
    goal: Goal, enough: int | None = None, context: BuildContext = DEFAULT_CONTEXT
) -> list[NDArray[np.uint64]]:
    """All states by their distance, packed and sorted; with `enough` only until there are as many.

    Breadth-first: neighbours of a layer are in the layer before it or in the next one.
    """
    import numpy as np

    rows, columns = goal.board.rows, goal.board.columns
    shifts = _shifts(rows * columns)
    packed_goal = sum(tile << shift for tile, shift in zip(goal.board.tiles, shifts, strict=True))
    before = np.empty(0, dtype=np.uint64)
    layer = np.array([packed_goal], dtype=np.uint64)
    layers = []
    while len(layer):
        context.check()
        layers.append(layer)
        if enough is not None and sum(map(len, layers)) >= enough:
            break
        made = []
        for cell, target in _steps(rows, columns):
            blank, tile = np.uint64(shifts[cell]), np.uint64(shifts[target])
            here = layer[(layer >> blank) & np.uint64(15) == 0]
            moved = (here >> tile) & np.uint64(15)
            made.append(here + (moved << blank) - (moved << tile))
        following = np.setdiff1d(np.concatenate(made), before)
        before, layer = layer, following
    return layers


def _steps(rows: int, columns: int) -> list[tuple[int, int]]:
    """All pairs of a blank cell and a neighbour that it can move to."""
    steps = []
    for row in range(rows):
        for column in range(columns):
            for move in Move:
                down, right = move.step
                if 0 <= row + down < rows and 0 <= column + right < columns:
                    steps.append((row * columns + column, (row + down) * columns + column + right))
    return steps


def _shifts(cells: int) -> list[int]:
    return [4 * (cells - 1 - cell) for cell in range(cells)]
