"""PatternSum: the estimate of a heuristic that looks its values up in pattern databases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from tilewise.core.problem import State


class PatternLookup(Protocol):
    """A pattern's table, and how a board is turned into the index of its entry.

    `cells` maps a cell of the board to a cell of the table, `tiles` a tile to its number in the
    pattern, or to 255 if it is not part of it.
    """

    @property
    def table(self) -> memoryview: ...

    @property
    def cells(self) -> tuple[int, ...]: ...

    @property
    def tiles(self) -> tuple[int, ...]: ...

    def __call__(self, state: State) -> int: ...


View = tuple[PatternLookup, ...]
"""The look-ups of one sum."""


@dataclass(frozen=True, eq=False)
class PatternSum:
    """The largest sum of table entries over the views of a board.

    Each view, the board as it is or in a mirror, has one look-up for each pattern of the
    partition, and their entries add up.

    With `by_cells`, the board is also looked up the other way round: not on which cells the tiles
    of a pattern are, but which tiles are on its cells (Felner, Zahavi, Schaeffer and Holte 2005).
    A path to the goal, read backwards, leads from the goal to the board. With each tile
    renamed by the cell that it has now, it solves the exchanged board, and the blank of its goal
    is on the cell that the blank has now. So there are views for each cell of the blank.
    """

    views: tuple[View, ...]
    homes: tuple[int, ...] = ()
    """The home of each tile, for `by_cells`."""
    by_cells: tuple[tuple[View, ...], ...] = ()
    """For each cell of the blank, views of the exchanged board."""

    def __call__(self, state: State) -> int:
        """A lower bound of the moves to the goal."""
        most = max([sum([lookup(state) for lookup in view]) for view in self.views])
        if not self.by_cells:
            return most
        exchanged = self.exchanged(state)
        views = self.by_cells[state.index(0)]
        return max(most, *[sum([lookup(exchanged) for lookup in view]) for view in views])

    def exchanged(self, state: State) -> State:
        """For the home of each tile: the cell that it is on."""
        cells = [0] * len(state)
        for cell, tile in enumerate(state):
            cells[self.homes[tile]] = cell
        return tuple(cells)

    @property
    def lookups(self) -> list[PatternLookup]:
        """All of them, those of `by_cells` last."""
        views = (*self.views, *(view for views in self.by_cells for view in views))
        return [lookup for view in views for lookup in view]
