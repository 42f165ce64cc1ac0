"""The beam over learned values, at full speed on all cores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tilewise.core.build_context import never
from tilewise.core.limits import Limits, default_memory
from tilewise.core.result import Outcome, Status
from tilewise.core.stats import Stats
from tilewise.errors import CancelledError
from tilewise.learning.frames import frame_of
from tilewise.learning.models import model_for
from tilewise.native import LARGEST, STATUSES, run_learned_beam
from tilewise.native import learned_beam_bytes as bytes_for
from tilewise.puzzle.board import Board, Goal, way_back

__all__ = ["MOST_WIDTH", "Beam", "bytes_for", "learned_beam", "way_towards"]

MOST_WIDTH = 2**29 - 1
"""Of the native beam: a number of 32 bits says a board of a layer and one of its four slides."""


def learned_beam(
    board: Board,
    goal: Goal,
    *,
    width: int = 1000,
    most_moves: int | None = None,
    limits: Limits | None = None,
    threads: int = 1,
    cancelled: Callable[[], bool] = never,
    watch: Callable[[Stats], None] | None = None,
    backwards: bool = False,
    narrows: bool = False,
    ends_in: float = 0.0,
) -> Outcome:
    """Keep the `width` boards of smallest learned value in each layer, until the goal is made.

    It gives up at the depth `most_moves`, and before a layer that might exceed a limit of nodes or
    memory. The answer does not depend on the number of threads. `backwards` searches from the goal
    to the board, which errs elsewhere: one of the two is often shorter. A beam that `narrows`
    keeps fewer boards in the last third of the way, where it hardly ever loses the path. With
    `ends_in` it keeps as few as it takes to come to `most_moves` in these seconds.
    """
    if backwards:
        board, goal = goal.board, Goal(board)
    beam = Beam(width, most_moves, limits or Limits(), threads, cancelled, watch, narrows, ends_in)
    status, moves, stats = beam.run(board, goal)
    if status is not Status.SOLVED:
        return Outcome(status, None, stats)
    return Outcome(status, way_back(moves) if backwards else moves, stats)


def way_towards(board: Board, goal: Goal, beam: Beam) -> tuple[str, Stats]:
    """The moves to the goal or, if the beam misses it, to the board that seemed nearest to it."""
    _, moves, stats = beam.run(board, goal, partly=True)
    return moves, stats


@dataclass(frozen=True)
class Beam:
    """A beam with its limits."""

    width: int
    most_moves: int | None = None
    limits: Limits = field(default_factory=Limits)
    threads: int = 1
    cancelled: Callable[[], bool] = never
    watch: Callable[[Stats], None] | None = None
    narrows: bool = False
    ends_in: float = 0.0

    def run(self, board: Board, goal: Goal, *, partly: bool = False) -> tuple[Status, str, Stats]:
        """Its status, the moves of the blank, the counters."""
        try:
            frame, model = frame_of(goal), model_for(goal, self.cancelled)
        except CancelledError:
            return Status.CANCELLED, "", Stats()
        status, path, counters = run_learned_beam(
            model.values,
            frame.homes(board.tiles),
            frame.solved,
            width=self.width,
            most_moves=20 * len(board.tiles) if self.most_moves is None else self.most_moves,
            generated=min(self.limits.generated or LARGEST, LARGEST),
            seconds=self.limits.seconds or 0.0,
            memory=min(self.limits.memory or default_memory(), LARGEST),
            threads=self.threads,
            partly=partly,
            narrows=self.narrows,
            ends_in=self.ends_in,
            poll=self._poll,
        )
        stats = Stats(**counters)
        stats.iterations, stats.peak_stored = stats.max_depth, 2 * self.width
        return STATUSES[status], frame.moves(board.tiles, path), stats

    def _poll(self, counters: dict[str, int]) -> bool:
        if self.watch is not None:
            self.watch(Stats(**counters))
        return self.cancelled()
