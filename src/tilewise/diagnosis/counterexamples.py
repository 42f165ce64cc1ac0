"""The smallest board on which a variant misses the optimum, found by trying all of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tilewise.core.result import Status
from tilewise.diagnosis.budget import UNLIMITED, Budget
from tilewise.diagnosis.counting import CountLimit, run
from tilewise.diagnosis.rule_variants import RuleVariant
from tilewise.puzzle.board import NAMED_GOALS, Board, Goal
from tilewise.puzzle.position import text_for
from tilewise.tables.distances.layers import layers

EFFORT = 200_000
"""Expansions after which the search for a counterexample ends: about a second."""


@dataclass(frozen=True)
class Counterexample:
    """A board, the moves that a variant needs for it, and those that are enough."""

    board: Board
    goal: Goal
    moves: int
    optimal: int

    def __str__(self) -> str:
        shortest = "1 is" if self.optimal == 1 else f"{self.optimal} are"
        board = text_for(self.board, self.goal, one_word=True)
        return f"{board} is solved in {self.moves:,} moves, {shortest} enough"

    def to_dict(self) -> dict[str, Any]:
        """Strings and numbers only."""
        return {
            "board": text_for(self.board, self.goal, one_word=True),
            "goal": self.goal.name,
            "moves": self.moves,
            "optimal": self.optimal,
        }


@dataclass(frozen=True)
class Finding:
    """What the search for a counterexample came to: one, or how deep all boards were tried."""

    counterexample: Counterexample | None
    depth: int


def small_goal(goal: Goal) -> Goal:
    """The goal on whose boards counterexamples are looked for: 3x3 where it has a name."""
    return Goal.named(goal.name, 3, 3) if goal.name in NAMED_GOALS else goal


@lru_cache(maxsize=4096)
def smallest(variant: RuleVariant, goal: Goal, budget: Budget = UNLIMITED) -> Finding:
    """Try all boards, nearest to the goal first and in the order of their tiles.

    The search ends at the first that is solved with more moves than it needs, or when the
    effort is spent; then no board up to the depth that is returned is a counterexample.
    """
    left = EFFORT
    rows, columns = goal.board.rows, goal.board.columns
    depth = 0
    for depth, layer in enumerate(layers(goal)):
        for tiles in sorted(layer):
            board = Board.trusted(rows, columns, tiles)
            outcome = run(variant, board, goal, CountLimit("expanded", left), budget)
            # the searches of the profiles are slower, and some count no expansions
            left -= outcome.stats.generated * 2 if variant.profile else outcome.stats.expanded
            moves = len(outcome.moves or "")
            if outcome.status is Status.SOLVED and moves > depth:
                return Finding(Counterexample(board, goal, moves, depth), depth - 1)
            if left <= 0 or outcome.status is not Status.SOLVED:
                return Finding(None, depth - 1)
    return Finding(None, depth)
