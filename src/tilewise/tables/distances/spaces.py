"""The whole state space of a small shape: how many boards at each depth, and the hardest ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewise.native import NATIVE
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.shapes import solvable_states
from tilewise.tables.distances.small import MAX_STATES, DistanceTable, distance_table
from tilewise.tables.distances.whole import WholeTable, whole_table

LARGEST = solvable_states(2, 5)
"""The largest space whose table is made in Python while a person waits: 1.8 million states."""


@dataclass(frozen=True)
class Space:
    """All boards that reach a goal: their number at each depth, and those of the last depth."""

    goal: Goal
    levels: tuple[int, ...]
    hardest: tuple[Board, ...]

    @property
    def states(self) -> int:
        return sum(self.levels)

    @property
    def maximum(self) -> int:
        """The depth of the hardest boards."""
        return len(self.levels) - 1

    @property
    def mean(self) -> float:
        """The depth of a board drawn at random."""
        return sum(depth * count for depth, count in enumerate(self.levels)) / self.states

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers and lists only: one JSON object."""
        return {
            "shape": self.goal.board.shape,
            "goal": self.goal.name,
            "states": self.states,
            "mean": self.mean,
            "maximum": self.maximum,
            "levels": list(self.levels),
            "hardest": [str(board) for board in self.hardest],
        }


def space(goal: Goal) -> Space:
    """Explore every board that reaches a goal; shapes of up to 12 cells, such as 3x4 and 2x6.

    >>> space(Goal.blank_first(2, 2)).levels
    (1, 2, 2, 2, 2, 2, 1)
    """
    table = table_of(goal)
    rows, columns = goal.board.rows, goal.board.columns
    levels = tuple(table.levels)
    hardest = tuple(Board.trusted(rows, columns, state) for state in table.states(len(levels) - 1))
    return Space(goal, levels, hardest)


def table_of(goal: Goal) -> DistanceTable | WholeTable:
    """The distance table of a goal, also of 2x5 where there is no native core."""
    states = solvable_states(goal.board.rows, goal.board.columns)
    if not NATIVE and MAX_STATES < states <= LARGEST:
        return distance_table(goal, LARGEST)
    return whole_table(goal)
