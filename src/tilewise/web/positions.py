"""Responses about one board: what it is, how far it is from the goal, what to do next."""

from __future__ import annotations

import json

from tilewise.checking import check_board, known_distance
from tilewise.core.build_context import BuildContext
from tilewise.core.limits import Limits
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.registry import HEURISTICS
from tilewise.core.result import Result, Status
from tilewise.core.spec import Spec
from tilewise.errors import BoardError, LimitsError, SpecError, shortened
from tilewise.hints import GROUND, Guide, Route, hint
from tilewise.puzzle import formats
from tilewise.puzzle.board import Board, Goal, Move
from tilewise.puzzle.position import Position, read_position
from tilewise.puzzle.shapes import read_shape
from tilewise.scrambling import Scrambles
from tilewise.scrambling import scramble as draw
from tilewise.web.budgets import MEGABYTE, Budgets
from tilewise.web.job_queue import Job
from tilewise.web.levels import boards_of_level
from tilewise.web.requests import (
    BoardRequest,
    DistanceRequest,
    EstimateRequest,
    HintRequest,
    PositionRequest,
    ScrambleRequest,
)
from tilewise.web.responses import (
    BoardData,
    BoardResponse,
    DistanceResponse,
    EstimateResponse,
    GoalData,
    HeuristicEstimate,
    HintResponse,
    LegalMove,
    ParityExplanation,
    ScrambleResponse,
    ShareData,
)

MOST_SECONDS = 5.0
"""The longest that a distance, a hint or a scramble may take."""
LARGEST_SEED = 2**53 - 1
"""Numbers in JavaScript are exact up to here."""


def as_text(given: str | list[list[int]]) -> str:
    """A board as text; rows are written as JSON, which is one of the notations."""
    return given if isinstance(given, str) else json.dumps(given)


def read(request: PositionRequest) -> Position:
    """The board and the goal of a request, read as the command line does."""
    return read_position(as_text(request.board), as_text(request.goal))


def about_board(request: BoardRequest, budgets: Budgets, job: Job) -> BoardResponse:
    """What a text means, and what is known about the board at once."""
    placed = read(request)
    board, goal = placed.board, placed.goal
    solvable = goal.reachable_from(board)
    context = budgets.build_context(job.stopped)
    checked = check_board(board, goal, context) if request.heuristics else None
    return BoardResponse(
        board=BoardData.of(board),
        notation=str(placed.notation),
        goal=GoalData.of_goal(goal),
        note=placed.note,
        solvable=solvable,
        solved=board == goal.board,
        legal_moves=[move.value for move in board.legal_moves()],
        explanation=None if solvable else ParityExplanation.of(board, goal),
        distance=known_distance(board, goal, context),
        lower_bound=checked.lower_bound if checked else build_heuristic(GROUND, goal)(board),
        heuristics=[
            HeuristicEstimate.from_object(each) for each in (checked.heuristics if checked else ())
        ],
        notations={each.name: _written(board, each.name) for each in formats.NOTATIONS},
    )


def _written(board: Board, notation: str) -> str | None:
    try:
        return board.to(notation)
    except BoardError:
        return None


def about_distance(
    guide: Guide, request: DistanceRequest, budgets: Budgets, job: Job
) -> DistanceResponse:
    """Moves from here; after each legal move too, where that is known at once."""
    placed = read(request)
    board, goal = placed.board, placed.goal
    solvable = goal.reachable_from(board)
    route = _route(guide, placed, request.seconds, budgets, job) if solvable else None
    context = budgets.build_context(job.stopped)
    moves = (
        [_step(board, move, route, goal, context) for move in board.legal_moves()] if route else []
    )
    nearer = None if route is None or not route.distance else route.distance - 1
    return DistanceResponse(
        distance=route.distance if route else None,
        exact=route is None or route.distance is not None,
        lower_bound=route.lower_bound if route else 0,
        upper_bound=len(route.moves) if route and route.moves is not None else None,
        method=route.method if route else "parity",
        solvable=solvable,
        solved=board == goal.board,
        best=[step.move for step in moves if nearer is not None and step.distance == nearer],
        moves=moves,
    )


