"""`tilewise solve`: boards in, solutions out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from threading import Event as CancelFlag
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from tilewise import Limits, Result
from tilewise.batch import in_order, shared_limits, useful_threads
from tilewise.cli import board_input, certificates, commands, exit_codes, interrupts, progress
from tilewise.cli import shared_options as shared
from tilewise.cli.numbers import Whole
from tilewise.cli.output import Late, Show
from tilewise.core.build_context import BuildContext
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.events import Recorder
from tilewise.core.result import Status
from tilewise.errors import (
    BoardError,
    CancelledError,
    SpecError,
    TilewiseError,
    shortened,
    visible,
)
from tilewise.puzzle import formats
from tilewise.puzzle.position import Position, read_position
from tilewise.solving import solve as solve_board

if TYPE_CHECKING:
    from tilewise.courses.course import Course

DEFAULT_EVENTS = 50


class BareTrace(commands.Command):
    """`--trace` may stand without its number."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give a bare `--trace` its default number of events."""
        completed = []
        for argument, following in zip(args, [*args[1:], ""], strict=False):
            completed.append(argument)
            if argument == "--trace" and not (following.isdigit() and len(following) < 8):
                completed.append(str(DEFAULT_EVENTS))
        return super().parse_args(ctx, completed)


@dataclass(frozen=True)
class NamedPosition:
    """A position to solve and its name in the output."""

    name: str
    position: Position


@dataclass(frozen=True)
class Unread:
    """A place in a file where no board could be read, and why."""

    name: str
    error: TilewiseError


@dataclass(frozen=True)
class SolveSettings:
    """How to solve each board and how to show it."""

    how: dict[str, Any]
    show: Show
    threads: int
    cancel: CancelFlag = field(default_factory=CancelFlag)
    tables: BuildContext = field(default_factory=progress.shown_tables)


