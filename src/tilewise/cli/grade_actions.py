"""The actions of `tilewise grade`: grade, show a key, write a sample."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from random import SystemRandom

from tilewise.cli import grade_text, render
from tilewise.cli.progress import ProgressLine
from tilewise.courses import COURSES
from tilewise.errors import SpecError, shortened, visible
from tilewise.files import read_text
from tilewise.grading import Assignment, Gradebook, ModelAnswer, answer_key, read_assignment
from tilewise.grading import grade as grade_folder
from tilewise.grading.reports import check_place, write_files
from tilewise.grading.samples import sample

LARGEST_ASSIGNMENT = 1_000_000


def read_file(name: str) -> Assignment:
    """The assignment of a file."""
    return read_assignment(
        read_text(name, LARGEST_ASSIGNMENT, "an assignment"), where=visible(name)
    )


def grade_answers(
    assignment: Assignment, folder: Path, out: Path, force: bool, as_json: bool
) -> None:
    """Grade a folder, write the reports, show the table."""
    check_place(out, folder, force=force)
    line = ProgressLine()

    def show(what: str, done: int, count: int | None) -> None:
        if line.due():
            line.write(f"{what}: {done:,}{f' of {count:,}' if count else ''}")

    try:
        book = grade_folder(assignment, folder, show)
    finally:
        line.clear()
    written = write_files(book, out, folder, force=force)
    _warn(book.models.values())
    if as_json:
        for each in grade_text.objects(book):
            print(json.dumps(each))
        return
    for text in grade_text.page(book, render.terminal_width()):
        print(_encodable(text))
    print()
    reports = len(written) - 1
    print(f"{written[0]}, and {reports:,} report{'s' * (reports != 1)} in {written[1].parent}")
    _hint(book)


def _encodable(text: str) -> str:
    """A text with escapes for what the output cannot show, such as letters in a student's name."""
    encoding = sys.stdout.encoding or "ascii"
    return text.encode(encoding, errors="backslashreplace").decode(encoding)


def _hint(book: Gradebook) -> None:
    """Say so if a student's own folder was probably given for the folder of all students."""
    names = {question.name.lower() for question in book.assignment.questions}
    if {graded.student.lower() for graded in book.students} <= names:
        print(
            "tilewise: note: the files are named after the questions; if they are those of one "
            "student, grade the folder above",
            file=sys.stderr,
        )


def _warn(found: Iterable[ModelAnswer]) -> None:
    sys.stdout.flush()
    for model in found:
        if model.warning:
            print(f"tilewise: note: {model.warning}", file=sys.stderr)


def show_key(assignment: Assignment, as_json: bool) -> None:
    """Show the model answers."""
    found = answer_key(assignment)
    _warn(found.values())
    if as_json:
        for model in found.values():
            print(json.dumps(grade_text.key_object(model)))
        return
    for line in grade_text.key_page(assignment, found):
        print(line)


def write_sample(profile: str, name: str, seed: int | None, force: bool) -> None:
    """Write a sample assignment and say how to go on; a file that is there is kept."""
    if profile not in COURSES:
        raise SpecError(f"expected --new with {', '.join(COURSES)}, got {shortened(profile)}")
    text = sample(profile, SystemRandom().getrandbits(32) if seed is None else seed)
    try:
        with Path(name).open("w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise SpecError(
            f"expected the name of a new file, got one that is there: {shortened(name)} "
            "(--force replaces it)"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SpecError(f"cannot write {shortened(name)}: {reason}") from None
    print(f"written: {name}")
    print(f"the model answers:  tilewise grade --key --assignment {name}")
    print(f"grade a folder:     tilewise grade FOLDER --assignment {name} --out grades")
