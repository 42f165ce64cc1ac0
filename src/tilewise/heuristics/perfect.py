"""The true distance."""

from __future__ import annotations

from tilewise.core.registry import Estimate, heuristic
from tilewise.puzzle.board import Goal
from tilewise.tables.distances.whole import whole_table


@heuristic("perfect", admissible=True, consistent=True, changes_by_one=True, on_boards=False)
def perfect(goal: Goal) -> Estimate:
    """The true distance, from a table of all states (up to 12 cells: 3x4, 2x6).

    Only states that can reach the goal have a distance.
    """
    return whole_table(goal).distance
