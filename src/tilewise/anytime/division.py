"""Boards too large for one beam: the outer lines first, then a core that is solved by itself."""

from __future__ import annotations

from typing import NamedTuple

from tilewise.core.problem import Problem, State
from tilewise.puzzle.board import Board, Goal

CORE = 8
"""Rows and columns of the core."""


class Core(NamedTuple):
    """The part of a board that is left when the outer lines are done: a rectangle."""

    row: int
    column: int
    rows: int
    columns: int

    def cells(self, columns: int) -> list[int]:
        """Its cells on a board with this many columns."""
        return [
            (self.row + i) * columns + self.column + j
            for i in range(self.rows)
            for j in range(self.columns)
        ]


def core_of(problem: Problem) -> Core:
    """The core that holds the goal's blank, in the corner nearest to it."""
    blank_row, blank_column = divmod(problem.goal.index(0), problem.columns)
    rows, columns = min(CORE, problem.rows), min(CORE, problem.columns)
    return Core(
        _first(blank_row, rows, problem.rows),
        _first(blank_column, columns, problem.columns),
        rows,
        columns,
    )


def _first(blank: int, size: int, whole: int) -> int:
    """The first line of a core of this size that holds the blank's line."""
    return 0 if blank < size else whole - size


def problem_of_core(problem: Problem, state: State, core: Core) -> Problem:
    """The puzzle that is left once all tiles outside of the core are home."""
    return problem_within(core, problem.columns, state, problem.goal)


def problem_within(rectangle: Core, columns: int, start: State, end: State) -> Problem:
    """From one state to another one that differs from it in a rectangle only, as its own puzzle.

    The tiles of the rectangle are numbered anew, in the order of their numbers.
    """
    cells = rectangle.cells(columns)
    homes = [end[cell] for cell in cells]
    number = {tile: new for new, tile in enumerate(sorted(homes))}
    shape = rectangle.rows, rectangle.columns
    return Problem(
        Board(*shape, tuple(number[start[cell]] for cell in cells)),
        Goal(Board(*shape, tuple(number[tile] for tile in homes))),
    )
