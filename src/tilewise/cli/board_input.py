"""Boards from the words of a command line, from files and from standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from tilewise.errors import BoardError
from tilewise.puzzle.board_files import CSV_COLUMNS, BoardEntry, decoded, entries, lines_of_file
from tilewise.puzzle.position import Position, WantedGoal, read_position

__all__ = ["CSV_COLUMNS", "BoardEntry", "Named", "entries", "lines_of", "positions"]


class Named(NamedTuple):
    """A position and the text that it was read from."""

    text: str
    position: Position


def positions(words: Sequence[str], goal: WantedGoal = None) -> list[Named]:
    """The boards that the words of a command line are, or the one board that they are together.

    Every board has a blank, so words that are boards by themselves make none together.
    """
    found: list[Named] = []
    errors: list[BoardError] = []
    for word in words:
        try:
            found.append(Named(word, read_position(word, goal)))
        except BoardError as error:
            errors.append(error)
    if not errors:
        return found
    if len(words) > 1:
        together = " ".join(words)
        try:
            return [Named(together, read_position(together, goal))]
        except BoardError as error:
            errors = errors if found else [error]
    raise errors[0]


@contextmanager
def lines_of(path: str) -> Iterator[Iterator[str]]:
    """The lines of a text file, or of standard input for `-`; errors name the file."""
    if path != "-":
        with lines_of_file(path) as lines:
            yield lines
        return
    if sys.stdin is None:
        raise BoardError("expected boards on standard input, got a closed one")
    yield decoded(path, sys.stdin.buffer)
