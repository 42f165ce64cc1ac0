"""Iterative-deepening A*."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.deepening import deepening, pseudo_code


@algorithm(
    "idastar",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    tree=True,
    title="IDA*",
    frontier=Frontier(FrontierKind.DEEPENING, g=1, h=1, reopens=False),
    choice="goes depth-first and cuts off nodes whose f = g + h is above the bound; the next bound "
    "is the smallest f that was cut off. It keeps no open list",
    pseudo_code=pseudo_code("h of the start", "f = g + h", "f"),
    native="DEEPENING",
    takes_incumbent=True,
    native_options={"prune": range(13), "threads": range(1, 1025)},
)
def idastar(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Iterative-deepening A* (Korf 1985): depth-first below a growing bound on f = g + h.

    `prune` is a number of moves: words of up to that length which other words replace are left
    out (Taylor and Korf 1993). `threads` share the subtrees of the root; at most four for each
    core are started. With an incumbent, a solution that is known, the passes below its length are
    enough to prove it.
    """
    return deepening(problem, h, meter, observer)
