"""A report as one HTML file that needs nothing else: tables, plots, settings, versions."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from html import escape

from tilewise.drawing.plot_data import Plot
from tilewise.drawing.plots import picture
from tilewise.lab.reports.report import Cell, Report, Table

STYLE = """\
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; color: #1a1a1a;
  background: #fff; max-width: 62rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.7rem; line-height: 1.2; }
h2 { margin-top: 2.4rem; border-bottom: 1px solid #ccc; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums;
  margin: .6rem 0; font-size: .92rem; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .18rem .7rem .18rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #444; } td { border-bottom: 1px solid #e4e4e4; }
.number { text-align: right; } .best { font-weight: 700; } .mark { color: #8a3b00; }
figure { margin: 1.2rem 0; } figure img { max-width: 46rem; width: 100%; height: auto; }
.note, figcaption { color: #444; font-size: .9rem; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .88rem; }
pre { background: #f6f6f4; padding: .8rem; overflow-x: auto; }
nav a { margin-right: 1rem; }
@media print { body { margin: 0; max-width: none; }
  h2, table, figure { break-inside: avoid; } nav { display: none; } }
"""


def html(report: Report) -> str:
    """The page; pictures are inside it, so that it can be mailed and kept."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{escape(report.title)}</title><style>{STYLE}</style></head><body>"
    yield f"<h1>{escape(report.title)}</h1>"
    yield from (f"<p>{escape(sentence)}</p>" for sentence in report.summary)
    yield "<nav>"
    for number, section in enumerate(report.sections):
        yield f'<a href="#s{number}">{escape(section.title)}</a>'
    yield '<a href="#made">How it was made</a></nav>'
    for number, section in enumerate(report.sections):
        yield f'<h2 id="s{number}">{escape(section.title)}</h2>'
        yield from (f"<p>{_prose(paragraph)}</p>" for paragraph in section.text)
        for table in section.tables:
            yield from _table(table)
        for plot in section.plots:
            if plot.empty:
                yield f'<p class="note">{escape(plot.why_empty)}</p>'
            else:
                yield from _figure(plot)
    yield '<h2 id="made">How it was made</h2><table><tbody>'
    for name, text in report.facts.items():
        yield f"<tr><th>{escape(name)}</th><td><code>{escape(text)}</code></td></tr>"
    yield "</tbody></table><details><summary>Settings of the experiment</summary>"
    yield f"<pre>{escape(json.dumps(report.settings, indent=2))}</pre></details></body></html>"


def _prose(text: str) -> str:
    """Text with what stands in backquotes as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _table(table: Table) -> Iterator[str]:
    right = [table.right(place) for place in range(len(table.columns))]
    yield f'<div class="wide"><table><caption>{escape(table.title)}</caption><thead><tr>'
    for title, number in zip(table.columns, right, strict=True):
        yield f"<th{' class=number' if number else ''}>{escape(title)}</th>"
    yield "</tr></thead><tbody>"
    for row in table.visible:
        cells = (_cell(cell, number) for cell, number in zip(row, right, strict=True))
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"
    yield from (f'<p class="note">{_prose(note)}</p>' for note in table.notes)


def _cell(cell: Cell, number: bool) -> str:
    names = " ".join(name for name, on in (("number", number), ("best", cell.best)) if on)
    mark = f' <span class="mark">{escape(cell.mark)}</span>' if cell.mark else ""
    text = f"{escape(cell.plain(','))}{mark}"
    return f'<td class="{names}">{text}</td>' if names else f"<td>{text}</td>"


def _figure(plot: Plot) -> Iterator[str]:
    source = base64.b64encode(picture(plot, "svg")).decode()
    yield f'<figure><img alt="{escape(plot.title)}" src="data:image/svg+xml;base64,{source}">'
    yield "</figure>"
