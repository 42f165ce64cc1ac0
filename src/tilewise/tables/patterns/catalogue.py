"""The catalogue: which tables exist, what they hold, and whether they are right."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilewise.errors import TableError
from tilewise.tables import cache, table_file
from tilewise.tables.patterns.building import KIND, header_of
from tilewise.tables.patterns.pattern import UNREACHABLE, Pattern
from tilewise.tables.table_file import Watch
from tilewise.tables.table_header import TableHeader


@dataclass(frozen=True)
class Kept:
    """A file in the cache; a file that cannot be used has a fault instead of a header."""

    path: Path
    size: int
    header: TableHeader | None
    fault: str | None

    @property
    def name(self) -> str:
        """The name of the table."""
        return self.path.name.removesuffix(cache.SUFFIX)

    @property
    def pattern(self) -> Pattern | None:
        """The pattern of a pattern's table."""
        header = self.header
        if header is None or header.kind != KIND:
            return None
        return Pattern(header.rows, header.columns, header.cells, header.blank)

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers and lists only: one JSON object."""
        facts: dict[str, Any] = {"name": self.name, "bytes": self.size, "fault": self.fault}
        if self.header is not None:
            facts |= {
                "kind": self.header.kind,
                "shape": f"{self.header.rows}x{self.header.columns}",
                "cells": list(self.header.cells),
                "blank": self.header.blank,
                "entries": self.header.count,
            }
        return {**facts, "builds": cache.builds(self.path), "path": str(self.path)}


def kept() -> list[Kept]:
    """All tables in the cache, by name."""
    found = []
    for path in cache.files():
        header, fault = None, None
        try:
            header = table_file.read_header(path)
        except TableError as error:
            fault = str(error)
        except OSError as error:
            fault = f"cannot be read: {error.strerror}"
        try:
            found.append(Kept(path, path.lstat().st_size, header, fault))
        except FileNotFoundError:
            continue  # removed by another process meanwhile
    return found


def prove(one: Kept, watch: Watch | None = None) -> str:
    """Read a whole file and prove its table; raises TableError if it is not right.

    The checksum finds what happened to a file; the proof finds what was wrong from the start.
    Says what was shown: a table of a whole space is compared with its checksum only.
    """
    from tilewise.tables.patterns.proof import verify

    if one.fault is not None:
        raise TableError(one.fault)
    header, table = table_file.check_all(one.path)
    pattern = one.pattern
    if pattern is None:
        return "as it was written, by its checksum"
    if one.name != pattern.name or pattern.canonical()[0] != pattern:
        raise TableError(f"table file {one.path.name!r} holds another table than its name says")
    if not header.fits(header_of(pattern)):
        raise TableError(f"table file {one.path.name!r} has a header that contradicts itself")
    verify(pattern, table, watch)
    return "right: every entry follows from its neighbours"


def histogram(table: memoryview) -> tuple[list[int], int]:
    """The number of entries with each value, and of those that cannot come home."""
    import numpy as np

    counts = np.zeros(256, dtype=np.int64)
    for start in range(0, len(table), table_file.BLOCK):
        counts += np.bincount(table[start : start + table_file.BLOCK], minlength=256)
    values = counts[:UNREACHABLE].tolist()
    while values and values[-1] == 0:
        values.pop()
    return values, int(counts[UNREACHABLE])
