"""`tilewise grade`: students' answer files against a teacher's assignment."""

from __future__ import annotations

from pathlib import Path

import click

from tilewise.cli import commands
from tilewise.cli import shared_options as shared
from tilewise.courses import COURSES
from tilewise.errors import SpecError


@commands.command()
@click.argument(
    "folder", required=False, metavar="FOLDER", help="Answers: a file or a sub-folder a student."
)
@click.option("--assignment", metavar="FILE.toml", help="Questions, points and rules of marking.")
@click.option("--out", "-o", default="grades", metavar="DIR", help="Where table and reports go.")
@click.option("--key", is_flag=True, help="Show the model answers of the assignment.")
@click.option("--new", metavar="PROFILE", help=f"Write a sample assignment: {', '.join(COURSES)}.")
@shared.seed(help="For --new: the same seed, the same boards.")
@click.option("--force", is_flag=True, help="Replace files that are there already.")
@shared.as_json(help="One JSON object a student.")
def grade(
    folder: str | None,
    assignment: str | None,
    out: str,
    key: bool,
    new: str | None,
    seed: int | None,
    force: bool,
    as_json: bool,
) -> None:
    """Grade a folder of answer files; no code of students is ever run.

    Answers are files in the course's own form (output.txt, transcripts) or
    in CSV or JSON, one file or one sub-folder a student. What is right is
    computed by the course's profile. A table appears here; in the folder
    grades (or --out DIR) are grades.csv and reports/STUDENT.md with the
    reason for every lost point.

    Files are read as data of strangers: links are not followed, at most
    a fixed amount is read, and the report says what could not be read.

    Exit code: 0 graded, however many points were lost; 2 bad input.

    Examples:

    tilewise grade --new columbia --assignment homework.toml

    tilewise grade --key --assignment homework.toml

    tilewise grade answers --assignment homework.toml --out grades
    """
    from tilewise.cli import grade_actions  # late: it needs the extra lab, its help does not

    if new is not None:
        if folder is not None or key:
            raise SpecError("expected --new PROFILE without a folder and without --key")
        grade_actions.write_sample(new, assignment or f"{new}.toml", seed, force)
        return
    if seed is not None:
        raise SpecError("expected --seed N together with --new PROFILE")
    if assignment is None:
        raise SpecError("expected --assignment FILE.toml (tilewise grade --new writes a sample)")
    wanted = grade_actions.read_file(assignment)
    if key:
        if folder is not None:
            raise SpecError("expected a folder to grade or --key: one of the two")
        grade_actions.show_key(wanted, as_json)
        return
    if folder is None:
        raise SpecError("expected a folder with answers, or --key, or --new PROFILE")
    grade_actions.grade_answers(wanted, Path(folder), Path(out), force, as_json)