def _step(
    board: Board, move: Move, route: Route | None, goal: Goal, context: BuildContext
) -> LegalMove:
    after = board.move(move)
    distance = None
    if route and route.method == "table":
        distance = known_distance(after, goal, context)
    elif route and route.distance and route.moves and route.moves[0] == move.value:
        distance = route.distance - 1
    return LegalMove(move=move.value, tile=after.tiles[board.blank], distance=distance)


def _route(guide: Guide, placed: Position, seconds: float, budgets: Budgets, job: Job) -> Route:
    """The route to the goal, found within a few seconds."""
    if seconds > MOST_SECONDS:
        raise LimitsError(
            f"expected at most {MOST_SECONDS:g} for seconds, got {shortened(seconds)}"
        )
    limits = Limits(seconds=seconds, memory=budgets.memory * MEGABYTE)
    route = guide.route(
        placed,
        None,
        limits,
        cancel=job.stop,
        progress=job.watch,
        context=budgets.build_context(job.stopped),
    )
    if route.method == "cancelled":
        job.check()
    return route


def about_estimate(request: EstimateRequest, budgets: Budgets, job: Job) -> EstimateResponse:
    """The value of a heuristic, and what each tile or group of tiles adds to it."""
    placed = read(request)
    found = build_heuristic(request.heuristic, placed.goal, budgets.build_context(job.stopped))
    shares = HEURISTICS[Spec.parse(found.spec).name].shares
    state = placed.board.tiles
    given = None
    if shares is not None:
        found_shares = shares(placed.goal, found.estimate, state)
        given = [ShareData(tiles=list(s.tiles), value=s.value, why=s.why) for s in found_shares]
    return EstimateResponse(heuristic=found.spec, value=found(placed.board), shares=given)


def stopped_or_done(job: Job, result: Result) -> Result:
    """The result of a search, unless it was stopped from outside."""
    if result.status is Status.CANCELLED:
        job.check()
    return result


def about_hint(guide: Guide, request: HintRequest, budgets: Budgets, job: Job) -> HintResponse:
    """The next step in part: the distance, where to look, which tile, the moves."""
    placed = read(request)
    route = _route(guide, placed, request.seconds, budgets, job)
    exact = route.distance is not None
    given = hint(placed.board, route, request.level)
    return HintResponse.from_object(given, distance=route.distance, exact=exact)


def about_scramble(request: ScrambleRequest, budgets: Budgets, job: Job) -> ScrambleResponse:
    """Boards drawn at random."""
    budgets.check(walk=request.walk)
    if not 1 <= request.count <= budgets.boards:
        raise LimitsError(f"expected a count from 1 to {budgets.boards}, got {request.count}")
    if request.seconds > MOST_SECONDS:
        raise LimitsError(
            f"expected at most {MOST_SECONDS:g} for seconds, got {shortened(request.seconds)}"
        )
    if request.seed is not None and request.seed > LARGEST_SEED:
        raise LimitsError(f"expected a seed of at most {LARGEST_SEED:,}, got {request.seed}")
    goal_text = as_text(request.goal)
    rows, columns = read_shape(request.shape)
    goal = Goal.named("first" if goal_text == "auto" else goal_text, rows, columns)
    if request.level is not None:
        if request.depth is not None or request.walk is not None:
            raise SpecError("expected a level, a depth or a walk, got several of them")
        context = budgets.build_context(job.stopped)
        boards = boards_of_level(goal, request.level, request.count, request.seed, context)
        return _scrambles(boards, job)
    boards = draw(
        f"{rows}x{columns}",
        goal=goal,
        depth=request.depth,
        walk=request.walk,
        repeats=request.repeats,
        count=request.count,
        distinct=request.distinct,
        seed=request.seed,
        seconds=request.seconds,
        context=budgets.build_context(job.stopped),
    )
    return _scrambles(boards, job)


def _scrambles(boards: Scrambles, job: Job) -> ScrambleResponse:
    found = []
    for board in boards:
        job.poll()
        found.append(BoardData.of(board))
    return ScrambleResponse.from_object(boards, boards=found, goal=GoalData.of_goal(boards.goal))
