"""`tilewise grade`: students' answer files against a teacher's assignment."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from random import SystemRandom
from typing import Annotated

import typer

from tilewise.cli import grade_text, numbers, render
from tilewise.cli.progress import Line
from tilewise.errors import SpecError, TilewiseError, shortened
from tilewise.grading import Gradebook, Model, models, read_assignment
from tilewise.grading import grade as grade_folder
from tilewise.grading.assignment import Assignment
from tilewise.grading.reports import check_place, write_files
from tilewise.grading.samples import DRAFTS, sample

LARGEST_ASSIGNMENT = 1_000_000


def grade(
    folder: Annotated[
        str | None,
        typer.Argument(metavar="FOLDER", help="Answers: a file or a sub-folder a student."),
    ] = None,
    assignment: Annotated[
        str | None,
        typer.Option("--assignment", "-a", metavar="FILE.toml", help="What is asked."),
    ] = None,
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="DIR", help="Where table and reports go.")
    ] = "grades",
    key: Annotated[
        bool, typer.Option("--key", help="Show the model answers of the assignment.")
    ] = False,
    new: Annotated[
        str | None,
        typer.Option(metavar="PROFILE", help=f"Write a sample assignment: {', '.join(DRAFTS)}."),
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="N", help="For --new: the same seed, the same boards.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that are there already.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a student.")] = False,
) -> None:
    """Grade a folder of answer files; no code of students is ever run.

    Answers are files in the course's own form (output.txt, transcripts) or
    in CSV or JSON, one file or one sub-folder a student. What is right is
    computed by the course's profile. A table appears here; in the folder
    grades (or --out DIR) are grades.csv and reports/STUDENT.md with the
    reason for every lost point.

    Files are read as data of strangers: links are not followed, only so
    much is read, and what could not be read is told in the report.

    Exit code: 0 graded, however many points were lost; 2 bad input.

    Examples:

    tilewise grade --new columbia --assignment homework.toml

    tilewise grade --key --assignment homework.toml

    tilewise grade answers --assignment homework.toml --out grades
    """
    if new is not None:
        if folder is not None or key:
            raise SpecError("expected --new PROFILE without a folder and without --key")
        _write_sample(new, assignment or f"{new}.toml", seed, force)
        return
    if seed is not None:
        raise SpecError("expected --seed N together with --new PROFILE")
    if assignment is None:
        raise SpecError("expected --assignment FILE.toml (tilewise grade --new writes a sample)")
    asked = read_assignment(_read(assignment))
    if key:
        if folder is not None:
            raise SpecError("expected a folder to grade or --key: one of the two")
        _show_key(asked, as_json)
        return
    if folder is None:
        raise SpecError("expected a folder with answers, or --key, or --new PROFILE")
    _grade(asked, Path(folder), Path(out), force, as_json)


def _read(name: str) -> str:
    """The text of the assignment."""
    try:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST_ASSIGNMENT + 1)
        if len(data) > LARGEST_ASSIGNMENT:
            raise SpecError(
                f"expected an assignment of at most {LARGEST_ASSIGNMENT:,} bytes, got more: "
                f"{shortened(name)}"
            )
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SpecError(f"expected a UTF-8 text file, got other bytes: {shortened(name)}") from None
    except (OSError, ValueError) as error:
        if isinstance(error, TilewiseError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise SpecError(f"expected a readable assignment: {reason}: {shortened(name)}") from None


def _grade(asked: Assignment, folder: Path, out: Path, force: bool, as_json: bool) -> None:
    check_place(out, folder, force=force)
    line = Line()

    def show(what: str, done: int, count: int | None) -> None:
        if line.due():
            line.write(f"{what}: {done:,}{f' of {count:,}' if count else ''}")

    try:
        book = grade_folder(asked, folder, show)
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


def _warn(found: Iterable[Model]) -> None:
    sys.stdout.flush()
    for model in found:
        if model.warning:
            print(f"tilewise: note: {model.warning}", file=sys.stderr)


def _show_key(asked: Assignment, as_json: bool) -> None:
    found = models(asked)
    _warn(found.values())
    if as_json:
        for model in found.values():
            print(json.dumps(grade_text.key_object(model)))
        return
    for line in grade_text.key_page(asked, found):
        print(line)


def _write_sample(profile: str, name: str, seed: str | None, force: bool) -> None:
    """Write a sample assignment and say how to go on; a file that is there is kept."""
    if profile not in DRAFTS:
        raise SpecError(f"expected --new with {', '.join(DRAFTS)}, got {shortened(profile)}")
    number = numbers.whole("--seed", seed, least=0, most=2**64)
    text = sample(profile, SystemRandom().getrandbits(32) if number is None else number)
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
