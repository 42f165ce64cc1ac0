"""The first page of a table file: what the table is, and its checksums.

A header is believed only if every field of it makes sense: its own checksum finds damage, but a
program that writes nonsense can write the right checksum too.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from tilewise.errors import TableError, shortened

MAGIC, VERSION = b"tilewise table\n", 1
PAGE = 4096
"""The data begins on a page of its own, so that it can be mapped."""
MOST_CELLS = 64
LARGEST = 2**48
_PREFIX = len(MAGIC) + 4 + 4 + 4
_LISTS = ("cells", "levels", "states")
_SUMS = ("sample", "checksum")
_SUBJECT = ("kind", "rows", "columns", "cells", "blank", "bits", "count", "size")


@dataclass(frozen=True)
class TableHeader:
    """What a file holds. `count` is the number of entries, `bits` the size of one."""

    kind: str
    rows: int
    columns: int
    cells: tuple[int, ...]
    blank: int
    bits: int
    count: int
    size: int
    levels: tuple[int, ...] = ()
    states: tuple[str, ...] = ()

    def fits(self, other: TableHeader) -> bool:
        """Whether both describe the same table, whatever is known about its contents."""
        return self.difference(other) is None

    def difference(self, wanted: TableHeader) -> str | None:
        """The first field in which this is another table than the one wanted."""
        for name in _SUBJECT:
            expected, got = getattr(wanted, name), getattr(self, name)
            if expected != got:
                return f"expected {name} {shortened(expected)}, got {shortened(got)}"
        return None


@dataclass(frozen=True)
class Sums:
    """The checksums of the data: of pieces spread over it, and of everything."""

    sample: int
    checksum: int


def write_page(header: TableHeader, sums: Sums) -> bytes:
    """The first page of a file."""
    text = json.dumps({**asdict(header), **asdict(sums)}, separators=(",", ":")).encode()
    if _PREFIX + len(text) > PAGE:
        raise TableError(f"expected a header of at most {PAGE - _PREFIX} bytes, got {len(text)}")
    numbers = (VERSION, len(text), zlib.crc32(text))
    prefix = MAGIC + b"".join(number.to_bytes(4, "little") for number in numbers)
    return (prefix + text).ljust(PAGE, b"\0")


def read_page(page: bytes, name: str) -> tuple[TableHeader, Sums]:
    """What the first page of a file says; `name` is the file's for errors."""
    if not page.startswith(MAGIC):
        raise TableError(f"{name} is not a table of tilewise")
    version, length, crc = (
        int.from_bytes(page[at : at + 4], "little") for at in range(len(MAGIC), _PREFIX, 4)
    )
    if version != VERSION:
        age = "an older" if version < VERSION else "a newer"
        raise TableError(
            f"{name} is a table of {age} version of tilewise (format {version}, not {VERSION})"
        )
    text, rest = page[_PREFIX : _PREFIX + length], page[_PREFIX + length :]
    if len(text) != length or zlib.crc32(text) != crc or rest.strip(b"\0"):
        raise TableError(f"{name} is damaged: its header is not what was written")
    try:
        return _checked(_fields(text))
    except TableError as error:
        raise TableError(f"{name} has a header that makes no sense: {error}") from None


def _fields(text: bytes) -> dict[str, Any]:
    try:
        facts = json.loads(text)
    except (ValueError, RecursionError):
        raise TableError(f"expected JSON, got {shortened(text)}") from None
    if not isinstance(facts, dict):
        raise TableError(f"expected a JSON object, got {shortened(facts)}")
    facts = {"levels": [], "states": [], **facts}
    for name in sorted(_TYPES.keys() ^ facts.keys()):
        if name in _TYPES:
            raise TableError(f"expected the field {name}, got none")
        raise TableError(f"expected the fields of a table, got {shortened(name)} besides")
    return facts


def _checked(facts: dict[str, Any]) -> tuple[TableHeader, Sums]:
    """The header with these fields; the first one that makes no sense is named."""
    for name, (expected, holds) in _TYPES.items():
        if not holds(facts[name]):
            raise TableError(f"expected {name} to be {expected}, got {shortened(facts[name])}")
    sums = Sums(*(facts.pop(name) for name in _SUMS))
    header = TableHeader(**{**facts, **{name: tuple(facts[name]) for name in _LISTS}})
    for name, expected, holds_together in _RELATIONS:
        if not holds_together(header):
            got = shortened(getattr(header, name))
            raise TableError(f"expected {name} to be {expected}, got {got}")
    return header, sums


def _whole(least: int, most: int) -> tuple[str, Callable[[Any], bool]]:
    return (
        f"a whole number from {least} to {most}",
        lambda value: type(value) is int and least <= value <= most,
    )


def _list_of(kind: type, words: str) -> tuple[str, Callable[[Any], bool]]:
    return (
        f"a list of {words}",
        lambda value: isinstance(value, list) and all(type(each) is kind for each in value),
    )


_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "kind": ("a name", lambda value: isinstance(value, str) and value.isidentifier()),
    "rows": _whole(1, MOST_CELLS),
    "columns": _whole(1, MOST_CELLS),
    "cells": _list_of(int, "whole numbers"),
    "blank": _whole(0, MOST_CELLS - 1),
    "bits": _whole(1, 8),
    "count": _whole(1, LARGEST),
    "size": _whole(1, LARGEST),
    "levels": _list_of(int, "whole numbers"),
    "states": _list_of(str, "texts"),
    "sample": _whole(0, 2**32 - 1),
    "checksum": _whole(0, 2**32 - 1),
}


def _are_cells(header: TableHeader) -> bool:
    free = set(range(header.rows * header.columns)) - {header.blank}
    return list(header.cells) == sorted(free & set(header.cells))


def _are_states(header: TableHeader) -> bool:
    cells = list(range(header.rows * header.columns))
    try:
        return all(sorted(bytes.fromhex(text)) == cells for text in header.states)
    except ValueError:
        return False


_RELATIONS: tuple[tuple[str, str, Callable[[TableHeader], bool]], ...] = (
    ("rows", "those of a small shape", lambda its: its.rows * its.columns <= MOST_CELLS),
    ("blank", "a cell of the shape", lambda its: its.blank < its.rows * its.columns),
    ("cells", "sorted cells of the shape without the blank's", _are_cells),
    ("size", "enough for all entries", lambda its: its.size * 8 >= its.count * its.bits),
    (
        "levels",
        "none, or numbers of states that add up to the count",
        lambda its: not its.levels or (min(its.levels) > 0 and sum(its.levels) == its.count),
    ),
    ("states", "states of the shape", _are_states),
)
