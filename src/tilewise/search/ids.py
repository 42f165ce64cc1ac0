"""Iterative deepening."""

from __future__ import annotations

from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import Estimate, algorithm, no_estimate
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.deepening import deepening


@algorithm("ids", optimal=True, complete=True, contract="EXACT", tree=True)
def ids(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Depth-first iterative deepening (Korf 1985): depth-first to depth 0, 1, 2, ..."""
    return deepening(problem, no_estimate, meter, observer)
