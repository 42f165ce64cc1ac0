"""Race: the incumbent and the bound of one run, which parts in other threads improve."""

from __future__ import annotations

from threading import Event, Lock

from tilewise.core.incumbent import Gap, Incumbent
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.result import Stop, StoppedBy
from tilewise.core.stats import Stats
from tilewise.errors import InternalError


class Race:
    """What the parts of a run share. A solution is replayed before it becomes the incumbent."""

    def __init__(self, problem: Problem, meter: Meter, gap: Gap) -> None:
        self.problem = problem
        self.over = Event()
        """Set when the run must end: the gap is small enough, a limit has come, or a cancel."""
        self.proof_ended = Event()
        """Set when no more time is spent on the bound."""
        self.moves: str | None = None
        self.bound = 0
        self._gap = gap
        self._meter = meter
        self._lock = Lock()
        self._changes: list[Incumbent] = []
        self._counted: dict[str, Stats] = {}

    @property
    def cost(self) -> int | None:
        return None if self.moves is None else len(self.moves)

    @property
    def finished(self) -> bool:
        """Whether the gap is as small as it has to be."""
        return self.moves is not None and self._gap.allows(len(self.moves), self.bound)

    def stop_at_gap(self) -> Stop | None:
        """The gap that ended the run, if one did."""
        if self.cost is None or self.cost == self.bound or not self.finished:
            return None
        return Stop(StoppedBy.GAP, self.cost - self.bound, self._gap.largest(self.cost))

    @property
    def seconds_left(self) -> float:
        """What the limit of time leaves; without one, very long."""
        seconds = self._meter.limits.seconds
        return 1e9 if seconds is None else max(0.0, seconds - self._meter.seconds)

    def offer(self, moves: str, source: str) -> None:
        """Take a solution if it is the shortest so far."""
        with self._lock:
            if self.moves is not None and len(moves) >= len(self.moves):
                return
            if self.problem.replay(moves) != self.problem.goal:
                raise InternalError(f"the moves of {source} miss the goal")
            if len(moves) < self.bound:
                raise InternalError(
                    f"{source} found {len(moves)} moves where {self.bound} were proved to be needed"
                )
            self.moves = moves
            self._changed(source)

    def prove(self, bound: int, source: str) -> None:
        """Raise the bound; solutions of a board have one parity, so the bound has it too."""
        with self._lock:
            if self.moves is not None:
                bound += (len(self.moves) - bound) % 2
                if bound > len(self.moves):
                    raise InternalError(
                        f"{source} proved {bound} moves where {len(self.moves)} are enough"
                    )
            if bound > self.bound:
                self.bound = bound
                self._changed(source)

    def _changed(self, source: str) -> None:
        self._changes.append(Incumbent(self._meter.seconds, self.moves, self.bound, source))
        if self.finished:
            self.over.set()

    def count(self, part: str, stats: Stats) -> None:
        """Keep the counters of a part, as they are by now."""
        with self._lock:
            self._counted[part] = stats

    def stats(self) -> Stats:
        """The counters of all parts together."""
        with self._lock:
            total = Stats(bound=self.bound)
            for part in self._counted.values():
                total.include(part)
            return total

    def report(self) -> None:
        """Show what has changed; called by the thread that the caller waits in."""
        with self._lock:
            changes, self._changes = self._changes, []
        for change in changes:
            self._meter.tell_improved(change)
        self._meter.tell(self.stats())

    def check(self) -> bool:
        """End the run if its limit of time or a cancel has come, and say whether."""
        due = self._meter.cancelled or not self.seconds_left
        if due:
            self.over.set()
        return due
