"""Linear conflict."""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from math import perm
from operator import getitem

from tilewise.core.entries import Estimate, Share, Tabled
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.heuristics.manhattan import distance_shares, distances
from tilewise.puzzle.board import Goal

_REMEMBERED_LINES = 2**16
BYTES_A_LINE = 350
"""Memory of a line that is remembered, with its tiles, about."""


def conflict_shares(goal: Goal, estimate: Estimate, state: State) -> list[Share]:
    """The distance of each tile, and the tiles of each line in conflict."""
    rows, columns = goal.board.rows, goal.board.columns
    home = {tile: divmod(cell, columns) for cell, tile in enumerate(goal.board.tiles) if tile}
    lines = [("row", row, state[row * columns : (row + 1) * columns]) for row in range(rows)]
    lines += [("column", column, state[column::columns]) for column in range(columns)]
    shares = distance_shares(goal, estimate, state)
    for name, number, tiles in lines:
        along, across = (0, 1) if name == "row" else (1, 0)
        here = [tile for tile in tiles if tile and home[tile][along] == number]
        homes = [home[tile][across] for tile in here]
        if extra := leaving(homes):
            why = f"tiles of {name} {number + 1} that must pass each other"
            shares.append(Share(_crossing(here, homes), extra, why))
    return shares


def _crossing(tiles: list[int], homes: list[int]) -> tuple[int, ...]:
    """The tiles of a line that must pass another one of it."""
    places = range(len(tiles))
    return tuple(
        tiles[a] for a in places if any((a < b) != (homes[a] < homes[b]) for b in places if b != a)
    )


@heuristic(
    "linear_conflict",
    admissible=True,
    consistent=True,
    changes_by_one=True,
    on_boards=False,
    shares=conflict_shares,
)
def linear_conflict(goal: Goal) -> Tabled:
    """Manhattan distance plus 2 for each tile that must leave its line (Hansson and others 1992).

    Tiles that stand in their home line in the wrong order cannot pass each other; the fewest
    that must step aside are all but a longest run in the right order.
    """
    distance = distances(goal)
    rows, columns = goal.board.rows, goal.board.columns
    row_of = {tile: cell // columns for cell, tile in enumerate(goal.board.tiles) if tile}
    column_of = {tile: cell % columns for cell, tile in enumerate(goal.board.tiles) if tile}

    @lru_cache(maxsize=_REMEMBERED_LINES)
    def row_conflicts(row: int, tiles: State) -> int:
        return leaving([column_of[tile] for tile in tiles if tile and row_of[tile] == row])

    @lru_cache(maxsize=_REMEMBERED_LINES)
    def column_conflicts(column: int, tiles: State) -> int:
        return leaving([row_of[tile] for tile in tiles if tile and column_of[tile] == column])

    row_cells = [(row, slice(row * columns, (row + 1) * columns)) for row in range(rows)]
    column_cells = [(column, slice(column, None, columns)) for column in range(columns)]

    def estimate(state: State) -> int:
        value = sum(map(getitem, distance, state))
        for row, cells in row_cells:
            value += row_conflicts(row, state[cells])
        for column, cells in column_cells:
            value += column_conflicts(column, state[cells])
        return value

    cells = len(goal.board.tiles)
    lines = [
        min(_REMEMBERED_LINES, count * perm(cells, length))
        for count, length in ((rows, columns), (columns, rows))
    ]
    return Tabled(estimate, BYTES_A_LINE * sum(lines))


def leaving(homes: list[int]) -> int:
    """Twice the number of tiles outside a longest increasing subsequence of their homes."""
    tails: list[int] = []
    for home in homes:
        place = bisect_left(tails, home)
        tails[place : place + 1] = [home]
    return 2 * (len(homes) - len(tails))
