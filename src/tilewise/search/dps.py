"""Dynamic potential search."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import ceil

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem, State
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.errors import SpecError
from tilewise.search.best_first import path_to
from tilewise.search.narration import Narrator, Node


@algorithm(
    "dps",
    needs_heuristic=True,
    complete=True,
    bounded="weight",
    title="Dynamic potential search",
    frontier=Frontier(FrontierKind.OWN_ORDER, g=1, h=1),
    choice="takes the node with the largest potential (weight * fmin - g) / h, fmin being the "
    "smallest g + h of all that wait; of equals the newest of the smallest h",
    pseudo_code="""
        put the start on the open list <- start
        while the open list is not empty:
            fmin = the smallest g + h on the open list
            take the node with the largest (`weight` * fmin - g) / h
            if it is the goal: return the path to it <- goal
            expand it: for each successor: <- expand
                if its state is known by a path no longer: throw it away <- duplicate
                else if its state was expanded before: put it on the open list again <- reopen
                else: put it on the open list <- generate
        """,
)
def dps(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    weight: Fraction = Fraction(3, 2),
) -> Outcome:
    """Dynamic potential search (Gilon, Felner, Stern 2016): what may still end within the bound.

    The potential says how far h may fall short of the moves that are left before a solution
    through the node is longer than weight * fmin, and so perhaps more than weight times too long.
    """
    if weight < 1:
        raise SpecError(f"expected a weight of at least 1 for dps, got {weight}")
    stats, open_list = Stats(), _OpenList(weight)
    nodes: list[Node] = [(problem.start, -1, "", 0, h(problem.start))]
    number_of: dict[State, int] = {problem.start: 0}
    expanded: set[int] = set()
    open_list.push(0, 0, nodes[0][4])
    narrator = Narrator(observer, nodes, lambda g, h: g + h) if observer else None
    if narrator:
        narrator.start()

    def end(status: Status, node: int, least: int) -> Outcome:
        stats.peak_stored = len(number_of)
        if narrator:
            narrator.end(status, node, node)
        if status is not Status.SOLVED:
            return Outcome(status, None, stats, bound_by_h=least)
        bound = max(least, ceil(nodes[node][3] / weight))
        return Outcome(status, path_to(nodes, node), stats, bound_by_h=bound)

    while True:
        least, node = open_list.pop()
        state, _, _, g, _ = nodes[node]
        if state == problem.goal:
            return end(Status.SOLVED, node, min(least, g))
        expanded.add(node)
        stats.expanded += 1
        if narrator:
            narrator.expand(node)
        for move, child in problem.successors(state):
            if stats.generated == meter.pause and meter.stop(stats):
                return end(meter.status, node, least)
            stats.generated += 1
            number = len(nodes)
            known = number_of.setdefault(child, number)
            if known != number and nodes[known][3] <= g + 1:
                stats.duplicates += 1
                if narrator:
                    narrator.duplicate(known, node, move)
                continue
            if known != number and known not in expanded:
                open_list.remove(known, *nodes[known][3:])
            nodes.append((child, node, move, g + 1, h(child)))
            number_of[child] = number
            open_list.push(number, g + 1, nodes[number][4])
            stats.stored += 1
            stats.reopened += known in expanded
            stats.max_depth = max(stats.max_depth, g + 1)
            if narrator:
                narrator.made(number, reopens=known in expanded)
        stats.max_frontier = max(stats.max_frontier, open_list.size)


class _OpenList:
    """Buckets of equal g and h; their order is made anew when the smallest f changes."""

    def __init__(self, weight: Fraction) -> None:
        self._weight = weight
        self._buckets: dict[tuple[int, int], dict[int, None]] = {}
        self._of_f: Counter[int] = Counter()
        self._least = -1
        self._order: list[tuple[Fraction, int, int]] = []
        self.size = 0

    def push(self, node: int, g: int, h: int) -> None:
        bucket = self._buckets.setdefault((g, h), {})
        if not bucket:
            heappush(self._order, (self._rank(g, h), h, g))
        bucket[node] = None
        self._of_f[g + h] += 1
        self.size += 1

    def remove(self, node: int, g: int, h: int) -> None:
        del self._buckets[g, h][node]
        self._of_f[g + h] -= 1
        self.size -= 1

    def pop(self) -> tuple[int, int]:
        """The smallest f of all, and the node with the largest potential."""
        least = min(f for f, number in self._of_f.items() if number)
        if least != self._least:
            self._least = least
            waiting = [key for key, bucket in self._buckets.items() if bucket]
            self._order = [(self._rank(g, h), h, g) for g, h in waiting]
            heapify(self._order)
        while not self._buckets[self._order[0][2], self._order[0][1]]:
            heappop(self._order)
        _, h, g = self._order[0]
        node = next(reversed(self._buckets[g, h]))
        self.remove(node, g, h)
        return least, node

    def _rank(self, g: int, h: int) -> Fraction:
        """The negative of the potential; of a goal beyond all others, if it is within the bound."""
        room = self._weight * self._least - g
        if h:
            return -room / h
        return Fraction(-(10**9) if room >= 0 else 10**9)
