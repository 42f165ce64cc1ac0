"""Misplaced tiles."""

from __future__ import annotations

from operator import ne

from tilewise.core.entries import Estimate, Share
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal


def misplaced_shares(goal: Goal, _: Estimate, state: State) -> list[Share]:
    """One for each tile that is not at home."""
    home = goal.board.tiles
    return [
        Share((tile,), 1, "not at home")
        for tile, at in zip(state, home, strict=True)
        if tile and tile != at
    ]


@heuristic(
    "misplaced",
    title="misplaced tiles",
    shares=misplaced_shares,
    admissible=True,
    consistent=True,
    on_boards=False,
    aliases=("h1",),
)
def misplaced(goal: Goal) -> Estimate:
    """Number of tiles, the blank apart, that are not at home."""
    home, blank = goal.board.tiles, goal.board.blank

    def estimate(state: State) -> int:
        different: int = sum(map(ne, state, home))
        return different - (state[blank] != 0)

    return estimate
