"""Lookup: where the value of a board stands in the table of a pattern."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb, factorial

from tilewise.core.made_heuristic import Heuristic
from tilewise.core.pattern_sum import PatternSum
from tilewise.core.problem import State
from tilewise.tables.patterns.pattern import Pattern

NO_TILE = 255


@dataclass(frozen=True, eq=False)
class Lookup:
    """A table and how a board is turned into its index.

    The table is that of the canonical pattern; the board is turned here, not in the search:
    `cells` maps a cell of the board to a cell of the table, `tiles` a tile to its number in the
    pattern (255 if it is not part of it). `order` is the number of tiles in the pattern.
    """

    table: memoryview
    cells: tuple[int, ...]
    tiles: tuple[int, ...]
    order: int

    def __call__(self, state: State) -> int:
        """Moves that the tiles of the pattern need at least."""
        tiles, order = self.tiles, self.order
        mask = place = seen = number = 0
        for cell, binomials in self._scan:
            tile = tiles[state[cell]]
            if tile != NO_TILE:
                mask += binomials[number]
                smaller_later = tile - (seen & ((1 << tile) - 1)).bit_count()
                place = place * (order - number) + smaller_later
                seen |= 1 << tile
                number += 1
                if number == order:
                    break
        return self.table[mask * self._orders + place]

    @cached_property
    def _scan(self) -> list[tuple[int, list[int]]]:
        """The board's cells by increasing cell of the table, with C(cell, 1), C(cell, 2), ..."""
        by_table_cell = sorted((there, here) for here, there in enumerate(self.cells))
        return [
            (here, [comb(there, number) for number in range(1, self.order + 1)])
            for there, here in by_table_cell
        ]

    @cached_property
    def _orders(self) -> int:
        return factorial(self.order)


def bytes_of(heuristic: Heuristic) -> int:
    """Memory of the tables that a heuristic and its parts look into, each counted once."""
    return sum(_sizes(heuristic).values())


def _sizes(heuristic: Heuristic) -> dict[int, int]:
    """The size of each table by its address."""
    lookups = heuristic.estimate.lookups if isinstance(heuristic.estimate, PatternSum) else []
    sizes = {id(lookup.table): lookup.table.nbytes for lookup in lookups}
    for part in heuristic.parts:
        sizes |= _sizes(part)
    return sizes


def lookup_for(homed: Sequence[int], pattern: Pattern, table: memoryview) -> Lookup:
    """The look-up of a pattern in the table of its canonical form.

    `homed` has the tile that is at home in each cell.
    """
    canonical, symmetry = pattern.canonical()
    number_of = {cell: number for number, cell in enumerate(canonical.cells)}
    tiles = [NO_TILE] * len(homed)
    for cell, tile in enumerate(homed):
        if cell in pattern.cells:
            tiles[tile] = number_of[symmetry.cells[cell]]
    return Lookup(table, symmetry.cells, tuple(tiles), pattern.order)
