"""`tilewise compare`: several searches, on one board or on many."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from tilewise.cli import commands, exit_codes, progress, render
from tilewise.cli import shared_options as shared
from tilewise.cli.compare_many import FORMATS, JSON, TEXT, boards_of, compare_many
from tilewise.cli.compare_table import table_text
from tilewise.cli.numbers import Whole
from tilewise.comparing import SORT_KEYS, pairings, ranked
from tilewise.comparing import compare as run
from tilewise.core.limits import Limits
from tilewise.core.result import Result, Status
from tilewise.errors import SpecError, shortened
from tilewise.puzzle.parity import explain
from tilewise.puzzle.position import Position, board_text, read_position

if TYPE_CHECKING:
    from tilewise.courses.course import Course

DEFAULT_NODES = 200_000
AS_GIVEN = "given"


@commands.command()
@shared.board(required=False)
@shared.file(help="Compare on the boards of a file, one per line, or of a CSV file; - is stdin.")
@click.option("--suite", metavar="NAME", help="Compare on a named suite (tilewise list suites).")
@click.option("--first", metavar="N", type=Whole(1, 10**9), help="Only the first N boards.")
@shared.algorithm(multiple=True, help="An algorithm; may be repeated.")
@shared.heuristic(multiple=True, help="A heuristic; may be repeated.")
@shared.goal()
@shared.rules()
@shared.profile(help="Compare the searches of a course: a name or a file.")
@shared.max_nodes(default=DEFAULT_NODES, help="Stop each search after N generated nodes.")
@shared.seconds(help="Stop each search after S seconds.")
@shared.engine()
@click.option(
    "--sort", default=AS_GIVEN, metavar="KEY", help="given, cost, or a counter such as generated."
)
@click.option("--format", "-f", default=TEXT, metavar="F", help=f"One of {', '.join(FORMATS)}.")
@click.option(
    "--baseline", metavar="SEARCH", help="Of many boards: the search that others are compared with."
)
@shared.as_json(help="One JSON object per search: --format json.")
@shared.load()
def compare(
    board: str | None,
    file: str | None,
    suite: str | None,
    first: int | None,
    algorithm: tuple[str, ...],
    heuristic: tuple[str, ...],
    goal: str,
    rules: str | None,
    profile: str | None,
    max_nodes: int,
    seconds: float | None,
    engine: str,
    sort: str,
    format: str,
    baseline: str | None,
    as_json: bool,
) -> int:
    """Compare searches on one board or many: length and work.

    Algorithms and heuristics named together are all combined. Algorithms
    alone run with their default heuristic, heuristics alone with A* (IDA*
    on boards of more than 10 cells). With neither: a usual dozen.
    Rules apply to the algorithms that take them.

    With --file or --suite: how many boards each search solved; mean with
    its 95 % interval, quartiles and geometric mean over the boards that all
    of them solved; ratios to a baseline, the first search unless you name
    another. --format csv has a row for each board and search.

    A search that reached its limit shows > and (limit) instead of a bar:
    how much more it would need is not known.

    Exit code: 0 when any of the searches solved the board, 2 bad input,
    10 unsolvable, 20 when none solved it; of several boards the worst.

    Examples:

    tilewise compare "8b6 547 231"

    tilewise compare "8b6 547 231" -a astar -a idastar -H manhattan -H gaschnig

    tilewise compare "8b6 547 231" -H mine -H linear_conflict --load mine.py

    tilewise compare "8b6 547 231" --sort generated --max-nodes 1000000

    tilewise compare 8,6,4,2,1,3,5,7,0 --profile columbia

    tilewise compare --suite korf100 --first 10 -a idastar -H manhattan

    tilewise compare --file boards.txt --format markdown
    """
    if sort not in (AS_GIVEN, *SORT_KEYS):
        raise SpecError(
            f"expected --sort {AS_GIVEN}, {', '.join(SORT_KEYS)}; got {shortened(sort)}"
        )
    if format not in FORMATS:
        raise SpecError(f"expected --format {', '.join(FORMATS)}; got {shortened(format)}")
    if len([source for source in (board, file, suite) if source]) != 1:
        raise SpecError("expected a board, or --file FILE, or --suite NAME: one of the three")
    wanted = JSON if as_json else format
    limits = Limits(generated=max_nodes, seconds=seconds)
    if profile is not None and (board is None or wanted not in (TEXT, JSON)):
        raise SpecError("expected one board, as text or JSON, together with --profile")
    if board is None or wanted not in (TEXT, JSON):
        boards = [(board, read_position(board, goal))] if board else boards_of(file, suite, goal)
        chosen = pairings(boards[0][1].board, algorithm, heuristic)
        return compare_many(boards[:first], chosen, rules, limits, engine, wanted, baseline)
    tables = progress.shown_tables()
    how: dict[str, Any] = {"limits": limits, "engine": engine, "context": tables}
    course = None
    if profile is not None:
        if rules or algorithm or heuristic:
            raise SpecError("expected --profile, or -a, -H and --rules: not both")
        course, position, runs = _of_course(board, goal, profile, how)
        names = [method.word for method in course.methods]
    else:
        position = read_position(board, goal)
        chosen = pairings(position.board, algorithm, heuristic)
        runs, names = run(position, None, chosen, rules=rules, **how), [""] * len(chosen)
    found: list[Result] = []
    line = progress.BoardsLine(len(names))
    try:
        for result in runs:
            found.append(result)
            line.advance()
    finally:
        line.clear()
    words = {id(result): name for result, name in zip(found, names, strict=True)}
    if sort != AS_GIVEN:
        found = ranked(found, sort)
    if wanted == JSON:
        for result in found:
            named = {"profile": course.name, "method": words[id(result)]} if course else {}
            print(json.dumps({**result.to_dict(), **named}))
    else:
        _show(found, position, course, [words[id(result)] for result in found])
    return _code(found)


def _of_course(
    board: str, goal: str, profile: str, how: dict[str, Any]
) -> tuple[Course, Position, Iterator[Result]]:
    """A course, the position for it, and its searches one after the other."""
    from tilewise.courses import course_named  # late: few comparisons are of a course
    from tilewise.courses.running import run_course

    course = course_named(profile)
    position = read_position(board, course.goal if goal == "auto" else goal)
    wanted = course.checked_goal(position.board, position.goal)
    results = (
        run_course(course, method, position.board, goal=wanted, **how) for method in course.methods
    )
    return course, position, results


def _show(
    found: Sequence[Result], position: Position, course: Course | None, words: Sequence[str]
) -> None:
    first = found[0]
    if first.status is Status.UNSOLVABLE:
        print(explain(first.board, first.goal))
    else:
        if position.note:
            print(position.note)
        rules = "" if first.rules == "default" else f", rules {first.rules}"
        rules = rules if course is None else f", profile {course.name}"
        engines = " and ".join(sorted({result.engine for result in found}))
        board = board_text(position.board, position.goal)
        print(f"{board}, goal {position.goal.name}{rules}, {engines} engine")
        print(table_text(found, render.terminal_width(), words if course else ()))


def _code(found: Sequence[Result]) -> int:
    return min(exit_codes.OF_STATUS[result.status] for result in found)
