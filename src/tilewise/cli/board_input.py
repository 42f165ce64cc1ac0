"""Boards from files and from standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tilewise.errors import BoardError
from tilewise.puzzle.board_files import CSV_COLUMNS, Entry, decoded, entries, lines_of_file

__all__ = ["CSV_COLUMNS", "Entry", "entries", "lines_of"]


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
