"""Uniform-cost search."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm, no_estimate
from tilewise.core.result import Outcome
from tilewise.core.rules import KNOBS, Rules
from tilewise.search.best_first import best_first, pseudo_code

BY_G = Frontier(g=1)


@algorithm(
    "ucs",
    optimal=True,
    complete=True,
    knobs=KNOBS,
    title="Uniform-cost search",
    frontier=BY_G,
    pseudo_code=pseudo_code(BY_G),
    native="BUCKETS",
)
def ucs(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Uniform-cost search (Dijkstra 1959): the cheapest path first."""
    return best_first(problem, no_estimate, meter, rules, observer, BY_G)
