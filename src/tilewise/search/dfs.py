"""Depth-first search."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier, FrontierKind
from tilewise.core.entries import Estimate
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import algorithm, no_estimate
from tilewise.core.result import Outcome
from tilewise.core.rules import KNOBS, Rules
from tilewise.search.best_first import best_first, pseudo_code

STACK = Frontier(FrontierKind.STACK, g=-1, ties="newest", reopens=False, pushes_reversed=True)


@algorithm(
    "dfs",
    complete=True,
    knobs=KNOBS,
    title="Depth-first search",
    frontier=STACK,
    pseudo_code=pseudo_code(STACK),
    native="STACK",
)
def dfs(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Depth-first search: the deepest node first; no state is entered twice.

    On a stack the depths never fall towards the top, so the deepest node, and of those the
    newest, is the top of the stack. Successors are pushed in reverse: the first is taken first.
    """
    return best_first(problem, no_estimate, meter, rules, observer, STACK)
