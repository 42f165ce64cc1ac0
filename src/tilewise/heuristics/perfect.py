"""The true distance."""

from __future__ import annotations

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.entries import Tabled
from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal
from tilewise.tables.distances import distance_table


@heuristic(
    "perfect",
    title="the true distance",
    admissible=True,
    consistent=True,
    changes_by_one=True,
    on_boards=False,
    builds_tables=True,
)
def perfect(goal: Goal, *, context: BuildContext = DEFAULT_CONTEXT) -> Tabled:
    """The true distance, from a table of all states (up to 12 cells: 3x4, 2x6).

    Only states that can reach the goal have a distance.
    """
    table = distance_table(goal, context)
    return Tabled(table.distance, table.table_bytes)
