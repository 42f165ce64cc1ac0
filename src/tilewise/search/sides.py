"""The two sides of a bidirectional heuristic search."""

from __future__ import annotations

import math
from collections import Counter
from heapq import heappop, heappush

from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.result import Outcome, Status
from tilewise.core.stats import Stats
from tilewise.puzzle.board import Move

Node = tuple[State, int, str, int, int, int]
"""State, index of the parent, move, g from this side's end, h to the other end, number."""


class Side:
    """What is known from one end: nodes, the cheapest of each state, and those that wait."""

    def __init__(self, root: State, h: Estimate, number: int) -> None:
        self.h = h
        self.nodes: list[Node] = [(root, -1, "", 0, h(root), number)]
        self.index_of: dict[State, int] = {root: 0}
        self.open = {0}
        self.expanded: set[int] = set()

    def g_of(self, state: State) -> float:
        """The moves of the cheapest path to a state, infinite where none is known."""
        index = self.index_of.get(state)
        return math.inf if index is None else self.nodes[index][3]

    def path_to(self, state: State) -> list[str]:
        """The moves to a state, the last one first."""
        moves, index = [], self.index_of[state]
        while index > 0:
            _, index, move, _, _, _ = self.nodes[index]
            moves.append(move)
        return moves


class LazyHeap:
    """Nodes of a side by a key; those that do not wait any more are passed over."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._heap: list[tuple[int, int, int]] = []

    def push(self, key: int, index: int, tie: int = 0) -> None:
        heappush(self._heap, (key, tie, -index))

    @property
    def least(self) -> float:
        """The smallest key, infinite where nothing waits."""
        while self._heap and -self._heap[0][2] not in self._side.open:
            heappop(self._heap)
        return self._heap[0][0] if self._heap else math.inf

    @property
    def first(self) -> int:
        """The node with the smallest key, of equals the newest; `least` must be finite."""
        return -self._heap[0][2]

    def pop(self) -> int:
        """Take away the node with the smallest key; `least` must be finite."""
        return -heappop(self._heap)[2]


class TwoSided:
    """A search from both ends: expanding a node on one side, and the best meeting so far."""

    def __init__(
        self, problem: Problem, h: Estimate, backward: Estimate, observer: Observer | None
    ) -> None:
        self.stats = Stats(peak_stored=2)
        self.sides = (Side(problem.start, h, 0), Side(problem.goal, backward, 1))
        self.expanded_at: Counter[float] = Counter()
        """Expansions by the bound at which they were made."""
        self.cost: float = math.inf
        self.meeting = problem.start
        self._problem, self._observer = problem, observer
        for side in self.sides:
            self._report(Kind.START, side, 0)
        if problem.start == problem.goal:
            self.cost = 0

    def expand(self, which: int, index: int, meter: Meter) -> list[int] | None:
        """Expand a node of a side; the indices of its new nodes, or None at a limit."""
        side, other, stats = self.sides[which], self.sides[1 - which], self.stats
        state, _, _, g, _, number = side.nodes[index]
        side.open.remove(index)
        side.expanded.add(index)
        stats.expanded += 1
        self._report(Kind.EXPAND, side, index)
        made = []
        for move, child in self._problem.successors(state):
            if stats.generated == meter.pause and meter.stop(stats):
                return None
            stats.generated += 1
            new = len(side.nodes)
            known = side.index_of.setdefault(child, new)
            if known != new and side.nodes[known][3] <= g + 1:
                stats.duplicates += 1
                self._duplicate(side.nodes[known], number, move, g + 1)
                continue
            stats.stored += 1
            side.nodes.append((child, index, move, g + 1, side.h(child), stats.stored + 1))
            side.index_of[child] = new
            side.open.discard(known)
            side.open.add(new)
            stats.reopened += known in side.expanded
            stats.max_depth = max(stats.max_depth, g + 1)
            self._report(Kind.REOPEN if known in side.expanded else Kind.GENERATE, side, new)
            made.append(new)
            if g + 1 + other.g_of(child) < self.cost:
                self.cost, self.meeting = g + 1 + other.g_of(child), child
        waiting = len(self.sides[0].open) + len(self.sides[1].open)
        stats.max_frontier = max(stats.max_frontier, waiting)
        return made

    def solved(self) -> Outcome:
        """The outcome with the best meeting, which the bounds prove to be a shortest path."""
        self.stats.expanded_below_cost = sum(
            count for bound, count in self.expanded_at.items() if bound < self.cost
        )
        return self.end(Status.SOLVED)

    def end(self, status: Status) -> Outcome:
        """The outcome: the moves to the meeting, then those from the goal taken back."""
        forward, back = self.sides
        self.stats.peak_stored = len(forward.index_of) + len(back.index_of)
        if status is Status.SOLVED:
            self._report(Kind.GOAL, forward, forward.index_of[self.meeting])
        self._report(Kind.STOP, forward, 0)
        if status is not Status.SOLVED:
            return Outcome(status, None, self.stats)
        there = "".join(reversed(forward.path_to(self.meeting)))
        moves = there + "".join(Move(move).opposite for move in back.path_to(self.meeting))
        return Outcome(status, moves, self.stats)

    def _report(self, kind: Kind, side: Side, index: int) -> None:
        if self._observer:
            state, parent, move, g, h, number = side.nodes[index]
            before = side.nodes[parent][5] if parent >= 0 else -1
            self._observer(kind, number, before, move, g, h, (g + h, 0), state)

    def _duplicate(self, known: Node, parent: int, move: str, g: int) -> None:
        if self._observer:
            state, _, _, _, h, number = known
            self._observer(Kind.DUPLICATE, number, parent, move, g, h, (g + h, 0), state)