@commands.command(cls=BareTrace)
@click.argument(
    "boards", nargs=-1, metavar="[BOARD]...", help="Boards in any notation (tilewise list formats)."
)
@shared.algorithm()
@shared.heuristic()
@shared.goal()
@shared.rules()
@shared.profile()
@shared.max_nodes()
@shared.seconds(help="Stop after S seconds (each board), tables and what is printed included.")
@shared.memory()
@click.option(
    "--gap",
    metavar="G",
    help="Go on until the gap to the proved bound is at most G: moves, or a percentage like 5%.",
)
@click.option(
    "--incumbent",
    metavar="MOVES",
    help="A solution that you have: only shorter ones are searched for (idastar, anytime, ...).",
)
@shared.engine()
@click.option(
    "--trace",
    metavar="[N]",
    type=Whole(),
    help=f"Show the first N events ({DEFAULT_EVENTS} without N).",
)
@click.option("--pretty", is_flag=True, help="Show the boards on the way.")
@click.option(
    "--all", "all_solutions", is_flag=True, help="Every optimal solution, and their number."
)
@shared.moves()
@shared.as_json(help="One JSON object per board.")
@shared.file(help="Read boards from a file or the input.")
@click.option("--suite", metavar="NAME", help="Solve a named suite (tilewise list suites).")
@click.option(
    "--threads",
    metavar="N",
    type=Whole(),
    help="Boards solved at a time (default: one per core).",
)
@click.option(
    "--certificate", metavar="FILE", help="Write what proves the answer (tilewise verify FILE)."
)
@click.option(
    "--save", metavar="FILE", help="A picture: .svg, .png, .gif (moves) or .html (steps)."
)
@shared.load()
def solve(
    boards: tuple[str, ...],
    algorithm: str | None,
    heuristic: str | None,
    goal: str,
    rules: str | None,
    profile: str | None,
    max_nodes: int | None,
    seconds: float | None,
    memory: int | None,
    gap: str | None,
    incumbent: str | None,
    engine: str,
    trace: int | None,
    pretty: bool,
    all_solutions: bool,
    moves: str,
    as_json: bool,
    file: str | None,
    suite: str | None,
    threads: int | None,
    certificate: str | None,
    save: str | None,
) -> int:
    """Solve boards: a shortest solution, or by the search you name.

    Without an algorithm: A* up to 10 cells, A*+IDA* up to 16. Larger boards get a solution at once
    that is improved for 10 seconds, with a proved bound (--seconds, --gap 0 for the proof).
    Ctrl-C keeps the best solution so far.
    The letters U D L R say where the blank goes. Exit code: 0 solved, 2 bad input,
    10 unsolvable, 20 limit reached or stuck, 130 interrupted; of several boards the worst.

    Examples:

    tilewise solve "8b6 547 231"

    tilewise solve "1 2 3/4 5 6/7 0 8" --pretty

    tilewise solve 8,6,4,2,1,3,5,7,0 -a astar -H manhattan --rules columbia

    tilewise solve 8,6,4,2,1,3,5,7,0 --profile columbia -a bfs

    tilewise solve "8b6 547 231" --save solution.gif

    tilewise solve --file boards.txt --json > answers.jsonl

    tilewise solve "8b6 547 231" -H mine --load my_heuristic.py
    """
    named = algorithm if profile is None else None
    if all_solutions and named and not build_algorithm(named).entry.optimal:
        raise SpecError(f"expected an optimal algorithm for --all, got {algorithm}")
    if save is not None:
        _pictures().kind_of(save)
    if len([source for source in (boards, file, suite) if source]) != 1:
        raise SpecError("expected boards, or --file FILE, or --suite NAME: one of the three")
    if profile is not None and rules is not None:
        raise SpecError("expected --profile or --rules, got both")
    if profile is not None and goal == "auto":
        goal = _course(profile).goal
    tasks = [NamedPosition(*each) for each in board_input.positions(boards, goal)]
    if save is not None and len(tasks) != 1:
        raise SpecError("expected one board with --save FILE, got others")
    if certificate is not None and len(tasks) != 1:
        raise SpecError("expected one board with --certificate FILE")
    limits = Limits(generated=max_nodes, seconds=seconds, memory=memory, gap=gap)
    how = {
        "algorithm": algorithm,
        "heuristic": heuristic,
        "rules": rules,
        "limits": None if limits == Limits() else limits,
        "engine": engine,
    }
    if incumbent is not None:
        if len(tasks) != 1:
            raise SpecError("expected one board with --incumbent MOVES")
        how["incumbent"] = formats.read_moves(incumbent, moves)
    show = Show(as_json, pretty, all_solutions, moves, trace, seconds)
    if profile is not None:
        how |= {"profile": profile, "limits": limits}
        threads = threads or 1
    settings = SolveSettings(how, show, useful_threads(threads, how))
    if file:
        code: int | None = _solve_file(settings, file, goal)
    elif suite:
        tasks = _from_suite(suite, goal)
        code = _solve_all(settings, tasks, len(tasks))
    elif len(tasks) == 1:
        code = _solve_alone(settings, tasks[0], certificate, save)
    else:
        code = _solve_all(settings, tasks, len(tasks))
    return code or exit_codes.OK


def _from_suite(name: str, goal: str) -> list[NamedPosition]:
    """The boards of a suite, which carries its goal."""
    from tilewise import suites  # what finds its files takes a tenth of the start to load

    suite = suites.load(name)
    wanted = suite.goal if goal == "auto" else goal
    return [
        NamedPosition(f"{name}:{instance.number}", read_position(instance.board, wanted))
        for instance in suite.instances
    ]


def _from_file(path: str, lines: Iterator[str], goal: str) -> Iterator[NamedPosition | Unread]:
    for entry in board_input.entries(path, lines):
        try:
            yield NamedPosition(entry.place, read_position(entry.text, goal))
        except TilewiseError as error:
            yield Unread(entry.place, error)


def _solve_file(settings: SolveSettings, path: str, goal: str) -> int:
    """Solve board after board; one that cannot be read is reported and the rest goes on."""
    with board_input.lines_of(path) as lines:
        if path == "-":  # an answer goes out before the next board must come in
            settings = replace(settings, threads=1)
        worst = _solve_all(settings, _from_file(path, lines, goal), None)
    if worst is None:
        raise BoardError(f"expected boards, got none in {shortened(path)}")
    return worst


