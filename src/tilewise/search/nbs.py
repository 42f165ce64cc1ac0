"""Near-optimal bidirectional search."""

from __future__ import annotations

import math

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm, no_estimate
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.sides import LazyHeap, TwoSided

EPSILON = 1
"""The cost of the cheapest move."""


@algorithm(
    "nbs",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    backward=True,
    title="NBS",
    frontier=Frontier(FrontierKind.TWO_SIDED, g=1, h=1),
    choice="takes a pair of nodes, one of each side, for which a solution through both needs the "
    "fewest moves at least: the largest of their two f and the sum of their g, + 1",
    pseudo_code="""
        one side begins at the start, the other at the goal <- start
        while both sides have open nodes:
            find a pair of nodes, one of each side, with the smallest bound:
                the largest of f of the one, f of the other, and g + g + 1
            if the best meeting is not above that bound: return its two paths <- goal
            expand both nodes: for each successor: <- expand
                if this side knows its state by a path no longer: throw it away <- duplicate
                else: put it on the open list of this side <- generate, reopen
                if the other side knows its state: the two paths meet there
        """,
)
def nbs(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    backward: Estimate = no_estimate,
) -> Outcome:
    """NBS (Chen, Holte, Zilles, Sturtevant 2017): expands pairs, one node from each end.

    For every pair that it expands, each search with the same knowledge must expand one of the two,
    so with consistent heuristics it expands at most twice as many nodes below the optimal cost as
    the best of them. The side of the goal is guided as that of `mm`.
    """
    search = TwoSided(problem, h, backward, observer)
    pairs = _Pairs(search)
    while pairs.find() and pairs.bound < search.cost:
        search.stats.bound = pairs.bound
        for which in (0, 1):
            made = search.expand(which, pairs.ready[which].pop(), meter)
            if made is None:
                return search.end(meter.status)
            search.expanded_at[pairs.bound] += 1
            for index in made:
                pairs.push(which, index)
            if search.cost <= pairs.bound:
                break
    return search.solved()


class _Pairs:
    """The open nodes of each side: those with an f above the bound wait, the others are ready."""

    def __init__(self, search: TwoSided) -> None:
        self.bound = 0
        self._sides = search.sides
        self._waiting = [LazyHeap(side) for side in search.sides]
        self.ready = [LazyHeap(side) for side in search.sides]
        self.push(0, 0)
        self.push(1, 0)

    def push(self, which: int, index: int) -> None:
        _, _, _, g, h, _ = self._sides[which].nodes[index]
        self._waiting[which].push(g + h, index)

    def find(self) -> bool:
        """Raise the bound to that of the best pair, which is then first of the ready ones."""
        while True:
            for which in (0, 1):
                while self._waiting[which].least < self.bound:
                    self._make_ready(which)
            sum_of_g = self.ready[0].least + self.ready[1].least + EPSILON
            if sum_of_g <= self.bound:
                return True
            waiting = [heap.least for heap in self._waiting]
            if min(waiting) <= self.bound:
                self._make_ready(waiting.index(min(waiting)))
                continue
            least = min(*waiting, sum_of_g)
            if least == math.inf:  # a side has no open nodes
                return False
            self.bound = int(least)

    def _make_ready(self, which: int) -> None:
        index = self._waiting[which].pop()
        self.ready[which].push(self._sides[which].nodes[index][3], index)
