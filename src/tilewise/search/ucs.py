"""Uniform-cost search."""

from __future__ import annotations

from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import ALL_KNOBS, Estimate, algorithm, no_estimate
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.best_first import best_first


@algorithm("ucs", optimal=True, complete=True, contract="EXACT", knobs=ALL_KNOBS)
def ucs(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Uniform-cost search (Dijkstra 1959): the cheapest path first."""
    return best_first(problem, no_estimate, meter, rules, observer, priority=lambda g, h: g)
