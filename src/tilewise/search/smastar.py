"""Simplified memory-bounded A*."""

from __future__ import annotations

import math
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import count

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats


@dataclass(slots=True, eq=False)
class _Node:
    state: State
    parent: _Node | None
    move: str
    g: int
    h: int
    number: int
    value: float
    """The least f of what lies below it and is not in memory; at first the f of the node."""
    children: int = 0
    forgotten: dict[str, float] | None = None
    """The values of its successors that are not in memory; None before it is expanded."""
    in_memory: bool = True


@algorithm(
    "smastar",
    needs_heuristic=True,
    optimal=True,
    tree=True,
    title="SMA*",
    frontier=Frontier(FrontierKind.OWN_ORDER, g=1, h=1, reopens=False),
    choice="takes the node with the smallest value, of equals the deepest, then the newest; the "
    "value is f, or the least value of the successors that it has forgotten",
    pseudo_code="""
        put the start in memory; its value is its f <- start
        repeat:
            take the node with the smallest value, of equals the deepest
            if its value is infinite: report that no solution fits in memory
            if it is the goal: return the path to it <- goal
            for each successor but the way back that is not in memory: <- expand
                value = the larger of its f and the value of the node; <- generate
                        infinite if the path to it would fill the memory
                if memory is full: forget the leaf with the largest value, of equals the
                    shallowest; its parent remembers the value
            the value of the node is the least that it remembers
        """,
)
def smastar(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    nodes: int = 10_000,
) -> Outcome:
    """Simplified memory-bounded A* (Russell 1992): A* that holds `nodes` nodes and forgets others.

    A forgotten node lives on as a value in its parent, and is made again when that value is the
    smallest. Every solution that it finds is a shortest one; it finds one if the path fits in
    memory. The way back is left out, other duplicates are not noticed.
    """
    stats = Stats(peak_stored=1)
    root = _Node(problem.start, None, "", 0, h(problem.start), 0, h(problem.start))
    memory = _Memory(root)
    if observer:
        _report(observer, Kind.START, root)

    def end(status: Status, node: _Node) -> Outcome:
        if observer and status is Status.SOLVED:
            _report(observer, Kind.GOAL, node)
        if observer:
            _report(observer, Kind.STOP, node)
        return Outcome(status, _path(node) if status is Status.SOLVED else None, stats)

    while True:
        node = memory.best()
        if node.value == math.inf:
            return end(Status.STUCK, node)
        stats.bound = int(node.value)
        if node.state == problem.goal:
            return end(Status.SOLVED, node)
        stats.expanded += 1
        if observer:
            _report(observer, Kind.EXPAND, node)
        remembered, node.forgotten = node.forgotten, node.forgotten or {}
        for move, state in problem.successors(node.state, node.move):
            if remembered is not None and remembered.get(move) != node.value:
                continue  # it is in memory, or another successor is better
            if stats.generated == meter.pause and meter.stop(stats):
                return end(meter.status, node)
            stats.generated += 1
            child_h, g = h(state), node.g + 1
            value = max(node.value, g + child_h) if g < nodes else math.inf
            child = _Node(state, node, move, g, child_h, stats.generated, value)
            if observer:
                _report(observer, Kind.GENERATE, child)
            if memory.room_for(child, nodes):
                memory.add(child)
                stats.stored += 1
                node.forgotten.pop(move, None)
            else:
                node.forgotten[move] = value
            stats.max_depth = max(stats.max_depth, g)
            stats.peak_stored = max(stats.peak_stored, memory.size)
        node.value = min(node.forgotten.values(), default=math.inf)
        memory.changed(node)
        stats.max_frontier = max(stats.max_frontier, memory.waiting)


_Entry = tuple[float, int, int, int, _Node]


class _Memory:
    """The nodes that are held: which is best to expand, which leaf is the first to be forgotten."""

    def __init__(self, root: _Node) -> None:
        self.size = 1
        self._pushes = count()  # so that two entries of one node can be compared
        self._open: list[_Entry] = []
        self._leaves: list[_Entry] = []
        self.changed(root)

    def best(self) -> _Node:
        """The node with the smallest value, of equals the deepest, then the newest."""
        while not _valid(self._open[0][-1], self._open[0][0]):
            heappop(self._open)
        return self._open[0][-1]

    @property
    def waiting(self) -> int:
        """The entries of the open list, those out of date included."""
        return len(self._open)

    def add(self, node: _Node) -> None:
        """Hold a new node."""
        self.size += 1
        if node.parent:
            node.parent.children += 1
        self.changed(node)

    def changed(self, node: _Node) -> None:
        """Sort a node in by its new value."""
        push = next(self._pushes)
        heappush(self._open, (node.value, -node.g, -node.number, push, node))
        if not node.children:
            heappush(self._leaves, (-node.value, node.g, node.number, push, node))
        for heap, sign in ((self._open, 1), (self._leaves, -1)):
            if len(heap) > 4 * self.size + 64:  # most entries are out of date
                heap[:] = [each for each in heap if _valid(each[-1], sign * each[0])]
                heapify(heap)

    def room_for(self, child: _Node, most: int) -> bool:
        """Whether there is room for a successor, after the worst leaf is forgotten if need be."""
        if self.size < most:
            return True
        while self._leaves:
            value, g, _, _, leaf = self._leaves[0]
            if leaf.children or leaf is child.parent or not _valid(leaf, -value):
                heappop(self._leaves)
            elif (-value, -g) < (child.value, -child.g):
                return False
            else:
                heappop(self._leaves)
                self._forget(leaf)
                return True
        return False

    def _forget(self, leaf: _Node) -> None:
        parent = leaf.parent
        leaf.in_memory = False
        self.size -= 1
        if parent is None or parent.forgotten is None:
            return
        parent.children -= 1
        parent.forgotten[leaf.move] = leaf.value
        parent.value = min(parent.value, leaf.value)
        self.changed(parent)


def _valid(node: _Node, value: float) -> bool:
    return node.in_memory and node.value == value


def _path(node: _Node | None) -> str:
    moves = []
    while node:
        moves.append(node.move)
        node = node.parent
    return "".join(reversed(moves))


def _report(observer: Observer, kind: Kind, node: _Node) -> None:
    parent = node.parent.number if node.parent else -1
    key = (node.g + node.h, 0)
    observer(kind, node.number, parent, node.move, node.g, node.h, key, node.state)
