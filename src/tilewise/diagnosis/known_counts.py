"""What was measured: the counts of variants on boards, kept for the next question about a board."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from tilewise.core.limits import Limits
from tilewise.diagnosis.budget import MEMORY, Budget, EndedEarlyError
from tilewise.diagnosis.counting import CountLimit, Counts, Measuring
from tilewise.diagnosis.findings import Observation
from tilewise.diagnosis.rule_variants import RuleVariant
from tilewise.diagnosis.workers import Workers
from tilewise.puzzle.board import Board, Goal
from tilewise.solving import solve

LEAST_MARGIN = 20
"""A run stops at 1.2 times the count, and not before this many above it."""
SMALL_COUNT = 100
"""Counts up to this are looked for in one process: others would take longer to start."""
QUICKLY = 2.0
"""Seconds for the optimal solution, which saves runs that must be too long."""
KEPT_BOARDS = 64

DiagnosisProgress = Callable[[int, int], None]
Batch = tuple[RuleVariant, ...]
_kept: OrderedDict[tuple[Board, Goal], dict[RuleVariant, tuple[Counts | None, CountLimit]]] = (
    OrderedDict()
)
"""What was measured on the last boards, so that the next count on one of them is looked up."""


class BoardMeasurement:
    """The counts of variants on the board of one observation."""

    def __init__(self, observation: Observation, goal: Goal) -> None:
        self._observation, self._goal = observation, goal
        self._stop: CountLimit | None = None

    def known(self, variant: RuleVariant) -> Counts | None:
        """The counts of a variant; None if it was stopped, or not run yet."""
        kept = _kept.get((self._observation.board, self._goal), {})
        return kept.get(variant, (None, None))[0]

    def measure(
        self,
        batches: Iterable[Batch],
        workers: Workers,
        budget: Budget,
        progress: DiagnosisProgress | None,
    ) -> None:
        """Run what is not known yet; it ends early with what the budget allows."""
        board, goal = self._observation.board, self._goal
        self._stop = stop = self._stop or self._stop_of(budget)
        known = _kept.setdefault((board, goal), {})
        _kept.move_to_end((board, goal))
        while len(_kept) > KEPT_BOARDS:
            _kept.popitem(last=False)
        needed = [
            rest
            for batch in batches
            if (rest := tuple(variant for variant in batch if not self._settled(variant)))
        ]
        work = partial(_counts_of, board, goal, stop, budget)
        ended = ""
        alone = self._observation.count <= SMALL_COUNT
        for done, (batch, answer) in enumerate(workers.run(work, needed, budget, alone), start=1):
            counts, reason = answer
            known.update(
                (variant, (each, stop)) for variant, each in zip(batch, counts, strict=False)
            )
            if reason == MEMORY:
                raise EndedEarlyError(reason)
            ended = ended or reason  # after the time, other processes still return what they have
            if progress and not ended:
                progress(done, len(needed))
        if ended:
            raise EndedEarlyError(ended)

    def left(self, batches: Iterable[Batch]) -> list[RuleVariant]:
        """The variants that were not run, or not far enough."""
        return [variant for batch in batches for variant in batch if not self._settled(variant)]

    def _settled(self, variant: RuleVariant) -> bool:
        """Whether a variant was run to its end, or at least as far as it is of interest now."""
        kept = _kept.get((self._observation.board, self._goal), {})
        if variant not in kept:
            return False
        counts, stopped = kept[variant]
        stop = self._stop
        return counts is not None or (
            stop is not None and stopped.counter == stop.counter and stopped.most >= stop.most
        )

    def _stop_of(self, budget: Budget) -> CountLimit:
        observation, left = self._observation, budget.left()
        most = max(observation.count * 6 // 5, observation.count + LEAST_MARGIN)
        budget.check()
        limits = Limits(seconds=QUICKLY if left is None else min(QUICKLY, left / 4))
        shortest = solve(observation.board, goal=self._goal, limits=limits)
        optimal = shortest.cost if shortest.optimal else None
        return CountLimit(observation.counter or "expanded", most, optimal)


def _counts_of(
    board: Board, goal: Goal, stop: CountLimit, budget: Budget, batch: Batch
) -> tuple[Sequence[Counts | None], str]:
    """The counts of a batch; where it ended early those of its beginning, and the reason."""
    found: list[Counts | None] = []
    try:
        found.extend(Measuring(board, goal, stop, budget).each(batch))
    except EndedEarlyError as ended:
        return found, ended.reason
    return found, ""
