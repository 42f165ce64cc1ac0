"""tilewise: solve sliding-tile puzzles and study heuristic search.

>>> import tilewise as tw
>>> board = tw.Board.parse("8b6 547 231")
>>> result = tw.solve(board)
>>> result.cost, result.optimal
(31, True)
>>> tw.solve(board, algorithm="wastar(weight=3)").cost
39
>>> tw.make_heuristic("max(manhattan, gaschnig)", tw.Goal.blank_first(3, 3))(board)
21
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from tilewise import startup  # noqa: F401  from here on Ctrl-C ends a program that loads
from tilewise.batch import solve_many
from tilewise.core import registry
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.incumbent import Incumbent
from tilewise.core.limits import Limits, Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import Heuristic, algorithm
from tilewise.core.result import Outcome, Result, Status
from tilewise.core.rules import Rules, more_rule_sets_in
from tilewise.core.spec import Spec
from tilewise.core.stats import COUNTERS, Stats
from tilewise.errors import GoalError, TilewiseError
from tilewise.improving import improve
from tilewise.plugins import load_file
from tilewise.puzzle.board import Board, Goal, Move
from tilewise.puzzle.position import Position, read_position
from tilewise.solving import solve, trace

__all__ = [
    "COUNTERS",
    "Board",
    "BuildContext",
    "Goal",
    "Heuristic",
    "Incumbent",
    "Limits",
    "Meter",
    "Move",
    "Outcome",
    "Position",
    "Problem",
    "Result",
    "Rules",
    "Spec",
    "Stats",
    "Status",
    "TilewiseError",
    "algorithm",
    "heuristic",
    "improve",
    "load_file",
    "make_heuristic",
    "read_position",
    "solve",
    "solve_many",
    "trace",
]

F = TypeVar("F", bound=Callable[..., Any])

more_rule_sets_in("tilewise.courses")


def __getattr__(name: str) -> str:
    """`tilewise.__version__`, looked up on first use: that takes longer than a solve."""
    if name != "__version__":
        raise AttributeError(f"module 'tilewise' has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("tilewise")
    except PackageNotFoundError:
        return "0+source (not installed)"


def make_heuristic(
    spec: str | Spec, goal: Goal, *, context: BuildContext = DEFAULT_CONTEXT
) -> Heuristic:
    """The heuristic that a spec names, made for a goal.

    `context` says how tables may be built for it: memory, whether to stop, progress.

    >>> make_heuristic("manhattan", Goal.blank_first(3, 3))(Board.parse("1b2 345 678"))
    1
    """
    if not isinstance(goal, Goal):
        raise GoalError(f"expected a Goal such as Goal.blank_first(3, 3), got {goal!r}")
    return registry.build_heuristic(spec, goal, context)


@overload
def heuristic(name: str, *, goal: Goal) -> Heuristic: ...


@overload
def heuristic(name: str, **facts: Any) -> Callable[[F], F]: ...


def heuristic(name: str, *, goal: Goal | None = None, **facts: Any) -> Any:
    """A decorator that registers a heuristic; `make_heuristic` makes one for a goal.

    The facts are those of `tilewise.core.registry.heuristic`: admissible, consistent, combines,
    on_boards, aliases, builds_tables.
    """
    if goal is None:
        return registry.heuristic(name, **facts)
    import warnings

    warnings.warn(
        "tilewise.heuristic(spec, goal=goal) is now tilewise.make_heuristic(spec, goal)",
        DeprecationWarning,
        stacklevel=2,
    )
    return make_heuristic(name, goal)
