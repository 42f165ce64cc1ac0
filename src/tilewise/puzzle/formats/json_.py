"""`[[1,2,3],[4,5,6],[7,8,0]]`: JSON, a list for each row, or one list for a square board."""

from __future__ import annotations

import json

from tilewise.errors import BoardError, shortened
from tilewise.puzzle.formats.notation import (
    BLANKS,
    Grid,
    Notation,
    grid_rows,
    reader,
    rectangle,
    square,
)

_DEEPEST = 2


def _recognises(text: str) -> bool:
    return text[0] in "[{"


def _read(text: str) -> Grid:
    _check_depth(text)
    value = _loaded(text)
    if not isinstance(value, list):
        raise BoardError(f"expected a list of rows, got {_shown(value)}")
    if not any(isinstance(row, list) for row in value):
        return square(_tiles(value))
    rows = []
    for number, row in enumerate(value, start=1):
        if not isinstance(row, list):
            raise BoardError(f"expected a list as row {number}, got {_shown(row)}")
        rows.append(_tiles(row, number))
    return rectangle(rows)


def _check_depth(text: str) -> None:
    """Refuse deep nesting before the JSON reader goes down into it on the stack."""
    depth = 0
    for char in text:
        if char in "[{":
            depth += 1
        elif char in "]}":
            depth -= 1
        if depth > _DEEPEST:
            raise BoardError("expected a list of rows of tiles, got lists nested deeper than that")


def _loaded(text: str) -> object:
    try:
        value: object = json.loads(text)
    except json.JSONDecodeError as error:
        rest = text[error.pos : error.pos + 20]
        found = f"something else before {shortened(rest, 30)}" if rest else "an early end"
        raise BoardError(f"expected JSON such as [[1,2],[3,0]], got {found}") from None
    except ValueError:  # Python's limit on the digits of a number
        raise BoardError("expected JSON with tile numbers, got a number that is too long") from None
    return value


def _tiles(values: list[object], row: int | None = None) -> tuple[int, ...]:
    return tuple(_tile(value, place, row) for place, value in enumerate(values, start=1))


def _tile(value: object, place: int, row: int | None) -> int:
    if value is None or (isinstance(value, str) and value in BLANKS):
        return 0
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    where = f"at position {place}" if row is None else f"in row {row}, column {place}"
    raise BoardError(
        f"expected a whole number, or 0 or null for the blank, {where}, got {_shown(value)}"
    )


def _shown(value: object) -> str:
    return shortened(value, 30)


def _write(rows: int, columns: int, tiles: tuple[int, ...]) -> str:
    return json.dumps(list(grid_rows(columns, tiles)), separators=(",", ":"))


JSON = Notation(
    name="json",
    aliases=(),
    goal=None,
    example="[[1,2,3],[4,5,6],[7,8,0]]",
    about="a list of rows, 0 or null for the blank; square boards also as one list",
    read=reader("json", _read),
    write=_write,
    recognises=_recognises,
)
