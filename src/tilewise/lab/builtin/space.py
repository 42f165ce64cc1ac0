"""Whole state spaces: how many boards there are of each depth, and how far the hardest are."""

from __future__ import annotations

from collections.abc import Sequence

from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Boards, Experiment, Part
from tilewise.lab.measurement_names import BUILT_IN
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.row import Row

GOALS = {
    "2x2, corner": "0 1/2 3",
    "2x3, corner": "0 1 2/3 4 5",
    "2x4, corner": "0 1 2 3/4 5 6 7",
    "3x3, corner": "0 1 2/3 4 5/6 7 8",
    "3x3, edge": "1 0 2/3 4 5/6 7 8",
    "3x3, centre": "1 2 3/4 0 5/6 7 8",
    "2x5, corner": "0 1 2 3 4/5 6 7 8 9",
}
"""A goal for each shape and place of its blank; other places are mirror images."""
CORNERS = [name for name in GOALS if name.endswith("corner")]

EXPERIMENT = Experiment(
    name="space",
    title="all boards of small shapes by depth, for a goal blank in corner, edge and centre",
    parts=tuple(
        Part(name, (Boards((text,)),), goal=text, measure=f"{BUILT_IN}:levels")
        for name, text in GOALS.items()
    ),
    report="space",
)


def report(rows: Sequence[Row]) -> list[Section]:
    """The sizes, and the boards of each depth."""
    measured = {row["part"]: row["measured"] for row in rows}
    lines: list[list[Cell | Value]] = [
        [
            name,
            found["states"],
            Cell(found["mean"]),
            found["maximum"],
            found["hardest"],
            found["one_of_the_hardest"],
        ]
        for name, found in measured.items()
    ]
    sizes = Table.of(
        "space",
        "State spaces: boards that reach the goal",
        ["shape, goal blank", "boards", "mean depth", "deepest", "boards there", "one of them"],
        lines,
    )
    deepest = max(found["maximum"] for found in measured.values())
    levels = Table.of(
        "levels",
        "Boards at each depth",
        ["depth", *measured],
        [
            [depth, *(_at(found["levels"], depth) for found in measured.values())]
            for depth in range(deepest + 1)
        ],
    )
    text = (
        "Boards are not spread evenly over depths: nearly all of them lie a little short of the "
        "deepest. So a random board is a hard one, and a board from a short walk is not random. "
        "Where the blank of the goal stands matters little, but it does matter: two figures for "
        "the 8-puzzle can differ for this reason alone."
    )
    return [
        Section("Sizes", (text,), (sizes,), (_plot("corners", CORNERS, measured),)),
        Section(
            "Depth by depth",
            (),
            (levels,),
            (_plot("blanks", [name for name in GOALS if name.startswith("3x3")], measured),),
        ),
    ]


def _at(levels: Sequence[int], depth: int) -> int | None:
    return levels[depth] if depth < len(levels) else None


def _plot(name: str, parts: Sequence[str], measured: dict[str, dict[str, list[int]]]) -> Plot:
    corners = name == "corners"
    curves = [
        Series(
            part.partition(",")[0] if corners else part.partition(", ")[2],
            tuple(Point(depth, boards) for depth, boards in enumerate(measured[part]["levels"])),
        )
        for part in parts
        if part in measured
    ]
    return Plot(
        name,
        "Boards at each depth" if corners else "3x3: boards at each depth by the goal's blank",
        "depth (moves)",
        f"boards{' (log scale)' if corners else ''}",
        tuple(curves),
        log_y=corners,
        labels="peaks" if corners else "ends",
    )
