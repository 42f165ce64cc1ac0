"""Pattern databases."""

from __future__ import annotations

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.entries import Tabled
from tilewise.core.pattern_sum import PatternSum
from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal
from tilewise.tables.building import goal_option
from tilewise.tables.patterns.building import tables
from tilewise.tables.patterns.lookup import lookup_for
from tilewise.tables.patterns.partition_choice import default_partition, may_be_chosen
from tilewise.tables.patterns.partitions import mirrored, patterns_of
from tilewise.tables.table_file import bytes_in_memory


@heuristic("pdb", admissible=True, on_boards=False, builds_tables=True)
def pdb(
    goal: Goal,
    partition: str = "auto",
    mirror: bool = True,
    *,
    context: BuildContext = DEFAULT_CONTEXT,
) -> Tabled:
    """Moves that groups of tiles need at least, from tables, added up (Korf and Felner 2002).

    Only moves of a group's own tiles count in its table, so the groups add up. With `mirror`
    the tables are also used for the board seen in a mirror, where shape and goal are
    symmetric, and the larger sum counts. The blank's place is not part of the tables, so the
    value of neighbours may differ by more than 1: it is not consistent.
    """
    name = default_partition(goal) if partition == "auto" else partition
    patterns = patterns_of(goal, name)
    made = tables(
        patterns,
        f"pdb({name})",
        context,
        command=f"tilewise pdb build {goal.board.shape} {name}{goal_option(goal)}",
        keep=may_be_chosen(goal, name),
    )
    images = mirrored(goal, patterns) if mirror else iter([patterns])
    views = tuple(
        tuple(lookup_for(goal, pattern, made[pattern.canonical()[0]]) for pattern in image)
        for image in images
    )
    return Tabled(PatternSum(views), sum(map(bytes_in_memory, made.values())))
