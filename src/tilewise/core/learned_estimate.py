"""Estimates of heuristics that were learned, with what the native engine needs of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tilewise.core.problem import State

SCALE = 128
"""Learned values of pairs are whole numbers in this part of a move."""


@dataclass(frozen=True)
class LearnedEstimate:
    """Moves to a goal by a model."""

    model: Any
    """Called with a board as the model has it and its Manhattan distance, it gives the moves. An
    object of the native engine where that is there, which then searches with it."""
    homes: Callable[[State], bytes]
    """A state as the model has it."""
    manhattan: Callable[[State], int]

    def __call__(self, state: State) -> int:
        return int(self.model(self.homes(state), self.manhattan(state)))


@dataclass(frozen=True)
class PairEstimate(LearnedEstimate):
    """Moves by values of pairs of tiles, with what the beam at full speed needs of them."""

    values: Any
    """The values, an object of the native engine."""
    moves: Callable[[State, bytes], str]
    """Moves, from the start and the cells of the model that the blank goes to."""
    solved: bytes
    """The goal, as the model has it."""
