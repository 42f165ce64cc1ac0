"""Put the results of the built-in experiments into their pages.

    python docs/results.py FOLDER

FOLDER has a folder for each experiment that `tilewise experiment run NAME --out FOLDER/NAME` has
filled. Tables and plots between the markers of docs/experiments/NAME.md are written anew; pages
without a folder stay as they are.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tilewise.drawing.plots import picture
from tilewise.lab.builtin import BUILT_IN
from tilewise.lab.reports.markdown import section_lines
from tilewise.lab.reports.report import Report
from tilewise.lab.reports.store_report import make_report

DOCS = Path(__file__).resolve().parent
PICTURES = DOCS / "images" / "experiments"
BEGIN, END = "<!-- results -->", "<!-- end of results -->"


def results(report: Report) -> str:
    """The sections of a report as Markdown, below a line that says when and how it was made."""
    facts = report.facts
    day = facts.get("created", "").partition("T")[0]
    lines = [
        "",
        f"Made on {day} by `{facts.get('command', '')}` with tilewise {facts.get('version', '')}, "
        f"Python {facts.get('python', '')}. {' '.join(report.summary)}",
        "",
    ]
    for section in report.sections:
        lines += section_lines(section, f"../images/experiments/{report.name}-", level=3)
    return "\n".join(lines).rstrip() + "\n\n"


def main() -> None:
    """Write the pages whose experiments are there."""
    folder = Path(sys.argv[1])
    PICTURES.mkdir(exist_ok=True)
    for name in BUILT_IN:
        page = DOCS / "experiments" / f"{name}.md"
        if not (folder / name).is_dir():
            continue
        report = make_report(folder / name)
        for plot in report.plots:
            (PICTURES / f"{name}-{plot.name}.svg").write_bytes(picture(plot, "svg"))
        text = page.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        _, _, after = rest.partition(END)
        page.write_text(f"{before}{BEGIN}\n{results(report)}{END}{after}", encoding="utf-8")
        print(f"{page.relative_to(DOCS)}: {len(report.tables)} tables, {len(report.plots)} plots")


if __name__ == "__main__":
    main()
