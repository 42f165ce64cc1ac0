"""Groups of rows: how many runs were solved, and the counters of those that were.

A run that reached a limit has counters that say how far it came, not what the board costs: no
mean may contain it. So counters are aggregated over solved runs only, each as `COUNTERS` says,
and a cell whose group has other runs carries a mark.
"""

from __future__ import annotations

import statistics
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilewise.core.stats import COUNTERS, Counter
from tilewise.drawing.plot_data import Point
from tilewise.errors import SpecError, shortened
from tilewise.lab.reports.report import Cell
from tilewise.lab.reports.spread import bootstrapped
from tilewise.lab.row import Row

COST = Counter("cost", "moves of the solution", "moves", "less", "mean")
MEASURED = {counter.name: counter for counter in (COST, *COUNTERS)}
"""What can be aggregated: the counters, and the length of the solution."""

UNSOLVED = {
    "limit": "reached a limit",
    "stuck": "got stuck",
    "failed": "failed",
    "unsolvable": "are unsolvable",
    "cancelled": "were cancelled",
}


def measured(name: str) -> Counter:
    """The counter of a name, which knows whether less is better and how to aggregate."""
    if name not in MEASURED:
        raise SpecError(f"expected one of {', '.join(MEASURED)}; got {shortened(name)}")
    return MEASURED[name]


@dataclass(frozen=True)
class Group:
    """Runs that are reported as one figure."""

    rows: tuple[Row, ...]

    @property
    def runs(self) -> int:
        return len(self.rows)

    @property
    def solved(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row["status"] == "solved")

    @property
    def statuses(self) -> Tally[str]:
        """The number of runs by status."""
        return Tally(row["status"] for row in self.rows)

    @property
    def partial(self) -> bool:
        """Whether some runs are not in the figures because they found no solution."""
        return len(self.solved) < self.runs

    @property
    def mark(self) -> str:
        return f"({len(self.solved)}/{self.runs})" if self.partial else ""

    def value(self, name: str) -> float | None:
        """A counter aggregated over the solved runs, or None where there is nothing."""
        values = [row[name] for row in self.solved if row.get(name) is not None]
        if not values:
            return None
        how: Callable[[Sequence[float]], float] = {
            "mean": statistics.fmean,
            "max": lambda numbers: float(max(numbers)),
            "sum": lambda numbers: float(sum(numbers)),
        }[measured(name).aggregate]
        return how(values)

    def cell(self, name: str, digits: int = 2) -> Cell:
        """A counter as a cell, marked where runs are missing in it."""
        if not self.rows:
            return Cell(None)
        value = self.value(name)
        if value is None:
            return Cell("-" if not self.partial else self.outcome())
        if MEASURED[name].aggregate == "max":
            return Cell(int(value), mark=self.mark)
        return Cell(value, digits, self.mark)

    def point(self, x: float, name: str, *, interval: bool = False) -> Point | None:
        """A counter as a point of a plot, a mean with its interval; None where none was solved."""
        value = self.value(name)
        if value is None:
            return None
        within = None
        if interval and measured(name).aggregate == "mean":
            within = bootstrapped([row[name] for row in self.solved if row.get(name) is not None])
        if within is None:
            return Point(x, value, self.partial)
        return Point(x, value, self.partial, within.low, within.high)

    def outcome(self) -> str:
        """How the runs ended that were not solved: `limit`, or `3 limit, 2 stuck`."""
        others = {name: n for name, n in self.statuses.items() if name != "solved"}
        if len(others) == 1 and not self.solved:
            return next(iter(others))
        return ", ".join(f"{n} {name}" for name, n in sorted(others.items()))


def group_by(rows: Iterable[Row], *columns: str) -> dict[tuple[Any, ...], Group]:
    """The rows of each combination of values, in the order of their first appearance."""
    found: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        found.setdefault(tuple(row.get(column) for column in columns), []).append(row)
    return {key: Group(tuple(members)) for key, members in found.items()}


def select(rows: Iterable[Row], **wanted: Any) -> Group:
    """The rows that have the given values."""
    return Group(
        tuple(row for row in rows if all(row.get(name) == value for name, value in wanted.items()))
    )


def best_marked(cells: Sequence[Cell], better: str) -> list[Cell]:
    """The cells with the best ones named; cells with unsolved runs are not compared."""
    numbers = [
        cell.value for cell in cells if isinstance(cell.value, float | int) and not cell.mark
    ]
    if len(numbers) < 2 or len(set(numbers)) == 1:
        return list(cells)
    best = min(numbers) if better == "less" else max(numbers)
    return [replace(cell, best=not cell.mark and cell.value == best) for cell in cells]


def missing_note(groups: Iterable[Group]) -> list[str]:
    """One sentence that counts the runs that are in no mean, or none where all were solved."""
    total, statuses = 0, Tally[str]()
    for group in groups:
        total += group.runs
        statuses += group.statuses
    del statuses["solved"]
    if not statuses:
        return []
    others = ", ".join(f"{n:,} {UNSOLVED.get(name, name)}" for name, n in sorted(statuses.items()))
    return [
        f"Of {total:,} runs {others}: they are counted, not averaged. "
        "(n/m) behind a figure: the mean of the n solved runs of m."
    ]
