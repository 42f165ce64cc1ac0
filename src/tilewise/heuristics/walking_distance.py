"""Walking distance."""

from __future__ import annotations

from functools import lru_cache

from tilewise.core.entries import Estimate
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.errors import TableError
from tilewise.puzzle.board import Goal

MAX_TABLE = 1_000_000
LONGEST = {2: 16, 3: 16, 4: 6, 5: 3, 6: 2}
"""For a number of lines: the longest lines whose table has at most MAX_TABLE states."""


@heuristic(
    "walking_distance", admissible=True, consistent=True, changes_by_one=True, on_boards=False
)
def walking_distance(goal: Goal) -> Estimate:
    """Vertical plus horizontal moves if tiles knew only their home line (Takahashi).

    Two tables, made by breadth-first search from the goal: one for rows, one for columns.
    """
    rows, columns, tiles = goal.board.rows, goal.board.columns, goal.board.tiles
    for lines, length in ((rows, columns), (columns, rows)):
        if length > LONGEST.get(lines, 0):
            raise TableError(
                f"expected a walking distance table of at most {MAX_TABLE:,} states, "
                f"got more for {lines} lines of {length}; use linear_conflict"
            )
    blank_row, blank_column = divmod(goal.board.blank, columns)
    vertical = table(rows, columns, blank_row)
    horizontal = table(columns, rows, blank_column)
    row_bit, column_bit = [0] * len(tiles), [0] * len(tiles)
    for cell, tile in enumerate(tiles):
        if tile:  # a line of up to 16 tiles fits in 5 bits for each home line
            row_bit[tile] = 1 << 5 * (cell // columns)
            column_bit[tile] = 1 << 5 * (cell % columns)
    row_cells = [slice(row * columns, (row + 1) * columns) for row in range(rows)]
    column_cells = [slice(column, None, columns) for column in range(columns)]

    def estimate(state: State) -> int:
        by_row = tuple([sum([row_bit[tile] for tile in state[cells]]) for cells in row_cells])
        by_column = tuple(
            [sum([column_bit[tile] for tile in state[cells]]) for cells in column_cells]
        )
        return vertical[by_row] + horizontal[by_column]

    return estimate


@lru_cache(maxsize=8)
def table(lines: int, length: int, blank_line: int) -> dict[tuple[int, ...], int]:
    """The number of moves across lines that each distribution of tiles over lines needs.

    The blank's line is the one with a tile less. A move takes a tile of a neighbouring line
    into it; tiles with the same home are alike.
    """
    start = tuple((length - (line == blank_line)) << 5 * line for line in range(lines))
    distance = {start: 0}
    layer = [(start, blank_line)]
    depth = 0
    while layer:
        depth += 1
        following: list[tuple[tuple[int, ...], int]] = []
        for state, blank in layer:
            for other in (blank - 1, blank + 1):
                if not 0 <= other < lines:
                    continue
                for home in range(lines):
                    if state[other] >> 5 * home & 31:
                        counts = list(state)
                        counts[other] -= 1 << 5 * home
                        counts[blank] += 1 << 5 * home
                        moved = tuple(counts)
                        if moved not in distance:
                            distance[moved] = depth
                            following.append((moved, other))
        layer = following
    return distance
