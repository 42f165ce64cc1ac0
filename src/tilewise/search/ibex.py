"""Iterative budgeted exponential search: the bounds of its passes, for trees and for graphs."""

from __future__ import annotations

import math
from collections.abc import Callable

from tilewise.core.result import Status
from tilewise.core.stats import Stats
from tilewise.search.bounded_tree import Pass

LEAST_GROWTH, MOST_GROWTH = 2, 8
"""A pass should expand 2 to 8 times as many nodes as the one before it."""


def ibex(low: int, run: Callable[[int, float], Pass], stats: Stats) -> Status:
    """Run passes with bounds on f until one ends with a status.

    `low` is proved: no solution is shorter. A pass with that bound needs no budget, as every search
    must do its work. If it expanded too few nodes, larger bounds are tried with a budget, first
    in steps that double, then by halving the interval, so a bound that was too large costs no more
    than its budget, and their number is the logarithm of the costs.
    """
    last = 0  # nodes expanded by the largest pass that was of use
    while True:
        before = stats.expanded
        ended = run(low, math.inf)
        if ended.status is not None:
            return ended.status
        low, used = int(ended.least_above), stats.expanded - before
        if used >= LEAST_GROWTH * last:
            last = used
            continue
        high, step = math.inf, 1
        while used < LEAST_GROWTH * last and low < high:
            bound = low + step if high == math.inf else (low + int(high)) // 2
            step *= 2
            before = stats.expanded
            ended = run(bound, MOST_GROWTH * last)
            if ended.status is not None:
                return ended.status
            if ended.complete:
                low, used = int(ended.least_above), stats.expanded - before
            else:
                high = ended.largest_within
        last = max(used, LEAST_GROWTH * last)


def pseudo_code(how: str, found: str) -> str:
    """The search in a few lines: how a pass goes, and what it does at the goal."""
    return f"""
        set the bound to h of the start <- start
        repeat: <- bound
            search {how} below the bound; at each node:
                if it is the goal: return the path to it; {found} <- goal
                expand it: for each successor: compute its f <- expand, generate, duplicate
            the bound is the smallest f that was cut off; no solution is shorter
            if the pass expanded less than twice as many nodes as the largest one before it:
                try larger bounds, with a budget of 8 times as many nodes: + 1, + 2, + 4, ...
                then halve the interval between what was enough and what was too much
        """
