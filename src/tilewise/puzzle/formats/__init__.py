"""The notations for boards and moves: a file for each one, and one detector for all."""

from __future__ import annotations

from tilewise.errors import BoardError, did_you_mean, shortened
from tilewise.puzzle.formats.compact import COMPACT
from tilewise.puzzle.formats.flat import COLUMBIA, KORF
from tilewise.puzzle.formats.grid import GRID
from tilewise.puzzle.formats.json_ import JSON
from tilewise.puzzle.formats.moves import MOVE_STYLES, read_moves, write_moves
from tilewise.puzzle.formats.notation import Notation, Reading, cleaned
from tilewise.puzzle.formats.school42 import SCHOOL42
from tilewise.puzzle.formats.slash import SLASH

__all__ = [
    "MOVE_STYLES",
    "NOTATIONS",
    "Notation",
    "Reading",
    "detect",
    "notation",
    "read",
    "read_moves",
    "write",
    "write_moves",
]

# In the order of the detector: the surest marks first, and last what takes any text.
NOTATIONS: tuple[Notation, ...] = (JSON, SCHOOL42, SLASH, COMPACT, GRID, COLUMBIA, KORF)

_BY_NAME = {name: each for each in NOTATIONS for name in (each.name, *each.aliases)}


def notation(name: str) -> Notation:
    """The notation of that name or alias."""
    if not isinstance(name, str):
        raise BoardError(f"expected the name of a notation, got {type(name).__name__}")
    if name.lower() in _BY_NAME:
        return _BY_NAME[name.lower()]
    known = ", ".join(each.name for each in NOTATIONS)
    hint = did_you_mean(name, _BY_NAME, "; {}")
    raise BoardError(f"expected a notation ({known}), got {shortened(name)}{hint}")


def detect(text: str) -> Notation:
    """The notation that the text most plausibly is meant in, whether or not it is right."""
    clean = cleaned(text)
    return next(each for each in NOTATIONS if each.recognises(clean))


def read(text: str) -> Reading:
    """The rows, columns and tiles that a text in any of the notations says."""
    return detect(text).read(text)


def write(name: str, rows: int, columns: int, tiles: tuple[int, ...]) -> str:
    """The tiles in the notation of that name, or a BoardError if it cannot express them."""
    chosen = notation(name)
    if len(tiles) != rows * columns:
        raise BoardError(
            f"expected {rows * columns} tiles for a {rows}x{columns} board, got {len(tiles)}"
        )
    return chosen.write(rows, columns, tiles)
