"""Answers about one board: what it is, how far it is from the goal, what to do next."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, NamedTuple

from tilewise.checking import check_board, known_distance
from tilewise.core.build_context import BuildContext
from tilewise.core.limits import Limits
from tilewise.core.registry import build_heuristic
from tilewise.core.result import Result, Status
from tilewise.errors import BoardError, LimitsError, shortened
from tilewise.hints import GROUND, Way, hint, way_home
from tilewise.puzzle import formats, parity
from tilewise.puzzle.board import Board, Goal, Move
from tilewise.puzzle.shapes import read_shape
from tilewise.scrambling import scramble as draw
from tilewise.solving import choose_goal
from tilewise.web.budgets import MEGABYTE, Budgets
from tilewise.web.job_queue import Job
from tilewise.web.requests import AskedBoard, AskedDistance, AskedHint, AskedScramble, Position

MOST_EXPLAINED_CELLS = 100
MOST_SECONDS = 5.0
"""Nobody waits longer for a distance, a hint or a scramble."""
LARGEST_SEED = 2**53 - 1
"""The page's numbers are exact up to here."""


class Placed(NamedTuple):
    """A board that was read, the notation it came in, its goal and what there is to say of that."""

    board: Board
    notation: str
    goal: Goal
    note: str | None


def as_text(given: str | list[list[int]]) -> str:
    """A board as text; rows are written as JSON, which is one of the notations."""
    return given if isinstance(given, str) else json.dumps(given)


def read(asked: Position) -> Placed:
    """The board and the goal of a request, read as the command line does."""
    text = as_text(asked.board)
    understood = formats.read(text)
    board = Board.from_reading(understood, text)
    preferred = formats.notation(understood.notation).goal or "first"
    goal, note = choose_goal(board, as_text(asked.goal), preferred)
    return Placed(board, understood.notation, goal, note)


def told_board(board: Board) -> dict[str, Any]:
    """A board as the page gets it."""
    return {
        "rows": board.rows,
        "columns": board.columns,
        "tiles": list(board.tiles),
        "text": str(board),
    }


def told_goal(goal: Goal) -> dict[str, Any]:
    """A goal as the page gets it."""
    return {**told_board(goal.board), "name": goal.name}


def told_explanation(board: Board, goal: Goal) -> dict[str, Any]:
    """Why a board cannot be solved, in words and in numbers to draw."""
    small = len(board.tiles) <= MOST_EXPLAINED_CELLS
    return {
        "summary": parity.why_unsolvable(board, goal),
        "text": parity.explain(board, goal) if small else parity.why_unsolvable(board, goal),
        "swaps": goal.swaps_from(board),
        "blank_steps": goal.blank_steps_from(board),
        "cycles": goal.cycles_from(board),
        "mends": [
            {"swap": [first, second], "board": told_board(mended)}
            for first, second, mended in (parity.nearest_solvable(board, goal) if small else ())
        ],
    }


def about_board(asked: AskedBoard, budgets: Budgets, job: Job) -> dict[str, Any]:
    """What a text means, and what is known about the board at once."""
    placed = read(asked)
    board, goal = placed.board, placed.goal
    solvable = goal.reachable_from(board)
    context = budgets.build_context(job.stop.is_set)
    checked = check_board(board, goal, context) if asked.heuristics else None
    return {
        "board": told_board(board),
        "notation": placed.notation,
        "goal": told_goal(goal),
        "note": placed.note,
        "solvable": solvable,
        "solved": board == goal.board,
        "legal_moves": [move.value for move in board.legal_moves()],
        "explanation": None if solvable else told_explanation(board, goal),
        "distance": known_distance(board, goal, context),
        "lower_bound": checked.lower_bound if checked else build_heuristic(GROUND, goal)(board),
        "heuristics": [
            {"name": h.name, "value": h.value, "admissible": h.admissible, "why_not": h.why_not}
            for h in (checked.heuristics if checked else ())
        ],
        "notations": {each.name: _written(board, each.name) for each in formats.NOTATIONS},
    }


def _written(board: Board, notation: str) -> str | None:
    try:
        return board.to(notation)
    except BoardError:
        return None


