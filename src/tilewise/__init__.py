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

from tilewise.batch import solve_many
from tilewise.core import registry
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.events import Event, Kind, Observer, Recorder
from tilewise.core.incumbent import Incumbent
from tilewise.core.limits import Limits, Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import Heuristic, algorithm
from tilewise.core.result import Outcome, Result, Status, Stop, StoppedBy
from tilewise.core.rules import Rules, more_rule_sets_in
from tilewise.core.spec import Spec
from tilewise.core.stats import COUNTERS, Stats
from tilewise.errors import GoalError, TilewiseError
from tilewise.improving import improve
from tilewise.plugins import load_file
from tilewise.puzzle.board import Board, Goal, Move
from tilewise.puzzle.position import Position, read_position
from tilewise.solving import Trace, solve, trace

__all__ = [
    "COUNTERS",
    "Board",
    "BuildContext",
    "Event",
    "Goal",
    "Heuristic",
    "Incumbent",
    "Kind",
    "Limits",
    "Meter",
    "Move",
    "Observer",
    "Outcome",
    "Position",
    "Problem",
    "Recorder",
    "Result",
    "Rules",
    "Spec",
    "Stats",
    "Status",
    "Stop",
    "StoppedBy",
    "TilewiseError",
    "Trace",
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
    """Make the heuristic that a spec names, for a goal.

    Args:
        spec: Such as `manhattan`, `pdb(6-6-3)` or `max(manhattan, gaschnig)`.
        goal: The goal.
        context: How tables may be built for it: memory, whether to stop, progress.

    Raises:
        GoalError: `goal` is not a `Goal`.
        SpecError: The spec is unknown.
        TableError: Its tables are too large.

    Example:
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
    """Register a heuristic: a decorator for a function of the goal that returns `h(board)`.

    Further parameters of the function, which need defaults, become the options of its spec.

    Args:
        name: The name in specs.
        goal: Deprecated: `make_heuristic` makes the heuristic of a goal.
        **facts: `admissible=True`: it never exceeds the distance. `consistent=True`: it changes
            by at most 1 with a move. `changes_by_one=True`: by exactly 1. `combines=True`: the
            function is given the parts of its spec. `on_boards=False`: the function returns a
            function of plain tuples. `aliases`: other names. `builds_tables=True`: the function
            gets a `BuildContext` by the keyword `context`.

    Raises:
        SpecError: The name is taken or is not a name.

    Example:
        >>> @heuristic("blank_rows", admissible=True, consistent=True)
        ... def blank_rows(goal):
        ...     columns, home = goal.board.columns, goal.board.blank
        ...     return lambda board: abs(board.blank // columns - home // columns)
        >>> solve("312 475 68b", algorithm="astar", heuristic="max(blank_rows, misplaced)").cost
        4
        >>> del registry.HEURISTICS["blank_rows"]
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
