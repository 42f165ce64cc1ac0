"""The heuristics of an experiment: all admissible ones that exist for a goal."""

from __future__ import annotations

from tilewise import heuristics  # noqa: F401  (registers the heuristics)
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.registry import HEURISTICS
from tilewise.errors import TilewiseError
from tilewise.native import may_serve
from tilewise.puzzle.board import Goal

BEST_PAIR = "max(linear_conflict, walking_distance)"
CHEAP_TABLES = {"pdb": {(4, 4): "pdb(6-6-3)"}}
"""Where a heuristic's default tables are large, the ones to take on a shape instead."""


def admissible(goal: Goal, *, native: bool = False) -> tuple[str, ...]:
    """The built-in admissible heuristics that can be made for a goal, weakest ideas first.

    `native`: only those that the native engine has, for boards that need it.
    """
    shape = (goal.board.rows, goal.board.columns)
    names = [
        CHEAP_TABLES.get(entry.name, {}).get(shape, entry.name)
        for entry in HEURISTICS.values()
        if entry.built_in and entry.admissible and not entry.combines
    ]
    return tuple(name for name in (*names, BEST_PAIR) if _can_be_made(name, goal, native))


def _can_be_made(spec: str, goal: Goal, native: bool) -> bool:
    try:
        return build_heuristic(spec, goal).admissible and (
            not native or may_serve("auto", "idastar", spec, None)
        )
    except TilewiseError:  # no table for a board of this size
        return False
