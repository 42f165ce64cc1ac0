"""The heuristic that knows nothing."""

from __future__ import annotations

from tilewise.core.entries import Estimate
from tilewise.core.registry import heuristic, no_estimate
from tilewise.puzzle.board import Goal


@heuristic("zero", title="no estimate", admissible=True, consistent=True, on_boards=False)
def zero(goal: Goal) -> Estimate:
    """Always 0: turns A* into uniform-cost search."""
    return no_estimate
