"""Pattern databases."""

from __future__ import annotations

from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal
from tilewise.tables.patterns.building import tables
from tilewise.tables.patterns.lookup import PatternEstimate, lookup_for
from tilewise.tables.patterns.partition_choice import for_everybody, goal_option, usual
from tilewise.tables.patterns.partitions import mirrored, patterns_of


@heuristic("pdb", admissible=True, on_boards=False)
def pdb(goal: Goal, partition: str = "auto", mirror: bool = True) -> PatternEstimate:
    """Moves that groups of tiles need at least, from tables, added up (Korf and Felner 2002).

    Only moves of a group's own tiles count in its table, so the groups add up. With `mirror`
    the tables are also asked about the board seen in a mirror, where shape and goal are
    symmetric, and the larger sum counts. The blank's place is not part of the tables, so the
    value of neighbours may differ by more than 1: it is not consistent.
    """
    name = usual(goal) if partition == "auto" else partition
    patterns = patterns_of(goal, name)
    made = tables(
        patterns,
        f"pdb({name})",
        command=f"tilewise pdb build {goal.board.shape} {name}{goal_option(goal)}",
        usual=for_everybody(goal, name),
    )
    images = mirrored(goal, patterns) if mirror else iter([patterns])
    return PatternEstimate(
        tuple(
            tuple(lookup_for(goal, pattern, made[pattern.canonical()[0]]) for pattern in image)
            for image in images
        )
    )
