"""Weighted A*."""

from __future__ import annotations

from fractions import Fraction

from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import ALL_KNOBS, Estimate, algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.best_first import best_first


@algorithm("wastar", needs_heuristic=True, complete=True, contract="EXACT", knobs=ALL_KNOBS)
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
    p, q = weight.numerator, weight.denominator
    return best_first(problem, h, meter, rules, observer, priority=lambda g, h: q * g + p * h)
