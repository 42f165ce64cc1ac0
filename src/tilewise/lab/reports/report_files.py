"""A report as a folder of files."""

from __future__ import annotations

from pathlib import Path

from tilewise.drawing.plots import picture
from tilewise.files import write_file
from tilewise.lab.reports.csv_tables import csv_text
from tilewise.lab.reports.html import html
from tilewise.lab.reports.latex import latex
from tilewise.lab.reports.markdown import markdown
from tilewise.lab.reports.report import Report


def write_files(report: Report, folder: Path) -> list[Path]:
    """report.html, report.md, tables.tex, a CSV file a table, an SVG and a PNG file a plot."""
    pictures = {
        f"{plot.name}.{kind}": picture(plot, kind)
        for plot in report.plots
        for kind in ("svg", "png")
    }
    files = {
        "report.html": html(report).encode(),
        "report.md": markdown(report, "").encode(),
        "tables.tex": latex(report).encode(),
        **{f"{table.name}.csv": csv_text(table).encode() for table in report.tables},
        **pictures,
    }
    folder.mkdir(parents=True, exist_ok=True)  # not before everything could be made
    for name, content in files.items():
        write_file(folder / name, content)
    return [folder / name for name in files]
