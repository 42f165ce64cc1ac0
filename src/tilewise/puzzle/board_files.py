"""Boards in files: one a line, or drawn over several lines, or a column of a CSV file."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from tilewise.errors import BoardError, TilewiseError, shortened, visible
from tilewise.files import is_text, lines_in
from tilewise.puzzle import formats
from tilewise.puzzle.board import MAX_SIDE
from tilewise.puzzle.formats.notation import BLANKS, split
from tilewise.puzzle.position import without_goal

CSV_COLUMNS = ("board", "tiles", "state")
LONGEST_DRAWING = 3 * MAX_SIDE
"""A drawn board has at most this many lines, rules and comments included."""
LONGEST_LINE, MOST_LINES = 10_000_000, 10_000_000
"""Characters of a line and lines of a file that are read; a path of moves may be that long."""
_LONGEST_HEADER = 10_000


class BoardEntry(NamedTuple):
    """A text that should be a board, and where it stands."""

    place: str
    text: str


@contextmanager
def lines_of_file(path: str) -> Iterator[Iterator[str]]:
    """The lines of a text file; errors name the file."""
    try:
        stream = Path(path).open("rb")  # noqa: SIM115 - errors of the caller are not the file's
    except IsADirectoryError:
        raise BoardError(f"expected a file, got a folder: {shortened(path)}") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL character in the name
        reason = getattr(error, "strerror", None) or error
        raise BoardError(f"expected a readable file: {reason}: {shortened(path)}") from None
    with stream:
        yield decoded(path, stream)


def entries(path: str, lines: Iterable[str]) -> Iterator[BoardEntry]:
    """The boards of a file, in order, as texts; `#` starts a comment line.

    The places have the name of the file with escapes, so that it can be shown.

    Blank lines part blocks. If the first line of a block is a board by itself, every line of
    the block is one; else the block is one drawn board. A CSV file has a column for the board.
    """
    path = visible(path)
    numbered = (
        (number, text)
        for number, text in enumerate(map(str.strip, lines), start=1)
        if not text.startswith("#")
    )
    line = next((each for each in numbered if each[1]), None)
    if line is not None and set(_fields(line[1])) & set(CSV_COLUMNS):
        yield from _from_csv(path, _fields(line[1]), numbered)
        return
    while line is not None:
        yield from _block(path, line, numbered)
        line = next((each for each in numbered if each[1]), None)


def _block(
    path: str, line: tuple[int, str], numbered: Iterator[tuple[int, str]]
) -> Iterator[BoardEntry]:
    """The lines up to the next blank one: boards, one a line, or a single drawn board."""
    number, first = line
    if _is_board(first) and not _is_row(first):
        yield BoardEntry(f"{path}:{number}", first)
        yield from _line_by_line(path, numbered)
        return
    following = next(numbered, (0, ""))
    if _is_board(first) and not _continues(first, following[1]):
        yield BoardEntry(f"{path}:{number}", first)
        if following[1]:
            yield BoardEntry(f"{path}:{following[0]}", following[1])
            yield from _line_by_line(path, numbered)
        return
    block = [first]
    while following[1]:
        block.append(following[1])
        if len(block) > LONGEST_DRAWING:
            raise BoardError(f"expected a board, got too many lines at {path}:{following[0]}")
        following = next(numbered, (0, ""))
    yield BoardEntry(f"{path}:{number}", "\n".join(block))


def _line_by_line(path: str, numbered: Iterator[tuple[int, str]]) -> Iterator[BoardEntry]:
    for number, text in numbered:
        if not text:
            return
        yield BoardEntry(f"{path}:{number}", text)


def _from_csv(
    path: str, columns: list[str], numbered: Iterable[tuple[int, str]]
) -> Iterator[BoardEntry]:
    column = columns.index(next(name for name in CSV_COLUMNS if name in columns))
    for number, text in numbered:
        row = csv_row(text, f"{path}:{number}")
        if row:  # a row with other fields than the header is read as a whole, and refused
            yield BoardEntry(f"{path}:{number}", row[column] if len(row) == len(columns) else text)


def _fields(line: str) -> list[str]:
    return [field.strip().lower() for field in csv_row(line[:_LONGEST_HEADER], "the first line")]


def csv_row(line: str, place: str, delimiter: str = ",") -> list[str]:
    """The fields of one line of a CSV file; `place` is for errors."""
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error as error:
        raise csv_error(error, place) from None


def csv_error(error: csv.Error, place: str) -> BoardError:
    """What the library says about a CSV file that it cannot read, in our words."""
    if "field limit" in str(error):
        most = f"{csv.field_size_limit():,}"
        return BoardError(f"expected CSV fields of at most {most} characters, got more at {place}")
    return BoardError(f"expected a CSV file, got {error} at {place}")


def _is_board(line: str) -> bool:
    try:
        reading = formats.read(without_goal(line)[0])
    except TilewiseError:
        return False
    return sorted(reading.tiles) == list(range(reading.rows * reading.columns))


def _continues(first: str, second: str) -> bool:
    """Whether two lines, the first a board by itself, are rather the first rows of a grid.

    The row 0 1 2 3 of a 4x4 grid is also a 2x2 board; the next row then has other tiles.
    """
    second = without_goal(second)[0]
    above, below = split(first), split(second)
    same = len(above) == len(below) and not set(above) & set(below)
    return same and _is_row(second) and not _is_board(second)


def _is_row(line: str) -> bool:
    """Whether a line is nothing but numbers that tiles may have."""
    return all(
        word in BLANKS
        or (len(word) <= 3 and word.isascii() and word.isdigit() and int(word) < MAX_SIDE**2)
        for word in split(line)
    )


def decoded(path: str, stream: BinaryIO) -> Iterator[str]:
    """The lines of UTF-8 text, which end with LF, CR LF or CR; errors name the file."""
    for number, line in enumerate(lines_in(stream, LONGEST_LINE), start=1):
        if "\0" in line:
            raise BoardError(f"expected a text file, got binary data: {shortened(path)}")
        if not is_text(line):
            raise BoardError(f"expected a UTF-8 text file, got other bytes: {shortened(path)}")
        if len(line) > LONGEST_LINE:
            raise BoardError(
                f"expected lines of at most {LONGEST_LINE:,} characters, got a longer one at "
                f"{visible(path)}:{number}"
            )
        if number > MOST_LINES:
            raise BoardError(f"expected at most {MOST_LINES:,} lines, got more: {shortened(path)}")
        yield line
