"""The tables of a proof: which ones and when, and the checksums by which others know them."""

from __future__ import annotations

import weakref

from tilewise.core.build_context import BuildContext, never
from tilewise.core.limits import Limits, default_memory
from tilewise.core.made_heuristic import Heuristic, build_heuristic
from tilewise.core.pattern_sum import PatternSum
from tilewise.core.waiting import Cancelled, check_cancelled
from tilewise.puzzle.board import Goal
from tilewise.tables import table_file
from tilewise.tables.patterns.building import in_cache, memory_of, memory_to_build
from tilewise.tables.patterns.partition_choice import best_partition, worth_building
from tilewise.tables.patterns.partitions import first_of, patterns_of

BOTH_FORMS = 3
"""A table and its spread form, which has room for tiles on one cell, together take about this many
times the bytes of the table."""


def heuristic_for(
    goal: Goal, named: str | None, limits: Limits, context: BuildContext
) -> tuple[Heuristic, str | None]:
    """The heuristic to begin with, its tables built if need be, and the one for a long proof.

    The tables that measure best are several partitions. Where they are not in the cache, a proof
    begins with the first partition, which is built in a fraction of the time.
    """
    if named is not None:
        return build_heuristic(named, goal, context), None
    best, later = worth_building(goal), None
    memory = limits.memory or default_memory()
    if best is None or memory_to_build(patterns_of(goal, best)) > memory // 2:
        best = best_partition(goal, limits.memory, context.cancelled)
    elif not in_cache(patterns_of(goal, best), context.cancelled):
        first = first_of(best)
        best, later = first, None if first == best else f"pdb({best})"
    spec = "manhattan" if best is None else f"pdb({best})"
    return build_heuristic(spec, goal, context), later


def by_cells(goal: Goal, limits: Limits) -> str | None:
    """The heuristic with look-ups by cells that is compared with the other, where there is one.

    There must be memory for the tables of both, which are spread for long passes.
    """
    best = worth_building(goal)
    if best is None or first_of(best) == best:
        return None
    name = f"{first_of(best)}+dual"
    both = (*patterns_of(goal, best), *patterns_of(goal, name))
    memory = limits.memory or default_memory()
    return f"pdb({name})" if BOTH_FORMS * memory_of(both) <= memory else None


def partition_of(spec: str) -> str:
    """The partition of `pdb(...)`."""
    return spec.removeprefix("pdb(").removesuffix(")")


def checksums_of(heuristic: Heuristic, cancelled: Cancelled = never) -> dict[str, int]:
    """A checksum of each table, by a name that says what it is the table of.

    Raises:
        CancelledError: It was cancelled before all of them were read.
    """
    estimate = heuristic.estimate
    if not isinstance(estimate, PatternSum):
        return {}
    sums: dict[int, tuple[str, int]] = {}
    for lookup in estimate.lookups:
        if id(lookup.table) not in sums:
            name = f"table {len(sums) + 1}: {len(lookup.table):,} entries"
            check_cancelled(cancelled)
            sums[id(lookup.table)] = (name, _checksum(lookup.table, cancelled))
    return dict(sums.values())


_known: dict[int, tuple[weakref.ref[memoryview], int]] = {}


def _checksum(table: memoryview, cancelled: Cancelled) -> int:
    """The checksum of a table, computed once in a process: it takes seconds for large ones."""

    def look(_done: int, _whole: int) -> None:
        check_cancelled(cancelled)

    known = _known.get(id(table))
    if known is None or known[0]() is not table:
        known = _known[id(table)] = (weakref.ref(table), table_file.checksum(table, look))
    return known[1]
