"""Misplaced tiles."""

from __future__ import annotations

from operator import ne

from tilewise.core.entries import Estimate
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal


@heuristic("misplaced", admissible=True, consistent=True, on_boards=False, aliases=("h1",))
def misplaced(goal: Goal) -> Estimate:
    """Number of tiles, the blank apart, that are not at home."""
    home, blank = goal.board.tiles, goal.board.blank

    def estimate(state: State) -> int:
        different: int = sum(map(ne, state, home))
        return different - (state[blank] != 0)

    return estimate
