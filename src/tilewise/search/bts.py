"""Budgeted tree search."""

from __future__ import annotations

import math

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.core.stats import Stats
from tilewise.search.bounded_tree import BoundedTree, Pass, Root
from tilewise.search.ibex import ibex, pseudo_code


@algorithm(
    "bts",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    tree=True,
    title="Budgeted tree search",
    frontier=Frontier(FrontierKind.DEEPENING, g=1, h=1, reopens=False),
    choice="goes depth-first below a bound on f, as IDA* does; the bounds are chosen so that each "
    "pass expands 2 to 8 times as many nodes as the one before it",
    pseudo_code=pseudo_code("depth-first", "with a budget, look on for a shorter one"),
)
def bts(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Budgeted tree search (Helmert and others 2019): IDA* whose passes always grow.

    IDA* is slow where each pass adds few nodes: it can take as many passes as there are nodes.
    Here the nodes grow by a factor from pass to pass, so all passes together expand at most a
    logarithm of the cost times as many as the last one. On sliding tiles passes grow by
    themselves, and it does what IDA* does.
    """
    stats = Stats(peak_stored=1)
    tree = BoundedTree(problem, h, meter, observer, stats)
    root = Root(problem.start, h=h(problem.start))
    tree.start(root)

    def run(bound: int, budget: float) -> Pass:
        stats.iterations += 1
        if budget == math.inf:
            stats.bound = bound
        tree.begin_pass(root, bound)
        return tree.run(root, bound, budget)

    return tree.end(ibex(root.h, run, stats))
