"""Iterative lengthening."""

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
    "iterative_lengthening",
    optimal=True,
    complete=True,
    tree=True,
    title="Iterative lengthening",
    frontier=Frontier(FrontierKind.DEEPENING, g=1, reopens=False),
    choice="goes depth-first and cuts off paths that cost more than the bound; the next bound is "
    "the smallest cost that was cut off. It keeps no open list",
    pseudo_code=pseudo_code("0", "path cost g", "path cost"),
    native="DEEPENING",
)
def iterative_lengthening(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """Iterative lengthening (Russell and Norvig 2010): `ids` with bounds on the cost of the path.

    Every move of a sliding-tile puzzle costs 1, so it expands what `ids` expands, node by node.
    Where costs differ, each pass may add a single node, which is why it is seldom used.
    """
    return deepening(problem, no_estimate, meter, observer)
