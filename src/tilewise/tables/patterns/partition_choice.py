"""Which partition to take for a goal when none is named."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, factorial

from tilewise import native
from tilewise.core.build_context import never
from tilewise.core.limits import default_memory
from tilewise.core.waiting import Cancelled
from tilewise.errors import TableError
from tilewise.puzzle.board import Goal
from tilewise.tables.building import QUICK_ENTRIES, goal_option
from tilewise.tables.patterns.building import (
    in_cache,
    memory_of,
    memory_to_build,
    warn_of_faults,
)
from tilewise.tables.patterns.partitions import patterns_of
from tilewise.tables.patterns.pattern import MOST_CELLS, MOST_TILES

SMALLEST = 2
SMALL = 10
"""Up to this many cells one table could hold whole boards, which `perfect` is for."""
_NAMED = {(4, 4): ("7-8", "6-6-3", "5-5-5"), (5, 5): ("6-6-6-6",)}


def default_partition(goal: Goal) -> str:
    """The partition of `pdb` without a name; it depends on the shape alone."""
    rows, columns = goal.board.rows, goal.board.columns
    if rows * columns <= SMALL:
        return f"{rows * columns // 2}-{(rows * columns - 1) // 2}"
    for name in _names(rows, columns, QUICK_ENTRIES):
        if memory_of(patterns_of(goal, name)) <= QUICK_ENTRIES:
            return name
    raise TableError(
        f"expected a shape of at most {MOST_CELLS} cells for pattern databases, "
        f"got {goal.board.shape}"
    )


def may_be_chosen(goal: Goal, name: str) -> bool:
    """Whether a partition is one of those that are taken when none is named."""
    rows, columns = goal.board.rows, goal.board.columns
    return name == default_partition(goal) or name in _names(rows, columns, QUICK_ENTRIES)


def worth_building(goal: Goal) -> str | None:
    """The partition of a shape whose tables are better than those built on first use."""
    return {(4, 4): "7-8", (5, 5): "6-6-6-6"}.get((goal.board.rows, goal.board.columns))


def best_partition(goal: Goal, memory: int | None, cancelled: Cancelled = never) -> str | None:
    """The best partition that is in the cache or quickly built, within a quarter of the memory.

    None if the shape is too large, or tables can be neither found nor built.
    """
    allowed = min(memory or default_memory(), default_memory() // 2)
    for name in _names(goal.board.rows, goal.board.columns, allowed):
        patterns = patterns_of(goal, name)
        size = memory_of(patterns)
        if size <= allowed and in_cache(patterns, cancelled):
            return name
        if native.NATIVE and size <= QUICK_ENTRIES and memory_to_build(patterns) <= allowed:
            return name
        if size <= allowed:
            shape = f"{goal.board.shape} {name}{goal_option(goal)}"
            warn_of_faults(
                patterns, f"smaller tables are used (`tilewise pdb build {shape}` builds it again)"
            )
    return None


def _names(rows: int, columns: int, most: int) -> Iterator[str]:
    """Partitions with tables of at most `most` entries, larger patterns first."""
    cells = rows * columns
    if cells > MOST_CELLS:
        return
    named = _NAMED.get((rows, columns), ())
    yield from named
    smallest_named = min((int(name[0]) for name in named), default=cells)
    for size in range(min(cells - 1, smallest_named - 1, MOST_TILES), SMALLEST - 1, -1):
        if comb(cells, size) * factorial(size) <= most:
            whole, rest = divmod(cells - 1, size)
            yield "-".join(map(str, [size] * whole + [rest] * (rest > 0)))
