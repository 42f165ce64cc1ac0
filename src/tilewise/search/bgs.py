"""Budgeted graph search."""

from __future__ import annotations

import math

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.search.best_first import path_to
from tilewise.search.bounded_tree import Pass
from tilewise.search.ibex import ibex, pseudo_code
from tilewise.search.narration import Narrator, Node


@algorithm(
    "bgs",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    tree=True,
    title="Budgeted graph search",
    frontier=Frontier(FrontierKind.OWN_ORDER, g=1, h=1, reopens=False),
    choice="goes by the smallest g below a bound on f; the bounds are chosen so that each pass "
    "expands 2 to 8 times as many states as the one before it",
    pseudo_code=pseudo_code("by the smallest g", "no other is shorter"),
)
def bgs(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Budgeted graph search (Helmert and others 2019): no state twice in a pass, few passes.

    With a heuristic that is not consistent A* may expand states again and again, exponentially
    often. A pass that takes the smallest g comes to each state by a shortest path first, and all
    passes together expand at most a logarithm of the cost times as many states as the last one.
    """
    stats = Stats(peak_stored=1)
    passes = _Passes(problem, h, meter, observer, stats)
    status = ibex(h(problem.start), passes.run, stats)
    return passes.end(status)


class _Passes:
    """Breadth-first search of the states within a bound on f: every move costs 1."""

    def __init__(
        self,
        problem: Problem,
        h: Estimate,
        meter: Meter,
        observer: Observer | None,
        stats: Stats,
    ) -> None:
        self._problem, self._h, self._meter, self._stats = problem, h, meter, stats
        self._nodes: dict[int, Node] = {0: (problem.start, -1, "", 0, h(problem.start))}
        self._last = 0
        self._narrator = None
        if observer:
            self._narrator = Narrator(observer, self._nodes, lambda g, h: g + h)
            self._narrator.start()

    def run(self, bound: int, budget: float) -> Pass:
        """One pass from the start; it ends with the status at the goal or at a limit."""
        stats, meter, narrator, nodes = self._stats, self._meter, self._narrator, self._nodes
        root, goal = nodes[0], self._problem.goal
        nodes.clear()
        nodes[0] = root
        self._last = 0
        number_of: dict[State, int] = {root[0]: 0}
        stats.iterations += 1
        stats.bound = bound if budget == math.inf else stats.bound
        if narrator:
            narrator.bound(bound)
        above, within, most = math.inf, root[4], stats.expanded + budget
        if root[0] == goal:
            return Pass(Status.SOLVED, above, within)
        queue = [0]
        for taken, node in enumerate(queue, start=1):
            if stats.expanded >= most:
                return Pass(None, above, within, complete=False)
            state, _, _, g, _ = nodes[node]
            stats.expanded += 1
            if narrator:
                narrator.expand(node)
            for move, child in self._problem.successors(state):
                if stats.generated == meter.pause and meter.stop(stats):
                    return Pass(meter.status, above, within)
                stats.generated += 1
                known = number_of.get(child)
                if known is not None:
                    stats.duplicates += 1
                    if narrator:
                        narrator.duplicate(known, node, move)
                    continue
                number, f = stats.generated, g + 1 + self._h(child)
                nodes[number] = (child, node, move, g + 1, f - g - 1)
                if narrator:
                    narrator.made(number)
                if f > bound:
                    above = min(above, f)
                    del nodes[number]
                    continue
                within = max(within, f)
                number_of[child] = number
                queue.append(number)
                stats.stored += 1
                stats.max_depth = max(stats.max_depth, g + 1)
                stats.peak_stored = max(stats.peak_stored, len(number_of))
                if child == goal:
                    self._last = number
                    return Pass(Status.SOLVED, above, within)
            stats.max_frontier = max(stats.max_frontier, len(queue) - taken)
        return Pass(None, above, within)

    def end(self, status: Status) -> Outcome:
        """The outcome of the last pass."""
        if self._narrator:
            self._narrator.end(status, self._last, self._last)
        moves = path_to(self._nodes, self._last) if status is Status.SOLVED else None
        return Outcome(status, moves, self._stats)
