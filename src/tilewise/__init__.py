"""tilewise: solve sliding-tile puzzles and study heuristic search.

>>> import tilewise as tw
>>> board = tw.Board.parse("8b6 547 231")
>>> result = tw.solve(board)
>>> result.cost, result.optimal
(31, True)
>>> tw.solve(board, algorithm="wastar(weight=3)").cost
39
>>> tw.heuristic("max(manhattan, gaschnig)", goal=tw.Goal.blank_first(3, 3))(board)
21
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from tilewise import registry
from tilewise.board import Board, Goal, Move
from tilewise.errors import GoalError, TilewiseError
from tilewise.limits import Limits, Meter
from tilewise.loading import load_file
from tilewise.many import solve_many
from tilewise.problem import Problem
from tilewise.registry import Heuristic, algorithm
from tilewise.result import Outcome, Result, Status
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
    "Meter",
    "Move",
    "Outcome",
    "Problem",
    "Result",
    "Rules",
    "Spec",
    "Stats",
    "Status",
    "TilewiseError",
    "algorithm",
    "heuristic",
    "load_file",
    "solve",
    "solve_many",
    "trace",
]

F = TypeVar("F", bound=Callable[..., Any])


def __getattr__(name: str) -> str:
    """`tilewise.__version__`, looked up when it is asked for: it takes longer than a solve."""
    if name != "__version__":
        raise AttributeError(f"module 'tilewise' has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("tilewise")
    except PackageNotFoundError:
        return "0+source (not installed)"


@overload
def heuristic(name: str, *, goal: Goal) -> Heuristic: ...


@overload
def heuristic(name: str, **facts: Any) -> Callable[[F], F]: ...


def heuristic(name: str, *, goal: Goal | None = None, **facts: Any) -> Any:
    """With a goal: the heuristic that a spec names. Without: a decorator that registers one.

    >>> heuristic("manhattan", goal=Goal.blank_first(3, 3))(Board.parse("1b2 345 678"))
    1
    """
    if goal is None:
        return registry.heuristic(name, **facts)
    if not isinstance(goal, Goal):
        raise GoalError(f"expected a Goal such as Goal.blank_first(3, 3), got {goal!r}")
    return registry.build_heuristic(name, goal)
