"""The beam at full speed: `beam` with its option `threads`, by any native or learned heuristic."""

from __future__ import annotations

from typing import Any

from tilewise.core.configured_algorithm import ConfiguredAlgorithm
from tilewise.core.learned_estimate import PairEstimate
from tilewise.core.limits import Meter
from tilewise.core.made_heuristic import Heuristic
from tilewise.core.memo import CACHES
from tilewise.core.problem import Problem
from tilewise.core.result import Outcome, Status, StoppedBy
from tilewise.core.stats import Stats
from tilewise.errors import CancelledError
from tilewise.native.compiled import compiled
from tilewise.native.metering import ended_by, seconds_for
from tilewise.native.statuses import LARGEST, STATUSES
from tilewise.native.twins import estimate_for
from tilewise.puzzle.board import Move

WIDEST = 2**29 - 1
_MOVES = {move.step: move.value for move in Move}


def is_wide_beam(algorithm: ConfiguredAlgorithm) -> bool:
    """Whether an algorithm is the beam at full speed."""
    return algorithm.entry.native == "BEAM" and bool(algorithm.native_options)


def run_wide_beam(
    algorithm: ConfiguredAlgorithm, problem: Problem, heuristic: Heuristic, meter: Meter
) -> Outcome:
    """Run it: the best states by value alone, ties by hash, the states of some layers known."""
    width = min(int(algorithm.frontier.width or 1), WIDEST)

    def poll(counters: dict[str, int]) -> bool:
        meter.tell(Stats(**counters))
        return meter.cancelled

    def options() -> dict[str, Any]:
        return {
            "width": width,
            "most_moves": 2**31,
            "generated": min(meter.limits.generated or LARGEST, LARGEST),
            "seconds": seconds_for(meter),
            "memory": min(meter.memory, LARGEST),
            "threads": algorithm.options["threads"],
            "poll": poll,
        }

    learned = heuristic.estimate
    if isinstance(learned, PairEstimate):
        start = learned.homes(problem.start)
        code, path, counters = compiled.learned_beam(
            learned.values, start, learned.solved, **options()
        )
        moves = learned.moves(problem.start, path)
    else:
        try:
            estimate = estimate_for(heuristic, heuristic.goal, ended_by(meter))
        except CancelledError:
            return Outcome(meter.status, None, Stats())
        tables = estimate.nbytes
        code, path, counters = compiled.wide_beam(estimate, bytes(problem.start), **options())
        if estimate.nbytes != tables:  # the search has made them larger
            CACHES.trim()
        moves = _moves(problem, path)
    status, stats = STATUSES[code], Stats(**counters)
    stats.iterations, stats.max_frontier, stats.peak_stored = stats.max_depth, width, 2 * width
    if status is Status.LIMIT:
        meter.stopped_by = _limit_reached(stats, meter, len(problem.start), width)
    return Outcome(status, moves if status is Status.SOLVED else None, stats)


def _limit_reached(stats: Stats, meter: Meter, cells: int, width: int) -> StoppedBy:
    """The search ends before a layer that might exceed a limit of nodes or memory."""
    if compiled.learned_beam_bytes(cells, width, stats.max_depth + 1) > meter.memory:
        return StoppedBy.MEMORY
    if meter.over:
        return StoppedBy.SECONDS
    most = meter.limits.generated
    if most is not None and stats.generated + 4 * width > most:
        return StoppedBy.NODES
    return StoppedBy.MEMORY


def _moves(problem: Problem, path: bytes) -> str:
    columns = problem.columns
    at = divmod(problem.start.index(0), columns)
    moves = []
    for cell in path:
        to = divmod(cell, columns)
        moves.append(_MOVES[to[0] - at[0], to[1] - at[1]])
        at = to
    return "".join(moves)
