"""tilewise: solve sliding-tile puzzles and study heuristic search.

>>> import tilewise as tw
>>> board = tw.Board.parse("8b6 547 231")
>>> result = tw.solve(board)
>>> result.cost, result.optimal
(31, True)
>>> tw.solve(board, algorithm="wastar(weight=3)").cost
37
>>> tw.heuristic("max(manhattan, gaschnig)", goal=tw.Goal.blank_first(3, 3))(board)
21
"""

from __future__ import annotations

from typing import Any

from tilewise import registry
from tilewise.board import Board, Goal, Move
from tilewise.errors import TilewiseError
from tilewise.limits import Limits
from tilewise.registry import Heuristic, algorithm
from tilewise.result import Result, Status
from tilewise.rules import Rules
from tilewise.solving import solve, trace
from tilewise.spec import Spec
from tilewise.stats import COUNTERS, Stats

__all__ = [
    "COUNTERS",
    "Board",
    "Goal",
    "Heuristic",
    "Limits",
    "Move",
    "Result",
    "Rules",
    "Spec",
    "Stats",
    "Status",
    "TilewiseError",
    "algorithm",
    "heuristic",
    "solve",
    "trace",
]


def __getattr__(name: str) -> str:
    """`tilewise.__version__`, looked up when it is asked for: it takes longer than a solve."""
    if name != "__version__":
        raise AttributeError(f"module 'tilewise' has no attribute {name!r}")
    from importlib.metadata import version

    return version("tilewise")


def heuristic(name: str, *, goal: Goal | None = None, **facts: Any) -> Any:
    """With a goal: the heuristic that a spec names. Without: a decorator that registers one.

    >>> heuristic("manhattan", goal=Goal.blank_first(3, 3))(Board.parse("1b2 345 678"))
    1
    """
    if goal is None:
        return registry.heuristic(name, **facts)
    return registry.build_heuristic(name, goal)
