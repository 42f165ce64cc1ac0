"""The beam over learned values, at full speed on all cores."""

from __future__ import annotations

from collections.abc import Callable

from tilewise.core.build_context import never
from tilewise.core.limits import Limits, default_memory
from tilewise.core.result import Outcome, Status
from tilewise.core.stats import Stats
from tilewise.learning.frames import frame_of
from tilewise.learning.models import model_for
from tilewise.native import LARGEST, STATUSES, run_learned_beam
from tilewise.native import learned_beam_bytes as bytes_for
from tilewise.puzzle.board import Board, Goal

__all__ = ["bytes_for", "learned_beam"]


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
) -> Outcome:
    """Keep the `width` boards of smallest learned value in each layer, until the goal is made.

    It gives up at the depth `most_moves`, and before a layer that might exceed a limit of nodes or
    memory. The answer does not depend on the number of threads.
    """
    limits = limits or Limits()
    frame, model = frame_of(goal), model_for(goal)
    cells = len(board.tiles)

    def poll(counters: dict[str, int]) -> bool:
        if watch is not None:
            watch(Stats(**counters))
        return cancelled()

    status, path, counters = run_learned_beam(
        model.values,
        frame.homes(board.tiles),
        frame.solved,
        width=width,
        most_moves=20 * cells if most_moves is None else most_moves,
        generated=min(limits.generated or LARGEST, LARGEST),
        seconds=limits.seconds or 0.0,
        memory=min(limits.memory or default_memory(), LARGEST),
        threads=threads,
        poll=poll,
    )
    stats = Stats(**counters)
    stats.iterations, stats.peak_stored = stats.max_depth, 2 * width
    solved = STATUSES[status] is Status.SOLVED
    return Outcome(STATUSES[status], frame.moves(board.tiles, path) if solved else None, stats)
