"""A gradebook without names: each student is a code, and nothing that is written has the name."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from random import SystemRandom

from tilewise.grading.gradebook import Gradebook, Graded
from tilewise.grading.marking import Mark
from tilewise.grading.reports import cell_text


def anonymised(book: Gradebook) -> tuple[Gradebook, dict[str, str]]:
    """The gradebook with codes for names in a random order, and the name of each code."""
    order = list(book.students)
    SystemRandom().shuffle(order)
    width = len(str(len(order)))
    codes = {
        graded.student: f"student-{number:0{width}}" for number, graded in enumerate(order, start=1)
    }
    students = sorted(
        (_without_name(graded, codes[graded.student]) for graded in order),
        key=lambda each: each.student,
    )
    printed = {codes[name]: ran for name, ran in book.printed.items()}
    names = {code: name for name, code in sorted(codes.items(), key=lambda each: each[1])}
    return replace(book, students=tuple(students), printed=printed), names


def names_text(names: dict[str, str]) -> str:
    """The table of codes and names, as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([("code", "student"), *((code, cell_text(names[code])) for code in names)])
    return out.getvalue()


def _without_name(graded: Graded, code: str) -> Graded:
    """The marks and notes of a student, the name replaced wherever it stands."""
    name = re.compile(re.escape(graded.student), re.IGNORECASE)

    def mark(each: Mark) -> Mark:
        return replace(each, reason=each.reason and name.sub(code, each.reason))

    return Graded(
        code,
        tuple(mark(each) for each in graded.marks),
        tuple(name.sub(code, note) for note in graded.notes),
        graded.late_share,
    )
