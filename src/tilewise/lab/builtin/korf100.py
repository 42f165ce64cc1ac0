"""Korf's 100 15-puzzles by IDA* with better and better heuristics."""

from __future__ import annotations

from collections.abc import Sequence

from tilewise.core.limits import Limits
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Experiment, FromSuite, Part
from tilewise.lab.builtin.admissible_heuristics import admissible
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.reports.summary import Group, group_by, missing_note
from tilewise.lab.row import Row
from tilewise.puzzle.board import Goal

NODES = 50_000_000
HOPELESS = ("zero", "misplaced")
PART = "korf100"


def EXPERIMENT() -> Experiment:  # noqa: N802  (the table of experiments names it so)
    """The experiment with every native heuristic that has a chance."""
    goal = Goal.blank_first(4, 4)
    chosen = tuple(name for name in admissible(goal, native=True) if name not in HOPELESS)

    def part(name: str, limits: Limits, full: bool) -> Part:
        source = (FromSuite("korf100"),)
        return Part(name, source, ("idastar",), chosen, limits=(limits,), full=full)

    return Experiment(
        name="korf100",
        title="Korf's 100 15-puzzles by IDA* with each heuristic of the native engine",
        parts=(
            part(PART, Limits(generated=NODES), full=False),
            part("no limit", Limits(), full=True),
        ),
        report="korf100",
    )


def report(rows: Sequence[Row]) -> list[Section]:
    """All boards at once, and the nodes that each board takes."""
    return [_section(part, group.rows) for (part,), group in group_by(rows, "part").items()]


def _section(part: str, rows: Sequence[Row]) -> Section:
    groups = group_by(rows, "heuristic")
    easy = _solved_by_all(groups)
    lines: list[list[Cell | Value]] = []
    for (name,), group in groups.items():
        common = Group(tuple(row for row in group.rows if row["instance"] in easy))
        speed = sum(row["generated"] for row in group.rows) / sum(
            row["seconds"] for row in group.rows
        )
        lines.append(
            [
                name,
                len(group.solved),
                group.runs - len(group.solved),
                sum(row["cost"] != row["depth"] for row in group.solved),
                common.cell("generated", 0),
                common.cell("seconds", 3),
                group.cell("generated", 0),
                Cell(speed / 1e6, 1),
            ]
        )
    table = Table.of(
        f"{_file(part)}",
        f"IDA* on Korf's 100 boards ({part})",
        [
            "heuristic",
            "solved",
            "limit",
            "not optimal",
            f"mean nodes, {len(easy)} boards",
            f"mean seconds, {len(easy)} boards",
            "mean nodes, solved",
            "million nodes/s",
        ],
        lines,
        [
            f"The {len(easy)} boards are those that every heuristic solved: on them means can be "
            "compared.",
            *missing_note(groups.values()),
        ],
    )
    return Section(f"Korf's 100 boards: {part}", (), (table,), (_plot(part, groups),))


def _file(part: str) -> str:
    return part.replace(" ", "-")


def _solved_by_all(groups: dict[tuple[str, ...], Group]) -> set[str]:
    solved = [{str(row["instance"]) for row in group.solved} for group in groups.values()]
    return set.intersection(*solved) if solved else set()


def _plot(part: str, groups: dict[tuple[str, ...], Group]) -> Plot:
    """Boards solved within a number of nodes: a curve for each heuristic."""
    curves = []
    for (name,), group in groups.items():
        counts = sorted(row["generated"] for row in group.solved)
        points = tuple(Point(nodes, (rank + 1) / group.runs) for rank, nodes in enumerate(counts))
        curves.append(Series(name, points, line=True))
    return Plot(
        f"{_file(part)}",
        "Boards solved within a number of nodes",
        "nodes generated (log scale)",
        "boards solved",
        tuple(curves),
        log_x=True,
        percent=True,
        kind="steps",
        note="each step is a board; a curve ends at the limit of nodes" if part == PART else "",
    )
