"""The tables of a proof: which ones, and the checksums by which others know them."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

from tilewise.core.build_context import BuildContext
from tilewise.core.limits import Limits, default_memory
from tilewise.core.made_heuristic import Heuristic, build_heuristic
from tilewise.core.pattern_sum import PatternSum
from tilewise.puzzle.board import Goal
from tilewise.tables import table_file
from tilewise.tables.patterns.building import memory_to_build
from tilewise.tables.patterns.partition_choice import best_partition, worth_building
from tilewise.tables.patterns.partitions import patterns_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def heuristic_for(
    goal: Goal, named: str | None, limits: Limits, context: BuildContext
) -> Heuristic:
    """The heuristic that is named, or the tables that measure best; they are built if need be."""
    if named is not None:
        return build_heuristic(named, goal, context)
    best = worth_building(goal)
    memory = limits.memory or default_memory()
    if best is None or memory_to_build(patterns_of(goal, best)) > memory // 2:
        best = best_partition(goal, limits.memory, context.cancelled)
    return build_heuristic("manhattan" if best is None else f"pdb({best})", goal, context)


def checksums_of(heuristic: Heuristic) -> dict[str, int]:
    """A checksum of each table, by a name that says what it is the table of."""
    estimate = heuristic.estimate
    if not isinstance(estimate, PatternSum):
        return {}
    sums: dict[int, tuple[str, int]] = {}
    for view in estimate.views:
        for lookup in view:
            if id(lookup.table) not in sums:
                name = f"table {len(sums) + 1}: {len(lookup.table):,} entries"
                sums[id(lookup.table)] = (name, _checksum(lookup.table))
    return dict(sums.values())


_known: dict[int, tuple[weakref.ref[NDArray[np.uint8]], int]] = {}


def _checksum(table: NDArray[np.uint8]) -> int:
    """The checksum of a table, computed once in a process: it takes seconds for large ones."""
    known = _known.get(id(table))
    if known is None or known[0]() is not table:
        known = _known[id(table)] = (weakref.ref(table), table_file.checksum(table))
    return known[1]
