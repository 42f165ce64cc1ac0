"""The fields of one line of a trace; bad values are refused."""

from __future__ import annotations

import json
from typing import Any

from tilewise.core.events import Key, Kind
from tilewise.errors import TraceError, shortened
from tilewise.puzzle.board import Board

LONGEST_NAME, LONGEST_TEXT, LARGEST_NUMBER = 200, 2_000, 10**9


def kind_of(record: dict[str, Any]) -> Kind:
    """What happened."""
    try:
        return Kind(str(record.get("kind")))
    except ValueError:
        kinds = ", ".join(kind.value for kind in Kind)
        raise TraceError(f"expected a kind {kinds}; got {shortened(record.get('kind'))}") from None


def name_of(record: dict[str, Any], field: str) -> object:
    """The name of a node: a whole number or a short text."""
    name = record.get(field)
    if name is None or (isinstance(name, str) and len(name) <= LONGEST_NAME):
        return name
    if type(name) is int and 0 <= name <= LARGEST_NUMBER:
        return name
    raise TraceError(f"expected {field} as a number or a short text, got {shortened(name)}")


def number_of(
    record: dict[str, Any], field: str, otherwise: int | None, most: int = LARGEST_NUMBER
) -> int | None:
    """A whole number of at least 0, or what stands for it when it is left out."""
    value = record.get(field)
    if value is None:
        return otherwise
    if type(value) is not int or not 0 <= value <= most:
        raise TraceError(
            f"expected {field} as a whole number of at least 0, got {shortened(value)}"
        )
    return value


def key_of(record: dict[str, Any]) -> Key | None:
    """What the open list sorts by."""
    key = record.get("key")
    if key is None:
        return None
    if (
        isinstance(key, list)
        and len(key) == 2
        and all(type(part) is int and abs(part) <= LARGEST_NUMBER for part in key)
    ):
        return key[0], key[1]
    raise TraceError(f"expected key as a pair of whole numbers, got {shortened(key)}")


def text_of(record: dict[str, Any], field: str) -> str | None:
    """A text that is not too long, or None."""
    value = record.get(field)
    if value is None or (isinstance(value, str) and len(value) <= LONGEST_TEXT):
        return value
    raise TraceError(f"expected {field} as text, got {shortened(value)}")


def text_of_board(record: dict[str, Any], field: str) -> str:
    """The text of a board; a list of tiles, flat or row by row, is written as JSON."""
    value = record.get(field)
    if isinstance(value, list):
        return json.dumps(value)
    if not isinstance(value, str):
        raise TraceError(f"expected a {field} as text or a list, got {shortened(value)}")
    return value


def board_of(record: dict[str, Any], field: str, like: Board) -> Board:
    """A board as text in any notation, or as a list of tiles, flat or row by row."""
    value = record.get(field)
    if isinstance(value, list) and not any(isinstance(part, list) for part in value):
        board = Board(like.rows, like.columns, tuple(value))
    else:
        board = Board.parse(text_of_board(record, field))
    if board.shape != like.shape:
        raise TraceError(f"expected a {like.shape} board, got {board.shape}")
    return board
