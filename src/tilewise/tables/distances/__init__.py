"""Distance tables: the true distance of every state of a small shape.

`distance_table(goal)` is the table of a goal, whatever the size of its shape: up to 3x3 and 2x4
it is made in memory (`small`), up to 12 cells by the native core and kept in the cache (`whole`).
`space(goal)` sums up what such a table says about the shape. `layers` goes through the states
around a goal of any shape.
"""

from __future__ import annotations

from typing import Protocol

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.problem import State
from tilewise.errors import TableError
from tilewise.native import NATIVE
from tilewise.puzzle.board import Goal
from tilewise.puzzle.shapes import solvable_states
from tilewise.tables.distances.sizes import PYTHON_STATES, SMALL_STATES, WHOLE_CELLS
from tilewise.tables.distances.small import small_table
from tilewise.tables.distances.whole import WholeTable, whole_table

__all__ = [
    "PYTHON_STATES",
    "SMALL_STATES",
    "WHOLE_CELLS",
    "DistanceTable",
    "WholeTable",
    "distance_table",
]


class DistanceTable(Protocol):
    """The distances of all states that reach a goal."""

    goal: Goal

    @property
    def table_bytes(self) -> int:
        """The memory of the table, unless it is mapped from a file."""

    @property
    def levels(self) -> list[int]:
        """The number of states at distance 0, 1, 2, ..."""

    def distance(self, state: State) -> int:
        """Moves from a state to the goal; the state must be one that can reach it."""

    def states(self, distance: int, context: BuildContext = DEFAULT_CONTEXT) -> list[State]:
        """The states at one distance, sorted as tuples."""


def distance_table(
    goal: Goal, context: BuildContext = DEFAULT_CONTEXT, *, most_in_python: int = SMALL_STATES
) -> DistanceTable:
    """The table of a goal: from memory, from the cache, or built now in the context.

    Raises TableError for shapes of more than 12 cells. Without the native core, Python makes the
    table of a space of up to `most_in_python` states.
    """
    board = goal.board
    states = solvable_states(board.rows, board.columns)
    if states <= SMALL_STATES:
        return small_table(goal, context=context)
    if not NATIVE and states <= most_in_python:
        return small_table(goal, most_in_python, context)
    if len(board.tiles) > WHOLE_CELLS:
        raise TableError(
            f"expected a shape of at most {WHOLE_CELLS} cells (3x4, 2x6) for a table of all "
            f"distances, got {board.shape}"
        )
    if not NATIVE:
        raise TableError(
            f"expected a shape of up to 3x3 or 2x4 for a table of all distances without the "
            f"native engine, got {board.shape}"
        )
    return whole_table(goal, context)
