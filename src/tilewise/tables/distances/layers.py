"""Breadth-first layers around a goal, for shapes that are too large for a whole table."""

from __future__ import annotations

from collections.abc import Iterator

from tilewise.core.problem import Problem, State
from tilewise.puzzle.board import Goal


def layers(goal: Goal) -> Iterator[set[State]]:
    """The states at distance 0, 1, 2, ... from a goal; made one at a time."""
    problem = Problem(goal.board, goal)
    before: set[State] = set()
    layer = {problem.goal}
    while layer:
        yield layer
        following = {child for state in layer for _, child in problem.successors(state)}
        # a neighbour of a layer is in the next one or in the one before it
        before, layer = layer, following - before


def states_at(goal: Goal, distance: int, most: int) -> list[State] | None:
    """The states at one distance, sorted; None if more than `most` states are nearer."""
    nearer = 0
    for reached, layer in enumerate(layers(goal)):
        if reached == distance:
            return sorted(layer)
        nearer += len(layer)
        if nearer > most:
            return None
    return []
