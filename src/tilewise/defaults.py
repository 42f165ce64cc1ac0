"""What is taken when nothing is named: algorithm, heuristic, patience, by the size of a board."""

from __future__ import annotations

from dataclasses import replace

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.limits import Limits
from tilewise.core.result import Result
from tilewise.native import NATIVE
from tilewise.puzzle.board import Board, Goal
from tilewise.tables.patterns import partition_choice

ASTAR_CELLS, IDASTAR_CELLS = 10, 16
"""Boards of at most this many cells are solved by A*, by IDA* when no algorithm is named."""
FASTEST = "astar_idastar(nodes=2000, prune=8)"
"""What the native engine takes in place of IDA* where nothing is named."""
PATIENCE = 10.0
"""Seconds that boards of more than 10 cells are searched when no limit is named."""


def search_of(board: Board) -> str:
    """A* where all states fit in memory, iterative deepening elsewhere."""
    return "astar" if len(board.tiles) <= ASTAR_CELLS else "idastar"


def default_algorithm(board: Board) -> str:
    """An optimal search where it ends soon, `anytime` on larger boards."""
    return search_of(board) if len(board.tiles) <= IDASTAR_CELLS else "anytime"


def default_search(board: Board, engine: str) -> str:
    """What solves a board when nothing is named: the default algorithm in its fastest form."""
    chosen = default_algorithm(board)
    return FASTEST if chosen == "idastar" and NATIVE and engine != "python" else chosen


def default_heuristic(
    board: Board, goal: Goal, limits: Limits, context: BuildContext = DEFAULT_CONTEXT
) -> str | None:
    """The best pattern databases at hand for a larger board; None: the algorithm's own.

    Up to 10 cells the counters that people see depend on no table, and above 25 cells tables are
    little better than linear conflict.
    """
    cells = len(board.tiles)
    if not ASTAR_CELLS < cells <= partition_choice.LARGE_PATTERNS or not goal.reachable_from(board):
        return None
    chosen = partition_choice.best_partition(goal, limits.memory, context.cancelled)
    return None if chosen is None else f"pdb({chosen})"


def with_patience(limits: Limits, board: Board) -> Limits:
    """How long to look for an optimal solution when no limit is set."""
    if len(board.tiles) <= ASTAR_CELLS or limits.gap is not None:
        return limits
    return replace(limits, seconds=PATIENCE)


def advice(result: Result) -> str:
    """Where better tables exist that are only built by a command of their own."""
    best = partition_choice.worth_building(result.goal)
    if best is None or result.heuristic == f"pdb({best})":
        return ""
    return f" (`tilewise pdb build {result.board.shape} {best}` makes tables that help)"
