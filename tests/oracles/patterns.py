"""Tables of patterns in plain Python: a breadth-first search that shares no code with the
package. States are the cells of the pattern's tiles and the region that the blank is in."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

Cells = tuple[int, ...]
Region = frozenset[int]
NEVER = 255


def near(rows: int, columns: int, cell: int) -> list[int]:
    row, column = divmod(cell, columns)
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [r * columns + c for r, c in around if 0 <= r < rows and 0 <= c < columns]


def room(rows: int, columns: int, taken: Cells, start: int) -> Region:
    """The empty cells that a blank can reach without moving a tile of the pattern."""
    found = {start}
    waiting = [start]
    while waiting:
        for cell in near(rows, columns, waiting.pop()):
            if cell not in taken and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return frozenset(found)


def plain_distances(
    rows: int, columns: int, cells: Cells, blank: int
) -> dict[tuple[Cells, Region], int]:
    """Moves of pattern tiles from each placement, with the blank in each region, to the goal."""
    start = (cells, room(rows, columns, cells, blank))
    distance = {start: 0}
    layer = [start]
    while layer:
        following = []
        for placed, empty in layer:
            for which, cell in enumerate(placed):
                for target in near(rows, columns, cell):
                    if target in empty:
                        after = (*placed[:which], target, *placed[which + 1 :])
                        state = (after, room(rows, columns, after, cell))
                        if state not in distance:
                            distance[state] = distance[placed, empty] + 1
                            following.append(state)
        layer = following
    return distance


def placements(area: int, order: int) -> Iterator[Cells]:
    """Where the tiles 0, 1, ... stand, in the order of the table.

    Sets of cells are sorted by their largest cell, then the next one; on a set, the tiles by
    increasing cell are the permutations in the order of a dictionary.
    """
    for chosen in sorted(combinations(range(area), order), key=lambda cells: cells[::-1]):
        for tiles in permutations(range(order)):
            placed = [0] * order
            for cell, tile in zip(chosen, tiles, strict=True):
                placed[tile] = cell
            yield tuple(placed)


def plain_table(rows: int, columns: int, cells: Cells, blank: int) -> bytes:
    """The table as it must be: the least over the regions that the blank can be in."""
    least: dict[Cells, int] = {}
    for (placed, _), moves in plain_distances(rows, columns, cells, blank).items():
        least[placed] = min(moves, least.get(placed, NEVER))
    return bytes(least.get(placed, NEVER) for placed in placements(rows * columns, len(cells)))
