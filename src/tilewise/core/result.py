"""Result: what a search returns. No answer is a status, not an exception."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tilewise.core.stats import COUNTERS, Stats
from tilewise.puzzle.board import Board, Goal


class Status(StrEnum):
    """How a search ended. The values are texts, so `Status.SOLVED == "solved"`.

    Example:
        >>> Status("limit")
        <Status.LIMIT: 'limit'>
    """

    SOLVED = "solved"
    """A solution was found."""
    UNSOLVABLE = "unsolvable"
    """No moves lead to the goal."""
    LIMIT = "limit"
    """A limit was reached first."""
    STUCK = "stuck"
    """No state was left to expand: a beam ran empty."""
    CANCELLED = "cancelled"
    """The caller cancelled the search."""


class StoppedBy(StrEnum):
    """What ended a search before it was done: one of its limits, or a gap that was small enough.

    Example:
        >>> StoppedBy.NODES == "nodes"
        True
    """

    NODES = "nodes"
    SECONDS = "seconds"
    MEMORY = "memory"
    GAP = "gap"


@dataclass(frozen=True)
class Stop:
    """The limit that a search came to, what it had used by then, and what it was allowed.

    Memory is in bytes and counts the tables; a search stops before it would take too much.

    Example:
        >>> str(Stop(StoppedBy.NODES, 1000, 1000))
        'nodes (1,000 of 1,000)'
    """

    by: StoppedBy
    used: float
    allowed: float

    def __str__(self) -> str:
        if self.by is StoppedBy.MEMORY:
            return f"memory ({self.used / 2**20:,.1f} of {self.allowed / 2**20:,.1f} MB)"
        if self.by is StoppedBy.SECONDS:
            return f"seconds ({self.used:.1f} of {self.allowed:g})"
        return f"{self.by} ({self.used:,} of {self.allowed:,})"


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
    """What an algorithm of your own returns. `solve` makes a `Result` of it.

    Example:
        >>> Outcome(Status.SOLVED, "LU", Stats(expanded=2, generated=5)).moves
        'LU'
    """

    status: Status
    """How the search ended; never `UNSOLVABLE`, which is known before it begins."""
    moves: str | None
    """The solution as letters U D L R, or None."""
    stats: Stats
    """The counters."""
    bound: int = 0
    """Moves that the algorithm has proved to be needed, where it proves more than its solution."""
    bound_by_h: int = 0
    """Moves that are needed at least if the heuristic is admissible."""


@dataclass(frozen=True)
class Result:
    """The answer for one board.

    Example:
        >>> import tilewise as tw
        >>> result = tw.solve("312 475 68b")
        >>> result.status, result.moves, result.cost, result.optimal
        (<Status.SOLVED: 'solved'>, 'LULU', 4, True)
        >>> [str(board) for board in result.boards()][-2:]
        ['312 b45 678', 'b12 345 678']
    """

    status: Status
    """How the search ended."""
    moves: str | None
    """The solution as letters U D L R, the moves of the blank; None without a solution."""
    board: Board
    """The start."""
    goal: Goal
    """The goal that was searched for."""
    algorithm: str
    """The spec of the algorithm, with all its options."""
    heuristic: str | None
    """The spec of the heuristic, None for a search that uses none."""
    rules: str
    """The rules, as text."""
    engine: str
    """`python` or `native`: which engine ran."""
    bound: int | None
    """Moves that are proved to be needed at least; None where there is no solution."""
    stats: Stats = field(default_factory=Stats)
    """The counters."""
    note: str | None = None
    """A remark for people: why another goal was taken, why a board is unsolvable."""
    stop: Stop | None = None
    """The limit that ended the search, if one did."""
    doubt: str | None = None
    """Why a search that should prove its solution optimal does not; part of the note."""

    @property
    def cost(self) -> int | None:
        """The number of moves, or None where there is no solution."""
        return None if self.moves is None else len(self.moves)

    @property
    def gap(self) -> int | None:
        """How many moves the solution can be above the optimum at most; None without one."""
        return None if self.moves is None or self.bound is None else len(self.moves) - self.bound

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no solution is shorter."""
        return self.gap == 0

    @property
    def stopped_by(self) -> StoppedBy | None:
        """The limit that ended the search, by name."""
        return None if self.stop is None else self.stop.by

    @property
    def solved(self) -> bool:
        """Whether there is a solution."""
        return self.status is Status.SOLVED

    @property
    def summary(self) -> str:
        """How many moves, and how many are needed at least; or why there are none."""
        stopped = f": stopped by {self.stop}" if self.stop and self.moves is None else ""
        least = f"; at least {self.bound} are needed" if stopped and self.bound else ""
        if self.moves is None:
            return f"{STATUS_WORDS[self.status]}{stopped}{least}"
        count = f"{self.cost} {'move' if self.cost == 1 else 'moves'}"
        return f"{count}, optimal" if self.optimal else f"{count}; {self.distance_to_optimum}"

    @property
    def distance_to_optimum(self) -> str:
        """The bound and the gap in words."""
        return f"at least {self.bound} (gap {self.gap})"

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
            "bound": self.bound,
            "gap": self.gap,
            "optimal": self.optimal,
            "stopped_by": self.stopped_by and self.stopped_by.value,
            "stopped_at": self.stop and {"used": self.stop.used, "allowed": self.stop.allowed},
            "stats": {c.name: getattr(self.stats, c.name) for c in COUNTERS},
        }
