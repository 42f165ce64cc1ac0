"""Pattern databases."""

from __future__ import annotations

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.entries import Estimate, Share, Tabled
from tilewise.core.pattern_sum import PatternSum
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal
from tilewise.tables.building import goal_option
from tilewise.tables.patterns.building import tables
from tilewise.tables.patterns.lookup import NO_TILE, lookup_for
from tilewise.tables.patterns.partition_choice import default_partition, may_be_chosen
from tilewise.tables.patterns.partitions import partitions_of, views_of
from tilewise.tables.table_file import bytes_in_memory


def pattern_shares(goal: Goal, estimate: Estimate, state: State) -> list[Share]:
    """The entry of each group of tiles, in the view of the board that counts."""
    if not isinstance(estimate, PatternSum):
        return []
    view = max(estimate.views, key=lambda view: sum(lookup(state) for lookup in view))
    groups = [
        tuple(tile for tile, number in enumerate(lookup.tiles) if number != NO_TILE)
        for lookup in view
    ]
    return [
        Share(group, lookup(state), "moves that this group of tiles needs")
        for group, lookup in zip(groups, view, strict=True)
    ]


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
    `6-6-6-6x4`, the largest sum counts, too. The blank's place is not part of the tables, so the
    value of neighbours may differ by more than 1: it is not consistent.
    """
    given = (partition, *more)
    names = [default_partition(goal) if name == "auto" else name for name in given]
    partitions = partitions_of(goal, *names)
    build = (f"tilewise pdb build {goal.board.shape} {name}{goal_option(goal)}" for name in names)
    made = tables(
        tuple(pattern for patterns in partitions for pattern in patterns),
        f"pdb({', '.join(names)})",
        context,
        command=" && ".join(build),
        keep=all(may_be_chosen(goal, name) for name in names),
    )
    views = tuple(
        tuple(lookup_for(goal, pattern, made[pattern.canonical()[0]]) for pattern in view)
        for view in views_of(goal, partitions, mirror=mirror)
    )
    return Tabled(PatternSum(views), sum(map(bytes_in_memory, made.values())))
