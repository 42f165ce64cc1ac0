"""Walking distance."""

from __future__ import annotations

from operator import getitem

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.entries import Tabled
from tilewise.core.memo import Memo
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.errors import TableError
from tilewise.puzzle.board import Goal

MAX_TABLE = 1_000_000
LONGEST = {2: 16, 3: 16, 4: 6, 5: 3, 6: 2}
"""For a number of lines: the longest lines whose table has at most MAX_TABLE states."""
BITS = 5
"""A line of up to 16 tiles fits in this number of bits for each home line."""
CHECK_EVERY = 1024
"""States after which the building looks whether it must end."""
BYTES_A_STATE = 130
"""Memory of a dictionary of whole numbers, for each of them, about."""

Table = dict[int, int]
"""A distance for each distribution of tiles over lines.

The key adds up, for each tile, what `share` says of its line and its home line.
"""


@heuristic(
    "walking_distance",
    admissible=True,
    consistent=True,
    changes_by_one=True,
    on_boards=False,
    builds_tables=True,
)
def walking_distance(goal: Goal, *, context: BuildContext = DEFAULT_CONTEXT) -> Tabled:
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
    vertical = table(rows, columns, blank_row, context)
    horizontal = table(columns, rows, blank_column, context)
    home = {tile: divmod(cell, columns) for cell, tile in enumerate(tiles)}
    by_row, by_column = (
        [
            [
                share(lines, divmod(cell, columns)[which], home[tile][which]) if tile else 0
                for tile in range(len(tiles))
            ]
            for cell in range(len(tiles))
        ]
        for which, lines in enumerate((rows, columns))
    )

    def estimate(state: State) -> int:
        row_key = sum(map(getitem, by_row, state))
        column_key = sum(map(getitem, by_column, state))
        return vertical[row_key] + horizontal[column_key]

    return Tabled(estimate, BYTES_A_STATE * (len(vertical) + len(horizontal)))


_tables: Memo[tuple[int, int, int], Table] = Memo(8, lambda made: BYTES_A_STATE * len(made))


def table(
    lines: int, length: int, blank_line: int, context: BuildContext = DEFAULT_CONTEXT
) -> Table:
    """The number of moves across lines that each distribution of tiles over lines needs."""
    key = (lines, length, blank_line)
    return _tables.get(key, lambda: _built(*key, context), context.cancelled)


def share(lines: int, line: int, home: int) -> int:
    """What a tile on a line adds to the key of a table."""
    return 1 << BITS * (line * lines + home)


def _built(lines: int, length: int, blank_line: int, context: BuildContext) -> Table:
    """Breadth-first from the goal.

    The blank's line is the one with a tile less. A move takes a tile of a neighbouring line
    into it; tiles with the same home are alike.
    """
    start = sum((length - (line == blank_line)) * share(lines, line, line) for line in range(lines))
    most = (1 << BITS) - 1
    steps = [
        [
            (
                other,
                BITS * (other * lines + home),
                share(lines, blank, home) - share(lines, other, home),
            )
            for other in (blank - 1, blank + 1)
            if 0 <= other < lines
            for home in range(lines)
        ]
        for blank in range(lines)
    ]
    distance = {start: 0}
    layer = [(start, blank_line)]
    depth = 0
    while layer:
        depth += 1
        following: list[tuple[int, int]] = []
        for done, (state, blank) in enumerate(layer):
            if done % CHECK_EVERY == 0:
                context.check()
            for other, shift, change in steps[blank]:
                if state >> shift & most:  # a tile of that home stands there
                    moved = state + change
                    if moved not in distance:
                        distance[moved] = depth
                        following.append((moved, other))
        layer = following
    return distance
