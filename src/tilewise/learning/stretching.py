"""Values of a shape from those of another one, by taking lines out of boards or putting some in.

A pair of tiles is two cells and two homes: four rows and four columns. On a board with a row more,
a row that none of the four is in can be taken out, and the pair is one of the smaller board, whose
value it takes. It is the mean over the rows that may go, and those count most that lie in a wide
gap, where their absence changes least: beyond all four rather than between them. A smaller board is
served in the same way by a row that is put in. The first row and the first column always stay: the
goal's blank is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tilewise.core.build_context import never
from tilewise.core.waiting import Cancelled, check_cancelled
from tilewise.learning.model_file import Weights
from tilewise.native import learned_sizes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

WINDOW, CLIP = 4, 2
"""Of the shared weights: how far apart their cells are at most, and how far from home they see."""
BETWEEN = 0.3
"""How much a line between the four counts, beside one beyond them."""
NARROW = 0.05
"""The width that the narrowest gap is taken for."""


class Shape(NamedTuple):
    """Rows and columns of a model."""

    rows: int
    columns: int

    def __str__(self) -> str:
        return f"{self.rows}x{self.columns}"


def stretched(weights: Weights, old: Shape, new: Shape, cancelled: Cancelled = never) -> Weights:
    """The weights of a shape, made of those of another one; pairs have only weights of their own.

    Those of squares do not depend on the shape.
    """
    import numpy as np

    every_pair = _pairs(weights, old)
    alone = weights.singles.reshape(_cells(old), -1).astype(np.float32)
    if max(abs(new.rows - old.rows), abs(new.columns - old.columns)) > 1:
        alone += _moved_to_singles(every_pair)
    pairs, singles = _by_lines(every_pair, old), _by_lines(alone, old)
    for number in (0, 1):
        for lines in _steps(old[number], new[number]):
            pairs = _stretch_lines(pairs, *lines, cancelled)
            singles = _stretch_lines(singles, *lines, cancelled)
        pairs, singles = np.ascontiguousarray(pairs.T), np.ascontiguousarray(singles.T)
    own = _by_cells(pairs, new)[np.triu_indices(_cells(new), 1)]
    nothing = np.zeros(learned_sizes(*new)[2], np.int16)
    return Weights(_whole(_by_cells(singles, new)), _whole(own), nothing, weights.squares)


def _cells(shape: Shape) -> int:
    return shape.rows * shape.columns


def _steps(old: int, new: int) -> list[tuple[int, int]]:
    """From a number of lines to another one, one line at a time."""
    towards = 1 if new > old else -1
    return [(lines, lines + towards) for lines in range(old, new, towards)]


def _pairs(weights: Weights, shape: Shape) -> Floats:
    """The values of all pairs, shared parts included: [cell, other cell, home, other home]."""
    import numpy as np

    cells = _cells(shape)
    own = weights.own.reshape(-1, cells, cells)
    row, column = np.divmod(np.arange(cells), shape.columns)
    side = 2 * CLIP + 1
    offset = np.clip(row - row[:, None], -CLIP, CLIP) * side
    offset += np.clip(column - column[:, None], -CLIP, CLIP) + CLIP * side + CLIP
    offset[:, 0] = side * side  # the blank
    shared = weights.shared.reshape(-1, side * side + 1, side * side + 1)
    pairs = np.zeros((cells, cells, cells, cells), np.float32)
    for number, (a, b) in enumerate(zip(*np.triu_indices(cells, 1), strict=True)):
        down, right = int(row[b] - row[a]), int(column[b] - column[a])
        values = own[number].astype(np.float32)
        if down <= WINDOW and abs(right) <= WINDOW:
            relation = (down - 1) * (2 * WINDOW + 1) + right + 2 * WINDOW if down else right - 1
            values += shared[relation][offset[a][:, None], offset[b]]
        pairs[a, b], pairs[b, a] = values, values.T
    return pairs


def _moved_to_singles(pairs: Floats) -> Floats:
    """Take out of the pairs what depends on one of the two tiles only, which belongs to it alone.

    Left there it counts once for each other cell. Boards of nearly the same size have nearly the
    same number of them; on others it would count too much or too little.
    """
    import numpy as np

    others = pairs.shape[0] - 1
    tiles = np.arange(pairs.shape[0])
    pairs[:, :, tiles, tiles] = 0.0  # no tile is on two cells
    of_first = pairs.sum(axis=3) / others
    of_second = pairs.sum(axis=2) / others
    mean = of_first.mean(axis=2)
    pairs -= of_first[:, :, :, None]
    pairs -= of_second[:, :, None, :]
    pairs += mean[:, :, None, None]
    return np.asarray((of_first - mean[:, :, None]).sum(axis=1), np.float32)


def _by_lines(values: Floats, shape: Shape) -> Floats:
    """All rows in one index and all columns in the other one."""
    places = values.ndim
    order = [*range(0, 2 * places, 2), *range(1, 2 * places, 2)]
    split = values.reshape(tuple(shape) * places).transpose(order)
    return split.reshape(shape.rows**places, shape.columns**places)


def _by_cells(values: Floats, shape: Shape) -> Floats:
    """The other way round."""
    places = 1
    while shape.rows**places < len(values):
        places += 1
    split = values.reshape((shape.rows,) * places + (shape.columns,) * places)
    order = [index for place in range(places) for index in (place, places + place)]
    return split.transpose(order).reshape((_cells(shape),) * places)


def _stretch_lines(values: Floats, old: int, new: int, cancelled: Cancelled) -> Floats:
    """Values by lines of a board with one line more or fewer."""
    import numpy as np

    places = 1
    while old**places < len(values):
        places += 1
    lines = np.indices((new,) * places).reshape(places, -1)
    chosen = [_without(lines, old, number) for number in range(1, new)] if new > old else []
    chosen = chosen or [_with(lines, old, number) for number in range(1, old)]
    total = sum(share for _, share in chosen)
    made = np.zeros((lines.shape[1], values.shape[1]), np.float32)
    for index, share in chosen:
        check_cancelled(cancelled)
        made += values[index] * (share / total).astype(np.float32)[:, None]
    return made


Choice = tuple["NDArray[np.intp]", "NDArray[np.float64]"]
"""For each tuple of lines the place among the old ones, and how much it counts."""


def _without(lines: NDArray[np.intp], old: int, gone: int) -> Choice:
    """One line is taken out, which must be none of the tuple's."""
    import numpy as np

    free = (lines != gone).all(axis=0)
    gap, between = _gap(lines, gone, gone, old + 1)
    share = np.where(free, np.maximum(gap - 1, NARROW) ** 2 * np.where(between, BETWEEN, 1.0), 0.0)
    return np.where(free, _index(lines - (lines > gone), old), 0), share


def _with(lines: NDArray[np.intp], old: int, added: int) -> Choice:
    """One line is put in before another one."""
    import numpy as np

    gap, between = _gap(lines, added - 1, added, old - 1)
    share = np.maximum(gap, NARROW) ** 2 * np.where(between, BETWEEN, 1.0)
    return _index(lines + (lines >= added), old), share


def _gap(
    lines: NDArray[np.intp], first: int, last: int, count: int
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The free lines about a place, and whether the tuple has lines on both sides of it."""
    import numpy as np

    below = np.where(lines <= first, lines, -1).max(axis=0)
    above = np.where(lines >= last, lines, count).min(axis=0)
    return above - below - 1, (above < count) & (below >= 0)


def _index(lines: NDArray[np.intp], count: int) -> NDArray[np.intp]:
    import numpy as np

    index = np.ravel_multi_index(tuple(lines), (count,) * len(lines), mode="clip")
    return np.asarray(index, np.intp)


def _whole(values: Floats) -> NDArray[np.int16]:
    import numpy as np

    return np.clip(np.rint(values), -32000, 32000).astype(np.int16).ravel()
