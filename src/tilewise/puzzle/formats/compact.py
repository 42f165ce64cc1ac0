"""`b12 345 678`: one character a tile, rows apart, up to 3x3. The notation of EECS 391."""

from __future__ import annotations

from tilewise.errors import BoardError, shortened
from tilewise.puzzle.formats.notation import (
    BLANKS,
    Grid,
    Notation,
    grid_rows,
    reader,
    rectangle,
    usual_length,
)

_NAME = "eecs391"
_LARGEST_SIDE = 3
_SEPARATORS = frozenset(",;:|")
_TILES = {**{str(digit): digit for digit in range(10)}, **dict.fromkeys(BLANKS, 0)}


def _recognises(text: str) -> bool:
    """Few words, most of them longer than one character, and no separators but white space."""
    if not _SEPARATORS.isdisjoint(text):
        return False
    words = text.split()
    longer = sum(len(word) > 1 for word in words)
    # four words of two digits are four numbers; four longer ones are a 4x4 board run together
    few = len(words) <= _LARGEST_SIDE or (len(words) == 4 and len(max(words, key=len)) > 2)
    return few and 2 * longer > len(words)


def _read(text: str) -> Grid:
    rows = text.split()
    columns = usual_length(rows)
    if len(rows) > 1 and max(len(rows), columns) > _LARGEST_SIDE:
        raise BoardError(
            f"expected at most 3 rows of 3 tiles when a tile is one character, "
            f"got {len(rows)} rows of {columns}"
        )
    tiles = _tiles("".join(rows))
    if len(rows) == 1:
        return _run_together(tiles)
    if len(tiles) == len(rows) * columns and any(len(row) != columns for row in rows):
        rectangle([[0] * len(row) for row in rows])
    # another number of tiles is left to Board, which says it in the words used everywhere
    return len(rows), columns, tiles


def _tiles(characters: str) -> tuple[int, ...]:
    try:
        return tuple([_TILES[char] for char in characters])
    except KeyError:
        place, char = next(each for each in enumerate(characters, start=1) if each[1] not in _TILES)
    raise BoardError(
        f"expected a digit, or b, 0, _ or . for the blank, at position {place}, "
        f"got {shortened(char)}"
    )


def _run_together(tiles: tuple[int, ...]) -> Grid:
    side = {4: 2, 9: 3}.get(len(tiles))
    if side is None:
        raise BoardError(
            "expected 4 or 9 characters, or rows separated by spaces as in 'b12 345 678', "
            f"got one row of {len(tiles)}"
        )
    return side, side, tiles


def _write(rows: int, columns: int, tiles: tuple[int, ...]) -> str:
    if max(rows, columns) > _LARGEST_SIDE:
        raise BoardError(
            f"expected a board of at most 3x3 for the notation {_NAME}, got {rows}x{columns}"
        )
    return " ".join("".join(str(tile or "b") for tile in row) for row in grid_rows(columns, tiles))


COMPACT = Notation(
    name=_NAME,
    aliases=("compact",),
    goal="first",
    example="b12 345 678",
    about="one character a tile, b for the blank, rows separated by spaces; up to 3x3",
    read=reader(_NAME, _read),
    write=_write,
    recognises=_recognises,
)
