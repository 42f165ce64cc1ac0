"""The search of cs170: a tree search whose ties are decided by C++'s heap.

Five knobs cannot say this: Grigsby's program keeps its nodes in a `std::priority_queue`
that compares f alone, so which of two equal nodes comes first is left to the heap.
"""

from __future__ import annotations

from tilewise import heuristics  # noqa: F401  (registers the heuristics)
from tilewise.core.entries import Estimate
from tilewise.core.events import Kind, Observer
from tilewise.core.limits import Meter
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import Problem
from tilewise.core.result import Outcome, Status
from tilewise.core.stats import Stats
from tilewise.courses.course import Task
from tilewise.search.best_first import path_to
from tilewise.search.narration import Node

HeapEntry = tuple[int, int]
"""What the queue holds: f, and the number of a node, which is never compared."""


class PriorityQueue:
    """The heap of libstdc++, step by step, so that equal f leave it in the same order.

    A new entry rises from the end. When the top is taken, its hole sinks to the bottom along
    the smaller children (the right one of two equal ones); the last entry then rises from there.
    """

    def __init__(self) -> None:
        self._heap: list[HeapEntry] = []

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def top(self) -> HeapEntry:
        """The entry that is taken next."""
        return self._heap[0]

    def copy(self) -> PriorityQueue:
        """A queue with the same entries in the same places."""
        other = PriorityQueue()
        other._heap = self._heap.copy()
        return other

    def push(self, f: int, node: int) -> None:
        """Add a node; it rises above those of larger f, not above equal ones."""
        self._heap.append((f, node))
        self._rise(len(self._heap) - 1, (f, node))

    def pop(self) -> HeapEntry:
        """Take the entry at the top, one of least f."""
        heap = self._heap
        last = heap.pop()
        size = len(heap)
        if not size:
            return last
        top, hole, right = heap[0], 0, 2
        while right < size:
            child = right - 1 if heap[right][0] > heap[right - 1][0] else right
            heap[hole] = heap[child]
            hole, right = child, 2 * child + 2
        if right == size:  # the hole has a left child only
            heap[hole] = heap[right - 1]
            hole = right - 1
        self._rise(hole, last)
        return top

    def _rise(self, hole: int, entry: HeapEntry) -> None:
        heap, f = self._heap, entry[0]
        while hole:
            parent = (hole - 1) // 2
            if heap[parent][0] <= f:
                break
            heap[hole] = heap[parent]
            hole = parent
        heap[hole] = entry


def run(heuristic: str, task: Task) -> Outcome:
    """The search with one of the heuristics, as `run_course` runs it; zero is uniform cost."""
    h = build_heuristic(heuristic, task.goal).estimate
    return search(Problem(task.board, task.goal), h, task.meter, task.observer)


def search(problem: Problem, h: Estimate, meter: Meter, observer: Observer | None) -> Outcome:
    """A* on the tree of paths: no state is recognised, only the step straight back is left out.

    `max_frontier` is the size of the queue after an expansion; the goal is tested when taken.
    """
    stats, queue = Stats(), PriorityQueue()
    f = h(problem.start)
    nodes: list[Node] = [(problem.start, -1, "", 0, f)]
    queue.push(f, 0)

    def tell(kind: Kind, node: int) -> None:
        if observer:
            state, parent, move, g, node_h = nodes[node]
            observer(kind, node, parent, move, g, node_h, (g + node_h, 0), state)

    def end(status: Status, node: int) -> Outcome:
        stats.peak_stored = len(nodes)
        if status is Status.SOLVED:
            tell(Kind.GOAL, node)
        tell(Kind.STOP, node)
        return Outcome(status, path_to(nodes, node) if status is Status.SOLVED else None, stats)

    tell(Kind.START, 0)
    while True:  # a tree has no end: only the goal or a limit ends the search
        _, node = queue.pop()
        state, _, last, g, _ = nodes[node]
        if state == problem.goal:
            return end(Status.SOLVED, node)
        tell(Kind.EXPAND, node)
        g += 1
        stats.expanded += 1
        for move, child in problem.successors(state, last):
            if stats.generated == meter.pause and meter.stop(stats):
                return end(meter.status, node)
            stats.generated += 1
            number, child_h = len(nodes), h(child)
            nodes.append((child, node, move, g, child_h))
            queue.push(g + child_h, number)
            stats.stored += 1
            tell(Kind.GENERATE, number)
        stats.max_depth = max(stats.max_depth, g)
        stats.max_frontier = max(stats.max_frontier, len(queue))
