"""`tilewise solve`: boards in, solutions out."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from tilewise import Board, Limits, Result, formats, suites
from tilewise.errors import SpecError, TilewiseError
from tilewise.events import Recorder
from tilewise.frontends import exit_codes, numbers, reading
from tilewise.frontends.cli import progress
from tilewise.frontends.cli.output import Show
from tilewise.loading import load_file
from tilewise.solving import choose_goal
from tilewise.solving import solve as solve_board

DEFAULT_EVENTS = 50


class COMMAND_CLASS(TyperCommand):  # noqa: N801 - the table of sub-commands looks for this name
    """`--trace` may stand without its number."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give a bare `--trace` its default number of events."""
        completed = []
        for argument, following in zip(args, [*args[1:], ""], strict=False):
            completed.append(argument)
            if argument == "--trace" and not (following.isdigit() and len(following) < 8):
                completed.append(str(DEFAULT_EVENTS))
        rest: list[str] = super().parse_args(ctx, completed)
        return rest


@dataclass(frozen=True)
class Task:
    """One board to solve, its name in the output and the goal that its notation implies."""

    name: str
    board: Board
    preferred_goal: str


@dataclass(frozen=True)
class Request:
    """How to solve each board and how to show it."""

    goal: str
    how: dict[str, Any]
    show: Show


def solve(
    boards: Annotated[
        list[str] | None,
        typer.Argument(metavar="BOARD...", help="Boards in any notation (tilewise list formats)."),
    ] = None,
    algorithm: Annotated[
        str | None,
        typer.Option("--algorithm", "-a", metavar="SPEC", help="astar, beam(width=10) ..."),
    ] = None,
    heuristic: Annotated[
        str | None,
        typer.Option("--heuristic", "-H", metavar="SPEC", help="manhattan, max(h1, h2) ..."),
    ] = None,
    goal: Annotated[
        str, typer.Option(metavar="GOAL", help="auto, first, last, snail or a board.")
    ] = "auto",
    rules: Annotated[
        str | None,
        typer.Option(metavar="RULES", help="default, fifo, a profile, or order=LRUD,ties=fifo ..."),
    ] = None,
    max_nodes: Annotated[
        str | None, typer.Option(metavar="N", help="Stop after exactly N generated nodes.")
    ] = None,
    seconds: Annotated[
        str | None, typer.Option(metavar="S", help="Stop after S seconds (each board).")
    ] = None,
    memory: Annotated[
        str | None,
        typer.Option(metavar="MB", help="Stop at MB megabytes (default: half of the machine's)."),
    ] = None,
    engine: Annotated[str, typer.Option(metavar="NAME", help="auto, python or native.")] = "auto",
    trace: Annotated[
        str | None,
        typer.Option(metavar="[N]", help=f"Show the first N events ({DEFAULT_EVENTS} without N)."),
    ] = None,
    pretty: Annotated[bool, typer.Option("--pretty", help="Show the boards on the way.")] = False,
    all_solutions: Annotated[
        bool, typer.Option("--all", help="Every optimal solution, and their number.")
    ] = False,
    moves: Annotated[
        str, typer.Option(metavar="blank|tile", help="Whose moves the letters name.")
    ] = "blank",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a board.")] = False,
    file: Annotated[
        str | None, typer.Option(metavar="FILE|-", help="Read boards from a file or the input.")
    ] = None,
    suite: Annotated[
        str | None, typer.Option(metavar="NAME", help="Solve a named suite (tilewise list suites).")
    ] = None,
    load: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.py", help="Load your own heuristics and algorithms first."),
    ] = None,
) -> None:
    """Solve boards: the shortest solution, or what the algorithm you name finds.

    Without an algorithm: A* up to 10 cells, else IDA* for 10 seconds, then the way people do it.
    The letters U D L R are the ways the blank goes. Exit code: 0 solved, 2 bad input,
    10 unsolvable, 20 limit reached or stuck, 130 interrupted; of several boards the worst.

    Examples:

    tilewise solve "8b6 547 231"

    tilewise solve "1 2 3/4 5 6/7 0 8" --pretty

    tilewise solve 8,6,4,2,1,3,5,7,0 -a astar -H manhattan --rules columbia

    tilewise solve --file boards.txt --json > answers.jsonl

    tilewise solve "8b6 547 231" -H mine --load my_heuristic.py
    """
    for path in load or []:
        load_file(path)
    if moves not in ("blank", "tile"):
        raise SpecError(f"expected --moves blank or tile, got {moves!r}")
    events = numbers.whole("--trace", trace)
    limits = numbers.limits(max_nodes, seconds, memory)
    request = Request(
        goal,
        {
            "algorithm": algorithm,
            "heuristic": heuristic,
            "rules": rules,
            "limits": None if limits == Limits() else limits,
            "engine": engine,
        },
        Show(as_json, pretty, all_solutions, moves, events),
    )
    if len([source for source in (boards, file, suite) if source]) != 1:
        raise SpecError("expected boards, or --file FILE, or --suite NAME: one of the three")
    if file:
        code = _solve_file(request, file)
    elif suite:
        code = _solve_suite(request, suite)
    else:
        tasks = [_task(text, text) for text in boards or []]
        code = max([_solve_task(request, task, alone=len(tasks) == 1) for task in tasks])
    raise typer.Exit(code)


def _task(name: str, text: str) -> Task:
    understood = formats.read(text)
    board = Board.from_reading(understood, text)
    return Task(name, board, formats.notation(understood.notation).goal or "first")


def _solve_file(request: Request, path: str) -> int:
    """Solve board after board; one that cannot be read is reported and the rest goes on."""
    worst = exit_codes.OK
    with reading.lines_of(path) as lines:
        for entry in reading.entries(path, lines):
            try:
                code = _solve_task(request, _task(entry.place, entry.text))
            except TilewiseError as error:
                print(f"tilewise: error: {entry.place}: {error}", file=sys.stderr)
                code = exit_codes.BAD_INPUT
            worst = max(worst, code)
    return worst


def _solve_suite(request: Request, name: str) -> int:
    suite = suites.load(name)
    worst = exit_codes.OK
    with progress.boards(len(suite.instances)) as advance:
        for instance in suite.instances:
            task = Task(f"{name}:{instance.number}", instance.board, suite.goal)
            worst = max(worst, _solve_task(request, task))
            advance()
    return worst


def _solve_task(request: Request, task: Task, *, alone: bool = False) -> int:
    """Solve and show one board; alone it gets the whole page, among others a line."""
    goal, note = choose_goal(task.board, request.goal, task.preferred_goal)
    recorder = None
    if request.show.events is not None:
        recorder = Recorder(request.show.events, task.board.rows, task.board.columns)
    line = progress.search_line() if alone else None
    try:
        result: Result = solve_board(
            task.board, goal=goal, observer=recorder, progress=line, **request.how
        )
    finally:
        if line:
            line.clear()
    if note:
        result = replace(result, note="; ".join(filter(None, (note, result.note))))
    request.show(task.name, result, recorder, alone=alone)
    sys.stdout.flush()
    return exit_codes.OF_STATUS[result.status]
