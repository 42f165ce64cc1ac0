"""Heuristics made of others."""

from __future__ import annotations

from tilewise.core.entries import Estimate
from tilewise.core.problem import State
from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal


@heuristic(
    "max", admissible=True, consistent=True, changes_by_one=True, combines=True, on_boards=False
)
def maximum(goal: Goal, *parts: Estimate) -> Estimate:
    """The largest of several heuristics: admissible and consistent if all of them are.

    Where every move changes each of them by exactly one, they all have the parity of the
    distance, so every move changes the largest by exactly one too.
    """
    if len(parts) == 1:
        return parts[0]
    if len(parts) == 2:
        first, second = parts
        return lambda state: max(first(state), second(state))

    def estimate(state: State) -> int:
        return max([part(state) for part in parts])

    return estimate


@heuristic("sum", combines=True, on_boards=False)
def total(goal: Goal, *parts: Estimate) -> Estimate:
    """The sum of several heuristics: in general not admissible, even if all of them are."""

    def estimate(state: State) -> int:
        return sum([part(state) for part in parts])

    return estimate
