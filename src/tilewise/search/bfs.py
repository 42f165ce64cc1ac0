"""Breadth-first search."""

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

QUEUE = Frontier(FrontierKind.QUEUE, g=1, ties="oldest")


@algorithm(
    "bfs",
    optimal=True,
    complete=True,
    knobs=KNOBS,
    title="Breadth-first search",
    frontier=QUEUE,
    pseudo_code=pseudo_code(QUEUE),
    native="QUEUE",
)
def bfs(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Breadth-first search: the shallowest node first; a queue, so the oldest of equal depth.

    All moves cost 1, so the first path to a state is a shortest one under every rule. Only
    ties that are set on purpose make it take another node of a level than the oldest.
    """
    return best_first(problem, no_estimate, meter, rules, observer, QUEUE)
