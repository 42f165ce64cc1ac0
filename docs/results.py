"""Keep the results of the built-in experiments, and put them into their pages.

    python docs/results.py FOLDER

FOLDER has a folder for each experiment that `tilewise experiment run NAME --out FOLDER/NAME` has
filled. Their reports are written to benchmarks/results/NAME.json and their plots to
docs/images/experiments; experiments without a folder stay as they are. Then
`python docs/generate.py` writes the pages anew.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.drawing.plots import picture
from tilewise.lab.builtin import BUILT_IN
from tilewise.lab.reports.markdown import section_lines
from tilewise.lab.reports.report import Cell, Report, Section, Table
from tilewise.lab.reports.store_report import make_report

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PICTURES = ROOT / "docs" / "images" / "experiments"
FACTS = ("created", "command", "version", "python")

Json = dict[str, Any]


def to_json(report: Report) -> str:
    """What a page shows of a report: facts, texts, tables, and the names of its plots."""
    rows: list[str] = []

    def row(cells: tuple[Cell, ...]) -> str:
        rows.append(json.dumps([_cell_data(cell) for cell in cells], ensure_ascii=False))
        return f"row {len(rows) - 1} of this file"

    def table(each: Table) -> Json:
        shown = [row(cells) for cells in each.visible]
        return {
            "name": each.name,
            "title": each.title,
            "columns": each.columns,
            "rows": shown,
            "notes": each.notes,
        }

    data = {
        "name": report.name,
        "title": report.title,
        "facts": {name: report.facts.get(name, "") for name in FACTS},
        "summary": report.summary,
        "sections": [
            {
                "title": section.title,
                "text": section.text,
                "tables": [table(each) for each in section.tables],
                "plots": [
                    {"name": plot.name, "title": plot.title, "empty": plot.empty}
                    for plot in section.plots
                ],
            }
            for section in report.sections
        ],
    }
    text = json.dumps(data, indent=2, ensure_ascii=False)
    for number, line in enumerate(rows):
        text = text.replace(f'"row {number} of this file"', line)
    return text + "\n"


def _cell_data(cell: Cell) -> Any:
    """A value, or what else there is to say about it."""
    data: Json = {"value": cell.value}
    if isinstance(cell.value, float):
        data["digits"] = cell.digits
    if cell.mark:
        data["mark"] = cell.mark
    if cell.best:
        data["best"] = True
    return data if len(data) > 1 else cell.value


def from_json(text: str) -> Report:
    """The report of a result file; its plots have no points, but those with some have a name."""
    data = json.loads(text)
    sections = tuple(
        Section(
            each["title"],
            tuple(each["text"]),
            tuple(_table(table) for table in each["tables"]),
            tuple(_plot(plot) for plot in each["plots"]),
        )
        for each in data["sections"]
    )
    return Report(data["name"], data["title"], sections, tuple(data["summary"]), data["facts"])


def _table(data: Json) -> Table:
    rows = [
        [Cell(**cell) if isinstance(cell, dict) else Cell(cell) for cell in row]
        for row in data["rows"]
    ]
    return Table.of(data["name"], data["title"], data["columns"], rows, data["notes"])


def _plot(data: Json) -> Plot:
    """A plot of which only the name matters, because its picture is drawn."""
    points = () if data["empty"] else (Point(0, 0),)
    return Plot(data["name"], data["title"], "", "", (Series("", points),))


def markdown(report: Report) -> str:
    """The sections of a report, below a line that says when and how it was made."""
    facts = {name: report.facts.get(name, "") for name in FACTS}
    day = facts["created"].partition("T")[0]
    lines = [
        f"Made on {day} by `{facts['command']}` with tilewise {facts['version']}, "
        f"Python {facts['python']}. {' '.join(report.summary)}",
        "",
    ]
    for section in report.sections:
        lines += section_lines(section, f"../images/experiments/{report.name}-", level=3)
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    """Write the result files and the plots of the experiments that are there."""
    folder = Path(sys.argv[1])
    for each in (RESULTS, PICTURES):
        each.mkdir(parents=True, exist_ok=True)
    for name in BUILT_IN:
        if not (folder / name).is_dir():
            continue
        report = make_report(folder / name)
        for plot in report.plots:
            (PICTURES / f"{name}-{plot.name}.svg").write_bytes(picture(plot, "svg"))
        file = RESULTS / f"{name}.json"
        file.write_text(to_json(report), encoding="utf-8")
        print(f"{file.name}: {len(report.tables)} tables, {len(report.plots)} plots")


if __name__ == "__main__":
    main()
