"""Iterative-deepening A*."""

from __future__ import annotations

from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import Estimate, algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.deepening import deepening


@algorithm(
    "idastar",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    contract="EXACT",
    tree=True,
    native_options={"prune": range(13), "threads": range(1, 1025)},
)
def idastar(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Iterative-deepening A* (Korf 1985): depth-first below a growing bound on f = g + h.

    `prune` leaves out words of up to so many moves that other words replace (Taylor and Korf
    1993); `threads` share the subtrees of the root.
    """
    return deepening(problem, h, meter, observer)
