"""`1 2 3/4 5 6/7 8 0`: rows separated by slashes, as slidysim and csTimer write them."""

from __future__ import annotations

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


def _recognises(text: str) -> bool:
    return "/" in text


def _read(text: str) -> Grid:
    rows = text.split("/")
    return rectangle([tiles_of(split(words), row) for row, words in enumerate(rows, start=1)])


def _write(rows: int, columns: int, tiles: tuple[int, ...]) -> str:
    return "/".join(map(spaced, grid_rows(columns, tiles)))


SLASH = Notation(
    name="slidysim",
    aliases=("cstimer", "slash"),
    goal="last",
    example="1 2 3/4 5 6/7 0 8",
    about="rows of numbers separated by slashes, 0 for the blank",
    read=reader("slidysim", _read),
    write=_write,
    recognises=_recognises,
)
