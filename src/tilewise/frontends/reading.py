"""Boards from files: one a line, or drawn over several lines, or a column of a CSV file."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tilewise import formats
from tilewise.board import MAX_SIDE
from tilewise.errors import BoardError, TilewiseError

CSV_COLUMNS = ("board", "tiles", "state")
LONGEST_DRAWING = 3 * MAX_SIDE
"""A drawn board has at most this many lines, rules and comments included."""


class Entry(NamedTuple):
    """A text that should be a board, and where it stands."""

    place: str
    text: str


@contextmanager
def lines_of(path: str) -> Iterator[Iterator[str]]:
    """The lines of a text file, or of standard input for `-`; errors name the file."""
    if path == "-":
        yield _decoded(path, sys.stdin.buffer)
        return
    try:
        with Path(path).open("rb") as stream:
            yield _decoded(path, stream)
    except IsADirectoryError:
        raise BoardError(f"expected a file, got a folder: {path!r}") from None
    except OSError as error:
        raise BoardError(f"expected a readable file: {error.strerror}: {path!r}") from None


def entries(path: str, lines: Iterable[str]) -> Iterator[Entry]:
    """The boards of a file, in order, as texts; `#` starts a comment line.

    Blank lines part blocks. If the first line of a block is a board by itself, every line of
    the block is one; else the block is one drawn board. A CSV file has a column for the board.
    """
    numbered = (
        (number, text)
        for number, text in enumerate(map(str.strip, lines), start=1)
        if not text.startswith("#")
    )
    line = next(numbered, None)
    if line is not None and set(_fields(line[1])) & set(CSV_COLUMNS):
        yield from _from_csv(path, _fields(line[1]), numbered)
        return
    while line is not None:
        number, text = line
        line = next(numbered, None)
        if not text:
            continue
        following = line[1] if line else ""
        one_a_line = _is_board(text) and not _continues(text, following)
        block = [text]
        while line is not None and line[1]:
            if one_a_line:
                yield Entry(f"{path}:{number}", text)
                number, text = line
            elif len(block) > LONGEST_DRAWING:
                raise BoardError(f"expected a board, got too many lines at {path}:{line[0]}")
            else:
                block.append(line[1])
            line = next(numbered, None)
        yield Entry(f"{path}:{number}", text if one_a_line else "\n".join(block))


def _from_csv(
    path: str, columns: list[str], numbered: Iterable[tuple[int, str]]
) -> Iterator[Entry]:
    column = columns.index(next(name for name in CSV_COLUMNS if name in columns))
    for number, text in numbered:
        row = next(csv.reader([text]), [])
        if len(row) == len(columns):
            yield Entry(f"{path}:{number}", row[column])
        elif row:
            raise BoardError(f"expected {len(columns)} fields at {path}:{number}, got {len(row)}")


def _fields(line: str) -> list[str]:
    return [field.strip().lower() for field in line.split(",")]


def _is_board(line: str) -> bool:
    try:
        reading = formats.read(line)
    except TilewiseError:
        return False
    return sorted(reading.tiles) == list(range(reading.rows * reading.columns))


def _continues(first: str, second: str) -> bool:
    """Whether two lines, the first a board by itself, are rather the first rows of a grid.

    The row 0 1 2 3 of a 4x4 grid is also a 2x2 board; the next row then has other tiles.
    """
    above, below = first.split(), second.split()
    return len(above) == len(below) and not set(above) & set(below)


def _decoded(path: str, stream: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(stream, start=1):
        if b"\0" in line:
            raise BoardError(f"expected a text file, got binary data: {path!r}")
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise BoardError(f"expected a UTF-8 text file, got other bytes: {path!r}") from None
