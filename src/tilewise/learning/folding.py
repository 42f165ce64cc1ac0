"""Half of a square shape's weights: a board and its transposed image have the same value.

The weights of two cells and those of their transposed cells are images of each other, so a file
needs only one of the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Own = NDArray[np.int16]


class _Mirrored(NamedTuple):
    """A pair of cells, as its number among all pairs, and the pair of their transposed cells."""

    pair: int
    image: int
    swapped: bool
    """Whether the image's first cell is that of the pair's second."""


def _mirrored(side: int) -> Iterator[_Mirrored]:
    """One of each two pairs that are images of each other, in order, and those that are their own
    image."""
    cells = side * side

    def number(a: int, b: int) -> int:
        return a * (2 * cells - a - 1) // 2 + b - a - 1

    transposed = [cell % side * side + cell // side for cell in range(cells)]
    for a in range(cells):
        for b in range(a + 1, cells):
            first, second = sorted((transposed[a], transposed[b]))
            pair, image = number(a, b), number(first, second)
            if pair <= image:
                yield _Mirrored(pair, image, swapped=first != transposed[a])


def folded(own: Own, side: int) -> Own | None:
    """The weights of one of each two images, or None if some are not equal."""
    import numpy as np

    blocks = _blocks(own, side)
    kept = []
    for each in _mirrored(side):
        if not np.array_equal(_image(blocks[each.pair], side, each.swapped), blocks[each.image]):
            return None
        kept.append(each.pair)
    return blocks[kept].ravel()


def unfolded(half: Own, side: int) -> Own:
    """All weights of pairs, from those of one of each two images."""
    import numpy as np

    cells = side * side
    own = np.empty(cells * (cells - 1) // 2 * cells * cells, np.int16)
    blocks = _blocks(own, side)
    for each, block in zip(_mirrored(side), _blocks(half, side), strict=True):
        blocks[each.pair] = block
        blocks[each.image] = _image(block, side, each.swapped)
    return own


def folded_size(side: int) -> int:
    """The number of weights that are left."""
    return sum(1 for _ in _mirrored(side)) * side**4


def _blocks(own: Own, side: int) -> Own:
    """The weights as one block for each pair of cells: rows for the first tile's home."""
    return own.reshape(-1, side * side, side * side)


def _image(block: Own, side: int, swapped: bool) -> Own:
    """The weights of the same tiles, transposed, on the transposed cells."""
    cells = side * side
    image = block.reshape(side, side, side, side).transpose(1, 0, 3, 2).reshape(cells, cells)
    return image.T if swapped else image