def _solve_alone(
    settings: SolveSettings, task: NamedPosition, certificate: str | None, save: str | None
) -> int:
    """One board gets the whole page, a line of progress, and files if wanted."""
    line = progress.IncumbentTable()
    try:
        result, recorder = _solve(settings, task, line)
    finally:
        line.clear()
    code, late = exit_codes.OF_STATUS[result.status], settings.show.until(result)
    try:
        if certificate is not None:
            certificates.write(certificate, result)
        if save is not None and result.status is Status.CANCELLED:
            print(f"tilewise: interrupted: {visible(save)} was not drawn", file=sys.stderr)
        elif save is not None and not _saved(result, save, late):
            code = max(code, exit_codes.LIMIT)
    finally:  # the answer is shown even if a file cannot be written
        settings.show.alone(task.name, result, recorder, late)
        interrupts.keep_nothing()
    return code


def _saved(result: Result, file: str, late: Late) -> bool:
    """Draw the picture; whether there was time for it."""
    try:
        size = _pictures().save(result, file, late)
    except CancelledError:
        print(
            f"tilewise: no time left to draw {visible(file)} (--seconds S gives more)",
            file=sys.stderr,
        )
        return False
    print(f"tilewise: saved {visible(file)} ({size / 1000:,.0f} kB)", file=sys.stderr)
    return True


def _pictures() -> ModuleType:
    """The module that draws, loaded only for pictures."""
    from tilewise import drawing

    return drawing


def _solve_all(
    settings: SolveSettings, tasks: Iterable[NamedPosition | Unread], count: int | None
) -> int | None:
    """Many boards get a line each, as soon as it is there; the worst exit code, None for none."""
    limits = shared_limits(settings.how["limits"], settings.threads)
    settings = replace(settings, how={**settings.how, "limits": limits})

    def answer(
        task: NamedPosition | Unread,
    ) -> tuple[NamedPosition | Unread, Result | None, Recorder | None]:
        return (task, None, None) if isinstance(task, Unread) else (task, *_solve(settings, task))

    worst = None
    line = progress.BoardsLine(count)
    try:
        for task, result, recorder in in_order(answer, tasks, settings.threads, settings.cancel):
            line.clear()
            code = exit_codes.BAD_INPUT
            if isinstance(task, Unread):
                print(f"tilewise: error: {task.name}: {task.error}", file=sys.stderr)
            elif result is not None:
                settings.show.among_others(task.name, result, recorder)
                sys.stdout.flush()
                interrupts.keep_nothing()
                code = exit_codes.OF_STATUS[result.status]
            worst = max(worst or exit_codes.OK, code)
            if code == exit_codes.INTERRUPTED:  # the search has kept what it had
                break
            line.advance()
    finally:
        line.clear()
    return worst


def _solve(
    settings: SolveSettings, task: NamedPosition, watch: progress.IncumbentTable | None = None
) -> tuple[Result, Recorder | None]:
    recorder = None
    if settings.show.events is not None:
        board = task.position.board
        recorder = Recorder(settings.show.events, board.rows, board.columns)
    run: dict[str, Any] = {
        "observer": recorder,
        "progress": watch,
        "context": settings.tables,
        "cancel": settings.cancel,
    }
    if "profile" in settings.how:
        return _as_course(task.position, **run, **settings.how), recorder
    improved = None
    if watch is not None:
        improved = watch.improved
    elif settings.threads == 1:  # it runs in the main thread, which sees Ctrl-C
        improved = progress.keep_incumbent
    return solve_board(task.position, improved=improved, **run, **settings.how), recorder


def _course(name: str) -> Course:
    from tilewise.courses import course_named  # late: few searches are a course's

    return course_named(name)


def _as_course(
    position: Position, profile: str, algorithm: str | None, heuristic: str | None, **how: Any
) -> Result:
    """The result of a course's own way to search."""
    from tilewise.courses.running import run_course

    course = _course(profile)
    goal = course.checked_goal(position.board, position.goal)
    how.pop("rules")
    method = course.method(algorithm, heuristic)
    return run_course(course, method, position.board, goal=goal, **how)
