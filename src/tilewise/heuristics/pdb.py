"""Pattern databases."""

from __future__ import annotations

from collections.abc import Sequence

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.entries import Estimate, Share, Tabled
from tilewise.core.pattern_sum import PatternLookup, PatternSum, View
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal
from tilewise.tables.building import goal_option
from tilewise.tables.patterns.building import tables
from tilewise.tables.patterns.lookup import NO_TILE, lookup_for
from tilewise.tables.patterns.partition_choice import default_partition, may_be_chosen
from tilewise.tables.patterns.partitions import (
    exchanged_partitions_of,
    partitions_of,
    patterns_of,
    views_of,
)
from tilewise.tables.patterns.pattern import Pattern
from tilewise.tables.table_file import bytes_in_memory


def pattern_shares(goal: Goal, estimate: Estimate, state: State) -> list[Share]:
    """The entry of each group of tiles, in the view of the board that counts."""
    if not isinstance(estimate, PatternSum):
        return []
    sum_by_tiles, view = _largest(estimate.views, state)
    if estimate.by_cells:
        exchanged = estimate.exchanged(state)
        sum_by_cells, other = _largest(estimate.by_cells[state.index(0)], exchanged)
        if sum_by_cells > sum_by_tiles:
            return [
                Share(
                    tuple(state[cell] for cell in _chosen(lookup)),
                    lookup(exchanged),
                    "moves that the tiles on these cells need",
                )
                for lookup in other
            ]
    return [
        Share(_chosen(lookup), lookup(state), "moves that this group of tiles needs")
        for lookup in view
    ]


def _largest(views: tuple[View, ...], state: State) -> tuple[int, View]:
    """The largest sum and its view."""
    sums = [sum(lookup(state) for lookup in view) for view in views]
    return max(sums), views[sums.index(max(sums))]


def _chosen(lookup: PatternLookup) -> tuple[int, ...]:
    """The tiles of a pattern; of a look-up by cells, the cells."""
    return tuple(tile for tile, number in enumerate(lookup.tiles) if number != NO_TILE)


@heuristic(
    "pdb",
    title="pattern databases",
    admissible=True,
    on_boards=False,
    builds_tables=True,
    shares=pattern_shares,
)
def pdb(
    goal: Goal,
    partition: str = "auto",
    *more: str,
    mirror: bool = True,
    context: BuildContext = DEFAULT_CONTEXT,
) -> Tabled:
    """Moves that groups of tiles need at least, from tables, added up (Korf and Felner 2002).

    Only moves of a group's own tiles count in its table, so the groups add up. With `mirror`
    the tables are also used for the board seen in a mirror, where shape and goal are
    symmetric, and the larger sum counts. Of several partitions, or a collection such as
    `6-6-6-6x4`, the largest sum counts, too. With `+dual`, as in `6-6-6-6+dual`, the tiles on the
    cells of a pattern are looked up as well. The blank's place is not part of the tables, so the
    value of neighbours may differ by more than 1: it is not consistent.
    """
    given = (partition, *more)
    names = [default_partition(goal) if name == "auto" else name for name in given]
    partitions = partitions_of(goal, *names)
    build = (f"tilewise pdb build {goal.board.shape} {name}{goal_option(goal)}" for name in names)
    exchanged = [exchanged_partitions_of(goal, name) for name in names]
    made = tables(
        tuple(pattern for name in names for pattern in patterns_of(goal, name)),
        f"pdb({', '.join(names)})",
        context,
        command=" && ".join(build),
        keep=all(may_be_chosen(goal, name) for name in names),
    )

    def view_of(homed: Sequence[int], patterns: tuple[Pattern, ...]) -> View:
        return tuple(
            lookup_for(homed, pattern, made[pattern.canonical()[0]]) for pattern in patterns
        )

    tiles = goal.board.tiles
    cells = range(len(tiles))
    estimate = PatternSum(
        tuple(view_of(tiles, each) for each in views_of(goal, partitions, mirror=mirror)),
        tuple(tiles.index(tile) for tile in cells),
        tuple(
            tuple(view_of(cells, each) for by_name in of_blank for each in by_name)
            for of_blank in zip(*filter(None, exchanged), strict=True)
        ),
    )
    return Tabled(estimate, sum(map(bytes_in_memory, made.values())))
