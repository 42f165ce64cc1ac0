"""`tilewise course`: courses of the package and of files: write one, check it, run it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from tilewise.cli import commands, course_text, exit_codes
from tilewise.cli import shared_options as shared
from tilewise.cli.numbers import Whole
from tilewise.core.limits import Limits
from tilewise.courses import COURSES
from tilewise.courses.course import Course, Method
from tilewise.courses.files import find_course
from tilewise.courses.printed_output import differing_line, output_text
from tilewise.courses.running import run_course
from tilewise.errors import SpecError, shortened
from tilewise.files import read_text, write_file
from tilewise.puzzle.board import Board
from tilewise.puzzle.parity import why_unsolvable

LARGEST_BOARD_FILE = 100_000
_COURSE = "A name (tilewise course list) or a file: my_course.toml."


@commands.group
def course() -> None:
    """Use courses: those of the package, and your own from one file.

    Examples:
        tilewise course list
        tilewise course new my_course.toml
        tilewise course run princeton "0 1 3/4 2 5/7 8 6"
    """


@course.command()
@click.argument("file", metavar="FILE.toml", help="The file to write.")
@click.option("--name", metavar="NAME", help="The name of the course (default: of the file).")
@click.option("--from", "model", metavar="COURSE", help="Begin with a course of the package.")
@click.option("--force", is_flag=True, help="Replace a file that is there already.")
def new(file: str, name: str | None, model: str | None, force: bool) -> None:
    """Write a course file to begin with; every key in it is explained.

    Examples:

    tilewise course new my_course.toml

    tilewise course new evening.toml --from princeton
    """
    from tilewise.courses.starting import starting_text

    path = Path(file)
    if path.suffix.lower() != ".toml":
        raise SpecError(f"expected a file that ends in .toml, got {shortened(file)}")
    text = starting_text(name or path.stem, model)
    if path.exists() and not force:
        raise SpecError(
            f"expected the name of a new file, got one that is there: {shortened(file)} "
            "(--force replaces it)"
        )
    write_file(file, text)
    print(f"written: {file}")
    print(f"check it:   tilewise course check {file}")
    print(f"run it:     tilewise course run {file} METHOD BOARD")
    print(f"assignment: tilewise grade --new {file} --assignment homework.toml")


@course.command()
@click.argument("name", metavar="COURSE", help=_COURSE)
@shared.as_json()
@shared.load()
def check(name: str, as_json: bool) -> int:
    """Check a course: read it, run its examples, compare their output.

    It also says which items with points could not be read from such an output.

    Exit code: 0 all as expected, 1 an example differs or an item cannot be read, 2 a mistake in
    the file.

    Examples:

    tilewise course check my_course.toml

    tilewise course check columbia
    """
    found = find_course(name, python=True)
    results, unread = list(_checked(found)), course_text.unread_items(found)
    if as_json:
        print(json.dumps({"course": found.name, "examples": results, "unread": unread}))
    else:
        for line in course_text.check_lines(found, results):
            print(line)
    right = not unread and all(result["as_expected"] for result in results)
    return exit_codes.OK if right else exit_codes.FAILED


def _checked(found: Course) -> Iterator[dict[str, object]]:
    """Each example: whether its output is as expected, and the first line that is not."""
    for number, example in enumerate(found.examples, start=1):
        method = found.by_word(found.grading.read_method(example.method) or example.method)
        board = Board.parse(example.board)
        came = output_text(found, method, run_course(found, method, board))
        differs = differing_line(example.output, came)
        line, expected, got = differs or (None, None, None)
        yield {
            "example": example.name or str(number),
            "method": method.word,
            "board": found.text(board),
            "as_expected": differs is None,
            "line": line,
            "expected": expected,
            "got": got,
        }


@course.command("list")
@shared.as_json(help="One JSON object a course.")
def list_(as_json: bool) -> None:
    """List the courses of the package.

    Examples:

    tilewise course list

    tilewise course list --json
    """
    for each in COURSES.values():
        if as_json:
            print(json.dumps(course_text.course_object(each)))
        else:
            print(f"{each.name:<14}{each.about}")


@course.command()
@click.argument("name", metavar="COURSE", help=_COURSE)
@click.option("--toml", is_flag=True, help="As a course file, as far as the form reaches.")
@shared.as_json()
@shared.load()
def show(name: str, toml: bool, as_json: bool) -> None:
    """Show a course: goal, rules, methods, output, grading.

    Examples:

    tilewise course show princeton

    tilewise course show columbia --toml > mine.toml
    """
    if toml:
        from tilewise.courses.starting import file_text

        print(file_text(name), end="")
        return
    found = find_course(name, python=True)
    if as_json:
        print(json.dumps(course_text.course_object(found)))
        return
    for line in course_text.page(found):
        print(line)


@course.command()
@click.argument("name", metavar="COURSE", help=_COURSE)
@click.argument("method", required=False, metavar="[METHOD]", help="A method of the course.")
@click.argument("board", required=False, metavar="BOARD", help="In any notation.")
@shared.file(help="Read the board from a file, or from the input.")
@shared.max_nodes()
@shared.seconds()
@shared.memory()
@shared.load()
def run(
    name: str,
    method: str | None,
    board: str | None,
    file: str | None,
    max_nodes: int | None,
    seconds: float | None,
    memory: int | None,
) -> int:
    """Solve a board as a course's program does, in its words.

    The board is read in any notation; the goal is always the course's own. Without a method the
    course's usual one is taken.

    Exit code: 0 solved, 2 bad input, 10 unsolvable, 20 limit reached.

    Examples:

    tilewise course run princeton "0 1 3/4 2 5/7 8 6"

    tilewise course run n-puzzle manhattan --file puzzle.txt

    tilewise course run my_course.toml astar "1 2 3/4 5 6/0 7 8"
    """
    found = find_course(name, python=True)
    if board is None and file is None:
        method, board = None, method
    if (board is None) == (file is None):
        raise SpecError("expected a BOARD, or --file FILE: one of the two")
    chosen = _method(found, method)
    start = Board.parse(board or _from_file(file or ""))
    limits = Limits(generated=max_nodes, seconds=seconds, memory=memory)
    result = run_course(found, chosen, start, limits=limits)
    print(output_text(found, chosen, result))
    if not result.goal.reachable_from(start):
        sys.stdout.flush()
        print(f"tilewise: {why_unsolvable(start, result.goal)}", file=sys.stderr)
    return exit_codes.OF_STATUS[result.status]


def _method(found: Course, text: str | None) -> Method:
    if text is None:
        return found.usual
    word = found.grading.read_method(text)
    if word is None:
        raise SpecError(f"expected a method {found.grading.methods}, got {shortened(text)}")
    return found.by_word(word)


def _from_file(name: str) -> str:
    if name == "-":
        return sys.stdin.read(LARGEST_BOARD_FILE)
    return read_text(name, LARGEST_BOARD_FILE, "a file with a board")


@course.command()
@click.argument("name", metavar="COURSE", help=_COURSE)
@click.argument("size", metavar="SIZE", type=Whole(2, 16), help="Rows and columns: 3 for 3x3.")
@click.option("-s", "--solvable", is_flag=True, help="One that can be solved.")
@click.option("-u", "--unsolvable", is_flag=True, help="One that cannot.")
@click.option(
    "-i", "--iterations", metavar="N", type=Whole(0, 10**7), help="Random moves (default: 10,000)."
)
@shared.seed()
def generate(
    name: str,
    size: int,
    solvable: bool,
    unsolvable: bool,
    iterations: int | None,
    seed: int | None,
) -> None:
    """Draw a puzzle for a course, in its notation.

    It does what the generator of n-puzzle does. Random moves lead from the course's goal. With
    neither -s nor -u chance decides.

    Examples:

    tilewise course generate n-puzzle 3 -s

    tilewise course generate n-puzzle 4 -u -i 500 --seed 1
    """
    from random import Random, SystemRandom

    from tilewise.courses.generating import ITERATIONS, puzzle_text
    from tilewise.courses.generating import generate as draw

    if solvable and unsolvable:
        raise SpecError("expected -s or -u, got both")
    found = find_course(name, python=True)
    drawn = SystemRandom().getrandbits(32) if seed is None else seed
    can = solvable or (not unsolvable and Random(drawn).random() < 0.5)
    moves = ITERATIONS if iterations is None else iterations
    board = draw(found, size, solvable=can, iterations=moves, seed=drawn)
    print(puzzle_text(found, board))
