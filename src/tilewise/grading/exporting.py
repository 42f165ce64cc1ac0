"""A table for a learning-management system: CSV with the columns that the teacher chooses."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from tilewise.errors import SpecError, did_you_mean, shortened
from tilewise.grading.gradebook import Gradebook, Graded
from tilewise.grading.reports import cell_text, points_text, reasons

Column = tuple[str, str]
"""The title of a column, and what stands in it."""


def read_columns(text: str, book: Gradebook) -> list[Column]:
    """The columns of a text such as `ID=student,Grade=points,q1,Feedback=reasons`."""
    known = _known(book)
    found = []
    for part in text.split(","):
        title, equals, field = (piece.strip() for piece in part.partition("="))
        field = field if equals else title
        if field not in known:
            hint = did_you_mean(field, known)
            raise SpecError(
                f"expected columns of {', '.join(known)}; got {shortened(field, 40)}{hint}"
            )
        found.append((title, field))
    return found


def _known(book: Gradebook) -> list[str]:
    names = [question.name for question in book.assignment.questions]
    return ["student", "points", "of", "percent", *names, "reasons", "notes"]


def table_text(book: Gradebook, columns: Sequence[Column]) -> str:
    """The table as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([cell_text(title) for title, _ in columns])
    for graded in book.students:
        writer.writerow([_cell(book, graded, field) for _, field in columns])
    return out.getvalue()


def _cell(book: Gradebook, graded: Graded, field: str) -> str:
    worth = book.assignment.worth
    if field == "student":
        return cell_text(graded.student)
    if field == "points":
        return points_text(graded.points)
    if field == "of":
        return points_text(worth)
    if field == "percent":
        return points_text(100 * graded.points / worth if worth else 0)
    if field == "reasons":
        return cell_text(" | ".join(reasons(graded)))
    if field == "notes":
        return cell_text(" | ".join(graded.notes))
    return points_text(graded.points_for(field))
