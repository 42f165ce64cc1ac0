"""Heuristics made from a spec, and registered under a name: the public forms of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from tilewise import heuristics, search  # noqa: F401  (registers them)
from tilewise.core import registry
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.made_heuristic import Heuristic, build_heuristic
from tilewise.core.spec import Spec
from tilewise.errors import GoalError
from tilewise.puzzle.board import Goal

F = TypeVar("F", bound=Callable[..., Any])


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
        >>> from tilewise import Board
        >>> make_heuristic("manhattan", Goal.blank_first(3, 3))(Board.parse("1b2 345 678"))
        1
    """
    if not isinstance(goal, Goal):
        raise GoalError(f"expected a Goal such as Goal.blank_first(3, 3), got {goal!r}")
    return build_heuristic(spec, goal, context)


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
            gets a `BuildContext` by the keyword `context`. `fractions=True`: its values may be
            fractions. `title`: its name in words. `shares`: what each tile or group of tiles adds,
            where the value is such a sum; the page draws it.

    Raises:
        SpecError: The name is taken or is not a name.

    Example:
        >>> @heuristic("blank_rows", admissible=True, consistent=True)
        ... def blank_rows(goal):
        ...     columns, home = goal.board.columns, goal.board.blank
        ...     return lambda board: abs(board.blank // columns - home // columns)
        >>> from tilewise import solve
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
