"""A line for each row, as in CS 170; also grids drawn with bars and rules, to be pasted back."""

from __future__ import annotations

from tilewise.errors import BoardError
from tilewise.puzzle.formats.flat import has_shape
from tilewise.puzzle.formats.notation import (
    Grid,
    Notation,
    grid_rows,
    reader,
    rectangle,
    spaced,
    split,
    tiles_of,
)

_BOX = frozenset(map(chr, range(0x2500, 0x2580)))  # Unicode's box drawing characters
_BARS = str.maketrans(dict.fromkeys("\u2502\u2503\u2551", "|"))
_RULE = _BOX | frozenset("-+=| \t")


def _recognises(text: str) -> bool:
    """More than one line, or anything drawn; a shape in front makes the lines a flat list."""
    drawn = "|" in text or not _BOX.isdisjoint(text)
    return drawn or ("\n" in text and not has_shape(text))


def _read(text: str) -> Grid:
    lines = [line for line in text.split("\n") if not _RULE.issuperset(line.strip())]
    if not lines:
        raise BoardError("expected rows of tiles, got only rules")
    return rectangle([tiles_of(_words(line), row) for row, line in enumerate(lines, start=1)])


def _words(line: str) -> list[str]:
    """The words of a row; in a drawn row a cell with nothing in it is the blank."""
    line = line.translate(_BARS).strip()
    if "|" not in line:
        return split(line)
    if line.startswith("|") and line.endswith("|"):
        line = line[1:-1]
    return [word for cell in line.split("|") for word in split(cell) or ["0"]]


def _write(rows: int, columns: int, tiles: tuple[int, ...]) -> str:
    return "\n".join(map(spaced, grid_rows(columns, tiles)))


GRID = Notation(
    name="grid",
    aliases=("cs170",),
    goal="last",
    example="1 2 3\n4 0 6\n7 5 8",
    about="a line of numbers for each row, 0 for the blank; also read when drawn with | and ---",
    read=reader("grid", _read),
    write=_write,
    recognises=_recognises,
)
