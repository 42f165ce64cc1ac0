"""The report of any experiment: tables and plots of counters by what varies in its runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tilewise.drawing.plot_data import Plot, Series
from tilewise.errors import SpecError, shortened
from tilewise.lab.reports.paired import (
    CACTUS,
    Paired,
    best_and_worst,
    cactus_plot,
    chosen_baseline,
    left_out,
    ratio_table,
    scatter_plots,
    spread_table,
)
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.reports.spread import Spread
from tilewise.lab.reports.summary import Group, best_marked, group_by, measured, missing_note
from tilewise.lab.row import Row

SERIES_COLUMNS = (
    "profile",
    "algorithm",
    "heuristic",
    "rules",
    "goal",
    "max_nodes",
    "max_seconds",
    "max_memory",
    "seed",
)
"""What names a search; those that do not vary are left out of its name."""
ROW_COLUMNS = ("depth", "walk", "shape", "instance")
"""What the rows of the tables may be; the first that varies is taken."""
COUNTERS = ("generated", "cost", "seconds")
DIGITS = {"seconds": 6, "effective_branching_factor": 4}
FEW, MANY_ROWS, LARGE_RATIO = 8, 40, 30
BARS = "bars: bootstrapped 95 % interval of the mean"
NO_RUNS = Group(())


@dataclass(frozen=True)
class Grid:
    """The runs of a part by place and search, and the words for its tables and plots."""

    prefix: str
    where: str
    by: str
    groups: dict[tuple[Any, ...], Group]

    @property
    def searches(self) -> list[str]:
        return list(dict.fromkeys(search for _, search in self.groups))

    @property
    def places(self) -> list[Any]:
        return sorted({place for place, _ in self.groups}, key=_order)

    def cell(self, place: Any, search: str, name: str) -> Cell:
        """A counter of a search at one place."""
        return self.groups.get((place, search), NO_RUNS).cell(name, DIGITS.get(name, 2))

    def overall(self, search: str, name: str) -> Cell:
        """A counter of a search at all places."""
        every = [group.rows for (_, each), group in self.groups.items() if each == search]
        return Group(tuple(row for rows in every for row in rows)).cell(name, DIGITS.get(name, 2))


def sections(
    rows: Sequence[Row],
    by: str | None = None,
    counters: Sequence[str] = (),
    baseline: str | None = None,
) -> list[Section]:
    """A section for each part, with tables and plots of each counter.

    `baseline` names the search that the others are compared with, without it the first.
    """
    for name in counters:
        measured(name)
    if by is not None and rows and by not in rows[0]:
        raise SpecError(f"expected --by with one of {', '.join(rows[0])}; got {shortened(by)}")
    parts = group_by(rows, "part")
    return [
        _section(part, group.rows, by, counters or COUNTERS, baseline, alone=len(parts) == 1)
        for (part,), group in parts.items()
    ]


def _section(
    part: str,
    rows: Sequence[Row],
    by: str | None,
    counters: Sequence[str],
    baseline: str | None,
    alone: bool,
) -> Section:
    prefix = "" if alone else f"{_file_name(part)}-"
    where = "" if alone else f", {part}"
    measurements = [row for row in rows if row["status"] == "measured"]
    tables = [_measurements(prefix, where, measurements)] if measurements else []
    searched = [row for row in rows if row["status"] != "measured"]
    if not searched:
        return Section(part or "Results", (), tuple(tables))
    by = by or _rows_by(searched)
    names = series_names(searched, by)
    named = [row.with_labels(search=name) for row, name in zip(searched, names, strict=True)]
    grid = Grid(prefix, where, by, group_by(named, by, "search"))
    tables.append(_outcomes(prefix, where, named, grid.searches))
    make = _table if len(grid.searches) <= FEW else _turned_table
    paired = Paired.of(named)
    shown = _shown(paired, grid, counters)
    tables += [make(grid, name) for name in counters]
    plots = [plot for name in counters if (plot := _plot(grid, name, shown[name])) is not None]
    more_tables, more_plots = _compared(paired, counters, baseline, shown, prefix, where)
    tables += [table for name in counters if (table := _by_place(grid, name)) is not None]
    return Section(part or "Results", (), (*tables, *more_tables), (*plots, *more_plots))


def _shown(paired: Paired, grid: Grid, counters: Sequence[str]) -> dict[str, list[str]]:
    """The searches that the plots of each counter show: all, or the best and the worst."""
    every = grid.searches
    if len(every) <= FEW:
        return dict.fromkeys(counters, every)
    return {name: best_and_worst(paired.ordered(name), FEW) or every[:FEW] for name in counters}


def _compared(
    paired: Paired,
    counters: Sequence[str],
    baseline: str | None,
    shown: dict[str, list[str]],
    prefix: str,
    where: str,
) -> tuple[list[Table], list[Plot]]:
    """Tables and plots of the boards that all searches solved."""
    tables = [spread_table(paired, name, prefix, where, DIGITS.get(name, 2)) for name in counters]
    plots: list[Plot | None] = []
    base = chosen_baseline(paired, baseline)
    if base is not None and len(paired.searches) > 1:
        tables.append(ratio_table(paired, base, counters, prefix, where))
        plots += scatter_plots(paired, base, counters[0], prefix, where)
    if paired.boards > 1:
        of_first = [each for each in shown[counters[0]] if paired.solved.get(each)]
        plots += [cactus_plot(paired, of_first, name, prefix, where) for name in CACTUS]
    return [each for each in tables if each], [each for each in plots if each]


def _by_place(grid: Grid, name: str) -> Table | None:
    """Means with intervals, a row for each place and search; None where a place has one run."""
    rows: list[list[Cell | Value]] = []
    for place in grid.places:
        for search in grid.searches:
            group = grid.groups.get((place, search), NO_RUNS)
            values = [row[name] for row in group.solved if row.get(name) is not None]
            if len(values) < 2:
                continue
            spread, digits = Spread.of(values), DIGITS.get(name, 2)
            low, high = (spread.interval.low, spread.interval.high) if spread.interval else (0, 0)
            figures = (spread.mean, low, high, spread.median)
            rows.append(
                [place, search, f"{len(values)}/{group.runs}", *(Cell(f, digits) for f in figures)]
            )
    if not rows:
        return None
    return Table.of(
        f"{grid.prefix}{name}-by-{_file_name(grid.by)}",
        f"{name} by {grid.by}, with intervals ({measured(name).unit}){grid.where}",
        [grid.by, "search", "solved", "mean", "95 % from", "to", "median"],
        rows,
        ["95 %: bootstrapped interval of the mean.", *_cut_note(len(rows))],
        range(MANY_ROWS, len(rows)),
    )


def series_names(rows: Sequence[Row], by: str = "") -> list[str]:
    """The name of each row's search: what varies between the searches, and always the algorithm.

    `by` is what the rows of the tables are, so it is in no name.
    """
    varying = [
        column
        for column in SERIES_COLUMNS
        if column != by and (column == "algorithm" or len({row.get(column) for row in rows}) > 1)
    ]

    def name(row: Row) -> str:
        words = [_word(column, row.get(column)) for column in varying]
        return ", ".join(word for word in words if word) or str(row["algorithm"])

    return [name(row) for row in rows]


def _measurements(prefix: str, where: str, rows: Sequence[Row]) -> Table:
    """The numbers and texts that measurements gave, a row each."""
    plain: dict[str, bool] = {}
    for row in rows:
        for name, value in row["measured"].items():
            plain[name] = plain.get(name, False) or isinstance(value, str | int | float)
    columns = [name for name, fits in plain.items() if fits]
    others = [name for name, fits in plain.items() if not fits]
    notes = [f"Not a column, because it is a list: {', '.join(others)}."] if others else []
    return Table.of(
        f"{prefix}measured",
        f"Measured{where}",
        ["instance", "heuristic", *columns],
        [
            [row["instance"], row["heuristic"], *(_plain(row, name) for name in columns)]
            for row in rows
        ],
        [*notes, *_cut_note(len(rows))],
        range(MANY_ROWS, len(rows)),
    )


def _plain(row: Row, name: str) -> Value:
    value = row["measured"].get(name)
    return value if isinstance(value, str | int | float) else None


def _cut_note(rows: int) -> list[str]:
    cut = rows - MANY_ROWS
    return [f"{cut:,} more rows are in the CSV file (`--format csv`)."] if cut > 0 else []


def _word(column: str, value: Any) -> str:
    if value is None or value == "":
        return ""
    units = {"max_nodes": "nodes", "max_seconds": "s", "max_memory": "bytes"}
    if column in units:
        return f"at most {value:,} {units[column]}"
    return f"{column} {value}" if column in ("rules", "seed", "goal") else str(value)


def _rows_by(rows: Sequence[Row]) -> str:
    for column in ROW_COLUMNS:
        values = {row.get(column) for row in rows}
        if len(values) > 1 and None not in values:
            return column
    return ROW_COLUMNS[-1]


def _outcomes(prefix: str, where: str, rows: Sequence[Row], searches: Sequence[str]) -> Table:
    """How the runs of each search ended: nothing is averaged that is not counted here."""
    groups = group_by(rows, "search")
    others = sorted({row["status"] for row in rows} - {"solved"})
    return Table.of(
        f"{prefix}outcomes",
        f"Runs{where}",
        ["search", "runs", "solved", *others, "proved optimal"],
        [
            [
                search,
                group.runs,
                len(group.solved),
                *(group.statuses[status] for status in others),
                sum(bool(row["optimal"]) for row in group.rows),
            ]
            for search in searches
            for group in [groups[(search,)]]
        ],
    )


def _table(grid: Grid, name: str) -> Table:
    """A counter: rows by place, columns by search, the best of each row named."""
    better, searches, places = measured(name).better, grid.searches, grid.places
    rows: list[list[Cell | Value]] = [
        [place, *best_marked([grid.cell(place, search, name) for search in searches], better)]
        for place in places
    ]
    rows.append(["all", *best_marked([grid.overall(each, name) for each in searches], better)])
    return Table.of(
        f"{grid.prefix}{name}",
        f"{_heading(name)}{grid.where}",
        [grid.by, *searches],
        rows,
        [
            *missing_note(grid.groups.values()),
            *_cut_note(len(places)),
            *_plot_note(grid, name),
        ],
        range(MANY_ROWS, len(places)),
    )


def _heading(name: str) -> str:
    counter = measured(name)
    return f"{name} ({counter.aggregate}, {counter.unit}, {counter.better} is better)"


def _turned_table(grid: Grid, name: str) -> Table:
    """The same with a row for each search, where there are too many for columns."""
    shown = grid.places if len(grid.places) <= FEW else []
    count = len(grid.places)
    dropped = [] if shown else [f"No columns by {grid.by}: {count:,} values are more than {FEW}."]
    return Table.of(
        f"{grid.prefix}{name}",
        f"{_heading(name)} by {grid.by}{grid.where}",
        ["search", *map(str, shown), "all"],
        [
            [each, *(grid.cell(place, each, name) for place in shown), grid.overall(each, name)]
            for each in grid.searches
        ],
        [*missing_note(grid.groups.values()), *dropped, *_plot_note(grid, name)],
    )


def _plot_note(grid: Grid, name: str) -> list[str]:
    """Why a counter has no plot, if it has none."""
    reason = _no_plot(grid, name)
    return [f"No plot: {reason}."] if reason else []


def _no_plot(grid: Grid, name: str) -> str:
    places = grid.places
    if not all(isinstance(place, int | float) for place in places):
        return f"the values of {grid.by} are not numbers"
    if len(places) < 2:
        return f"{grid.by} has one value only"
    if all(group.value(name) is None for group in grid.groups.values()):
        return f"no run has a value of {name}"
    return ""


def _plot(grid: Grid, name: str, searches: Sequence[str]) -> Plot | None:
    """A counter of some searches against a number; None where `_no_plot` has a reason."""
    if _no_plot(grid, name):
        return None
    places = grid.places
    counter = measured(name)
    curves, missing = [], 0
    for search in searches:
        points = [
            group.point(place, name, interval=True)
            for place in places
            if (group := grid.groups.get((place, search))) is not None
        ]
        found = tuple(point for point in points if point is not None)
        curves.append(Series(search, found, look=grid.searches.index(search)))
        missing += points.count(None)
    values = [point.y for series in curves for point in series.points]
    log = min(values) > 0 and max(values) > LARGE_RATIO * min(values)
    has_bars = any(point.low is not None for series in curves for point in series.points)
    notes = (
        BARS if has_bars else "",
        _missing(missing),
        left_out(len(searches), len(grid.searches)),
    )
    return Plot(
        f"{grid.prefix}{name}",
        f"{name} against {grid.by}{grid.where}",
        grid.by,
        f"{name} ({counter.aggregate}, {counter.unit}{', log scale' if log else ''})",
        tuple(curves),
        log_y=log,
        note="\n".join(filter(None, notes)),
    )


def _missing(points: int) -> str:
    return f"left out, since no run was solved: {points:,} points" if points else ""


def _order(value: Any) -> tuple[bool, bool, Any]:
    """Numbers by size, texts in the order of the alphabet, nothing at the end."""
    return value is None, isinstance(value, str), "" if value is None else value


def _file_name(text: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in text).strip("-").lower()
