"""A heuristic of your own: a function of the goal that returns a function of a board.

tilewise solve "8b6 547 231" -H lines_off --load examples/own_heuristic.py
"""

from __future__ import annotations

from collections.abc import Callable

import tilewise as tw


@tw.heuristic("lines_off", admissible=True, consistent=True)
def lines_off(goal: tw.Goal) -> Callable[[tw.Board], int]:
    """Tiles that are not in their row, plus tiles that are not in their column."""
    columns = goal.board.columns
    home = {tile: divmod(cell, columns) for cell, tile in enumerate(goal.board.tiles)}

    def estimate(board: tw.Board) -> int:
        off = 0
        for cell, tile in enumerate(board.tiles):
            if tile:
                row, column = divmod(cell, columns)
                off += (row != home[tile][0]) + (column != home[tile][1])
        return off

    return estimate


if __name__ == "__main__":
    for name in ("misplaced", "lines_off", "manhattan"):
        result = tw.solve("8b6 547 231", algorithm="astar", heuristic=name)
        print(f"{name:<10} {result.cost} moves, {result.stats.expanded:,} states expanded")
