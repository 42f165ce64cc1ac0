"""All tiles in one line: `1,2,5,3,4,0,6,7,8` (Columbia) or with spaces (Korf 1985).

The number of tiles gives only square shapes, so others carry theirs in front: `3x4:1,2,...`.
"""

from __future__ import annotations

import re
from functools import partial

from tilewise.puzzle.formats.notation import Grid, Notation, reader, split, square, tiles_of

_SHAPE = re.compile(r"([1-9][0-9]{0,3})\s*[xX]\s*([1-9][0-9]{0,3})\s*:")


def has_shape(text: str) -> bool:
    """Whether the text starts with a shape such as `3x4:`."""
    return _SHAPE.match(text) is not None


def _read(text: str) -> Grid:
    shape = _SHAPE.match(text)
    if shape is None:
        return square(tiles_of(split(text)))
    tiles = tiles_of(split(text[shape.end() :]))
    # whether that many tiles fill the shape is left to Board, which says it as everywhere
    return int(shape[1]), int(shape[2]), tiles


def _write(separator: str, rows: int, columns: int, tiles: tuple[int, ...]) -> str:
    shape = "" if rows == columns else f"{rows}x{columns}:"
    return shape + separator.join(map(str, tiles))


def _has_commas(text: str) -> bool:
    return "," in text or ";" in text


def _anything(text: str) -> bool:
    """The last resort of the detector: its errors fit a text that is like nothing else."""
    return True


COLUMBIA = Notation(
    name="columbia",
    aliases=("commas",),
    goal="first",
    example="1,2,5,3,4,0,6,7,8",
    about="all tiles in one line with commas; square, or with the shape as in 2x3:1,2,5,3,4,0",
    read=reader("columbia", _read),
    write=partial(_write, ","),
    recognises=_has_commas,
)

KORF = Notation(
    name="korf",
    aliases=("spaces",),
    goal="first",
    example="14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3",
    about="all tiles in one line with spaces; square, or with the shape as in 2x3:1 2 5 3 4 0",
    read=reader("korf", _read),
    write=partial(_write, " "),
    recognises=_anything,
)
