"""The actions of `tilewise grade`: grade, show a key, write a sample."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

from tilewise.cli import grade_text, render
from tilewise.cli.progress import ProgressLine
from tilewise.courses.files import find_course
from tilewise.errors import SpecError, shortened, visible
from tilewise.files import read_text, resolved, write_file
from tilewise.grading import Assignment, Gradebook, ModelAnswer, answer_key, read_assignment
from tilewise.grading import grade as grade_folder
from tilewise.grading.anonymity import anonymised, names_text
from tilewise.grading.class_summary import SUMMARY, summary_text
from tilewise.grading.containment import Boundaries
from tilewise.grading.containment import check as check_containment
from tilewise.grading.exporting import read_columns, table_text
from tilewise.grading.gradebook import late_notes
from tilewise.grading.matching import read_submission
from tilewise.grading.programs import Programs
from tilewise.grading.reports import check_place, write_files
from tilewise.grading.sample_assignments import sample
from tilewise.grading.submissions import FolderError, submissions
from tilewise.quantities import MEGABYTE

LARGEST_ASSIGNMENT = 1_000_000


def read_file(name: str) -> Assignment:
    """The assignment of a file."""
    text = read_text(name, LARGEST_ASSIGNMENT, "an assignment")
    return read_assignment(text, where=visible(name), folder=Path(name).parent)


def programs(
    command: str,
    program: str | None,
    collect: str | None,
    runtime: tuple[str, ...],
    limits: dict[str, float | None],
) -> Programs:
    """How the students' programs are run; refused where they cannot be contained."""
    check_containment()
    usual = Boundaries()
    boundaries = Boundaries(
        seconds=limits["seconds"] or usual.seconds,
        megabytes=(limits["memory"] or usual.megabytes * MEGABYTE) / MEGABYTE,
        processes=int(limits["processes"] or usual.processes),
    )
    return Programs(command, program or "", collect or "", boundaries, runtime)


@dataclass(frozen=True)
class Wishes:
    """What is shown and written beside the table and the reports."""

    as_json: bool = False
    force: bool = False
    summary: bool = False
    export: str | None = None
    columns: str = ""
    anonymous: bool = False
    names: str | None = None


def grade_answers(
    assignment: Assignment,
    folder: Path,
    out: Path,
    wishes: Wishes,
    programs: Programs | None = None,
) -> None:
    """Grade a folder, write the reports, show the table."""
    check_place(out, folder, force=wishes.force)
    for file in (wishes.export, wishes.names):
        if file is not None and resolved(file).is_relative_to(resolved(folder)):
            raise SpecError(f"expected a file outside of the answers, got {shortened(file)}")
    line = ProgressLine()

    def show(what: str, done: int, count: int | None) -> None:
        if line.due():
            line.write(f"{what}: {done:,}{f' of {count:,}' if count else ''}")

    try:
        book = grade_folder(assignment, folder, show, programs)
    finally:
        line.clear()
    names: dict[str, str] = {}
    if wishes.anonymous:
        book, names = anonymised(book)
    columns = read_columns(wishes.columns, book) if wishes.export else []
    written = write_files(book, out, folder, force=wishes.force)
    class_summary = summary_text(book)
    write_file(out / SUMMARY, class_summary, follow_links=False)
    if wishes.export:
        write_file(wishes.export, table_text(book, columns))
    if wishes.names:
        write_file(wishes.names, names_text(names))
    _warn(book.models.values())
    if wishes.as_json:
        for each in grade_text.objects(book):
            print(json.dumps(each))
        return
    for text in grade_text.page(book, render.terminal_width()):
        print(_encodable(text))
    print()
    if wishes.summary:
        print(_encodable(class_summary))
    reports = len(written) - 1
    print(f"{written[0]}, and {reports:,} report{'s' * (reports != 1)} in {written[1].parent}")
    _hint(book)


def show_reading(assignment: Assignment, folder: Path) -> None:
    """Show which files would be read and which answers are found in them; grade nothing."""
    policy = assignment.policy
    late = late_notes(assignment, folder)
    found = []
    for submission in submissions(folder, policy.megabytes, policy.name_ends):
        found.append(submission.student.lower())
        given, notes = read_submission(assignment, submission)
        files = ", ".join(
            f"{document.name} ({len(document.text):,} characters)"
            for document in submission.documents
        )
        print(_encodable(f"{submission.student}: {files or 'no files'}"))
        for question in assignment.questions:
            answer = given.get(question.name)
            print(_encodable(f"  {question.name:<8} {answer.place if answer else 'no answer'}"))
        for note in [*late.get(submission.student, ()), *notes]:
            print(_encodable(f"  note: {note}"))
    if not found:
        raise FolderError(f"expected a folder with answers, got an empty one: {folder}")
    for name in assignment.students:
        if name.lower() not in found:
            print(_encodable(f"{name}: nothing was handed in"))
    print("nothing was graded or written")


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
    course = find_course(profile)
    seen = os.path.relpath(profile, Path(name).parent) if course.source else profile
    drawn = SystemRandom().getrandbits(32) if seed is None else seed
    text = sample(profile, drawn, Path(seen).as_posix())
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
