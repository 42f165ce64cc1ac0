"""Weighted A*."""

from __future__ import annotations

from fractions import Fraction

from tilewise.core.algorithm_facts import Frontier
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import KNOBS, Rules
from tilewise.search.best_first import best_first, pseudo_code

BY_WEIGHTED_F = Frontier(g=1, h="weight")


@algorithm(
    "wastar",
    needs_heuristic=True,
    fractions=True,
    complete=True,
    bounded="weight",
    knobs=KNOBS,
    title="Weighted A*",
    frontier=BY_WEIGHTED_F,
    pseudo_code=pseudo_code(BY_WEIGHTED_F),
    native="BUCKETS",
)
def wastar(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    weight: Fraction = Fraction(3, 2),
) -> Outcome:
    """Weighted A* (Pohl 1970): the smallest g + weight * h first.

    With an admissible heuristic and weight >= 1 the solution is at most weight times too long.
    The weight is a ratio of integers, so the order of nodes never depends on rounding.
    """
    frontier = BY_WEIGHTED_F.configured({"weight": weight})
    return best_first(problem, h, meter, rules, observer, frontier)
