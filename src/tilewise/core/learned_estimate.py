"""The estimate of a heuristic that was learned, with what a native beam needs of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tilewise.core.problem import State

SCALE = 128
"""Learned values are whole numbers in this part of a move."""


@dataclass(frozen=True)
class LearnedEstimate:
    """Moves to a goal by a model; called with a state, it rounds them to a whole number."""

    values: Any
    """The model, an object of the native engine."""
    homes: Callable[[State], bytes]
    """A state as the model has it."""
    moves: Callable[[State, bytes], str]
    """Moves, from the start and the cells of the model that the blank goes to."""
    solved: bytes
    """The goal, as the model has it."""
    at_goal: int

    def __call__(self, state: State) -> int:
        value = int(self.values.value(self.homes(state))) - self.at_goal
        return max(0, (value + SCALE // 2) // SCALE)
