"""Builds pattern databases by the native core, within the limits of the caller."""

from __future__ import annotations

import warnings
from functools import lru_cache
from math import comb

from tilewise import native
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext, never
from tilewise.core.waiting import Cancelled
from tilewise.errors import TableError, TableWarning
from tilewise.tables import cache, table_file
from tilewise.tables.building import QUICK_ENTRIES, polled, threads
from tilewise.tables.patterns.pattern import Pattern
from tilewise.tables.table_header import TableHeader

KIND = "pattern"
WORK = 1.7
"""Bytes that building takes for each entry of the table, the table itself included."""
ENTRIES_A_SECOND = 70_000_000
"""Entries that one core makes, about."""
BESIDES = 4 * 2**20
"""Bytes for the small tables of the builder."""


@lru_cache(maxsize=64)
def header_of(pattern: Pattern) -> TableHeader:
    """What the file of a canonical pattern says."""
    return TableHeader(
        kind=KIND,
        rows=pattern.rows,
        columns=pattern.columns,
        cells=pattern.cells,
        blank=pattern.blank,
        bits=8,
        count=pattern.entries,
        size=pattern.entries,
    )


def in_cache(patterns: tuple[Pattern, ...], cancelled: Cancelled = never) -> bool:
    """Whether all tables of the patterns are in the cache, and good."""
    return all(is_kept(pattern, cancelled) for pattern in canonical(patterns))


def is_kept(pattern: Pattern, cancelled: Cancelled = never) -> bool:
    """Whether the table of a canonical pattern is in the cache, and good."""
    return cache.holds(pattern.name, header_of(pattern), cancelled)


def warn_of_faults(patterns: tuple[Pattern, ...], instead: str) -> None:
    """Warn of the tables in the cache that cannot be used; `instead` says what happens now."""
    for pattern in canonical(patterns):
        fault = cache.fault(pattern.name, header_of(pattern))
        if fault is not None:
            warnings.warn(f"{fault}; {instead}", TableWarning, stacklevel=3)


@lru_cache(maxsize=64)
def canonical(patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
    """The different patterns that tables are needed for."""
    return tuple(dict.fromkeys(pattern.canonical()[0] for pattern in patterns))


def memory_of(patterns: tuple[Pattern, ...]) -> int:
    """Bytes that the tables of the patterns take.

    Args:
        patterns: What `patterns_of` made.

    Example:
        >>> from tilewise.puzzle.board import Goal
        >>> from tilewise.tables.patterns.partitions import patterns_of
        >>> memory_of(patterns_of(Goal.blank_first(3, 3), "4-4"))
        6048
    """
    return sum(pattern.entries for pattern in canonical(patterns))


def memory_to_build(patterns: tuple[Pattern, ...]) -> int:
    """Bytes that building the tables takes at most, all of them held at the end.

    Args:
        patterns: What `patterns_of` made.

    Example:
        >>> from tilewise.puzzle.board import Goal
        >>> from tilewise.tables.patterns.partitions import patterns_of
        >>> patterns = patterns_of(Goal.blank_first(4, 4), "7-8")
        >>> memory_to_build(patterns) > memory_of(patterns)
        True
    """
    return memory_of(patterns) + max(map(_work, patterns)) + BESIDES


def _work(pattern: Pattern) -> int:
    """Bytes that building takes beside the table itself.

    Where patterns are small and shapes large, most of it is for the sets of cells: the region of
    each cell, and the ways by which each tile leaves the set.
    """
    area = pattern.rows * pattern.columns
    for_sets = comb(area, pattern.order) * (area + 64 * pattern.order + 64)
    return max(int((WORK - 1) * pattern.entries), for_sets)


def seconds_to_build(patterns: tuple[Pattern, ...]) -> float:
    """About how long the tables that are not in the cache take."""
    missing = [pattern for pattern in canonical(patterns) if not is_kept(pattern)]
    entries = sum(pattern.entries for pattern in missing)
    return entries / (ENTRIES_A_SECOND * threads())


def tables(
    patterns: tuple[Pattern, ...],
    name: str,
    context: BuildContext = DEFAULT_CONTEXT,
    *,
    command: str = "",
    keep: bool = True,
) -> dict[Pattern, memoryview]:
    """The tables of canonical patterns, from the cache or built now.

    `name` and `command`, which would build them, are for errors. Without `keep` new tables are
    used from memory if the context is quick.
    """
    wanted = canonical(patterns)
    allowed = context.memory_limit
    found = in_cache(wanted, context.cancelled)
    if context.quick and not found and memory_of(wanted) > QUICK_ENTRIES:
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
    keep = keep or not context.quick
    return {pattern: table(pattern, context, keep=keep) for pattern in wanted}


def table(
    pattern: Pattern, context: BuildContext = DEFAULT_CONTEXT, *, keep: bool = True
) -> memoryview:
    """Take the table of a canonical pattern from the cache, or build it now.

    Args:
        pattern: A pattern in its canonical form.
        context: How the table may be built.
        keep: Whether a new table is written to the cache.

    Raises:
        TableError: The native core is missing, or the memory is too small.
        CancelledError: The context was cancelled.

    Example:
        >>> from tilewise.puzzle.board import Goal
        >>> from tilewise.tables.patterns.partitions import patterns_of
        >>> pattern, _ = patterns_of(Goal.blank_first(3, 3), "4-4")[0].canonical()
        >>> len(table(pattern, keep=False)), pattern.entries
        (3024, 3024)
    """
    header = header_of(pattern)
    return cache.obtain(
        pattern.name,
        header,
        lambda: (header, build(pattern, context)),
        keep=keep,
        cancelled=context.cancelled,
    )[1]


def build(pattern: Pattern, context: BuildContext = DEFAULT_CONTEXT) -> memoryview:
    """Build a table in memory; needs the native core."""
    data = table_file.new_table(pattern.entries)
    with polled(pattern.name, context) as poll:
        native.build_pattern(
            pattern.rows,
            pattern.columns,
            pattern.cells,
            pattern.blank,
            data,
            threads=threads(),
            poll=poll,
        )
    return data


def _megabytes(size: int, *, up: bool = True) -> int:
    return -(-size // 2**20) if up else size // 2**20
