"""Depth-first search below a bound: one loop for ids, idastar and their relatives.

The way back is never taken, no state is stored but those of the current path, and the stack is
a list, so depth does not depend on Python's recursion limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.result import Outcome, Status
from tilewise.core.stats import Stats

PathStep = tuple[State, str, int, int, Iterator[tuple[str, State]]]
"""State, move that led to it, h, number of the node, successors still to come."""


def deepening(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    observer: Observer | None,
    only: int | None = None,
) -> Outcome:
    """Search depth-first below a bound on f = g + h; the next bound is the least f above it.

    With `only`, that is the only bound.

    A pass without a solution proves its next bound. So where a solution is known, it is optimal as
    soon as the bound has come to its length.
    """
    stats = Stats(peak_stored=1)
    goal, start = problem.goal, problem.start
    root_h = h(start)
    bound, number = root_h if only is None else only, 0
    narrator = _Narrator(observer) if observer else None
    if narrator:
        narrator.start(start, root_h)

    def end(status: Status, path: list[PathStep], before_last: int = 0) -> Outcome:
        if narrator:
            narrator.end(status, path)
        if status is not Status.SOLVED:
            return Outcome(status, None, stats)
        stats.expanded_below_cost = before_last
        return Outcome(status, "".join(frame[1] for frame in path), stats)

    while True:
        stats.bound = bound
        if meter.incumbent is not None and bound >= len(meter.incumbent):
            stats.expanded_below_cost = stats.expanded
            return Outcome(Status.SOLVED, meter.incumbent, stats)
        stats.iterations += 1
        expanded_before = stats.expanded
        path: list[PathStep] = [(start, "", root_h, 0, iter(problem.successors(start)))]
        if narrator:
            narrator.bound(bound, start, root_h)
        if start == goal:
            return end(Status.SOLVED, path, expanded_before)
        stats.expanded += 1
        if narrator:
            narrator.expand(path)
        least_above: int | None = None
        while path:
            step = next(path[-1][4], None)
            if step is None:
                path.pop()
                continue
            if stats.generated == meter.pause and meter.stop(stats):
                return end(meter.status, path)
            move, state = step
            stats.generated += 1
            number += 1
            g, node_h = len(path), h(state)
            if narrator:
                narrator.generate(number, path, move, node_h, state)
            if g + node_h > bound:
                if least_above is None or g + node_h < least_above:
                    least_above = g + node_h
                continue
            if g > stats.max_depth:
                stats.max_depth = g
                stats.peak_stored = g + 1
            path.append((state, move, node_h, number, iter(problem.successors(state, move))))
            if state == goal:
                return end(Status.SOLVED, path, expanded_before)
            stats.expanded += 1
            if narrator:
                narrator.expand(path)
        if least_above is None:
            return end(Status.UNSOLVABLE, [(start, "", root_h, 0, iter(()))])
        if only is not None:
            return end(Status.STUCK, [(start, "", root_h, 0, iter(()))])
        bound = least_above


class _Narrator:
    """Reports the steps of the search to an observer; the last frame of a path is its node."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def start(self, state: State, h: int) -> None:
        self._observer(Kind.START, 0, -1, "", 0, h, (h, 0), state)

    def bound(self, bound: int, state: State, h: int) -> None:
        self._observer(Kind.BOUND, 0, -1, "", 0, h, (bound, 0), state)

    def generate(self, number: int, path: list[PathStep], move: str, h: int, state: State) -> None:
        g = len(path)
        self._observer(Kind.GENERATE, number, path[-1][3], move, g, h, (g + h, 0), state)

    def expand(self, path: list[PathStep]) -> None:
        self._report(Kind.EXPAND, path)

    def end(self, status: Status, path: list[PathStep]) -> None:
        if status is Status.SOLVED:
            self._report(Kind.GOAL, path)
        self._report(Kind.STOP, path)

    def _report(self, kind: Kind, path: list[PathStep]) -> None:
        state, move, h, number, _ = path[-1]
        parent = path[-2][3] if len(path) > 1 else -1
        g = len(path) - 1
        self._observer(kind, number, parent, move, g, h, (g + h, 0), state)


def pseudo_code(first: str, value: str, name: str) -> str:
    """The loop in a few lines, with the first bound and what is compared with it."""
    return f"""
        set the bound to {first} <- start
        repeat, each time from the start: <- bound
            go down the tree, depth-first; at each node:
                if it is the goal: return the path to it <- goal
                expand it: for each successor but the way back: <- expand
                    compute its {value} <- generate
                    if that is above the bound: cut it off, else go down to it
            set the bound to the smallest {name} that was cut off
        """
