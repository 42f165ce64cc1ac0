"""Shapes as text, and what is known about the whole state space of a shape."""

from __future__ import annotations

import math
import re

from tilewise.errors import BoardError, GoalError, shortened
from tilewise.puzzle.board import Goal, check_shape

_SHAPE = re.compile(r"([0-9]{1,4})(?:\s*[xX\u00d7*]\s*([0-9]{1,4}))?")

FARTHEST = {
    (2, 2): 6,
    (2, 3): 21,
    (2, 4): 36,
    (2, 5): 55,
    (2, 6): 80,
    (2, 7): 108,
    (2, 8): 140,
    (3, 3): 31,
    (3, 4): 53,
    (3, 5): 84,
    (4, 4): 80,
}
"""The most moves that a board needs to a goal with the blank in a corner, by the shorter and the
longer side (OEIS A151944; Korf 2008, Brüngger and others 1999 for 4x4)."""


def read_shape(text: str) -> tuple[int, int]:
    """Rows and columns; one number is a square.

    >>> read_shape("2x5"), read_shape("4")
    ((2, 5), (4, 4))
    """
    match = _SHAPE.fullmatch(text.strip())
    if match is None:
        raise BoardError(f"expected a shape such as 3x3, 2x5 or 4 (for 4x4), got {shortened(text)}")
    rows, columns = int(match[1]), int(match[2] or match[1])
    check_shape(rows, columns)
    return rows, columns


def goal_of_shape(shape: str, goal: Goal | str) -> Goal:
    """The goal, or that of the name, for a shape as text; no other shape will do."""
    rows, columns = read_shape(shape)
    if isinstance(goal, str):
        return Goal.named("first" if goal == "auto" else goal, rows, columns)
    if (goal.board.rows, goal.board.columns) != (rows, columns):
        raise GoalError(f"expected a {rows}x{columns} goal, got {goal.board.shape}")
    return goal


def solvable_states(rows: int, columns: int) -> int:
    """How many boards of a shape can reach a goal: half of all arrangements."""
    return math.factorial(rows * columns) // 2


def depth_bound(goal: Goal) -> int:
    """A number of moves that no board needs more of.

    The figures are for a blank in a corner. From any other goal the blank walks to the nearest
    corner first, which cannot bring more than those steps.
    """
    rows, columns = goal.board.rows, goal.board.columns
    row, column = divmod(goal.board.blank, columns)
    to_the_corner = min(row, rows - 1 - row) + min(column, columns - 1 - column)
    return _farthest(min(rows, columns), max(rows, columns)) + to_the_corner


def _farthest(short: int, long: int) -> int:
    """The most moves to a blank in the corner, or a bound where they are not known."""
    if (short, long) in FARTHEST:
        return FARTHEST[short, long]
    if short == long == 5:
        return 205  # Karlemo and Östergård 2000
    if short == long:
        return 6 * long**3  # Parberry 1995: 5 n^3 and terms of lower order
    # every tile goes home by at most as many steps as there are cells, and for each step the
    # blank walks over at most all cells
    return (short * long) ** 3
