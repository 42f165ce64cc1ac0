"""A report of results that are in no store: many boards by several searches."""

from __future__ import annotations

from collections.abc import Sequence

from tilewise.core.result import Result
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.reports import general
from tilewise.lab.reports.report import Report, Table
from tilewise.lab.row import Row
from tilewise.lab.run import Run

LEFT_OUT = ("key", "part", "profile", "measure", "seed", "measured", "machine", "moves")
"""Columns of the laboratory that say nothing here, or are too long for a table."""


def row_of(name: str, result: Result) -> Row:
    """A result as a row, with the name of its board."""
    run = Run(
        str(result.board), result.goal.name, result.algorithm, result.heuristic or "", result.rules
    )
    outcome = RunOutcome.from_result(result)
    return Row("", name, run.key, result.board.shape, {}, run, outcome)


def report_of(title: str, rows: Sequence[Row], baseline: str | None = None) -> Report:
    """The general report of rows, by board."""
    sections = general.sections(rows, by="instance", baseline=baseline)
    return Report("compare", title, tuple(sections))


def rows_table(rows: Sequence[Row]) -> Table:
    """Every row with all its columns."""
    columns = [name for name in rows[0] if name not in LEFT_OUT]
    return Table.of(
        "runs", "Every run", columns, [[_plain(row[name]) for name in columns] for row in rows]
    )


def _plain(value: object) -> str | int | float | None:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str | int | float | None) else str(value)
