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
    """The distances of all states that reach a goal.

    Example:
        >>> len(distance_table(Goal.blank_first(3, 3)).levels) - 1
        31
    """

    goal: Goal
    """The goal."""

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
    """Take the table of a goal from memory or from the cache, or build it now.

    Args:
        goal: The goal; its shape has at most 12 cells.
        context: How the table may be built.
        most_in_python: Without the native core, the states of the largest space that Python makes
            a table of.

    Raises:
        TableError: The shape is too large.

    Example:
        >>> table = distance_table(Goal.blank_first(2, 3))
        >>> table.levels[:4], table.distance((1, 0, 2, 3, 4, 5))
        ([1, 2, 3, 5], 1)
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
