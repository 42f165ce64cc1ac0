"""All admissible heuristics: how near they come, what they cost, and what they save."""

from __future__ import annotations

from collections.abc import Sequence

from tilewise.core.limits import Limits
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Boards, Experiment, FromSuite, Part, Scramble
from tilewise.lab.builtin.admissible_heuristics import admissible
from tilewise.lab.measurement_names import BUILT_IN
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.reports.summary import Group, best_marked, group_by, missing_note
from tilewise.lab.row import Row
from tilewise.puzzle.board import Goal

DEPTHS = (4, 8, 12, 16, 20, 24, 28)
SMALL, KORF = "3x3", "korf100"
KORF_NODES = 2_000_000
MOST_CURVES = 8
"""Plots show the strongest; more curves could not be distinguished."""


def EXPERIMENT() -> Experiment:  # noqa: N802  (the table of experiments names it so)
    """The experiment with every heuristic that is registered when it is loaded."""
    small, korf = Goal.blank_first(3, 3), Goal.blank_first(4, 4)
    return Experiment(
        name="heuristics",
        title="all admissible heuristics: nodes, time, mean value and error",
        parts=(
            Part(
                name="values",
                instances=(Boards((str(small.board),), goal="first"),),
                heuristics=admissible(small),
                measure=f"{BUILT_IN}:values",
            ),
            Part(
                name=SMALL,
                instances=(Scramble("3x3", depth=DEPTHS, count=50, seed=1000),),
                heuristics=admissible(small),
            ),
            Part(
                name="korf100 values",
                instances=(FromSuite("korf100"),),
                heuristics=admissible(korf, native=True),
                measure=f"{BUILT_IN}:value",
            ),
            Part(
                name=KORF,
                instances=(FromSuite("korf100"),),
                algorithms=("idastar",),
                heuristics=admissible(korf, native=True),
                limits=(Limits(generated=KORF_NODES),),
            ),
        ),
        report="heuristics",
    )


def report(rows: Sequence[Row]) -> list[Section]:
    """How good the values are, what A* does with them, and Korf's boards."""
    parts = {part: group.rows for (part,), group in group_by(rows, "part").items()}
    sections = []
    if "values" in parts:
        sections.append(_values(parts["values"]))
    if SMALL in parts:
        sections.append(_nodes(parts[SMALL]))
    if KORF in parts:
        sections.append(_korf(parts[KORF], parts.get("korf100 values", ())))
    return sections


def _values(rows: Sequence[Row]) -> Section:
    lines: list[list[Cell | Value]] = []
    curves = []
    for row in rows:
        found = row["measured"]
        lines.append(
            [
                row["heuristic"],
                Cell(found["mean"]),
                Cell(found["error"]),
                found["largest_error"],
                Cell(100 * found["exact_share"], 1),
            ]
        )
        points = tuple(Point(depth, mean) for depth, mean in enumerate(found["by_depth"]))
        curves.append(Series(row["heuristic"], points))
    table = Table.of(
        "values",
        "Values on all 181,440 states of 3x3 (goal first)",
        ["heuristic", "mean", "mean error", "largest error", "exact %"],
        lines,
    )
    plot = Plot(
        "values",
        "Mean value of each heuristic by true distance, 3x3",
        "true distance (moves)",
        "mean value (moves)",
        tuple(sorted(curves, key=lambda series: -series.points[-1].y)[:MOST_CURVES]),
        note=_strongest(len(curves)),
    )
    text = (
        "The nearer the mean value is to the true distance, the fewer nodes a search needs. No "
        "curve is above the diagonal that `perfect` draws: that is what admissible means."
    )
    return Section("How near the values are", (text,), (table,), (plot,))


def _strongest(curves: int) -> str:
    if curves <= MOST_CURVES:
        return ""
    return f"the {MOST_CURVES} strongest of {curves} heuristics; the table has all"


def _nodes(rows: Sequence[Row]) -> Section:
    groups = group_by(rows, "depth", "heuristic")
    depths = sorted({depth for depth, _ in groups})
    names = list(dict.fromkeys(name for _, name in groups))
    by_depth = [
        best_marked([groups[depth, name].cell("generated", 1) for name in names], "less")
        for depth in depths
    ]
    lines: list[list[Cell | Value]] = []
    for place, name in enumerate(names):
        every = Group(tuple(row for depth in depths for row in groups[depth, name].rows))
        engine = ", ".join(sorted({row["engine"] for row in every.rows}))
        seconds = every.value("seconds")
        milliseconds = Cell(None if seconds is None else 1000 * seconds)
        lines.append([name, *(cells[place] for cells in by_depth), milliseconds, engine])
    table = Table.of(
        "nodes",
        "A* on 3x3: mean nodes generated by depth (50 boards each), mean milliseconds",
        ["heuristic", *map(str, depths), "ms", "engine"],
        lines,
        ["Times of the two engines cannot be compared with each other."],
    )
    curves = []
    for name in names:
        points = [groups[depth, name].point(depth, "generated") for depth in depths]
        curves.append(Series(name, tuple(point for point in points if point)))
    plot = Plot(
        "nodes",
        "A* on 3x3: nodes generated by depth",
        "depth (moves)",
        "nodes generated (mean, log scale)",
        tuple(sorted(curves, key=lambda series: series.points[-1].y)[:MOST_CURVES]),
        log_y=True,
        note=_strongest(len(curves)),
    )
    return Section("What A* makes of them on 3x3", (), (table,), (plot,))


def _korf(rows: Sequence[Row], measured: Sequence[Row]) -> Section:
    groups = group_by(rows, "heuristic")
    values = group_by(measured, "heuristic")
    lines: list[list[Cell | Value]] = []
    for (name,), group in groups.items():
        found = values.get((name,), Group(())).rows
        mean = sum(row["measured"]["h"] for row in found) / len(found) if found else None
        depth = sum(row["depth"] for row in found) / len(found) if found else None
        error = None if mean is None or depth is None else depth - mean
        seconds = group.value("seconds")
        lines.append(
            [
                name,
                Cell(mean),
                Cell(error),
                len(group.solved),
                group.cell("generated", 0),
                Cell(None if seconds is None else 1000 * seconds, 1, group.mark),
            ]
        )
    table = Table.of(
        "korf100",
        f"IDA* on Korf's 100 boards, at most {KORF_NODES:,} nodes each",
        ["heuristic", "mean value", "mean error", "solved", "mean nodes", "ms"],
        lines,
        missing_note(groups.values()),
    )
    text = (
        "The boards solved below the limit are not the same for every heuristic: a mean of fewer "
        "boards is a mean of easier ones. Compare the number solved; `korf100` has larger limits."
    )
    return Section("Korf's 100 boards", (text,), (table,))
