"""The shortest paths that a search in several passes knows, and its incumbent."""

from __future__ import annotations

from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.result import Outcome, Status
from tilewise.core.stats import Stats
from tilewise.search.best_first import path_to
from tilewise.search.incumbents import BestSoFar
from tilewise.search.narration import Narrator, Node


class KnownPaths:
    """Nodes by number, and for each state the number of the node with the shortest path to it.

    They outlive the passes: a later pass begins with what the passes before it found.
    """

    def __init__(
        self, problem: Problem, h: Estimate, meter: Meter, observer: Observer | None, source: str
    ) -> None:
        self.stats = Stats()
        self.best = BestSoFar(meter, source, h(problem.start))
        self.nodes: list[Node] = [(problem.start, -1, "", 0, h(problem.start))]
        self.number_of: dict[State, int] = {problem.start: 0}
        self._h, self._goal, self._expanded = h, problem.goal, set[int]()
        self._narrator = Narrator(observer, self.nodes, lambda g, h: g + h) if observer else None
        if self._narrator:
            self._narrator.start()

    def begin_pass(self) -> None:
        """A pass begins."""
        self.stats.iterations += 1
        if self._narrator:
            self._narrator.bound(self.best.bound)

    def expand(self, node: int) -> None:
        """The successors of a node are about to be made."""
        self._expanded.add(node)
        self.stats.expanded += 1
        if self._narrator:
            self._narrator.expand(node)

    def make(self, node: int, move: str, child: State) -> tuple[int, int | None]:
        """A successor of a node: the number of its state now, and the one it had before.

        They are equal where a path no longer was known.
        """
        stats, nodes, g = self.stats, self.nodes, self.nodes[node][3] + 1
        stats.generated += 1
        before = self.number_of.get(child)
        if before is not None and nodes[before][3] <= g:
            stats.duplicates += 1
            if self._narrator:
                self._narrator.duplicate(before, node, move)
            return before, before
        number = self.number_of[child] = len(nodes)
        nodes.append((child, node, move, g, self._h(child)))
        reopens = before in self._expanded
        stats.stored += 1
        stats.reopened += reopens
        stats.max_depth = max(stats.max_depth, g)
        if self._narrator:
            self._narrator.made(number, reopens=reopens)
        return number, before

    def path_to_goal(self) -> str:
        """The shortest path to the goal that is known; there must be one."""
        return path_to(self.nodes, self.number_of[self._goal])

    def end(self, node: int) -> Outcome:
        """The outcome of a search that ends now; the node was taken last."""
        self.stats.peak_stored = len(self.number_of)
        if self._narrator:
            solved = self.best.status is Status.SOLVED
            last = self.number_of[self._goal] if solved else node
            self._narrator.end(self.best.status, last, node)
        return self.best.outcome(self.stats)
