"""Partitions: how the tiles of a goal are shared out among patterns, by name or by a drawing."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from tilewise.errors import TableError, shortened
from tilewise.puzzle.board import Goal
from tilewise.tables.patterns.families import MOST, Partition, family
from tilewise.tables.patterns.pattern import MOST_CELLS, Pattern, beside, region, symmetries

DRAWN = {
    (4, 4, "6-6-3"): ".ACC/AABC/AABB/ABBB",
    (4, 4, "6-3-6"): ".ACC/AACC/AACC/ABBB",
    (4, 4, "7-8"): ".ABB/AABB/AABB/AABB",
    (5, 5, "6-6-6-6"): ".AABB/AAABB/CCABB/CCDDD/CCDDD",
}
"""The usual partitions for a goal with its blank in the first cell (Korf and Felner 2002); for a
blank in another corner they are turned. `6-3-6` has the same sizes as `6-6-3` and fewer nodes: the
fewest of all partitions of 4x4 into connected patterns of 6, 6 and 3 tiles."""
COLLECTIONS = {
    (5, 5, "6-6-6-6"): (
        ".ABBB/AABBB/AAACC/DDDCC/DDDCC",
        ".AABB/AABBB/AABCC/DDDCC/DDDCC",
        ".AABB/AACCB/AACCB/DDDCB/DDDCB",
        ".ABBB/AABBB/ACCDD/ACCDD/ACCDD",
        ".ABBB/AABBB/AAACC/CCCCD/DDDDD",
        ".ABBB/AABBB/ACCCD/ACCCD/ADDDD",
        ".AABB/AABBB/AABCC/CCCCD/DDDDD",
    ),
}
"""Partitions whose largest sum is better than each of them, the most useful first: `6-6-6-6x4` are
the first four, for a goal with its blank in the first cell; for other corners they are turned."""
UNCOVERED = "*"
_BLANKS = ".0_"
_LETTERS = string.ascii_letters[26:] + string.ascii_letters[:26] + "αβγδεζηθικλμ"
"""Names of patterns in drawings, in the order in which they are read."""
_SIZES = re.compile(r"[0-9]{1,2}(-[0-9]{1,2})*")
_COLLECTION = re.compile(r"([0-9]{1,2}(?:-[0-9]{1,2})*)x([0-9]{1,2})")
_DUAL = re.compile(r"([0-9]{1,2}(?:-[0-9]{1,2})*)\+dual")


@lru_cache(maxsize=64)
def patterns_of(goal: Goal, name: str) -> tuple[Pattern, ...]:
    """Make the patterns of a partition for a goal, or of all partitions of a collection.

    Args:
        goal: The goal.
        name: Sizes, as in `6-6-3`, a drawing, as in `.AAB/AABB/...`, a collection, as in
            `6-6-6-6x4`, or sizes with look-ups by cells, as in `6-6-6-6+dual`.

    Raises:
        SpecError: There is no such partition of the shape.

    Example:
        >>> from tilewise.puzzle.board import Goal
        >>> [pattern.order for pattern in patterns_of(Goal.blank_first(4, 4), "7-8")]
        [7, 8]
    """
    shared = partitions_of(goal, name)
    for by_cells in exchanged_partitions_of(goal, name):
        shared += by_cells
    return tuple(dict.fromkeys(pattern for patterns in shared for pattern in patterns))


def partitions_of(goal: Goal, *names: str) -> tuple[tuple[Pattern, ...], ...]:
    """The patterns of each partition that is named; a collection is several of them.

    >>> from tilewise.puzzle.board import Goal
    >>> [len(patterns) for patterns in partitions_of(Goal.blank_first(4, 4), "7-8", "5-5-5")]
    [2, 3]
    """
    board = goal.board
    return tuple(
        tuple(Pattern.of(board.rows, board.columns, part, board.blank) for part in cells)
        for name in names
        for cells in partitions(name, board.rows, board.columns, board.blank)
    )


def exchanged_partitions_of(goal: Goal, name: str) -> list[tuple[tuple[Pattern, ...], ...]]:
    """The partitions that are looked up by cells, for each cell of the blank; or nothing.

    >>> from tilewise.puzzle.board import Goal
    >>> [len(each) for each in exchanged_partitions_of(Goal.blank_first(2, 2), "2-1+dual")]
    [2, 2, 2, 2]
    """
    if _DUAL.fullmatch(name) is None:
        return []
    rows, columns = goal.board.rows, goal.board.columns
    return [
        tuple(
            tuple(Pattern.of(rows, columns, part, blank) for part in cells)
            for cells in partitions(name, rows, columns, blank)
        )
        for blank in range(rows * columns)
    ]


def views_of(
    goal: Goal, partitions: Iterable[tuple[Pattern, ...]], *, mirror: bool = True
) -> list[tuple[Pattern, ...]]:
    """The sums that partitions give: each of them and its mirror images, none of them twice."""
    views: dict[frozenset[Pattern], tuple[Pattern, ...]] = {}
    for patterns in partitions:
        for image in mirrored(goal, patterns) if mirror else [patterns]:
            views.setdefault(frozenset(image), image)
    return list(views.values())


def mirrored(goal: Goal, patterns: tuple[Pattern, ...]) -> Iterator[tuple[Pattern, ...]]:
    """The patterns, and then their images under the symmetries that leave goals like this alone.

    Such a symmetry keeps the shape and the home of the blank. Then a tile with the home c is,
    seen in the mirror, one with the home that c is mirrored to, and takes as many moves.
    """
    board = goal.board
    seen = set()
    for symmetry in symmetries(board.rows, board.columns):
        keeps_shape = (symmetry.rows, symmetry.columns) == (board.rows, board.columns)
        if keeps_shape and symmetry.cells[board.blank] == board.blank:
            images = tuple(pattern.under(symmetry) for pattern in patterns)
            if frozenset(images) not in seen:
                seen.add(frozenset(images))
                yield images


def fits(name: str, goal: Goal) -> bool:
    """Whether a named partition serves a goal: collections want its blank in a corner."""
    board = goal.board
    corners = {symmetry.cells[0] for symmetry in symmetries(board.rows, board.columns)}
    return _COLLECTION.fullmatch(name) is None or board.blank in corners


def partitions(name: str, rows: int, columns: int, blank: int) -> tuple[Partition, ...]:
    """The partitions of a collection such as 6-6-6-6x4, or the one that is called so."""
    dual = _DUAL.fullmatch(name)
    if dual is not None:
        return _for_any_blank(dual[1], rows, columns, blank)
    found = _COLLECTION.fullmatch(name)
    if found is None:
        return (partition(name, rows, columns, blank),)
    sizes, count = found[1], int(found[2])
    drawn = COLLECTIONS.get((rows, columns, sizes))
    if drawn is None:
        known = ", ".join(
            f"{sizes}x2 to {sizes}x{len(drawn)} for {rows}x{columns}"
            for (rows, columns, sizes), drawn in COLLECTIONS.items()
        )
        raise TableError(f"expected a collection among {known}, got {name} for {rows}x{columns}")
    if not 2 <= count <= len(drawn):
        raise TableError(f"expected 2 to {len(drawn)} partitions of {sizes}, got {name}")
    for symmetry in symmetries(rows, columns):
        if symmetry.cells[0] == blank:
            return tuple(
                tuple(map(symmetry.of, _by_drawing(text, rows, columns, 0)))
                for text in drawn[:count]
            )
    raise TableError(f"expected a goal with its blank in a corner for {name}, got cell {blank}")


def first_of(name: str) -> str:
    """The first partition of a collection; any other name is that of one partition already.

    >>> first_of("6-6-6-6x4"), first_of("6-6-6-6+dual"), first_of("7-8")
    ('6-6-6-6', '6-6-6-6', '7-8')
    """
    found = _COLLECTION.fullmatch(name) or _DUAL.fullmatch(name)
    return name if found is None else found[1]


def partition(name: str, rows: int, columns: int, blank: int) -> Partition:
    """The partition called so, such as 6-6-3 or .AAB/AABB/..., for a home of the blank.

    >>> partition("2-1", 2, 2, 0)
    ((1, 3), (2,))
    """
    if rows * columns > MOST_CELLS:
        raise TableError(
            f"expected a shape of at most {MOST_CELLS} cells for pattern databases, "
            f"got {rows}x{columns}"
        )
    if _SIZES.fullmatch(name) and not (len(name) == rows * columns and "0" in name):
        return _by_sizes(name, rows, columns, blank)
    return _by_drawing(name, rows, columns, blank)


def drawing(cells: Partition, rows: int, columns: int) -> str:
    """The partition as it is drawn: rows between slashes, a letter for each pattern.

    >>> drawing(((1, 3), (2,)), 2, 2)
    '.A/BA'
    """
    covered = {cell: number for number, part in enumerate(cells) for cell in part}
    letters = [
        _LETTERS[covered[cell]] if cell in covered else "." for cell in range(rows * columns)
    ]
    return "/".join("".join(letters[row * columns : (row + 1) * columns]) for row in range(rows))


def _by_sizes(name: str, rows: int, columns: int, blank: int) -> Partition:
    sizes = tuple(map(int, name.split("-")))
    if 0 in sizes or sum(sizes) != rows * columns - 1:
        raise TableError(
            f"expected sizes that add up to {rows * columns - 1}, the tiles of {rows}x{columns}, "
            f"got {name} ({sum(sizes)})"
        )
    usual = DRAWN.get((rows, columns, name))
    if usual is not None:
        for symmetry in symmetries(rows, columns):
            if symmetry.cells[0] == blank:
                return tuple(map(symmetry.of, _by_drawing(usual, rows, columns, 0)))
    return _cut(sizes, rows, columns, blank)


def _for_any_blank(name: str, rows: int, columns: int, blank: int) -> tuple[Partition, ...]:
    """The partitions of these sizes for look-ups by cells, which need them for every blank."""
    usual = DRAWN.get((rows, columns, name))
    if usual is not None:
        return family(_by_drawing(usual, rows, columns, 0), rows, columns, blank)
    cells = partition(name, rows, columns, blank)
    images = (
        tuple(symmetry.of(part) for part in cells)
        for symmetry in symmetries(rows, columns)
        if (symmetry.rows, symmetry.columns) == (rows, columns) and symmetry.cells[blank] == blank
    )
    return tuple({frozenset(image): image for image in images}.values())[:MOST]


def _by_drawing(text: str, rows: int, columns: int, blank: int) -> Partition:
    lines = text.split("/")
    letters = "".join(lines)
    if len(lines) == 1 and len(letters) == rows * columns:
        lines = [letters[at : at + columns] for at in range(0, len(letters), columns)]
    if len(lines) != rows or any(len(line) != columns for line in lines):
        raise TableError(
            f"expected sizes such as 6-6-3, or {rows} rows of {columns} letters with / between "
            f"them, got {shortened(text)}"
        )
    strange = next((c for c in letters if not (c.isalnum() or c in _BLANKS + UNCOVERED)), None)
    if strange is not None:
        raise TableError(
            f"expected letters, digits, . for the blank and * for a tile of no pattern, "
            f"got {strange!r} in {shortened(text)}"
        )
    homes = [cell for cell, letter in enumerate(letters) if letter in _BLANKS]
    if homes != [blank]:
        raise TableError(
            f"expected one blank (. or 0 or _), in cell {blank} where the goal has it (cells are "
            f"counted row by row from 0), got {_cells_text(homes)} in {shortened(text)}"
        )
    names = sorted(set(letters) - set(_BLANKS + UNCOVERED))
    if not names:
        raise TableError(f"expected a letter for at least one tile, got {shortened(text)}")
    return tuple(
        tuple(cell for cell, letter in enumerate(letters) if letter == name) for name in names
    )


def _cells_text(cells: list[int]) -> str:
    return ", ".join(map(str, cells)) or "none"


def _cut(sizes: tuple[int, ...], rows: int, columns: int, blank: int) -> Partition:
    """Pieces of these sizes; goals that are turns of each other get turns of the same pieces."""
    turns = [turn for turn in symmetries(rows, columns) if turn.rows <= turn.columns]
    turn = min(turns, key=lambda turn: turn.cells[blank])
    back = {there: here for here, there in enumerate(turn.cells)}
    pieces = cut_snake(sizes, turn.rows, turn.columns, turn.cells[blank])
    return tuple(tuple(sorted(back[cell] for cell in piece)) for piece in pieces)


@lru_cache(maxsize=256)
def cut_snake(sizes: tuple[int, ...], rows: int, columns: int, blank: int) -> Partition:
    """Cut a snake through all cells but the blank's into pieces of these sizes.

    Of several snakes the one with the most compact pieces is taken: connected ones first, then
    those with most neighbours among their own cells, since tiles that get in each other's way
    are what a pattern knows more about than the Manhattan distance does.
    """

    def worth(cells: Partition) -> tuple[int, int]:
        connected = sum(_connected(part, rows, columns) for part in cells)
        inside = sum(
            other in part
            for part in cells
            for cell in part
            for other in beside(rows, columns)[cell]
        )
        return connected, inside

    made = []
    for snake in _snakes(rows, columns):
        path = [cell for cell in snake if cell != blank]
        ends = [sum(sizes[:count]) for count in range(len(sizes) + 1)]
        made.append(tuple(tuple(sorted(path[start:end])) for start, end in pairwise(ends)))
    return max(made, key=worth)


def _connected(part: tuple[int, ...], rows: int, columns: int) -> bool:
    others = set(range(rows * columns)) - set(part)
    return len(region(rows, columns, others, part[0])) == len(part)


def _snakes(rows: int, columns: int) -> Iterator[list[int]]:
    """Paths through all cells: bands of one, two or three rows from side to side, turned."""
    for symmetry in symmetries(rows, columns):
        back = {there: here for here, there in enumerate(symmetry.cells)}
        for height in (1, 2, 3):
            path = []
            for number, top in enumerate(range(0, symmetry.rows, height)):
                band = range(top, min(top + height, symmetry.rows))
                forwards = range(symmetry.columns)
                for step, column in enumerate(forwards if number % 2 == 0 else forwards[::-1]):
                    rows_here = band if step % 2 == 0 else band[::-1]
                    path += [back[row * symmetry.columns + column] for row in rows_here]
            yield path
