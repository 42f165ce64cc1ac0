"""Pattern: some tiles of a goal, known by their goal cells; its canonical form and its index."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import comb, factorial

from tilewise.errors import TableError
from tilewise.puzzle.board import Move

MOST_CELLS = 64
"""Tables are made for shapes of up to 8x8."""
MOST_TILES = 10
"""A table of more tiles would have billions of entries."""
UNREACHABLE = 255
"""The value of an arrangement from which the pattern cannot come home."""


@dataclass(frozen=True)
class Symmetry:
    """A turn or mirror image of a rectangle: the shape it makes and where each cell goes."""

    rows: int
    columns: int
    cells: tuple[int, ...]

    def of(self, cells: Iterable[int]) -> tuple[int, ...]:
        """The images of some cells, sorted."""
        return tuple(sorted(self.cells[cell] for cell in cells))


@dataclass(frozen=True)
class Pattern:
    """What a table is made for: a shape, the goal cells of the tiles, and the blank's region.

    Tiles are known by their goal cells, so goals that differ by the labels of the tiles share
    a table. `blank` is the smallest cell of the connected region of empty cells, with the
    pattern at home, that holds the blank of the goal: the blank moves freely there, so only the
    region matters.
    """

    rows: int
    columns: int
    cells: tuple[int, ...]
    blank: int

    @classmethod
    def of(cls, rows: int, columns: int, cells: Iterable[int], blank: int) -> Pattern:
        """The pattern of a goal whose blank has its home in the cell given."""
        chosen = tuple(sorted(set(cells)))
        area = rows * columns
        if area > MOST_CELLS:
            raise TableError(
                f"expected a shape of at most {MOST_CELLS} cells for a pattern, "
                f"got {rows}x{columns}"
            )
        if not 0 <= blank < area:
            raise TableError(f"expected the blank in a cell from 0 to {area - 1}, got {blank}")
        if not chosen or blank in chosen or chosen[0] < 0 or chosen[-1] >= area:
            raise TableError(
                f"expected cells of a pattern among 0 to {area - 1}, without the blank's "
                f"({blank}), got {' '.join(map(str, chosen)) or 'none'}"
            )
        if len(chosen) > MOST_TILES:
            raise TableError(
                f"expected a pattern of at most {MOST_TILES} tiles, got one of {len(chosen)}"
            )
        return cls(rows, columns, chosen, min(region(rows, columns, chosen, blank)))

    @property
    def order(self) -> int:
        """The number of tiles."""
        return len(self.cells)

    @property
    def entries(self) -> int:
        """The number of placements of the tiles on the cells: one byte each in a table."""
        return comb(self.rows * self.columns, self.order) * factorial(self.order)

    @property
    def name(self) -> str:
        """A short text that no other pattern has, fit for a file name."""
        cells = ".".join(map(str, self.cells))
        return f"{self.rows}x{self.columns}-{cells}-b{self.blank}"

    def drawn(self) -> list[str]:
        """The rows as text: # for a cell of the pattern, o for the blank's region, . elsewhere."""
        blank = region(self.rows, self.columns, self.cells, self.blank)
        marks = [
            "#" if cell in self.cells else "o" if cell in blank else "."
            for cell in range(self.rows * self.columns)
        ]
        return [
            "".join(marks[row * self.columns : (row + 1) * self.columns])
            for row in range(self.rows)
        ]

    def under(self, symmetry: Symmetry) -> Pattern:
        """The pattern turned or mirrored."""
        home = region(self.rows, self.columns, self.cells, self.blank)
        return Pattern(
            symmetry.rows, symmetry.columns, symmetry.of(self.cells), symmetry.of(home)[0]
        )

    def canonical(self) -> tuple[Pattern, Symmetry]:
        """The form that all symmetric patterns share, and the symmetry that makes it.

        The region of the blank is turned with the cells. So two patterns share a form only if
        one symmetry maps both onto each other: where the empty cells fall apart, a symmetry
        that takes the blank to another region would make a table that promises too much.
        """
        return _canonical(self)


@lru_cache(maxsize=1024)
def _canonical(pattern: Pattern) -> tuple[Pattern, Symmetry]:
    turned = [
        (pattern.under(symmetry), symmetry)
        for symmetry in symmetries(pattern.rows, pattern.columns)
        if symmetry.rows <= symmetry.columns
    ]
    return min(turned, key=lambda made: (made[0].cells, made[0].blank))


@lru_cache(maxsize=64)
def symmetries(rows: int, columns: int) -> tuple[Symmetry, ...]:
    """The eight turns and mirror images of a rectangle, the identity first."""
    made = []
    for transposed in (False, True):
        for upside_down in (False, True):
            for backwards in (False, True):
                cells = []
                for cell in range(rows * columns):
                    row, column = divmod(cell, columns)
                    row = rows - 1 - row if upside_down else row
                    column = columns - 1 - column if backwards else column
                    cells.append(column * rows + row if transposed else row * columns + column)
                shape = (columns, rows) if transposed else (rows, columns)
                made.append(Symmetry(*shape, tuple(cells)))
    return tuple(made)


@lru_cache(maxsize=64)
def beside(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
    """For each cell: its neighbours, in the order U D L R."""
    return tuple(
        tuple(
            (row + down) * columns + column + right
            for down, right in (move.step for move in Move)
            if 0 <= row + down < rows and 0 <= column + right < columns
        )
        for row in range(rows)
        for column in range(columns)
    )


def region(rows: int, columns: int, occupied: Iterable[int], cell: int) -> set[int]:
    """The cells that a blank can walk to without moving a tile of the occupied cells."""
    walls = set(occupied)
    found, queue = {cell}, [cell]
    for here in queue:
        for following in beside(rows, columns)[here]:
            if following not in walls and following not in found:
                found.add(following)
                queue.append(following)
    return found


def rank(standing: Iterable[tuple[int, int]], order: int) -> int:
    """The place in the table of tiles on cells: pairs (cell, tile) by increasing cell.

    The set of cells is ranked colexicographically, the order of the tiles by its Lehmer code.
    """
    mask = place = seen = 0
    for number, (cell, tile) in enumerate(standing, start=1):
        mask += comb(cell, number)
        smaller_later = tile - (seen & ((1 << tile) - 1)).bit_count()
        place = place * (order - number + 1) + smaller_later
        seen |= 1 << tile
    return mask * factorial(order) + place
