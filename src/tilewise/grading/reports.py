"""Gradebooks as files: a CSV table and a Markdown report for each student.

Names and answers come from strangers: cells cannot become formulas, texts cannot become markup,
and names of files are made of harmless characters.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from itertools import groupby
from pathlib import Path

from tilewise.courses.course import Course
from tilewise.errors import shortened
from tilewise.files import resolved, write_file
from tilewise.grading.gradebook import Gradebook, Graded
from tilewise.grading.marking import Mark
from tilewise.grading.model_answers import ModelAnswer
from tilewise.grading.submissions import FolderError

TABLE, REPORTS, PRINTED = "grades.csv", "reports", "printed"
_FIRST_COLUMNS = ("student", "points", "of")
_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t", "\r")
"""How a formula begins; some spreadsheets take the wide forms of the signs for them, too."""
_MARKUP = re.compile(r"([\\`*\[\]<>|~&]|(?<![^\W_])_|_(?![^\W_])|:(?=//))")
_UNSAFE = re.compile(r"[^\w .,()+-]|^[ .]|[ .]$")
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
_LONGEST_NAME = 100


def points_text(points: float) -> str:
    """Points without needless digits: 4, 2.5."""
    return f"{points:.4f}".rstrip("0").rstrip(".")


def csv_text(book: Gradebook) -> str:
    """One row a student: points, points of each question, why points were lost, notes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [question.name for question in book.assignment.questions]
    writer.writerow([*_FIRST_COLUMNS, *names, "reasons", "notes"])
    for graded in book.students:
        row = [
            cell_text(graded.student),
            points_text(graded.points),
            points_text(book.assignment.worth),
            *(points_text(graded.points_for(name)) for name in names),
            cell_text(" | ".join(reasons(graded))),
            cell_text(" | ".join(graded.notes)),
        ]
        writer.writerow(row)
    return out.getvalue()


def reasons(graded: Graded) -> list[str]:
    """Why each lost point was lost; the same reason for several items of a question once."""
    lost: dict[tuple[str, str], list[str]] = {}
    for mark in graded.marks:
        if mark.points < mark.worth:
            lost.setdefault((mark.question, mark.reason or ""), []).append(mark.item)
    return [f"{name} {', '.join(items)}: {why}" for (name, why), items in lost.items()]


def cell_text(text: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def report_text(book: Gradebook, graded: Graded) -> str:
    """The report for one student, in Markdown."""
    title, worth = book.assignment.title, book.assignment.worth
    lines = [
        f"# {plain(title)}: {plain(graded.student)}",
        "",
        f"**{points_text(graded.points)} of {points_text(worth)} points**",
    ]
    for model in book.models.values():
        lines += ["", *_question_lines(book.assignment.course, model, graded)]
    if graded.notes:
        lines += ["", "## Files", "", *(f"- {plain(note)}" for note in graded.notes)]
    return "\n".join(lines) + "\n"


def _question_lines(course: Course, model: ModelAnswer, graded: Graded) -> list[str]:
    question = model.question
    points, worth = graded.points_for(question.name), question.worth
    lines = [
        f"## {question.name}: {points_text(points)} of {points_text(worth)}",
        "",
        f"{question.method} on `{course.text(question.board)}`; the course's answer: "
        f"`{model.command}`",
        "",
    ]
    of_question = (mark for mark in graded.marks if mark.question == question.name)
    for reason, same in groupby(of_question, lambda mark: mark.reason):
        marks = list(same)
        if reason is None:
            lines += [_points(mark.item, [mark]) for mark in marks]
        else:
            items = ", ".join(mark.item for mark in marks)
            lines.append(f"{_points(items, marks)}: {plain(reason)}")
    return lines


def _points(items: str, marks: list[Mark]) -> str:
    points, worth = sum(mark.points for mark in marks), sum(mark.worth for mark in marks)
    return f"- {points_text(points)} of {points_text(worth)} for {items}"


def plain(text: str) -> str:
    """A text in which nothing is Markdown or HTML."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def write_files(book: Gradebook, out: Path, answers: Path, *, force: bool = False) -> list[Path]:
    """Write the table and the reports below a folder, each whole or not at all; name them.

    Files of other names are left alone. The folder must not lie among the answers, nor may the
    place of the reports be a link that leads elsewhere.
    """
    reports = out / REPORTS
    check_place(out, answers, force=force)
    reports.mkdir(parents=True, exist_ok=True)
    written = [out / TABLE]
    write_file(written[0], csv_text(book), follow_links=False)
    taken: set[str] = set()
    for graded in book.students:
        name = file_name(graded.student, taken)
        written.append(reports / f"{name}.md")
        write_file(written[-1], report_text(book, graded), follow_links=False)
        _write_printed(book, graded.student, out / PRINTED / name)
    return written


def _write_printed(book: Gradebook, student: str, folder: Path) -> None:
    """What a student's program printed, a file for each question and each stream."""
    for question, ran in book.printed.get(student, {}).items():
        folder.mkdir(parents=True, exist_ok=True)
        for ending, text in ((".txt", ran.output), (".errors.txt", ran.errors)):
            if text or ending == ".txt":
                write_file(folder / f"{question}{ending}", text, follow_links=False)


def check_place(out: Path, answers: Path, *, force: bool = False) -> None:
    """Refuse a folder for the grades that would harm something else."""
    reports, table = out / REPORTS, out / TABLE
    for place in (out, reports, out / PRINTED):
        if place.exists() and not place.is_dir():
            raise FolderError(f"expected a folder for the grades, got a file: {_shown(place)}")
        if resolved(place).is_relative_to(resolved(answers)):
            raise FolderError(
                f"expected a folder for the grades outside of the answers, got {_shown(place)}"
            )
    nearest = next(each for each in (out.absolute(), *out.absolute().parents) if each.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise FolderError(f"expected a folder that can be written, got {_shown(nearest)}")
    for place in (reports, out / PRINTED):
        if place.is_symlink():
            raise FolderError(f"expected a folder for the reports, got a link: {_shown(place)}")
    if table.is_dir():
        raise FolderError(f"expected to write a file, got a folder: {_shown(table)}")
    if table.is_file() and not force:
        with table.open("rb") as file:
            if not file.read(100).startswith(",".join(_FIRST_COLUMNS).encode()):
                raise FolderError(
                    f"expected {_shown(table)} to be a table of grades, got something else, which "
                    "only --force replaces"
                )


def _shown(path: Path) -> str:
    return shortened(str(path))


def file_name(student: str, taken: set[str]) -> str:
    """A name for a student's report that every system can have, and that no other report has."""
    name = _UNSAFE.sub("_", student)[:_LONGEST_NAME] or "_"
    if _RESERVED.fullmatch(name):
        name = f"_{name}"
    if name.lower() in taken:  # some systems do not tell A.md from a.md
        name = f"{name}-{hashlib.sha256(student.encode()).hexdigest()[:8]}"
    number, unique = 1, name
    while unique.lower() in taken:
        number, unique = number + 1, f"{name}-{number + 1}"
    taken.add(unique.lower())
    return unique
