"""Gaschnig's heuristic."""

from __future__ import annotations

from tilewise.core.entries import Estimate
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal


@heuristic(
    "gaschnig",
    title="Gaschnig's heuristic",
    admissible=True,
    consistent=True,
    changes_by_one=True,
    on_boards=False,
)
def gaschnig(goal: Goal) -> Estimate:
    """Moves needed if any tile could jump into the blank (Gaschnig 1979).

    A cycle of k tiles with the blank in it takes k - 1 jumps, one without it k + 1.
    """
    cell_of = [0] * len(goal.board.tiles)
    for cell, tile in enumerate(goal.board.tiles):
        cell_of[tile] = cell

    def estimate(state: State) -> int:
        jumps = 0
        seen = [False] * len(state)
        for start in range(len(state)):
            tile, length = start, 0
            while not seen[tile]:
                seen[tile] = True
                length += 1
                tile = state[cell_of[tile]]
            if length > 1:
                jumps += length - 1 if start == 0 else length + 1
        return jumps

    return estimate
