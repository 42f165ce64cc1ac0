"""The cost of a search against depth and board size, with the growth that fits it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from tilewise.core.limits import Limits
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Experiment, Part, Scramble
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.reports.summary import Group, group_by, missing_note
from tilewise.lab.row import Row

SHAPES: dict[str, tuple[int, ...]] = {
    "3x3": (8, 12, 16, 20, 24, 28),
    "3x4": (8, 12, 16, 20, 24, 28, 32),
    "4x4": (8, 12, 16, 20, 24, 28, 32),
    "5x5": (8, 12, 16, 20, 24, 28, 32),
}
COUNT = 20
HEURISTICS = ("manhattan", "linear_conflict")
NODES = 50_000_000
COMMON = 24
"""The depth at which shapes are compared."""
FIT_FROM = 12
"""Nearer boards are solved almost without a search and say nothing about growth."""

EXPERIMENT = Experiment(
    name="scaling",
    title="IDA* against depth and board size, with fitted growth",
    parts=tuple(
        Part(
            name=shape,
            instances=(Scramble(shape, depth=depths, count=COUNT, seed=1000),),
            algorithms=("idastar",),
            heuristics=HEURISTICS,
            limits=(Limits(generated=NODES),),
        )
        for shape, depths in SHAPES.items()
    ),
    report="scaling",
)


class GrowthFit(NamedTuple):
    """nodes = factor * growth^depth, and how much of the variation of log nodes that explains."""

    factor: float
    growth: float
    explained: float

    def at(self, depth: float) -> float:
        """The nodes at a depth by the fit."""
        return self.factor * math.pow(self.growth, depth)


def fit(points: Sequence[tuple[float, float]]) -> GrowthFit | None:
    """Least squares on the logarithm of the nodes; None with fewer than three points.

    >>> fit([(2, 4), (4, 16), (6, 64)])
    GrowthFit(factor=1.0, growth=2.0, explained=1.0)
    """
    if len(points) < 3:
        return None
    xs, ys = [x for x, _ in points], [math.log(y) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / spread
    start = mean_y - slope * mean_x
    wrong = sum((y - start - slope * x) ** 2 for x, y in zip(xs, ys, strict=True))
    varied = sum((y - mean_y) ** 2 for y in ys)
    explained = 1 - wrong / varied if varied else 1.0
    return GrowthFit(*(round(value, 12) for value in (math.exp(start), math.exp(slope), explained)))


def report(rows: Sequence[Row]) -> list[Section]:
    """Nodes by depth for every shape, the growth that fits them, and shapes at one depth."""
    groups = group_by(rows, "part", "heuristic", "depth")
    shapes = list(dict.fromkeys(row["part"] for row in rows))
    return [_growth(groups, shapes), *(_by_depth(h, groups, shapes) for h in HEURISTICS)]


Groups = dict[tuple[object, ...], Group]


def _means(groups: Groups, shape: str, heuristic: str) -> list[Point]:
    """The points where every run was solved: a fit must not be of the easy ones alone."""
    found = []
    for (part, name, depth), group in groups.items():
        point = group.point(float(str(depth)), "generated")
        if part == shape and name == heuristic and point is not None and point.y > 0:
            found.append(point)
    return sorted(found, key=lambda point: point.x)


def _fit_of(points: Sequence[Point]) -> GrowthFit | None:
    return fit([(p.x, p.y) for p in points if not p.partial and p.x >= FIT_FROM])


def _growth(groups: Groups, shapes: Sequence[str]) -> Section:
    lines: list[list[Cell | Value]] = []
    for shape in shapes:
        for heuristic in HEURISTICS:
            found = _fit_of(_means(groups, shape, heuristic))
            at_common = groups.get((shape, heuristic, COMMON), Group(()))
            rows, columns = (int(side) for side in shape.split("x"))
            lines.append(
                [
                    shape,
                    rows * columns,
                    heuristic,
                    Cell(found.growth if found else None, 3),
                    Cell(found.growth**2 if found else None, 2),
                    Cell(found.explained if found else None, 3),
                    at_common.cell("generated", 0),
                ]
            )
    table = Table.of(
        "growth",
        "Fitted growth of nodes generated",
        [
            "shape",
            "cells",
            "heuristic",
            "factor a move",
            "factor two moves",
            "R²",
            f"mean nodes at depth {COMMON}",
        ],
        lines,
        missing_note(groups.values()),
    )
    text = (
        "The cost of IDA* grows by a constant factor with each move, so its curve is straight on a "
        "log scale. The factor is the branching factor that is left after the heuristic has had "
        f"its say. Fitted from depth {FIT_FROM} on, to points where all boards were solved. At "
        "one depth a larger board is not dearer, rather cheaper: fewer of its tiles are in each "
        "other's way. What makes large boards hard is that they are deep.",
    )
    return Section("Growth", text, (table,))


def _left_out(groups: Groups, heuristic: str, curves: Sequence[Series]) -> list[str]:
    """A note about depths without a point: no run was solved there, or without any node."""
    there = sum(name == heuristic for _, name, _ in groups)
    missing = there - sum(len(series.points) for series in curves)
    return [f"left out: {missing} points without solved runs or nodes"] if missing else []


def _by_depth(heuristic: str, groups: Groups, shapes: Sequence[str]) -> Section:
    curves = [Series(shape, tuple(_means(groups, shape, heuristic))) for shape in shapes]
    fits = []
    for series in curves:
        found = _fit_of(series.points)
        if found:
            ends = (FIT_FROM, series.points[-1].x)
            line = tuple(Point(x, found.at(x)) for x in ends)
            fits.append(Series(f"{series.label} fit", line, like=series.label, dashed=True))
    depths = sorted({int(str(depth)) for _, h, depth in groups if h == heuristic})
    table = Table.of(
        f"depth-{heuristic}",
        f"IDA* with {heuristic}: mean nodes generated ({COUNT} boards each)",
        ["depth", *shapes],
        [
            [
                depth,
                *(
                    groups.get((s, heuristic, depth), Group(())).cell("generated", 1)
                    for s in shapes
                ),
            ]
            for depth in depths
        ],
    )
    plot = Plot(
        f"depth-{heuristic}",
        f"IDA* with {heuristic}: nodes against depth",
        "depth (moves)",
        "nodes generated (mean, log scale)",
        (*curves, *fits),
        log_y=True,
        note="\n".join(["dotted: the fitted growth", *_left_out(groups, heuristic, curves)]),
    )
    return Section(f"Against depth: {heuristic}", (), (table,), (plot,))
