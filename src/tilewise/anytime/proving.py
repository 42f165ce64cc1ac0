"""The part that raises the bound: admissible heuristics first, then passes of IDA*."""

from __future__ import annotations

from collections.abc import Iterator

from tilewise.anytime.parts import RacePart
from tilewise.core.made_heuristic import Heuristic, build_heuristic
from tilewise.core.result import Status
from tilewise.core.stats import Stats
from tilewise.errors import CancelledError, TableError
from tilewise.tables.patterns import partition_choice

AT_ONCE = ("manhattan", "linear_conflict")
"""Heuristics that need no table."""
PROVABLE_CELLS = 25
FOR_PASSES = 0.05
"""The share of the time that passes get on boards with more cells, where each pass takes many times
as long as the one before and the gap is seldom closed."""
WORDS, SHORT_WORDS, LONG_RUN = 12, 10, 30.0
"""Words of up to 12 moves are left out by the passes; only of 10 in runs of less than 30 seconds,
because it takes more than a second to find the longer ones."""


def prove(part: RacePart) -> None:
    """Raise the bound until the race is over or the part's share of nodes is used up."""
    try:
        _prove(part)
    finally:
        part.race.proof_ended.set()


def _prove(part: RacePart) -> None:
    best: Heuristic | None = None
    for h in _heuristics(part):
        part.race.prove(h.estimate(part.race.problem.start), h.spec)
        best = h
        if part.over:
            return
    if best is not None:
        _deepen(part, best)


def _heuristics(part: RacePart) -> Iterator[Heuristic]:
    """Better and better ones; tables as far as they are at hand or quickly built."""
    for spec in AT_ONCE:
        yield build_heuristic(spec, part.goal)
    best = partition_choice.best_heuristic(part.goal, part.memory)
    if best is not None and not part.over:
        try:
            yield build_heuristic(best, part.goal, part.context)
        except (CancelledError, TableError):
            return


def _deepen(part: RacePart, h: Heuristic) -> None:
    """Passes of iterative deepening: one that ends without a solution raises the bound."""
    name = f"IDA* with {h.spec}"

    def watch(stats: Stats) -> None:
        cost = part.race.cost
        part.race.prove(stats.bound if cost is None else min(stats.bound, cost), name)

    words = WORDS if part.race.seconds_left > LONG_RUN else SHORT_WORDS
    spec = f"idastar(prune={words},threads={part.threads})"
    if not part.serves(spec, h):
        spec = "idastar"
    provable = len(part.race.problem.start) <= PROVABLE_CELLS
    limits = part.limits(seconds=part.race.seconds_left * (1.0 if provable else FOR_PASSES))
    outcome = part.search(spec, h, limits, watch, called=name)
    if outcome.status is Status.SOLVED and outcome.moves is not None:
        part.race.prove(len(outcome.moves), name)
    else:
        watch(outcome.stats)
