"""Greedy best-first search."""

from __future__ import annotations

from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import ALL_KNOBS, Estimate, algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.best_first import best_first


@algorithm("greedy", needs_heuristic=True, complete=True, contract="EXACT", knobs=ALL_KNOBS)
def greedy(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Greedy best-first search: the smallest h first; never re-opens a state."""
    return best_first(problem, h, meter, rules, observer, priority=lambda g, h: h, reopen=False)
