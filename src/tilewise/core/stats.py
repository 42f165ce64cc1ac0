"""The counters of a search, defined once: command line, JSON, labels and docs derive from it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Counter:
    """What a counter means, its unit, whether less or more is better, and how runs are combined."""

    name: str
    meaning: str
    unit: str
    better: str
    aggregate: str


def _counter(
    default: Any,
    meaning: str,
    *,
    unit: str = "nodes",
    better: str = "less",
    aggregate: str = "mean",
) -> Any:
    return field(
        default=default,
        metadata={"meaning": meaning, "unit": unit, "better": better, "aggregate": aggregate},
    )


@dataclass(slots=True)
class Stats:
    """The counters of one search; `COUNTERS` and the page of statistics have their meanings.

    Example:
        >>> import tilewise as tw
        >>> stats = tw.solve("312 475 68b", algorithm="astar", heuristic="manhattan").stats
        >>> stats.expanded, stats.generated, stats.max_frontier
        (4, 12, 6)
    """

    expanded: int = _counter(
        0, "states whose successors were generated; the goal that ends the search is not expanded"
    )
    generated: int = _counter(
        0, "successors produced, before duplicate detection; the root is not counted"
    )
    stored: int = _counter(0, "new entries of the open list (a cheaper copy of a state is one)")
    duplicates: int = _counter(0, "successors thrown away because their state was known")
    reopened: int = _counter(
        0, "expanded states put back on the open list because a cheaper path to them was found"
    )
    max_frontier: int = _counter(
        0, "most entries of the open list after an expansion, stale ones included", aggregate="max"
    )
    peak_stored: int = _counter(
        0, "most states held at once: open and closed, or the current path", aggregate="max"
    )
    max_depth: int = _counter(
        0, "depth of the deepest node put on the open list or path", unit="moves", aggregate="max"
    )
    iterations: int = _counter(
        0, "passes of a search that starts again: bounds tried, layers kept", unit="passes"
    )
    expanded_below_cost: int | None = _counter(
        None,
        "expansions with f below the optimal cost (in iterative searches: of the passes before "
        "the last); with a consistent heuristic independent of ties, so the one to compare between "
        "programs; null unless solved and optimal",
    )
    seconds: float = _counter(0.0, "wall-clock time of the search", unit="s")
    peak_memory: int = _counter(
        0,
        "memory of the search's own structures; on the Python engine an estimate: "
        "peak_stored times the bytes a stored state takes",
        unit="bytes",
        aggregate="max",
    )
    effective_branching_factor: float | None = _counter(
        None,
        "the b with N = b + b^2 + ... + b^d for N nodes generated and a solution of d moves",
        unit="successors",
    )
    bound: int = field(default=0, compare=False, repr=False)
    """The f that the search has come to; 0 where it has none. Not a counter."""

    def include(self, other: Stats) -> None:
        """Add the counters of a search that is part of this one."""
        for counter in COUNTERS:
            own, added = getattr(self, counter.name), getattr(other, counter.name)
            if counter.unit in ("nodes", "passes", "moves", "bytes") and None not in (own, added):
                total = max(own, added) if counter.aggregate == "max" else own + added
                setattr(self, counter.name, total)


COUNTERS: tuple[Counter, ...] = tuple(
    Counter(f.name, **f.metadata) for f in fields(Stats) if f.metadata
)
"""Every counter with its meaning and unit, in the order in which they are shown."""


MOST_STEPS = 60


def effective_branching_factor(generated: float, depth: int) -> float | None:
    """The b > 0 with generated = b + b^2 + ... + b^depth, to about twelve digits.

    >>> round(effective_branching_factor(13, 2), 4)
    3.1401
    """
    if depth <= 0 or generated <= 0:
        return None
    # Newton's method from above: the sum is convex and b^depth is at most the sum
    b = max(1.0, generated ** (1 / depth)) if generated >= depth else 1.0
    for _ in range(MOST_STEPS):
        if abs(b - 1) * depth < 1e-4:
            total, slope = _sum_near_one(b - 1, depth)
        else:
            power = b**depth
            total = b * (power - 1) / (b - 1)
            slope = (power - 1 + depth * power - total) / (b - 1)
        step = (total - generated) / slope
        b -= step
        if abs(step) <= 1e-14 * b:
            break
    return b


def _sum_near_one(x: float, d: int) -> tuple[float, float]:
    """The sum of (1 + x)^i for i from 1 to d, and its derivative, without loss of digits."""
    return (
        d + d * (d + 1) / 2 * x + d * (d + 1) * (d - 1) / 6 * x * x,
        d * (d + 1) / 2 + d * (d + 1) * (d - 1) / 3 * x,
    )
