"""Manhattan distance."""

from __future__ import annotations

from operator import getitem

from tilewise.core.entries import Estimate, Share
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal


def distance_shares(goal: Goal, _: Estimate, state: State) -> list[Share]:
    """The distance of each tile that is not at home."""
    distance = distances(goal)
    return [
        Share((tile,), distance[cell][tile], "away from home")
        for cell, tile in enumerate(state)
        if distance[cell][tile]
    ]


@heuristic(
    "manhattan",
    title="Manhattan distance",
    shares=distance_shares,
    admissible=True,
    consistent=True,
    changes_by_one=True,
    on_boards=False,
    aliases=("h2",),
)
def manhattan(goal: Goal) -> Estimate:
    """Rows plus columns that each tile, the blank apart, is away from home."""
    distance = distances(goal)

    def estimate(state: State) -> int:
        return sum(map(getitem, distance, state))

    return estimate


def distances(goal: Goal) -> list[list[int]]:
    """For each cell: the distance from there to the home of each tile (0 for the blank)."""
    columns = goal.board.columns
    home = {tile: divmod(cell, columns) for cell, tile in enumerate(goal.board.tiles)}
    table = []
    for cell in range(len(goal.board.tiles)):
        row, column = divmod(cell, columns)
        table.append(
            [
                abs(row - home[tile][0]) + abs(column - home[tile][1]) if tile else 0
                for tile in range(len(goal.board.tiles))
            ]
        )
    return table
