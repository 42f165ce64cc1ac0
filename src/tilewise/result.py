"""Result: what a search returns. No answer is a status, not an exception."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tilewise.board import Board, Goal
from tilewise.stats import COUNTERS, Stats


class Status(StrEnum):
    """How a search ended."""

    SOLVED = "solved"
    UNSOLVABLE = "unsolvable"
    LIMIT = "limit"
    STUCK = "stuck"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Outcome:
    """What an algorithm itself can say: how it ended, the moves, the counters."""

    status: Status
    moves: str | None
    stats: Stats


@dataclass(frozen=True)
class Result:
    """The answer for one board: `moves` is a string of U D L R, the ways the blank goes."""

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
