"""Build the tables of patterns by the native core, within the memory and patience of the caller."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

from tilewise import native
from tilewise.core.limits import default_memory
from tilewise.errors import CancelledError, EngineError, TableError
from tilewise.tables import cache
from tilewise.tables.patterns.pattern import Pattern
from tilewise.tables.table_file import Header

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KIND = "pattern"
WORK = 1.7
"""Bytes that building takes for each entry of the table, the table itself included."""
ENTRIES_A_SECOND = 70_000_000
"""Entries that one core makes, about."""
BESIDES = 4 * 2**20
"""Bytes for the small tables of the builder."""

FIRST_USE = 100_000_000
"""Tables of at most so many entries are built without being asked for: about a second."""

Watcher = Callable[[str, int, int], None]
"""Is told which table is being built, how many of its entries are done, and how many there are."""


class Control(NamedTuple):
    """What a caller grants: the bytes of memory, and a question whether to stop.

    With `sparing` nothing is built that takes more than about a second, and only tables that
    are built for everybody are written to the cache: others are used from memory.
    """

    memory: int | None = None
    cancelled: Callable[[], bool] = lambda: False
    sparing: bool = False


_NOTHING_SAID = Control()
_control: ContextVar[Control] = ContextVar("control", default=_NOTHING_SAID)
_watcher: Watcher | None = None


@contextmanager
def granted(control: Control) -> Iterator[None]:
    """Tables that this thread builds inside the block keep to what is granted.

    A block inside another one is sparing if that is.
    """
    if granted_now().sparing and not control.sparing:
        control = control._replace(sparing=True)
    token = _control.set(control)
    try:
        yield
    finally:
        _control.reset(token)


def granted_now() -> Control:
    """What the caller of this thread grants."""
    return _control.get()


@contextmanager
def watched_by(watcher: Watcher) -> Iterator[None]:
    """Tables that any thread builds inside the block are told to the watcher."""
    global _watcher
    before, _watcher = _watcher, watcher
    try:
        yield
    finally:
        _watcher = before


def header_of(pattern: Pattern) -> Header:
    """What the file of a canonical pattern says."""
    return Header(
        kind=KIND,
        rows=pattern.rows,
        columns=pattern.columns,
        cells=pattern.cells,
        blank=pattern.blank,
        bits=8,
        count=pattern.entries,
        size=pattern.entries,
    )


def in_cache(patterns: tuple[Pattern, ...]) -> bool:
    """Whether all tables of the patterns are in the cache."""
    return all(cache.holds(pattern.name) for pattern in canonical(patterns))


def canonical(patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
    """The different patterns that tables are needed for."""
    return tuple(dict.fromkeys(pattern.canonical()[0] for pattern in patterns))


def memory_of(patterns: tuple[Pattern, ...]) -> int:
    """Bytes that the tables of the patterns take."""
    return sum(pattern.entries for pattern in canonical(patterns))


def memory_to_build(patterns: tuple[Pattern, ...]) -> int:
    """Bytes that building the tables takes at most, all of them held at the end."""
    largest = max(pattern.entries for pattern in patterns)
    return memory_of(patterns) + int((WORK - 1) * largest) + BESIDES


def seconds_to_build(patterns: tuple[Pattern, ...]) -> float:
    """About how long the tables that are not in the cache take."""
    missing = [pattern for pattern in canonical(patterns) if not cache.holds(pattern.name)]
    entries = sum(pattern.entries for pattern in missing)
    return entries / (ENTRIES_A_SECOND * (os.cpu_count() or 1))


def tables(
    patterns: tuple[Pattern, ...], name: str, *, command: str = "", usual: bool = True
) -> dict[Pattern, NDArray[np.uint8]]:
    """The tables of canonical patterns, from the cache or built now.

    `name` and `command`, which would build them, are for errors; `usual` tables are those that
    are built for everybody.
    """
    wanted = canonical(patterns)
    control = granted_now()
    allowed = control.memory or default_memory()
    found = in_cache(wanted)
    if control.sparing and not found and memory_of(wanted) > FIRST_USE:
        raise TableError(
            f"expected the tables of {name} in the cache, got none; `{command}` builds them, in "
            f"about {seconds_to_build(wanted):.0f} s with {_megabytes(memory_to_build(wanted))} MB"
        )
    needed = memory_of(wanted) if found else memory_to_build(wanted)
    if needed > allowed:
        raise TableError(
            f"expected a memory limit of at least {_megabytes(needed)} MB for the tables of "
            f"{name}, got {_megabytes(allowed, up=False)} MB"
        )
    keep = usual or not control.sparing
    return {pattern: table(pattern, keep=keep) for pattern in wanted}


def table(pattern: Pattern, *, keep: bool = True) -> NDArray[np.uint8]:
    """The table of a canonical pattern, from the cache or built now and, if so wished, kept."""
    header = header_of(pattern)
    return cache.obtain(
        pattern.name,
        header,
        lambda: (header, build(pattern)),
        keep=keep,
        cancelled=granted_now().cancelled,
    )[1]


def build(pattern: Pattern) -> NDArray[np.uint8]:
    """Build a table in memory; needs the native core."""
    import numpy as np

    data = np.empty(pattern.entries, dtype=np.uint8)
    with polled(pattern.name) as poll:
        native.build_pattern(
            pattern.rows,
            pattern.columns,
            pattern.cells,
            pattern.blank,
            data,
            threads=os.cpu_count() or 1,
            poll=poll,
        )
    return data


@contextmanager
def polled(name: str) -> Iterator[Callable[[int, int], bool]]:
    """What the core asks while it builds: tells the watcher, and says whether to stop."""
    control = granted_now()
    stopped = False

    def poll(done: int, total: int) -> bool:
        nonlocal stopped
        _tell(name, done, total)
        stopped = control.cancelled()
        return stopped

    try:
        yield poll
    except EngineError as error:
        if stopped:
            raise CancelledError("stopped while a table was being built") from error
        raise
    finally:
        _tell(name, 1, 1)


def _tell(name: str, done: int, total: int) -> None:
    if _watcher is not None:
        _watcher(name, done, total)


def _megabytes(size: int, *, up: bool = True) -> int:
    return -(-size // 2**20) if up else size // 2**20
