"""check_board() and check_path(): facts about a board, and whether a path solves it."""

from __future__ import annotations

from dataclasses import dataclass

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.entries import HeuristicEntry
from tilewise.core.limits import Limits, Progress
from tilewise.core.registry import HEURISTICS, build_heuristic
from tilewise.errors import CancelledError, MoveError, TableError, TilewiseError
from tilewise.puzzle import formats
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.position import Position, WantedGoal, read_position
from tilewise.solving import PATIENCE, solve
from tilewise.tables.distances import distance_table


@dataclass(frozen=True)
class HeuristicValue:
    """What a heuristic says of a board, or why it says nothing."""

    name: str
    value: int | None
    admissible: bool
    why_not: str | None = None
    built_in: bool = False


@dataclass(frozen=True)
class BoardCheck:
    """A board against a goal. `distance` is None where it is not known at once.

    `note` is the remark about the goal, as in a position.
    """

    board: Board
    goal: Goal
    solvable: bool
    distance: int | None
    heuristics: tuple[HeuristicValue, ...]
    note: str | None = None

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
) -> BoardCheck:
    """Whether a board can reach the goal, its distance, and every heuristic's value.

    With no goal named, the one that `solve` takes.
    """
    position = read_position(board, goal)
    board, goal = position.board, position.goal
    solvable = goal.reachable_from(board)
    values = tuple(
        _value(entry, board, goal, solvable, context)
        for entry in HEURISTICS.values()
        if not entry.combines
    )
    distance = known_distance(board, goal, context)
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
        raise
    except TilewiseError as error:
        why_not = str(error) if solvable else "the goal cannot be reached"
    return HeuristicValue(name, value, entry.admissible, why_not, entry.built_in)


@dataclass(frozen=True)
class PathCheck:
    """A path, played on a board.

    `end` is where it leads, or where its first illegal move, number `illegal_at` counted from 1,
    was tried. `optimum` is None where it was not wanted or not found within the limits; at
    least `lower_bound` moves are needed in any case. `solves_as_tile_moves`: the path is no
    solution, but would be one if its letters named moves of the tiles.
    """

    moves: str
    end: Board
    illegal_at: int | None
    passes_goal_at: int | None
    reaches_goal: bool
    optimum: int | None
    lower_bound: int
    solves_as_tile_moves: bool

    @property
    def legal(self) -> bool:
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

    The optimum is the one given, where it is known; else it comes from a table, from a heuristic
    that admits no shorter solution, or from a search within the limits (10 seconds if none are
    given).
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
    checked = check_board(board, goal, context)
    if checked.distance is not None:
        return checked.distance, checked.distance
    if checked.lower_bound == length:
        return length, length
    limits = limits or Limits(seconds=PATIENCE)
    result = solve(
        board, goal=goal, algorithm="idastar", limits=limits, progress=progress, context=context
    )
    return result.cost, checked.lower_bound if result.cost is None else result.cost
