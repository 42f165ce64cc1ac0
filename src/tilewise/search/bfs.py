"""Breadth-first search."""

from __future__ import annotations

from dataclasses import replace

from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.registry import ALL_KNOBS, Estimate, algorithm, no_estimate
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.search.best_first import best_first


@algorithm("bfs", optimal=True, complete=True, contract="EXACT", knobs=ALL_KNOBS)
def bfs(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Breadth-first search: the shallowest node first; a queue, so the oldest of equal depth.

    All moves cost 1, so the first path to a state is a shortest one under every rule. Only
    ties that are set on purpose make it take another node of a level than the oldest.
    """
    queue = replace(rules, ties=rules.ties_or("oldest"))
    return best_first(problem, no_estimate, meter, queue, observer, priority=lambda g, h: g)
