"""`tilewise experiment report`: the tables of a store on the terminal, or a folder of files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from tilewise.cli import commands, render
from tilewise.errors import SpecError, shortened

if TYPE_CHECKING:
    from tilewise.lab.reports.report import Report, Table

FORMATS = ("text", "markdown", "csv", "latex", "html")
GAP = 2


@commands.command()
@click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path), help="The folder of an experiment."
)
@click.option("--format", "-f", default="text", metavar="F", help=f"One of {', '.join(FORMATS)}.")
@click.option(
    "--out",
    "-o",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Write report.html, report.md, tables.tex, tables as CSV, plots as SVG and PNG there.",
)
@click.option(
    "--table", "-t", multiple=True, metavar="NAME", help="Only this table; may be repeated."
)
@click.option("--by", metavar="COLUMN", help="What the rows of tables are.")
@click.option(
    "--counter", "-c", multiple=True, metavar="NAME", help="Report this counter; may be repeated."
)
@click.option(
    "--baseline", metavar="SEARCH", help="The search that others are compared with; the first."
)
def report(
    folder: Path,
    format: str,
    out: Path | None,
    table: tuple[str, ...],
    by: str | None,
    counter: tuple[str, ...],
    baseline: str | None,
) -> None:
    """Report what an experiment's store holds: tables, plots, one page.

    It reads the store alone, so it can be called while runs are going on
    and long after. Runs that reached a limit are in no mean: they are
    counted, and a figure without them is marked, as in 812.50 (93/100).

    A built-in experiment has a report of its own. With --by, --counter or
    --baseline any experiment gets the general one: rows by a column, a
    column for each search, a plot for each counter (tilewise list
    counters); mean, interval, quartiles and geometric mean over the boards
    that all searches solved; ratios to the baseline; scatter and cactus
    plots.

    Examples:

    tilewise experiment report results

    tilewise experiment report results --out pages

    tilewise experiment report results --by depth --counter expanded

    tilewise experiment report results --format csv --table fifo-nodes > nodes.csv

    tilewise experiment report results --format latex > tables.tex
    """
    from tilewise.lab.reports.store_report import make_report

    if format not in FORMATS:
        raise SpecError(f"expected --format {', '.join(FORMATS)}; got {shortened(format)}")
    made = make_report(folder, by=by, counters=counter, baseline=baseline)
    chosen = _chosen(made, table)
    if out is not None:
        from tilewise.lab.reports.report_files import write_files

        files = write_files(made, out)
        print(f"{len(files)} files in {out}: start with {out / 'report.html'}")
        return
    _show(made, chosen, format, everything=not table)


def _chosen(made: Report, names: Sequence[str]) -> list[Table]:
    known = {table.name: table for table in made.tables}
    for name in names:
        if name not in known:
            raise SpecError(f"expected a table among {', '.join(known)}; got {shortened(name)}")
    return [known[name] for name in names] if names else made.tables


def _show(made: Report, tables: list[Table], format: str, everything: bool) -> None:
    from tilewise.lab.reports.csv_tables import csv_text
    from tilewise.lab.reports.html import html
    from tilewise.lab.reports.latex import latex, latex_table
    from tilewise.lab.reports.markdown import markdown, markdown_table

    if format == "html":
        print(html(made), end="")
    elif format == "csv":
        alone = len(tables) == 1
        for table in tables:
            print("" if alone else f"# {table.name}\n", csv_text(table), sep="", end="")
    elif format == "latex":
        text = "\n\n".join("\n".join(latex_table(table)) for table in tables) + "\n"
        print(latex(made) if everything else text, end="")
    elif format == "markdown":
        text = "\n\n".join("\n".join(markdown_table(table)) for table in tables) + "\n"
        print(markdown(made) if everything else text, end="")
    else:
        if everything:
            print(made.title, *made.summary, sep="\n")
        for table in tables:
            print(f"\n{table_text(table, render.terminal_width())}")


def table_text(table: Table, width: int) -> str:
    """A table for the terminal; figures are never cut, long texts fold."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(box=SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), pad_edge=False, show_edge=False)
    widths = _widths(table, width)
    for place, (title, wide) in enumerate(zip(table.columns, widths, strict=True)):
        align: Literal["right", "left"] = "right" if table.right(place) else "left"
        shown.add_column(title, justify=align, min_width=wide, max_width=wide, overflow="fold")
    for row in table.visible:
        shown.add_row(*(Text(cell.text(), "bold" if cell.best else "") for cell in row))
    needed = sum(wide + GAP for wide in widths)
    console = Console(width=max(width, needed), highlight=False, markup=False)
    with console.capture() as captured:
        console.print(table.title, style="bold")
        console.print(shown)
        for note in table.notes:
            console.print(note, style="dim")
    lines = captured.get().rstrip("\n").split("\n")
    return "\n".join(line.rstrip() for line in lines)


def _widths(table: Table, width: int) -> list[int]:
    """The widths of the columns: the widest that may fold give way until the table fits."""
    columns = [
        (table.right(place), [title, *(row[place].text() for row in table.visible)])
        for place, title in enumerate(table.columns)
    ]
    least = [max(_least(text, right) for text in texts) for right, texts in columns]
    widths = [max(map(len, texts)) for _, texts in columns]
    while sum(wide + GAP for wide in widths) > width:
        slack = [place for place, wide in enumerate(widths) if wide > least[place]]
        if not slack:
            break
        widths[max(slack, key=widths.__getitem__)] -= 1
    return widths


def _least(text: str, right: bool) -> int:
    """The least width: whole where it is a figure, the longest word where it is prose."""
    words = text.split() or [""]
    return len(text) if right and len(text) < 20 and text[:1].isdigit() else max(map(len, words))
