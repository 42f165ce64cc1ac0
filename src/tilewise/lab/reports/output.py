"""A report as Markdown, as CSV tables, and as a folder of files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from tilewise.files import write_file
from tilewise.drawing.plots import picture
from tilewise.lab.reports.html import html
from tilewise.lab.reports.report import Cell, Report, Section, Table


def markdown(report: Report, pictures: str | None = None) -> str:
    """The report as Markdown; plots are links to SVG files in the folder `pictures`."""
    return "\n".join(_markdown_lines(report, pictures)).rstrip() + "\n"


def _markdown_lines(report: Report, pictures: str | None) -> Iterator[str]:
    yield f"# {report.title}"
    yield ""
    for sentence in report.summary:
        yield from (sentence, "")
    for section in report.sections:
        yield from section_lines(section, pictures)
    yield from ("## How it was made", "")
    yield from (f"- {name}: `{text}`" for name, text in report.facts.items())


def section_lines(section: Section, pictures: str | None, level: int = 2) -> Iterator[str]:
    """A section as lines of Markdown, its heading of a level, its plots in a folder."""
    yield from (f"{'#' * level} {section.title}", "")
    for paragraph in section.text:
        yield from (paragraph, "")
    for table in section.tables:
        yield from (f"**{table.title}**", "", *markdown_table(table), "")
        for note in table.notes:
            yield from (f"*{note}*", "")
    for plot in section.plots:
        if pictures is not None and not plot.empty:
            yield from (f"![{plot.title}]({pictures}{plot.name}.svg)", "")


def markdown_table(table: Table) -> list[str]:
    """The lines of a table; the best cells are bold."""

    def line(texts: list[str]) -> str:
        return f"| {' | '.join(texts)} |"

    def shown(cell: Cell) -> str:
        text = cell.text().replace("|", "\\|")
        return f"**{text}**" if cell.best and text else text

    rule = ["---:" if table.right(place) else "---" for place in range(len(table.columns))]
    return [
        line([title.replace("|", "\\|") for title in table.columns]),
        f"|{'|'.join(rule)}|",
        *(line([shown(cell) for cell in row]) for row in table.rows),
    ]


def csv_text(table: Table) -> str:
    """A table as CSV: numbers at full precision; a column with marks gets one beside it."""
    marked = [any(row[place].mark for row in table.rows) for place in range(len(table.columns))]
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    titles = []
    for title, has_marks in zip(table.columns, marked, strict=True):
        titles += [title, f"{title}: mark"] if has_marks else [title]
    out.writerow(titles)
    for row in table.rows:
        values: list[object] = []
        for cell, has_marks in zip(row, marked, strict=True):
            values.append("" if cell.value is None else cell.value)
            if has_marks:
                values.append(cell.mark)
        out.writerow(values)
    return file.getvalue()


def write_files(report: Report, folder: Path) -> list[Path]:
    """report.html, report.md, a CSV file a table, an SVG and a PNG file a plot."""
    pictures = {
        f"{plot.name}.{kind}": picture(plot, kind)
        for plot in report.plots
        for kind in ("svg", "png")
    }
    files = {
        "report.html": html(report).encode(),
        "report.md": markdown(report, "").encode(),
        **{f"{table.name}.csv": csv_text(table).encode() for table in report.tables},
        **pictures,
    }
    folder.mkdir(parents=True, exist_ok=True)  # not before everything could be made
    for name, content in files.items():
        write_file(folder / name, content)
    return [folder / name for name in files]
