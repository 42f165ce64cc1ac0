"""Breadth-first layers around a goal, for shapes that are too large for a whole table."""

from __future__ import annotations

from collections.abc import Iterator

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.problem import Problem, State
from tilewise.puzzle.board import Goal

CHECK_EVERY = 256
"""States after which the context is looked at; those of the largest boards take milliseconds."""


def layers(goal: Goal, context: BuildContext = DEFAULT_CONTEXT) -> Iterator[set[State]]:
    """The states at distance 0, 1, 2, ... from a goal; made one at a time."""
    problem = Problem(goal.board, goal)
    before: set[State] = set()
    layer = {problem.goal}
    while layer:
        yield layer
        following: set[State] = set()
        for done, state in enumerate(layer):
            if done % CHECK_EVERY == 0:
                context.check()
            following.update([child for _, child in problem.successors(state)])
        # a neighbour of a layer is in the next one or in the one before it
        before, layer = layer, following - before


def states_at(
    goal: Goal, distance: int, most: int, context: BuildContext = DEFAULT_CONTEXT
) -> list[State] | None:
    """The states at one distance, sorted; None if more than `most` states are nearer."""
    nearer = 0
    for reached, layer in enumerate(layers(goal, context)):
        if reached == distance:
            return sorted(layer)
        nearer += len(layer)
        if nearer > most:
            return None
    return []
