"""Families: one partition made to fit every cell of the blank, for look-ups by cells."""

from __future__ import annotations

from functools import lru_cache

from tilewise.tables.patterns.pattern import symmetries

Partition = tuple[tuple[int, ...], ...]
"""For each pattern: the goal cells of its tiles, sorted."""
MOST = 4
"""Partitions for one cell of the blank, as in cpp/include/tilewise/patterns/cell_patterns.hpp."""


@lru_cache(maxsize=256)
def family(usual: Partition, rows: int, columns: int, blank: int) -> tuple[Partition, ...]:
    """The partitions for a blank that follow from one with the blank in the first cell.

    The first pattern and the first cell make a region, in which the blank changes places with a
    tile; the other patterns stay. The board is turned and mirrored so that the blank comes into
    the region. So all of them need few tables, and a move of the blank leaves most patterns alone:
    within a region it changes one of them. Turns come first, mirror images then.

    >>> family(((1, 3), (2,)), 2, 2, 1)
    (((0, 3), (2,)), ((2, 3), (0,)), ((0, 2), (3,)))
    """
    first, *others = usual
    region = {0, *first}
    made: dict[frozenset[tuple[int, ...]], Partition] = {}
    numbered = enumerate(symmetries(rows, columns))
    # each bit of the number is a reflection, and two of them make a turn
    for _, symmetry in sorted(numbered, key=lambda each: each[0].bit_count() % 2):
        if (symmetry.rows, symmetry.columns) != (rows, columns):
            continue
        if symmetry.cells[blank] not in region:
            continue
        back = {there: here for here, there in enumerate(symmetry.cells)}
        patterns = (region - {symmetry.cells[blank]}, *others)
        image = tuple(tuple(sorted(back[cell] for cell in each)) for each in patterns)
        made.setdefault(frozenset(image), image)
    return tuple(made.values())[:MOST]
