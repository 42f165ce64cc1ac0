"""MM, bidirectional heuristic search that meets in the middle."""

from __future__ import annotations

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
    "mm",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    backward=True,
    title="MM",
    frontier=Frontier(FrontierKind.TWO_SIDED, g=1, h=1),
    choice="takes the node with the smallest max(g + h, 2g + 1) of both sides, of equals the one "
    "with the smallest g, from the start first",
    pseudo_code="""
        one side begins at the start, the other at the goal <- start
        while both sides have open nodes:
            C = the smallest max(f, 2g + 1) of both sides
            bound = the largest of C, the smallest f of each side,
                    and the smallest g of the one + that of the other + 1
            if the best meeting is not above the bound: return its two paths <- goal
            expand the node with the value C: for each successor: <- expand
                if this side knows its state by a path no longer: throw it away <- duplicate
                else: put it on the open list of this side <- generate, reopen
                if the other side knows its state: the two paths meet there
        """,
)
def mm(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    backward: Estimate = no_estimate,
) -> Outcome:
    """MM (Holte, Felner, Sharon, Sturtevant 2016): A* from both ends that meets in the middle.

    No node is expanded that is further from its end than half of the optimal cost. The side of
    the goal is guided by the same heuristic, made for the start, or by linear conflict where
    that would need tables.
    """
    search = TwoSided(problem, h, backward, observer)
    by_priority, by_f, by_g = ([LazyHeap(side) for side in search.sides] for _ in range(3))

    def push(which: int, index: int) -> None:
        _, _, _, g, node_h, _ = search.sides[which].nodes[index]
        by_priority[which].push(max(g + node_h, 2 * g + EPSILON), index, tie=g)
        by_f[which].push(g + node_h, index)
        by_g[which].push(g, index)

    push(0, 0)
    push(1, 0)
    while True:
        values = [heap.least for heap in by_priority]
        bound = max(
            min(values),
            by_f[0].least,
            by_f[1].least,
            by_g[0].least + by_g[1].least + EPSILON,
        )
        if search.cost <= bound:  # a side without open nodes makes the bound infinite
            return search.solved()
        search.stats.bound = int(min(values))
        which = 0 if values[0] <= values[1] else 1
        search.expanded_at[bound] += 1
        made = search.expand(which, by_priority[which].pop(), meter)
        if made is None:
            return search.end(meter.status)
        for index in made:
            push(which, index)
