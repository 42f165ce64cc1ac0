"""Shortens a path by beams between points of it, each within a rectangle that the blank stays in.

A segment ends where the blank would leave a rectangle of at most 8x8 cells. What lies outside of it
does not move, so that the segment is a puzzle of its own, from the state at its beginning to the
one at its end, and learned values of the rectangle's shape serve it, on boards of any size.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import count

from tilewise.anytime.division import CORE, Core, problem_within
from tilewise.core.limits import Limits
from tilewise.core.problem import Problem, State
from tilewise.core.result import Outcome
from tilewise.core.stats import Stats
from tilewise.learning.learned_beam import learned_beam
from tilewise.puzzle.board import Goal

FIRST_WIDTH, GROWTH = 100, 2
SWEEPS_OF_A_WIDTH = 3
SHORTEST, LONGEST = 12, 300
"""Moves of a segment; shorter ones are left to windows."""
OF_PATH = 0.75
"""The share of the whole path that a segment has at most."""


@dataclass(frozen=True)
class Sweep:
    """One pass over a path: it is cut into segments, each of which is solved by a beam."""

    number: int
    """Each sweep cuts the path elsewhere, at places that the number determines. Every other one
    solves its segments backwards."""
    width: int


def sweeps(first_width: int = FIRST_WIDTH) -> Iterator[Sweep]:
    """Wider and wider beams, without an end."""
    for number in count():
        yield Sweep(number, first_width * GROWTH ** (number // SWEEPS_OF_A_WIDTH))


@dataclass(frozen=True)
class Segment:
    """A part of a path and the rectangle that the blank stays in."""

    begin: int
    end: int
    start: State
    target: State
    rectangle: Core


def segments(problem: Problem, moves: str, number: int) -> list[Segment]:
    """Cut a path so that the blank stays within 8x8 cells in each part."""
    drawn = random.Random(number)
    most = max(2 * SHORTEST, min(LONGEST, int(OF_PATH * len(moves))))
    columns = problem.columns
    found: list[Segment] = []
    start = before = problem.start
    begin, longest = 0, drawn.randint(SHORTEST, most // 2)
    box = _Box.at(start.index(0), columns)
    for at, state in enumerate(problem.states(moves)):
        wider = box.including(state.index(0), columns)
        if at - begin > longest or not wider.fits:
            found.append(Segment(begin, at - 1, start, before, box.rectangle(problem, drawn)))
            start, begin, longest = before, at - 1, drawn.randint(most // 4, most)
            wider = _Box.at(before.index(0), columns).including(state.index(0), columns)
        box, before = wider, state
    found.append(Segment(begin, len(moves), start, before, box.rectangle(problem, drawn)))
    return [each for each in found if each.end - each.begin >= SHORTEST]


@dataclass(frozen=True)
class _Box:
    """The rows and columns that the blank has been in."""

    top: int
    left: int
    bottom: int
    right: int

    @staticmethod
    def at(cell: int, columns: int) -> _Box:
        row, column = divmod(cell, columns)
        return _Box(row, column, row, column)

    def including(self, cell: int, columns: int) -> _Box:
        row, column = divmod(cell, columns)
        return _Box(
            min(self.top, row),
            min(self.left, column),
            max(self.bottom, row),
            max(self.right, column),
        )

    @property
    def fits(self) -> bool:
        return self.bottom - self.top < CORE and self.right - self.left < CORE

    def rectangle(self, problem: Problem, drawn: random.Random) -> Core:
        """A rectangle about the box, as large as may be."""
        rows, columns = min(CORE, problem.rows), min(CORE, problem.columns)
        top = drawn.randint(max(0, self.bottom + 1 - rows), min(self.top, problem.rows - rows))
        left = drawn.randint(
            max(0, self.right + 1 - columns), min(self.left, problem.columns - columns)
        )
        return Core(top, left, rows, columns)


def sweep_over(
    problem: Problem,
    moves: str,
    sweep: Sweep,
    *,
    threads: int,
    limits: Callable[[], Limits],
    stopped: Callable[[], bool],
    spend: Callable[[Stats], None],
) -> str:
    """The path after one sweep: segments that came out no longer are replaced."""

    def solve(segment: Segment) -> Outcome | None:
        if stopped():
            return None
        inner = problem_within(segment.rectangle, problem.columns, segment.start, segment.target)
        return learned_beam(
            inner.board(inner.start),
            Goal(inner.board(inner.goal)),
            width=sweep.width,
            most_moves=segment.end - segment.begin,
            limits=limits(),
            cancelled=stopped,
            backwards=sweep.number % 2 == 1,
        )

    cut = segments(problem, moves, sweep.number)
    with ThreadPoolExecutor(threads) as pool:
        outcomes = pool.map(solve, cut) if threads > 1 else map(solve, cut)
        better = []
        for segment, outcome in zip(cut, outcomes, strict=True):
            if outcome is not None:
                spend(outcome.stats)
                better.append((segment, outcome.moves))
    for segment, way in reversed(better):
        if way is not None and len(way) <= segment.end - segment.begin:
            moves = moves[: segment.begin] + way + moves[segment.end :]
    return moves
