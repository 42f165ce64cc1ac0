"""Searches compared on the boards that all of them solved: spread, ratios, scatter, cactus."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.errors import SpecError, shortened
from tilewise.lab.reports.report import Cell, Table, Value
from tilewise.lab.reports.spread import Interval, Spread, bootstrapped, geometric_mean
from tilewise.lab.reports.summary import measured
from tilewise.lab.row import Row

Board = tuple[str, str]
"""The name of an instance and its board."""
MOST_SERIES = 8
"""Series that a plot can tell apart."""
MOST_SCATTERED = 3
CACTUS = ("generated", "seconds")
LARGE_RATIO = 30


@dataclass(frozen=True)
class Paired:
    """The solved rows of each search, by board; rows carry the name of their search."""

    solved: dict[str, dict[Board, Row]]
    boards: int
    """All boards, solved or not."""

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Paired:
        """The rows of a part, with the label `search`."""
        solved: dict[str, dict[Board, Row]] = {}
        boards = set()
        for row in rows:
            board = (str(row["instance"]), row.run.board)
            boards.add(board)
            of_search = solved.setdefault(str(row["search"]), {})
            if row["status"] == "solved":
                of_search.setdefault(board, row)
        return cls(solved, len(boards))

    @cached_property
    def searches(self) -> list[str]:
        """Those that solved something."""
        return [name for name, rows in self.solved.items() if rows]

    @cached_property
    def common(self) -> list[Board]:
        """The boards that each of them solved."""
        first, *others = [self.solved[name] for name in self.searches] or [{}]
        return [board for board in first if all(board in rows for rows in others)]

    @property
    def about(self) -> str:
        """Which boards the figures are of, in a sentence."""
        left_out = [name for name, rows in self.solved.items() if not rows]
        without = (
            f" Not in it, since nothing was solved: {'; '.join(left_out)}." if left_out else ""
        )
        if len(self.common) == self.boards:
            return f"Over all {self.boards:,} boards, which these searches solved.{without}"
        return (
            f"Over the {len(self.common):,} of {self.boards:,} boards that all of these searches "
            f"solved.{without}"
        )

    def values(self, search: str, name: str) -> list[float]:
        """A counter of a search on the common boards; empty where one has no value."""
        values = [self.solved[search][board].get(name) for board in self.common]
        return [] if None in values else [float(value) for value in values]  # type: ignore[arg-type]

    def series(self, search: str, points: Sequence[Point], *, line: bool = True) -> Series:
        """Points of a search, which looks the same in every plot."""
        return Series(search, tuple(points), line=line, look=list(self.solved).index(search))

    def ordered(self, name: str) -> list[str]:
        """The searches with a value, the best first, by the geometric mean or the mean."""
        kept = [search for search in self.searches if self.values(search, name)]
        sign = 1 if measured(name).better == "less" else -1

        def merit(search: str) -> float:
            spread = Spread.of(self.values(search, name))
            mean = spread.geometric_mean
            return sign * (spread.mean if mean is None else mean)

        return sorted(kept, key=merit)


def left_out(shown: int, searches: int) -> str:
    """Which searches a plot shows, where there are too many."""
    if shown == searches:
        return ""
    return f"{shown:,} of {searches:,} searches: the best and the worst"


def best_and_worst(names: Sequence[str], most: int = MOST_SERIES) -> list[str]:
    """Of names in order, the best first, as many as a plot can show: half best, half worst."""
    half = most // 2
    return list(names) if len(names) <= most else [*names[: most - half], *names[-half:]]


def spread_table(paired: Paired, name: str, prefix: str, where: str, digits: int) -> Table | None:
    """Mean with its interval, quartiles and geometric mean of a counter; a row for each search."""
    searches = [each for each in paired.searches if paired.values(each, name)]
    if not searches:
        return None
    rows: list[list[Cell | Value]] = []
    for search in searches:
        spread = Spread.of(paired.values(search, name))
        figures = (
            spread.mean,
            *_ends(spread.interval),
            spread.low_quartile,
            spread.median,
            spread.high_quartile,
            spread.geometric_mean,
        )
        rows.append([search, spread.count, *(Cell(value, digits) for value in figures)])
    columns = ["search", "boards", "mean", "95 % from", "to", "quartile", "median"]
    unit = measured(name).unit
    notes = [paired.about, "95 %: bootstrapped interval of the mean."]
    if any(row[-1].value is None for row in rows if isinstance(row[-1], Cell)):
        notes.append("No geometric mean where a value is 0.")
    return Table.of(
        f"{prefix}{name}-spread",
        f"{name}: spread ({unit}){where}",
        [*columns, "3rd quartile", "geometric mean"],
        rows,
        notes,
    )


def chosen_baseline(paired: Paired, wanted: str | None) -> str | None:
    """The search that others are compared with: the one that is named, else the first."""
    if wanted is None:
        return paired.searches[0] if paired.searches else None
    if wanted in paired.searches:
        return wanted
    parts = [each for each in paired.searches if wanted in each.split(", ")]
    if len(parts) != 1:
        known = "; ".join(paired.searches)
        raise SpecError(f"expected one search of {known} as baseline, got {shortened(wanted)}")
    return parts[0]


def ratio_table(
    paired: Paired, baseline: str, counters: Sequence[str], prefix: str, where: str
) -> Table | None:
    """Each search against the baseline: geometric means of ratios, and on how many boards less."""
    rows: list[list[Cell | Value]] = []
    for name in counters:
        base = paired.values(baseline, name)
        if not base or min(base) <= 0:
            continue
        for search in paired.searches:
            values = paired.values(search, name)
            if search == baseline or not values:
                continue
            ratios = [value / other for value, other in zip(values, base, strict=True)]
            mean = geometric_mean(ratios)
            interval = bootstrapped([math.log(r) for r in ratios], math.exp) if mean else None
            rows.append(
                [
                    name,
                    search,
                    Cell(mean, 3),
                    *(Cell(end, 3) for end in _ends(interval)),
                    sum(ratio < 1 for ratio in ratios),
                    sum(ratio == 1 for ratio in ratios),
                    sum(ratio > 1 for ratio in ratios),
                ]
            )
    if not rows:
        return None
    return Table.of(
        f"{prefix}ratios",
        f"Ratios to {baseline}{where}",
        ["counter", "search", "ratio", "95 % from", "to", "less on", "equal on", "more on"],
        rows,
        [
            paired.about,
            "The ratio is the geometric mean of the ratios board by board; the last columns count "
            "boards.",
        ],
    )


def scatter_plots(paired: Paired, baseline: str, name: str, prefix: str, where: str) -> list[Plot]:
    """Board by board: a search above the diagonal takes more than the baseline."""
    if len(paired.common) < 2:
        return []
    others = [each for each in paired.ordered(name) if each != baseline]
    chosen = best_and_worst(others, MOST_SCATTERED)
    shown = left_out(len(chosen), len(others)) or f"{len(paired.common):,} boards{where}"
    base = paired.values(baseline, name)
    plots = []
    for number, search in enumerate(chosen, start=1):
        points = sorted(zip(base, paired.values(search, name), strict=True))
        both = [value for point in points for value in point]
        log = bool(both) and min(both) > 0 and max(both) > LARGE_RATIO * min(both)
        plots.append(
            Plot(
                f"{prefix}{name}-scatter-{number}",
                f"{name}, board by board",
                f"{baseline} ({measured(name).unit})",
                f"{search} ({measured(name).unit})",
                (paired.series(search, [Point(x, y) for x, y in points], line=False),),
                log_x=log,
                log_y=log,
                kind="scatter",
                note=f"above the line: more than {baseline}\n{shown}",
            )
        )
    return plots


def cactus_plot(
    paired: Paired, names: Sequence[str], name: str, prefix: str, where: str
) -> Plot | None:
    """How many boards each search solves with at most so much of a counter each."""
    curves, values = [], []
    for search in names:
        found = sorted(row[name] for row in paired.solved[search].values() if row.get(name))
        values += found
        points = [Point(value, number) for number, value in enumerate(found, start=1)]
        curves.append(paired.series(search, points))
    if len(values) < 2:
        return None
    log = max(values) > LARGE_RATIO * min(values)
    unit = measured(name).unit
    return Plot(
        f"{prefix}cactus-{name}",
        f"boards solved against {name}{where}",
        f"{name} for a board, at most ({unit}{', log scale' if log else ''})",
        f"boards solved, of {paired.boards:,}",
        tuple(curves),
        log_x=log,
        kind="steps",
        note=left_out(len(names), len(paired.searches)),
    )


def _ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (interval.low, interval.high) if interval else (None, None)
