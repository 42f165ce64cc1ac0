"""Heuristics made from a spec, and registered under a name: the public forms of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from tilewise.core import registry
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.registry import Heuristic
from tilewise.core.spec import Spec
from tilewise.errors import GoalError
from tilewise.puzzle.board import Goal

F = TypeVar("F", bound=Callable[..., Any])


def make_heuristic(
    spec: str | Spec, goal: Goal, *, context: BuildContext = DEFAULT_CONTEXT
) -> Heuristic:
    """The heuristic that a spec names, made for a goal.

    `context` says how tables may be built for it: memory, whether to stop, progress.

    >>> from tilewise import Board
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
