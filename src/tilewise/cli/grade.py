"""`tilewise grade`: students' answer files against a teacher's assignment."""

from __future__ import annotations

from pathlib import Path

import click

from tilewise.cli import commands
from tilewise.cli import shared_options as shared
from tilewise.cli.numbers import Memory, Seconds, Whole
from tilewise.errors import SpecError


@commands.command()
@click.argument(
    "folder", required=False, metavar="FOLDER", help="Answers: a file or a sub-folder per student."
)
@click.option("--assignment", metavar="FILE.toml", help="Questions, points and rules of marking.")
@click.option("--out", "-o", default="grades", metavar="DIR", help="Where table and reports go.")
@click.option("--dry-run", is_flag=True, help="Show what would be read, and grade nothing.")
@click.option("--summary", is_flag=True, help="Show the class: spread of points, usual mistakes.")
@click.option("--export", metavar="FILE.csv", help="A table for a learning-management system.")
@click.option(
    "--columns",
    metavar="LIST",
    help="For --export: student, points, of, percent, reasons, notes, questions; or ID=student.",
)
@click.option("--anonymous", is_flag=True, help="Codes in place of names, in all that is written.")
@click.option("--names", metavar="FILE.csv", help="For --anonymous: where the names go.")
@click.option("--key", is_flag=True, help="Show the model answers of the assignment.")
@click.option(
    "--new",
    metavar="COURSE",
    help="Write a sample assignment: for a course (tilewise course list) or a course file.",
)
@click.option(
    "--run",
    "command",
    metavar="COMMAND",
    help="Run the students' programs, contained by bubblewrap: 'python3 {file} {method} {board}'.",
)
@click.option("--program", metavar="NAME", help="For --run: the file that is the program.")
@click.option("--collect", metavar="NAME", help="For --run: a file it writes, such as output.txt.")
@click.option(
    "--runtime", multiple=True, metavar="DIR", help="For --run: a folder it may read, as of a JDK."
)
@click.option(
    "--run-seconds", metavar="S", type=Seconds(), help="For --run: seconds for each board (10)."
)
@click.option(
    "--run-memory", metavar="SIZE", type=Memory(), help="For --run: memory of a program (512MB)."
)
@click.option(
    "--run-processes", metavar="N", type=Whole(1, 1000), help="For --run: its processes (32)."
)
@shared.seed(help="For --new: the same seed, the same boards.")
@click.option("--force", is_flag=True, help="Replace files that are there already.")
@shared.as_json(help="One JSON object per student.")
@shared.load()
def grade(
    folder: str | None,
    assignment: str | None,
    out: str,
    dry_run: bool,
    summary: bool,
    export: str | None,
    columns: str | None,
    anonymous: bool,
    names: str | None,
    key: bool,
    new: str | None,
    command: str | None,
    program: str | None,
    collect: str | None,
    runtime: tuple[str, ...],
    run_seconds: float | None,
    run_memory: int | None,
    run_processes: int | None,
    seed: int | None,
    force: bool,
    as_json: bool,
) -> None:
    """Grade a folder of answers; students' code runs only with --run.

    Answers are files in the course's own form (output.txt, transcripts) or
    in CSV or JSON, one file or one sub-folder per student. What is right is
    computed by the course's profile. A table appears here; in the folder
    grades (or --out DIR) are grades.csv, summary.md about the class, and
    reports/STUDENT.md with the reason for every lost point.

    Files are read as data of strangers: links are not followed, at most
    a fixed amount is read, and the report says what could not be read.

    With --run the students' programs are run on the boards of the
    assignment, inside bubblewrap: without network, on a copy of their files,
    with limits of time, memory, processes and output. Where bubblewrap does
    not work nothing is run. What they print is graded like answer files and
    kept in grades/printed. {file} is the program, {method} and {board} are
    those of the question, {input} is a file with the board.

    Exit code: 0 graded, however many points were lost; 2 bad input.

    Examples:

    tilewise grade --new columbia --assignment homework.toml

    tilewise grade --key --assignment homework.toml

    tilewise grade answers --assignment homework.toml --out grades

    tilewise grade answers --assignment homework.toml --dry-run

    tilewise grade answers --assignment hw.toml --export lms.csv

    tilewise grade work --assignment hw.toml --run "python3 {file} {board}"
    """
    from tilewise.cli import grade_actions  # late: it needs the extra lab, its help does not

    if new is not None:
        if folder is not None or key:
            raise SpecError("expected --new COURSE without a folder and without --key")
        usual = f"{Path(new).stem}-assignment.toml" if new.endswith(".toml") else f"{new}.toml"
        name = assignment or usual
        grade_actions.write_sample(new, name, seed, force)
        return
    if seed is not None:
        raise SpecError("expected --seed N together with --new COURSE")
    if assignment is None:
        raise SpecError("expected --assignment FILE.toml (tilewise grade --new writes a sample)")
    wanted = grade_actions.read_file(assignment)
    if key:
        if folder is not None:
            raise SpecError("expected a folder to grade or --key: one of the two")
        grade_actions.show_key(wanted, as_json)
        return
    if folder is None:
        raise SpecError("expected a folder with answers, or --key, or --new COURSE")
    if columns and not export:
        raise SpecError("expected --columns LIST together with --export FILE.csv")
    if names and not anonymous:
        raise SpecError("expected --names FILE.csv together with --anonymous")
    if dry_run:
        grade_actions.show_reading(wanted, Path(folder))
        return
    programs = None
    if command is not None:
        limits = {"seconds": run_seconds, "memory": run_memory, "processes": run_processes}
        programs = grade_actions.programs(command, program, collect, runtime, limits)
    elif program or collect or runtime or run_seconds or run_memory or run_processes:
        raise SpecError("expected --program, --collect, --runtime and limits together with --run")
    wishes = grade_actions.Wishes(
        as_json, force, summary, export, columns or "student,points,of", anonymous, names
    )
    grade_actions.grade_answers(wanted, Path(folder), Path(out), wishes, programs)
