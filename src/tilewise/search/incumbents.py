"""The incumbent of an anytime search: the best solution so far, its bound, and when to end."""

from __future__ import annotations

import math

from tilewise.core.incumbent import Gap, Incumbent
from tilewise.core.limits import Meter
from tilewise.core.result import Outcome, Status, StoppedBy
from tilewise.core.stats import Stats


class BestSoFar:
    """The best solution so far and the moves that are needed if the heuristic is admissible."""

    def __init__(self, meter: Meter, source: str, bound: int) -> None:
        self.moves: str | None = None
        self.bound = bound
        self._meter, self._source = meter, source
        self._gap = None if meter.limits.gap is None else Gap.parse(meter.limits.gap)

    @property
    def cost(self) -> float:
        """The moves of the best solution, infinite before the first one."""
        return math.inf if self.moves is None else len(self.moves)

    def improve(self, moves: str | None, bound: int) -> None:
        """Take a shorter solution or a higher bound, and report it to whoever watches."""
        shorter, higher = moves is not None and len(moves) < self.cost, bound > self.bound
        self.moves = moves if shorter else self.moves
        self.bound = max(self.bound, bound)
        if shorter or higher:
            proved = self.bound if self._meter.admissible else 0
            incumbent = Incumbent(self._meter.seconds, self.moves, proved, self._source)
            self._meter.tell_improved(incumbent)

    @property
    def good_enough(self) -> bool:
        """Whether the gap between solution and bound is as small as the limits want it."""
        if self.moves is None or self.bound >= self.cost:
            return self.bound >= self.cost
        allowed = self._gap is not None and self._gap.allows(len(self.moves), self.bound)
        if allowed and self._meter.admissible:
            self._meter.stopped_by = StoppedBy.GAP
            return True
        return False

    @property
    def status(self) -> Status:
        """How a search ends that ends now."""
        if self._meter.status is Status.CANCELLED or self.moves is None:
            return self._meter.status
        return Status.SOLVED

    def outcome(self, stats: Stats) -> Outcome:
        """The outcome of a search that ends now."""
        return Outcome(self.status, self.moves, stats, bound_by_h=self.bound)
