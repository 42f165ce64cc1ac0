"""The tables of a report as CSV."""

from __future__ import annotations

import csv
import io

from tilewise.lab.reports.report import Table


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
