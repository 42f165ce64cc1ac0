"""Depth-first iterative deepening: one loop for ids and idastar.

The way back is never taken, no state is stored but those of the current path, and the stack is
a list, so depth does not depend on Python's recursion limit.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import Estimate
from tilewise.core.result import Outcome, Status
from tilewise.core.stats import Stats

Frame = tuple[State, str, int, int, Iterator[tuple[str, State]]]
"""State, move that led to it, h, number of the node, successors still to come."""


def deepening(problem: Problem, h: Estimate, meter: Meter, observer: Observer | None) -> Outcome:
    """Search depth-first below a bound on f = g + h; the next bound is the least f above it."""
    stats = Stats(peak_stored=1)
    goal, start = problem.goal, problem.start
    root_h = h(start)
    bound, number = root_h, 0
    if observer:
        observer(Kind.START, 0, -1, "", 0, root_h, (root_h, 0), start)

    def end(status: Status, path: list[Frame], before_last: int = 0) -> Outcome:
        state, move, node_h, node, _ = path[-1]
        parent = path[-2][3] if len(path) > 1 else -1
        g = len(path) - 1
        if status is Status.SOLVED:
            stats.expanded_below_cost = before_last
            if observer:
                observer(Kind.GOAL, node, parent, move, g, node_h, (g + node_h, 0), state)
        if observer:
            observer(Kind.STOP, node, parent, move, g, node_h, (g + node_h, 0), state)
        moves = "".join(frame[1] for frame in path)
        return Outcome(status, moves if status is Status.SOLVED else None, stats)

    while True:
        stats.iterations += 1
        stats.bound = bound
        expanded_before = stats.expanded
        if observer:
            observer(Kind.BOUND, 0, -1, "", 0, root_h, (bound, 0), start)
        path: list[Frame] = [(start, "", root_h, 0, iter(()))]
        if start == goal:
            return end(Status.SOLVED, path, expanded_before)
        stats.expanded += 1
        if observer:
            observer(Kind.EXPAND, 0, -1, "", 0, root_h, (root_h, 0), start)
        path[0] = (start, "", root_h, 0, iter(problem.successors(start)))
        least_above: int | None = None
        while path:
            parent = path[-1][3]
            step = next(path[-1][4], None)
            if step is None:
                path.pop()
                continue
            if stats.generated == meter.pause and meter.stop(stats):
                return end(meter.status, path)
            move, state = step
            stats.generated += 1
            number += 1
            g = len(path)
            node_h = h(state)
            f = g + node_h
            if observer:
                observer(Kind.GENERATE, number, parent, move, g, node_h, (f, 0), state)
            if f > bound:
                if least_above is None or f < least_above:
                    least_above = f
                continue
            if g > stats.max_depth:
                stats.max_depth = g
                stats.peak_stored = g + 1
            if state == goal:
                path.append((state, move, node_h, number, iter(())))
                return end(Status.SOLVED, path, expanded_before)
            stats.expanded += 1
            if observer:
                observer(Kind.EXPAND, number, parent, move, g, node_h, (f, 0), state)
            successors = iter(problem.successors(state, move))
            path.append((state, move, node_h, number, successors))
        if least_above is None:
            return end(Status.UNSOLVABLE, [(start, "", root_h, 0, iter(()))])
        bound = least_above
