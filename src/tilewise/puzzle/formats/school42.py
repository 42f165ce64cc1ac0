"""The files of the 42 school: `#` comments, a line with the size, then the rows of a square."""

from __future__ import annotations

import re

from tilewise.errors import BoardError, shortened
from tilewise.puzzle.formats.notation import (
    Grid,
    Notation,
    grid_rows,
    reader,
    spaced,
    split,
    tiles_of,
)

_SIZE = re.compile(r"[1-9][0-9]?")


def _recognises(text: str) -> bool:
    """A comment, or a short number alone on the first line above rows of several words."""
    if "#" in text:
        return True
    first, *rest = text.split("\n")
    return _SIZE.fullmatch(first.strip()) is not None and any(len(split(row)) > 1 for row in rest)


def _read(text: str) -> Grid:
    lines = [line.partition("#")[0].strip() for line in text.split("\n")]
    lines = [line for line in lines if line]
    if not lines:
        raise BoardError("expected a line with the size, then rows, got only comments")
    if not _SIZE.fullmatch(lines[0]):
        raise BoardError(
            "expected the size alone on the first line, as 3 for 3x3, "
            f"got {shortened(lines[0], 30)}"
        )
    size = int(lines[0])
    rows = [tiles_of(split(line), row) for row, line in enumerate(lines[1:], start=1)]
    if len(rows) != size:
        raise BoardError(f"expected {size} rows below the size {size}, got {len(rows)}")
    for number, row in enumerate(rows, start=1):
        if len(row) != size:
            raise BoardError(
                f"expected {size} tiles in each row for the size {size}, "
                f"got {len(row)} in row {number}"
            )
    return size, size, tuple(tile for row in rows for tile in row)


def _write(rows: int, columns: int, tiles: tuple[int, ...]) -> str:
    if rows != columns:
        raise BoardError(f"expected a square board for the notation 42, got {rows}x{columns}")
    return "\n".join([str(rows), *map(spaced, grid_rows(columns, tiles))])


SCHOOL42 = Notation(
    name="42",
    aliases=("snail",),
    goal="snail",
    example="3\n1 2 3\n8 4 0\n7 6 5",
    about="a line with the size, then the rows; # starts a comment; square boards only",
    read=reader("42", _read),
    write=_write,
    recognises=_recognises,
    comment="#",
)
