"""`tilewise check`: what a board is, and whether a path solves it."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass

import click

from tilewise.checking import BoardCheck, PathCheck, check_board, check_path
from tilewise.cli import (
    board_input,
    check_text,
    commands,
    exit_codes,
    progress,
    render,
)
from tilewise.cli import shared_options as shared
from tilewise.cli.boards_with_paths import boards_with_paths
from tilewise.core.limits import Limits
from tilewise.errors import BoardError, SpecError, TilewiseError, shortened
from tilewise.puzzle import formats
from tilewise.puzzle.parity import why_unsolvable
from tilewise.puzzle.position import Position, read_position


@dataclass(frozen=True)
class CheckSettings:
    """How boards and paths are read and judged, and how that is shown."""

    goal: str
    perspective: str
    limits: Limits | None
    as_json: bool


@commands.command()
@shared.board(required=False, metavar="[BOARD]")
@click.option("--path", metavar="MOVES", help="A solution to check: ULDR, up left ...")
@shared.moves()
@shared.goal()
@shared.file(help="A CSV file with columns board and path.")
@shared.max_nodes(help="Search for the optimum up to N nodes.")
@shared.seconds(help="Take up to S seconds for each board (default: 10 to find the optimum).")
@shared.as_json(help="One JSON object per board.")
@shared.load()
def check(
    board: str | None,
    path: str | None,
    moves: str,
    goal: str,
    file: str | None,
    max_nodes: int | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Check a board, and a solution if you have one.

    It shows how the board was read, whether it can be solved, and what every heuristic says of it.
    With --path also whether the moves are legal, reach the goal, and are as
    few as possible; every shortest solution counts as optimal. Without --goal
    it speaks of the goal that tilewise solve takes.

    Exit code: 0 the board can be solved and the path, if any, solves it,
    however long it is; 2 bad input, an illegal move, or a path that does
    not end on the goal; 10 the board is unsolvable; of several the worst.

    Examples:

    tilewise check "8b6 547 231"

    tilewise check "312 475 68b" --path "left up left up"

    tilewise check "1 2 3/4 5 6/7 0 8" --path L --moves tile

    tilewise check --file answers.csv
    """
    limits = Limits(generated=max_nodes, seconds=seconds)
    settings = CheckSettings(goal, moves, None if limits == Limits() else limits, as_json)
    if (board is None) == (file is None):
        raise SpecError("expected a board or --file FILE: one of the two")
    if file is not None:
        if path is not None:
            raise SpecError("expected the paths in the file, got --path as well")
        return _check_file(settings, file)
    return _check_one(settings, board or "", path)


def _check_one(settings: CheckSettings, text: str, path: str | None) -> int:
    """Check one board at length."""
    position, began = read_position(text, settings.goal), time.monotonic()
    played = _played(settings, position, path)
    checked = _checked(settings, position, began)
    if settings.as_json:
        print(json.dumps(_object(settings, position, checked, played)))
    else:
        width = render.terminal_width()
        for line in check_text.page(position, checked, width):
            print(line)
        if played:
            print()
            for line in check_text.path_lines(played, position.goal, settings.perspective, width):
                print(line)
    return _code(checked.solvable, played)


def _checked(settings: CheckSettings, position: Position, began: float) -> BoardCheck:
    """What a board is, in the time that its path has left."""
    seconds = None if settings.limits is None else settings.limits.seconds
    left = None if seconds is None else seconds - (time.monotonic() - began)
    return check_board(position, context=progress.shown_tables(), seconds=left)


def _check_file(settings: CheckSettings, path: str) -> int:
    """Check row after row, a line each; one that cannot be read does not stop the rest."""
    codes = []
    with board_input.lines_of(path) as lines:
        for answer in boards_with_paths(path, lines):
            try:
                if answer.problem:
                    raise SpecError(answer.problem)
                code = _check_row(settings, answer.place, answer.board, answer.path)
            except TilewiseError as error:
                print(f"tilewise: error: {answer.place}: {error}", file=sys.stderr)
                code = exit_codes.BAD_INPUT
            codes.append(code)
            sys.stdout.flush()
    if not codes:
        raise BoardError(f"expected a file with boards, got none in {shortened(path)}")
    return max(codes)


def _check_row(settings: CheckSettings, place: str, text: str, path: str | None) -> int:
    position, began = read_position(text, settings.goal), time.monotonic()
    played = _played(settings, position, path)
    if settings.as_json:
        checked = _checked(settings, position, began)
        print(json.dumps({"place": place, **_object(settings, position, checked, played)}))
    else:
        print(f"{place}: {check_text.one_line(position, played, settings.perspective)}")
    return _code(position.solvable, played)


def _played(settings: CheckSettings, position: Position, path: str | None) -> PathCheck | None:
    if path is None:
        return None
    moves = formats.read_moves(path, settings.perspective)
    line = progress.SearchLine()
    try:
        tables = progress.shown_tables()
        return check_path(position, None, moves, settings.limits, progress=line, context=tables)
    finally:
        line.clear()


def _code(solvable: bool, played: PathCheck | None) -> int:
    if not solvable:
        return exit_codes.UNSOLVABLE
    return exit_codes.OK if played is None or played.reaches_goal else exit_codes.BAD_INPUT


def _object(
    settings: CheckSettings, position: Position, checked: BoardCheck, played: PathCheck | None
) -> dict[str, object]:
    board, goal = position.board, position.goal
    return {
        "note": position.note,
        "board": str(board),
        "notation": position.notation,
        "shape": board.shape,
        "goal": goal.name,
        "solvable": checked.solvable,
        "reason": None if checked.solvable else why_unsolvable(board, goal),
        "distance": checked.distance,
        "heuristics": {each.name: each.value for each in checked.heuristics},
        "path": None
        if played is None
        else {
            "moves": render.moves_text(played.moves, settings.perspective),
            "length": len(played.moves),
            "legal": played.legal,
            "illegal_at": played.illegal_at,
            "reaches_goal": played.reaches_goal,
            "end": str(played.end),
            "optimum": played.optimum,
            "optimal": played.optimal,
            "too_long": played.too_long,
        },
    }
