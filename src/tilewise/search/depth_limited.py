"""Depth-limited search."""

from __future__ import annotations

from dataclasses import replace

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm, no_estimate
from tilewise.core.result import Outcome, Status
from tilewise.core.rules import Rules
from tilewise.search.deepening import deepening


@algorithm(
    "depth_limited",
    tree=True,
    title="Depth-limited search",
    frontier=Frontier(FrontierKind.DEEPENING, g=1, reopens=False),
    choice="goes depth-first and turns back at a depth. It keeps no open list",
    pseudo_code="""
        set the bound to `depth` <- start, bound
        go down the tree, depth-first; at each node:
            if it is the goal: return the path to it <- goal
            expand it: for each successor but the way back: <- expand
                compute its depth g <- generate
                if that is above the bound: cut it off, else go down to it
        report that no solution has `depth` moves or fewer
        """,
)
def depth_limited(
    problem: Problem,
    h: Estimate,
    meter: Meter,
    rules: Rules,
    observer: Observer | None,
    *,
    depth: int = 16,
) -> Outcome:
    """Depth-limited search: depth-first, but never deeper than `depth` moves.

    One pass of `ids`. The first solution is seldom the shortest; where there is none, more than
    `depth` moves are proved to be needed.
    """
    outcome = deepening(problem, no_estimate, meter, observer, only=depth)
    return replace(outcome, bound=depth + 1) if outcome.status is Status.STUCK else outcome
