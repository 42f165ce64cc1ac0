"""Result: what a search returns. No answer is a status, not an exception."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tilewise.core.stats import COUNTERS, Stats
from tilewise.puzzle.board import Board, Goal


class Status(StrEnum):
    """How a search ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    LIMIT = "limit"
    STUCK = "stuck"
    CANCELLED = "cancelled"


STATUS_WORDS = {
    Status.UNSOLVABLE: "unsolvable",
    Status.LIMIT: "no solution within the limits",
    Status.STUCK: "stuck: no state is left to expand",
    Status.CANCELLED: "cancelled",
}
MOST_MOVES_ANIMATED = 500
"""Longer solutions are shown in notebooks by their first board alone."""


@dataclass(frozen=True)
class Outcome:
    """What an algorithm itself can say: how it ended, the moves, the counters."""

    status: Status
    moves: str | None
    stats: Stats


@dataclass(frozen=True)
class Result:
    """The answer for one board: `moves` is a string of U D L R, moves of the blank."""

    status: Status
    moves: str | None
    board: Board
    goal: Goal
    algorithm: str
    heuristic: str | None
    rules: str
    engine: str
    optimal: bool
    stats: Stats = field(default_factory=Stats)
    note: str | None = None

    @property
    def cost(self) -> int | None:
        """The number of moves, or None where there is no solution."""
        return None if self.moves is None else len(self.moves)

    @property
    def solved(self) -> bool:
        return self.status is Status.SOLVED

    @property
    def summary(self) -> str:
        """How many moves and whether that is optimal, or why there are none."""
        if self.moves is None:
            return STATUS_WORDS[self.status]
        word = "optimal" if self.optimal else "not proved optimal"
        return f"{self.cost} {'move' if self.cost == 1 else 'moves'}, {word}"

    def _repr_html_(self) -> str:
        """The solution as notebooks show it: it plays itself, with the moves below."""
        from tilewise.drawing.svg import board_svg, figure_html, moving_svg

        board, goal = self.board, self.goal.board.tiles
        animated = self.cost is not None and 0 < self.cost <= MOST_MOVES_ANIMATED
        if animated:
            states = [each.tiles for each in self.boards()]
            picture = moving_svg(board.rows, board.columns, states)
        else:
            picture = board_svg(board.rows, board.columns, board.tiles, goal=goal)
        how = (self.algorithm, self.heuristic, f"goal {self.goal.name}", f"{self.engine} engine")
        counts = f"{self.stats.expanded:,} expanded, {self.stats.generated:,} generated"
        facts = [self.note, ", ".join(part for part in how if part), counts]
        moves = self.moves if self.moves and animated else ""
        return figure_html(picture, self.summary, moves, (fact for fact in facts if fact))

    def boards(self) -> list[Board]:
        """Every board on the way, the start and the goal included; empty without a solution."""
        if self.moves is None:
            return []
        boards = [self.board]
        for move in self.moves:
            boards.append(boards[-1].move(move))
        return boards

    def to_dict(self) -> dict[str, Any]:
        """Strings, numbers and None only: one JSON object."""
        return {
            "note": self.note,
            "board": str(self.board),
            "status": self.status.value,
            "cost": self.cost,
            "moves": self.moves,
            "goal": self.goal.name,
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "rules": self.rules,
            "engine": self.engine,
            "optimal": self.optimal,
            "stats": {c.name: getattr(self.stats, c.name) for c in COUNTERS},
        }
