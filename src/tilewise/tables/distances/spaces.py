"""The whole state space of a small shape: how many boards at each depth, and the hardest ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.puzzle.board import Board, Goal
from tilewise.tables.distances import PYTHON_STATES, distance_table


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


def space(goal: Goal, context: BuildContext = DEFAULT_CONTEXT) -> Space:
    """Explore every board that reaches a goal; shapes of up to 12 cells, such as 3x4 and 2x6.

    >>> space(Goal.blank_first(2, 2)).levels
    (1, 2, 2, 2, 2, 2, 1)
    """
    table = distance_table(goal, context, most_in_python=PYTHON_STATES)
    rows, columns = goal.board.rows, goal.board.columns
    levels = tuple(table.levels)
    deepest = table.states(len(levels) - 1, context)
    hardest = tuple(Board.trusted(rows, columns, state) for state in deepest)
    return Space(goal, levels, hardest)
