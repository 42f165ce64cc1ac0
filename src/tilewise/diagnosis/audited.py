"""Turns a heuristic by name, or any Python function, into one that can be audited."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from tilewise import heuristics  # noqa: F401  (registers them)
from tilewise.core.entries import HeuristicEntry
from tilewise.core.made_heuristic import build_heuristic
from tilewise.errors import SpecError, shortened
from tilewise.plain_functions import (
    TAKES,
    HeuristicFunction,
    calling_convention,
    function_of_file,
    on_tiles,
)
from tilewise.puzzle.board import Goal

__all__ = ["TAKES", "AuditedHeuristic", "HeuristicFunction", "from_callable", "read_audited"]

CLAIMS = ("admissible", "consistent")
GOALS = ("first", "last", "snail")
SMALL = 10
"""Shapes of at most this many cells are examined completely."""


@dataclass(frozen=True)
class AuditedHeuristic:
    """A heuristic under audit: its name, what it claims, and how to make it for a goal."""

    name: str
    claims: frozenset[str]
    make: Callable[[Goal], HeuristicFunction]
    knows_goals: bool
    """Whether it is made for any goal, or has one built in."""

    def goals_for(self, rows: int, columns: int, wanted: str) -> list[Goal]:
        """The goal by that name; with `auto` blank first, on larger boards blank last too.

        With a goal built in: the one where the heuristic is 0.
        """
        if wanted != "auto":
            return [Goal.named(wanted, rows, columns)]
        goals = [Goal.named(name, rows, columns) for name in GOALS]
        if self.knows_goals:
            return goals[:1] if rows * columns <= SMALL else goals[:2]
        zero = [goal for goal in goals if self.make(goal)(goal.board.tiles) == 0]
        return (zero or goals)[:1]


def read_audited(text: str, takes: str = "auto", claims: str | None = None) -> AuditedHeuristic:
    """Take a heuristic by name or spec, or as FILE.py:NAME, for an audit.

    Args:
        text: Such as `manhattan` or `mine.py:my_heuristic`.
        takes: How a function is called; `auto` goes by its parameters.
        claims: `admissible`, `consistent` or both with a comma: what must hold. With None, what a
            registered heuristic declares, and both for a function.

    Raises:
        SpecError: There is no such heuristic, file or function.

    Example:
        >>> sorted(read_audited("manhattan").claims)
        ['admissible', 'consistent']
    """
    path, colon, name = text.rpartition(":")
    if colon and path.endswith(".py"):
        return from_file(path, name, takes, claims)
    if text.endswith(".py"):
        raise SpecError(f"expected FILE.py:NAME, got no name in {shortened(text)}")
    return _registered(text, claims)


def from_file(path: str, name: str, takes: str, claims: str | None) -> AuditedHeuristic:
    """A function of a file; one that it registers is audited as it is registered."""
    found = function_of_file(path, name)
    if isinstance(found, HeuristicEntry):
        return _registered(found.name, claims)
    return from_callable(found, name, takes, claims)


def from_callable(
    function: Callable[..., Any], name: str, takes: str = "auto", claims: str | None = None
) -> AuditedHeuristic:
    """Take a function as a heuristic, for an audit.

    Args:
        function: A function of a board, or of a board and a goal.
        name: What to call it.
        takes: `board`, `tiles`, `grid` or `goal`: what it is called with. `auto` goes by its
            parameters.
        claims: As for `read_audited`.

    Raises:
        SpecError: It has too many parameters, or `takes` or `claims` is unknown.

    Example:
        >>> from_callable(lambda tiles: sum(t != i for i, t in enumerate(tiles) if t), "mine").name
        'mine'
    """
    how = calling_convention(function, name, takes)

    def make(goal: Goal) -> HeuristicFunction:
        return on_tiles(function, name, how, goal)

    return AuditedHeuristic(name, chosen_claims(claims, CLAIMS), make, knows_goals="goal" in how)


def _registered(text: str, claims: str | None) -> AuditedHeuristic:
    sample = build_heuristic(text, Goal.blank_first(3, 3))
    declared = [name for name in CLAIMS if getattr(sample, name)]

    def make(goal: Goal) -> HeuristicFunction:
        return build_heuristic(text, goal).estimate

    return AuditedHeuristic(sample.spec, chosen_claims(claims, declared), make, knows_goals=True)


def chosen_claims(text: str | None, usual: Iterable[str]) -> frozenset[str]:
    """The properties that must hold: those named, else the usual ones."""
    if text is None:
        return frozenset(usual)
    words = [word.strip() for word in text.split(",") if word.strip()]
    if words == ["none"]:
        return frozenset()
    for word in words:
        if word not in CLAIMS:
            raise SpecError(
                f"expected --claims none, {' or '.join(CLAIMS)}, or both with a comma, "
                f"got {shortened(text)}"
            )
    return frozenset(words)
