"""`tilewise compare` over many boards: tables of the boards that all searches solved."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from tilewise.cli import board_input, exit_codes, progress, render
from tilewise.comparing import Pairing
from tilewise.comparing import compare as run
from tilewise.core.limits import Limits
from tilewise.core.result import Result
from tilewise.errors import SpecError, TilewiseError
from tilewise.puzzle.position import Position, read_position

TEXT, JSON = "text", "json"
FORMATS = (TEXT, "csv", "markdown", "latex", JSON)
SHOWN = ("outcomes", "-spread", "ratios")
"""The tables of the report that fit on a terminal, by the ends of their names."""

NamedBoard = tuple[str, Position]


def boards_of(file: str | None, suite: str | None, goal: str) -> list[NamedBoard]:
    """The boards of a file or a suite, with their names; one that cannot be read is an error."""
    if suite is not None:
        from tilewise import suites

        found = suites.load(suite)
        wanted = found.goal if goal == "auto" else goal
        return [
            (f"{suite}:{each.number}", read_position(each.board, wanted))
            for each in found.instances
        ]
    with board_input.lines_of(str(file)) as lines:
        boards = list(_read(str(file), lines, goal))
    if not boards:
        raise SpecError(f"expected boards in {file}, got none")
    return boards


def _read(path: str, lines: Iterator[str], goal: str) -> Iterator[NamedBoard]:
    for entry in board_input.entries(path, lines):
        try:
            yield entry.place, read_position(entry.text, goal)
        except TilewiseError as error:
            raise SpecError(f"{entry.place}: {error}") from None


def compare_many(
    boards: Sequence[NamedBoard],
    chosen: Sequence[Pairing],
    rules: str | None,
    limits: Limits,
    engine: str,
    format: str,
    baseline: str | None,
) -> int:
    """Run every search on every board and print what came out."""
    line = progress.BoardsLine(len(boards) * len(chosen))
    tables = progress.shown_tables()
    found: list[tuple[str, Result]] = []
    try:
        for name, position in boards:
            for result in run(
                position, None, chosen, rules=rules, limits=limits, engine=engine, context=tables
            ):
                found.append((name, result))
                line.advance()
    finally:
        line.clear()
    _show(found, format, baseline, len(boards))
    return max(
        min(exit_codes.OF_STATUS[result.status] for each, result in found if each == name)
        for name, _ in boards
    )


def _show(
    found: Sequence[tuple[str, Result]], format: str, baseline: str | None, boards: int
) -> None:
    from tilewise.cli.experiment_report import table_text
    from tilewise.lab.reports.csv_tables import csv_text
    from tilewise.lab.reports.latex import latex_table
    from tilewise.lab.reports.markdown import markdown_table
    from tilewise.lab.reports.of_results import report_of, row_of, rows_table

    rows = [row_of(name, result) for name, result in found]
    if format == JSON:
        for name, result in found:
            print(json.dumps({"instance": name, **result.to_dict()}))
        return
    if format == "csv":
        print(csv_text(rows_table(rows)), end="")
        return
    report = report_of(f"{boards:,} boards", rows, baseline)
    shown = [table for table in report.tables if table.name.endswith(SHOWN)]
    if format == TEXT:
        print(report.title)
        for table in shown:
            print(f"\n{table_text(table, render.terminal_width())}")
        return
    for table in shown:
        if format == "markdown":
            notes = (f"*{note}*\n" for note in table.notes)
            print(f"**{table.title}**\n", *markdown_table(table), "", *notes, sep="\n")
        else:
            print(*latex_table(table), "", sep="\n")
