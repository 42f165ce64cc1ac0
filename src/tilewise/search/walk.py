"""A walk: what the searches share that keep a current state and no open list."""

from __future__ import annotations

from typing import NamedTuple

from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.result import Outcome, Status
from tilewise.core.stats import Stats


class Step(NamedTuple):
    """A state of the walk or beside it: the move that led to it, its h, its number."""

    state: State
    move: str
    h: int
    number: int


class LimitReached(Exception):  # noqa: N818  (the end of a walk, not an error)
    """A limit came before the next successor."""


class Walk:
    """The path from the start to the current state, with counters and events.

    With `cuts_loops` the path goes back to a state that it comes to again, so that it has no
    loops; the successor that leads there is a duplicate.
    """

    def __init__(
        self,
        problem: Problem,
        h: Estimate,
        meter: Meter,
        observer: Observer | None,
        *,
        cuts_loops: bool = True,
    ) -> None:
        self.stats = Stats(peak_stored=1)
        self._problem, self._h, self._meter, self._observer = problem, h, meter, observer
        self._cuts_loops = cuts_loops
        self.path = [Step(problem.start, "", h(problem.start), 0)]
        self._place = {problem.start: 0}
        self._report(Kind.START)

    @property
    def here(self) -> Step:
        """The current state."""
        return self.path[-1]

    @property
    def solved(self) -> bool:
        """Whether the current state is the goal."""
        return self.here.state == self._problem.goal

    def expand(self) -> list[tuple[str, State]]:
        """The moves from here and the states they lead to, which are not made yet."""
        self.stats.expanded += 1
        self._report(Kind.EXPAND)
        return self._problem.successors(self.here.state)

    def make(self, move: str, state: State) -> Step:
        """Make one successor of the current state.

        Raises:
            LimitReached: The limit of nodes, time or memory, or the cancel flag.
        """
        stats = self.stats
        if stats.generated == self._meter.pause and self._meter.stop(stats):
            raise LimitReached
        stats.generated += 1
        place = self._place.get(state) if self._cuts_loops else None
        number = stats.generated if place is None else self.path[place].number
        made = Step(state, move, self._h(state), number)
        stats.duplicates += place is not None
        if self._observer:
            kind = Kind.GENERATE if place is None else Kind.DUPLICATE
            g, parent = len(self.path), self.here.number
            self._observer(kind, number, parent, move, g, made.h, (made.h, 0), state)
        return made

    def go(self, step: Step) -> None:
        """Go on to a successor; back, if the path has its state."""
        place = self._place.get(step.state) if self._cuts_loops else None
        if place is not None:
            self._cut(place)
        else:
            if self._cuts_loops:
                self._place[step.state] = len(self.path)
            self.path.append(step)
        self.stats.max_depth = max(self.stats.max_depth, len(self.path) - 1)
        self.stats.peak_stored = max(self.stats.peak_stored, len(self.path))

    def restart(self) -> None:
        """Go back to the start."""
        self._cut(0)

    def begin_pass(self, bound: int) -> None:
        """Count a pass that begins at the start, and report the value of the start."""
        self.stats.iterations += 1
        if self._observer:
            start = self.here
            self._observer(Kind.BOUND, 0, -1, "", 0, start.h, (bound, 0), start.state)

    def end(self, status: Status, bound_by_h: int = 0) -> Outcome:
        """The outcome, with the path as the solution of a solved board."""
        if status is Status.SOLVED:
            self._report(Kind.GOAL)
        self._report(Kind.STOP)
        moves = "".join(step.move for step in self.path) if status is Status.SOLVED else None
        return Outcome(status, moves, self.stats, bound_by_h=bound_by_h)

    def _cut(self, place: int) -> None:
        for step in self.path[place + 1 :]:
            self._place.pop(step.state, None)
        del self.path[place + 1 :]

    def _report(self, kind: Kind) -> None:
        if self._observer:
            state, move, h, number = self.here
            parent = self.path[-2].number if len(self.path) > 1 else -1
            g = len(self.path) - 1
            self._observer(kind, number, parent, move, g, h, (h, 0), state)
