"""What all notations share: the Reading and the Notation, clean text, tiles and rectangles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

from tilewise.errors import BoardError, shortened

BLANKS = frozenset("0bB_.")
LONGEST_TEXT = 20_000  # a drawn 16x16 grid takes about 3,500 characters
_LONGEST_NUMBER = 9  # digits; what is longer is no tile of any board
_QUOTES = {'"': '"', "'": "'", "`": "`", "\u201c": "\u201d", "\u2018": "\u2019"}


class Reading(NamedTuple):
    """The structure of a text; whether the tiles make a board is for `Board` to say."""

    notation: str
    rows: int
    columns: int
    tiles: tuple[int, ...]


Grid = tuple[int, int, tuple[int, ...]]  # rows, columns, tiles row by row


@dataclass(frozen=True)
class Notation:
    """A way to write boards, with the goal that its users mean when they name none."""

    name: str
    aliases: tuple[str, ...]
    goal: str | None
    example: str
    about: str
    read: Callable[[str], Reading]
    write: Callable[[int, int, tuple[int, ...]], str]
    recognises: Callable[[str], bool]  # called with the text as `cleaned` returns it
    comment: str = ""  # what starts a comment behind the tiles


def cleaned(text: object) -> str:
    """The text with plain line ends, without byte order mark, outer white space and quotes.

    Refuses what cannot be a board at all before any reader spends time on it.
    """
    if not isinstance(text, str):
        raise BoardError(f"expected the text of a board, got {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        start = shortened(text[:40])
        raise BoardError(
            f"expected at most {LONGEST_TEXT} characters for a board, got {len(text)}: {start} ..."
        )
    if "\0" in text:
        place = text.index("\0") + 1
        raise BoardError(
            f"expected the text of a board, got a NUL byte at character {place}: {shortened(text)}"
        )
    clean = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff").strip()
    while len(clean) > 1 and _QUOTES.get(clean[0]) == clean[-1]:
        clean = clean[1:-1].strip()
    if not clean:
        raise BoardError(f"expected a board, got an empty text: {shortened(text)}")
    return clean


def reader(name: str, read_grid: Callable[[str], Grid]) -> Callable[[str], Reading]:
    """The reader of a notation: cleans the text, and quotes it once when something is wrong."""

    def read(text: str) -> Reading:
        clean = cleaned(text)
        try:
            return Reading(name, *read_grid(clean))
        except BoardError as error:
            raise BoardError(f"{error}: {shortened(text)}") from None

    return read


def split(line: str) -> list[str]:
    """The words between commas, semicolons or white space; nothing between two commas is ''."""
    parts = line.replace(";", ",").split(",")
    if len(parts) == 1:
        return line.split()
    return [word for part in parts for word in part.split() or [""]]


def tiles_of(words: Sequence[str], row: int | None = None) -> tuple[int, ...]:
    """The tiles that the words name; `row` makes the error give row and column."""
    return tuple(_tile(word, place, row) for place, word in enumerate(words, start=1))


def _tile(word: str, place: int, row: int | None) -> int:
    if word in BLANKS:
        return 0
    number = word.isascii() and word.isdigit()
    if number and word[0] != "0" and len(word) <= _LONGEST_NUMBER:
        return int(word)
    where = f"at position {place}" if row is None else f"in row {row}, column {place}"
    if not word:
        raise BoardError(f"expected a tile {where}, got nothing")
    if number and word[0] == "0":
        raise BoardError(
            f"expected a tile number without leading zeros {where}, got {shortened(word, 30)}"
        )
    raise BoardError(
        f"expected a tile number, or 0, b, _ or . for the blank, {where}, got {shortened(word, 30)}"
    )


def rectangle(rows: Sequence[Sequence[int]]) -> Grid:
    """Rows of equal length as a grid; most rows decide how long a row should be."""
    columns = usual_length(rows)
    for number, row in enumerate(rows, start=1):
        if len(row) != columns:
            raise BoardError(
                f"expected {columns} tiles in each row, got {len(row)} in row {number}"
            )
    return len(rows), columns, tuple(tile for row in rows for tile in row)


def usual_length(rows: Sequence[Sequence[object]]) -> int:
    """The length that most rows have; of two equally usual ones that of the earlier row."""
    lengths = [len(row) for row in rows]
    return max(lengths, key=lengths.count, default=0)


def square(tiles: tuple[int, ...]) -> Grid:
    """The tiles as a square grid: the only shape that follows from their number alone."""
    side = isqrt(len(tiles))
    if side == 0 or side * side != len(tiles):
        raise BoardError(
            "expected 4, 9, 16 or another square number of tiles when no shape is given "
            f"(as in 3x4:1,2,...), got {len(tiles)}"
        )
    return side, side, tiles


def grid_rows(columns: int, tiles: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The rows from top to bottom, for the writers."""
    for start in range(0, len(tiles), columns):
        yield tiles[start : start + columns]


def spaced(row: Sequence[int]) -> str:
    """A row of numbers with spaces between."""
    return " ".join(map(str, row))
