"""Greedy best-first search."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import KNOBS, Rules
from tilewise.search.best_first import best_first, pseudo_code

BY_H = Frontier(h=1, reopens=False)


@algorithm(
    "greedy",
    needs_heuristic=True,
    fractions=True,
    complete=True,
    knobs=KNOBS,
    title="Greedy best-first search",
    frontier=BY_H,
    pseudo_code=pseudo_code(BY_H),
    native="BUCKETS",
)
def greedy(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Greedy best-first search: the smallest h first; never re-opens a state."""
    return best_first(problem, h, meter, rules, observer, BY_H)
