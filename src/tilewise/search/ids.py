"""Iterative deepening."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm, no_estimate
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.deepening import deepening, pseudo_code


@algorithm(
    "ids",
    optimal=True,
    complete=True,
    tree=True,
    title="Iterative deepening",
    frontier=Frontier(FrontierKind.DEEPENING, g=1, reopens=False),
    choice="goes depth-first, to depth 0, then 1, then 2 and so on. It keeps no open list",
    pseudo_code=pseudo_code("0", "depth g", "depth"),
    native="DEEPENING",
)
def ids(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Depth-first iterative deepening (Korf 1985): depth-first to depth 0, 1, 2, ..."""
    return deepening(problem, no_estimate, meter, observer)