def about_distance(asked: AskedDistance, budgets: Budgets, job: Job) -> dict[str, Any]:
    """Moves from here; after each legal move too, where that is known at once."""
    placed = read(asked)
    board, goal = placed.board, placed.goal
    solvable = goal.reachable_from(board)
    way = _way(placed, asked.seconds, budgets, job) if solvable else None
    context = budgets.build_context(job.stop.is_set)
    moves = [_step(board, move, way, goal, context) for move in board.legal_moves()] if way else []
    nearer = None if way is None or not way.distance else way.distance - 1
    return {
        "distance": way.distance if way else None,
        "exact": way is None or way.distance is not None,
        "lower_bound": way.lower_bound if way else 0,
        "upper_bound": len(way.moves) if way and way.moves is not None else None,
        "method": way.method if way else "parity",
        "solvable": solvable,
        "solved": board == goal.board,
        "best": [
            step["move"] for step in moves if nearer is not None and step["distance"] == nearer
        ],
        "moves": moves,
    }


def _step(
    board: Board, move: Move, way: Way | None, goal: Goal, context: BuildContext
) -> dict[str, Any]:
    after = board.move(move)
    distance = None
    if way and way.method == "table":
        distance = known_distance(after, goal, context)
    elif way and way.distance and way.moves and way.moves[0] == move.value:
        distance = way.distance - 1
    return {"move": move.value, "tile": after.tiles[board.blank], "distance": distance}


def _way(placed: Placed, seconds: float, budgets: Budgets, job: Job) -> Way:
    """The way to the goal, within a time that people wait for."""
    if seconds > MOST_SECONDS:
        raise LimitsError(
            f"expected at most {MOST_SECONDS:g} for seconds, got {shortened(seconds)}"
        )
    limits = Limits(seconds=seconds, memory=budgets.memory * MEGABYTE)
    way = way_home(
        placed.board,
        placed.goal,
        limits,
        cancel=job.stop,
        progress=job.watch,
        context=budgets.build_context(job.stop.is_set),
    )
    if way.method == "cancelled":
        job.check()
    return way


def stopped_or_done(job: Job, result: Result) -> Result:
    """The result of a search, unless it was stopped from outside."""
    if result.status is Status.CANCELLED:
        job.check()
    return result


def about_hint(asked: AskedHint, budgets: Budgets, job: Job) -> dict[str, Any]:
    """The next step, told in part: the distance, where to look, which tile, the moves."""
    placed = read(asked)
    way = _way(placed, asked.seconds, budgets, job)
    told = asdict(hint(placed.board, way, asked.level))
    return {**told, "distance": way.distance, "exact": way.distance is not None}


def about_scramble(asked: AskedScramble, budgets: Budgets, job: Job) -> dict[str, Any]:
    """Boards drawn at random."""
    budgets.check(walk=asked.walk)
    if not 1 <= asked.count <= budgets.boards:
        raise LimitsError(f"expected a count from 1 to {budgets.boards}, got {asked.count}")
    if asked.seconds > MOST_SECONDS:
        raise LimitsError(
            f"expected at most {MOST_SECONDS:g} for seconds, got {shortened(asked.seconds)}"
        )
    if asked.seed is not None and asked.seed > LARGEST_SEED:
        raise LimitsError(f"expected a seed of at most {LARGEST_SEED:,}, got {asked.seed}")
    goal_text = as_text(asked.goal)
    rows, columns = read_shape(asked.shape)
    goal = Goal.named("first" if goal_text == "auto" else goal_text, rows, columns)
    boards = draw(
        f"{rows}x{columns}",
        goal=goal,
        depth=asked.depth,
        walk=asked.walk,
        repeats=asked.repeats,
        count=asked.count,
        distinct=asked.distinct,
        seed=asked.seed,
        seconds=asked.seconds / asked.count,
        context=budgets.build_context(job.stop.is_set),
    )
    found = []
    for board in boards:
        job.check()
        found.append(told_board(board))
    return {
        "boards": found,
        "goal": told_goal(boards.goal),
        "seed": boards.seed,
        "uniform": boards.uniform,
        "gave_up": boards.gave_up,
    }
