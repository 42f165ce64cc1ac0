"""improve(): make a solution shorter, whoever found it."""

from __future__ import annotations

import os
from dataclasses import replace
from threading import Event as CancelFlag

from tilewise.anytime.algorithm import side_by_side
from tilewise.anytime.parts import RacePart
from tilewise.anytime.race import Race
from tilewise.anytime.shortening import improve_by_parts
from tilewise.core.incumbent import Gap, Improved
from tilewise.core.limits import Limits, Meter, Progress
from tilewise.core.problem import Problem
from tilewise.core.result import Result, Status, StoppedBy
from tilewise.defaults import PATIENCE
from tilewise.errors import LimitsError, MoveError, shortened
from tilewise.native import NATIVE
from tilewise.puzzle.board import Board
from tilewise.puzzle.position import Position, WantedGoal, read_position
from tilewise.solving import least_moves

NAME = "improve"


def improve(
    board: Position | Board | str,
    moves: str,
    *,
    goal: WantedGoal = None,
    limits: Limits | None = None,
    cancel: CancelFlag | None = None,
    progress: Progress | None = None,
    improved: Improved | None = None,
) -> Result:
    """Shorten a solution by solving longer and longer parts of it again.

    It ends where no part of the path can be shortened, or where the path is as short as
    Manhattan distance allows.

    Args:
        board: The start: a board, a position, or a text in any notation.
        moves: A solution: letters U D L R, the moves of the blank.
        goal: As for `solve`.
        limits: The limits; with none, ten seconds.
        cancel: A flag that ends it when it is set.
        progress: Called with the counters while it works.
        improved: Called with each better solution, as an `Incumbent`.

    Raises:
        MoveError: The moves do not solve the board.
        LimitsError: `limits` are not `Limits`.

    Example:
        >>> improve("142 3b5 678", "DULRUL").moves
        'UL'
    """
    if not isinstance(moves, str):
        raise MoveError(f"expected the moves as letters U D L R, got {shortened(moves)}")
    if not isinstance(limits, Limits | None):
        raise LimitsError(f"expected Limits, got {shortened(limits)}")
    position = read_position(board, goal)
    start, target = position.board, position.goal
    if limits is None or (limits.seconds is None and limits.generated is None):
        limits = replace(limits or Limits(), seconds=PATIENCE)
    problem = Problem(start, target)
    meter = Meter(limits, len(start.tiles), cancel, progress, improved)
    if problem.replay(moves) != problem.goal:
        raise MoveError(f"expected moves that solve the board, got {shortened(moves)}")
    race = Race(problem, meter, Gap.parse(limits.gap or 0))
    engine = "native" if NATIVE else "python"
    threads = 1 if limits.generated else os.cpu_count() or 1
    part = RacePart(NAME, race, engine, threads, meter.memory, limits.generated)
    race.prove(least_moves(start, target), "manhattan")
    race.offer(moves, "given")
    status = Status.SOLVED
    try:
        side_by_side(race, [(improve_by_parts, part)])
    except KeyboardInterrupt:
        status = Status.CANCELLED
    if meter.cancelled:
        status = Status.CANCELLED
    elif race.finished:
        meter.stopped_by = None
    elif not race.seconds_left:
        meter.stopped_by = StoppedBy.SECONDS
    elif part.nodes == 0:
        meter.stopped_by = StoppedBy.NODES
    stats = race.stats()
    stats.seconds = meter.seconds
    return Result(
        status=status,
        moves=race.moves,
        board=start,
        goal=target,
        algorithm=NAME,
        heuristic=None,
        rules="default",
        engine=engine,
        bound=race.bound,
        stats=stats,
        note=_note(position.note, len(moves) - len(race.moves or "")),
        stop=race.stop_at_gap() or meter.reached(stats),
    )


def _note(note: str | None, fewer: int) -> str:
    saved = f"{fewer} moves fewer than given" if fewer else "no shorter than given"
    return f"{note}; {saved}" if note else saved
