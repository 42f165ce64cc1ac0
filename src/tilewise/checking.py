"""check_board() and check_path(): facts about a board, and whether a path solves it."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.entries import HeuristicEntry
from tilewise.core.limits import Limits, Progress
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.registry import HEURISTICS
from tilewise.defaults import PATIENCE
from tilewise.errors import CancelledError, MoveError, TableError, TilewiseError
from tilewise.puzzle import formats
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.position import Position, WantedGoal, read_position
from tilewise.solving import solve
from tilewise.tables.distances import distance_table

LEAST_SECONDS = 1e-3
"""What the search for the optimum gets when the tables have used the time up."""


@dataclass(frozen=True)
class HeuristicValue:
    """What a heuristic says of a board, or why it says nothing.

    Example:
        >>> check_board("8b6 547 231").heuristics[0]
        HeuristicValue(name='gaschnig', value=9, admissible=True, why_not=None, built_in=True)
    """

    name: str
    """The heuristic."""
    value: int | None
    """Its value, None where it has none."""
    admissible: bool
    """Whether it never exceeds the distance."""
    why_not: str | None = None
    """Why there is no value."""
    built_in: bool = False
    """Whether it comes with tilewise."""


@dataclass(frozen=True)
class BoardCheck:
    """What `check_board` finds out.

    Example:
        >>> checked = check_board("1b2 345 687")
        >>> checked.solvable, checked.distance
        (False, None)
    """

    board: Board
    """The board."""
    goal: Goal
    """The goal that was taken."""
    solvable: bool
    """Whether moves lead from the board to the goal."""
    distance: int | None
    """The length of a shortest solution, None where it is not known at once."""
    heuristics: tuple[HeuristicValue, ...]
    """The value of every registered heuristic."""
    note: str | None = None
    """A remark about the goal, as in `Position`."""

    @property
    def lower_bound(self) -> int:
        """The largest value of a heuristic that never overestimates.

        What others than tilewise declare proves nothing.
        """
        proved = [each for each in self.heuristics if each.admissible and each.built_in]
        return max([each.value or 0 for each in proved], default=0)


def check_board(
    board: Position | Board | str,
    goal: WantedGoal = None,
    context: BuildContext = DEFAULT_CONTEXT,
    seconds: float | None = None,
) -> BoardCheck:
    """Find out whether a board can reach the goal, its distance, and every heuristic's value.

    Args:
        board: A board, a position or a text.
        goal: As for `solve`.
        context: How tables may be built.
        seconds: What is not built by then is left out.

    Raises:
        BoardError: The text is not a board.
        GoalError: The goal is unknown or has another shape.

    Example:
        >>> checked = check_board("8b6 547 231")
        >>> checked.solvable, checked.distance, checked.lower_bound
        (True, 31, 31)
    """
    position = read_position(board, goal)
    board, goal = position.board, position.goal
    solvable = goal.reachable_from(board)
    within = context.until(seconds)
    values = tuple(
        _value(entry, board, goal, solvable, within)
        for entry in HEURISTICS.values()
        if not entry.combines
    )
    distance = None
    with suppress(CancelledError):
        distance = known_distance(board, goal, within)
    context.check()
    return BoardCheck(board, goal, solvable, distance, values, position.note)


def known_distance(board: Board, goal: Goal, context: BuildContext = DEFAULT_CONTEXT) -> int | None:
    """The distance from a board to the goal where a table has it; None elsewhere."""
    if not goal.reachable_from(board):
        return None
    try:
        return distance_table(goal, context).distance(board.tiles)
    except TableError:
        return None


def _value(
    entry: HeuristicEntry, board: Board, goal: Goal, solvable: bool, context: BuildContext
) -> HeuristicValue:
    name, value, why_not = entry.name, None, None
    try:
        value = build_heuristic(name, goal, context)(board)
    except CancelledError:
        why_not = "the time was up before its tables were built"
    except TilewiseError as error:
        why_not = str(error) if solvable else "the goal cannot be reached"
    return HeuristicValue(name, value, entry.admissible, why_not, entry.built_in)


@dataclass(frozen=True)
class PathCheck:
    """A path, played on a board.

    Example:
        >>> played = check_path("312 475 68b", None, "RDRD")
        >>> played.legal, played.illegal_at, played.solves_as_tile_moves
        (False, 1, True)
    """

    moves: str
    """The path."""
    end: Board
    """Where it leads, or where its first illegal move was tried."""
    illegal_at: int | None
    """The number of the first illegal move, from 1."""
    passes_goal_at: int | None
    """After how many moves the goal was first met."""
    reaches_goal: bool
    """Whether the path ends at the goal."""
    optimum: int | None
    """The length of a shortest solution; None where it was not found within the limits."""
    lower_bound: int
    """At least this many moves are needed."""
    solves_as_tile_moves: bool
    """The path is no solution, but would be one if its letters named moves of the tiles."""

    @property
    def legal(self) -> bool:
        """Whether all its moves are legal."""
        return self.illegal_at is None

    @property
    def optimal(self) -> bool | None:
        """Whether no solution is shorter; None for what is no solution, and where unknown."""
        return None if self.too_long is None else self.too_long == 0

    @property
    def too_long(self) -> int | None:
        """Moves more than needed; None for what is no solution, and where unknown."""
        if not self.reaches_goal or self.optimum is None:
            return None
        return len(self.moves) - self.optimum


def check_path(
    board: Position | Board | str,
    goal: WantedGoal,
    moves: str,
    limits: Limits | None = None,
    *,
    optimum: int | None = None,
    progress: Progress | None = None,
    context: BuildContext = DEFAULT_CONTEXT,
) -> PathCheck:
    """Play the moves of the blank; if they solve the board, find out whether fewer could.

    Args:
        board: A board, a position or a text.
        goal: As for `solve`; None leaves it to the board.
        moves: Letters U D L R.
        limits: For the search of the optimum, where no table and no heuristic gives it. With
            none, ten seconds.
        optimum: The length of a shortest solution, where you know it.
        progress: Called with the counters of that search.
        context: How tables may be built.

    Raises:
        BoardError: The text is not a board.
        GoalError: The goal is unknown or has another shape.

    Example:
        >>> played = check_path("312 475 68b", None, "LULU")
        >>> played.reaches_goal, played.optimal
        (True, True)
    """
    position = read_position(board, goal)
    board, goal = position.board, position.goal
    end, illegal_at, passes_goal_at = _played(board, goal, moves)
    reaches = illegal_at is None and end == goal.board
    lower_bound, as_tile_moves = optimum or 0, False
    if reaches and optimum is None:
        optimum, lower_bound = _optimum(board, goal, len(moves), limits, progress, context)
    elif not reaches:
        optimum, lower_bound = None, 0
        opposite = formats.write_moves(moves, "letters", "tile")
        mirrored, illegal_mirrored, _ = _played(board, goal, opposite)
        as_tile_moves = illegal_mirrored is None and mirrored == goal.board
    return PathCheck(
        moves=moves,
        end=end,
        illegal_at=illegal_at,
        passes_goal_at=passes_goal_at,
        reaches_goal=reaches,
        optimum=optimum,
        lower_bound=lower_bound,
        solves_as_tile_moves=as_tile_moves,
    )


def _played(board: Board, goal: Goal, moves: str) -> tuple[Board, int | None, int | None]:
    """The last board, the number of the first illegal move, and when the goal was first met."""
    met = 0 if board == goal.board else None
    for number, move in enumerate(moves, start=1):
        try:
            board = board.move(move)
        except MoveError:
            return board, number, met
        if met is None and board == goal.board:
            met = number
    return board, None, met


def _optimum(
    board: Board,
    goal: Goal,
    length: int,
    limits: Limits | None,
    progress: Progress | None,
    context: BuildContext,
) -> tuple[int | None, int]:
    """The fewest moves, if they can be proved, and a number that is not more than they are."""
    limits, began = limits or Limits(), time.monotonic()
    checked = check_board(board, goal, context, limits.seconds)
    if checked.distance is not None:
        return checked.distance, checked.distance
    if checked.lower_bound == length:
        return length, length
    if limits == Limits():
        limits = Limits(seconds=PATIENCE)
    elif limits.seconds is not None:
        left = limits.seconds - (time.monotonic() - began)
        limits = replace(limits, seconds=max(left, LEAST_SECONDS))
    result = solve(
        board, goal=goal, algorithm="idastar", limits=limits, progress=progress, context=context
    )
    return result.cost, checked.lower_bound if result.cost is None else result.cost
