"""Depth-first search below a bound on f, from any node: a pass of IDA* for other searches."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple, Protocol

from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.result import Outcome, Status
from tilewise.core.stats import Stats


class Root(NamedTuple):
    """The node that a pass begins at."""

    state: State
    move: str = ""
    g: int = 0
    h: int = 0
    number: int = 0
    parent: int = -1


class PathNode(NamedTuple):
    """A node of the current path: its number, and the successors that are still to come."""

    state: State
    move: str
    h: int
    number: int
    successors: Iterator[tuple[str, State]]


class Visited(Protocol):
    """What is known of states that were seen before."""

    def by(self, state: State, g: int) -> int | None:
        """The number of the node by which the state was seen in at most g moves, if it was."""

    def add(self, state: State, g: int, number: int) -> None:
        """Keep that a state was seen, where there is room."""

    def __len__(self) -> int: ...


class Pass(NamedTuple):
    """How a pass ended: with a status, or with the least f that it cut off."""

    status: Status | None
    least_above: float
    largest_within: int
    complete: bool = True
    """Whether it ended within its budget."""


class BoundedTree:
    """Passes of depth-first search below bounds, which share counters, numbers and events.

    A state that `visited` knows by a path no longer is a duplicate. No solution within the bound is
    lost by that: of all states from which the pass could still reach the goal, take one nearest to
    the goal; the next state on its shortest path is no farther, was seen too, and is nearer.
    """

    def __init__(
        self,
        problem: Problem,
        h: Estimate,
        meter: Meter,
        observer: Observer | None,
        stats: Stats,
        visited: Visited | None = None,
    ) -> None:
        self._problem, self._h, self._meter, self._observer = problem, h, meter, observer
        self._stats, self.visited = stats, visited
        self._root = Root(problem.start)
        self._path: list[PathNode] = []

    def run(self, root: Root, bound: float, budget: float = math.inf) -> Pass:
        """Search below a node until the goal, a limit, the end, or more than `budget` expansions.

        With a budget it goes on after a solution, and looks for a shorter one.
        """
        problem, stats, meter, visited = self._problem, self._stats, self._meter, self.visited
        self._root, path = root, self._path
        successors = iter(problem.successors(root.state, root.move))
        path[:] = [PathNode(root.state, root.move, root.h, root.number, successors)]
        above, within, most = math.inf, root.g + root.h, stats.expanded + budget
        shortest: list[PathNode] = []
        if root.state == problem.goal:
            return Pass(Status.SOLVED, above, within)
        self._expand()
        while path:
            step = next(path[-1].successors, None)
            if step is None:
                path.pop()
                continue
            if stats.generated == meter.pause and meter.stop(stats):
                return Pass(meter.status, above, within)
            move, state = step
            stats.generated += 1
            g, h = root.g + len(path), self._h(state)
            known = None if visited is None else visited.by(state, g)
            if known is not None:
                stats.duplicates += 1
                self._made(Kind.DUPLICATE, known, move, h, state)
                continue
            self._made(Kind.GENERATE, stats.generated, move, h, state)
            if g + h > bound:
                above = min(above, g + h)
                continue
            within = max(within, g + h)
            if state != problem.goal and stats.expanded >= most:
                return Pass(None, above, within, complete=False)
            if visited is not None:
                visited.add(state, g, stats.generated)
            after = iter(problem.successors(state, move))
            path.append(PathNode(state, move, h, stats.generated, after))
            stats.max_depth = max(stats.max_depth, g)
            held = len(path) + (0 if visited is None else len(visited))
            stats.peak_stored = max(stats.peak_stored, held)
            if state != problem.goal:
                self._expand()
            elif budget == math.inf:
                return Pass(Status.SOLVED, above, within)
            else:
                bound, shortest = g - 1, list(path)
                path.pop()
        path[:] = shortest
        return Pass(Status.SOLVED if shortest else None, above, within)

    @property
    def moves(self) -> str:
        """The moves from the root of the last pass to its current node."""
        return "".join(frame.move for frame in self._path[1:])

    @property
    def g(self) -> int:
        """The moves from the start to the current node."""
        return self._root.g + max(0, len(self._path) - 1)

    def report(self, kind: Kind, key: int | None = None) -> None:
        """Report an event of the current node; of the root, where there is none."""
        if self._observer:
            state, move, _, h, number, parent = self._root
            if len(self._path) > 1:
                state, move, h, number, _ = self._path[-1]
                parent = self._path[-2].number
            sorted_by = (self.g + h if key is None else key, 0)
            self._observer(kind, number, parent, move, self.g, h, sorted_by, state)

    def start(self, root: Root) -> None:
        """Report the root of the whole search."""
        self._root = root
        self.report(Kind.START)

    def begin_pass(self, root: Root, bound: int) -> None:
        """Report that a pass begins."""
        self._root = root
        self._path.clear()
        self.report(Kind.BOUND, key=bound)

    def end(self, status: Status, before: str = "") -> Outcome:
        """The outcome, with the moves to the root of the last pass before those from it."""
        if status is Status.SOLVED:
            self.report(Kind.GOAL)
        self.report(Kind.STOP)
        return Outcome(
            status, before + self.moves if status is Status.SOLVED else None, self._stats
        )

    def _expand(self) -> None:
        self._stats.expanded += 1
        self.report(Kind.EXPAND)

    def _made(self, kind: Kind, number: int, move: str, h: int, state: State) -> None:
        if self._observer:
            g = self.g + 1
            self._observer(kind, number, self._path[-1].number, move, g, h, (g + h, 0), state)
