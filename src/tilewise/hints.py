"""Hints for players: how far it is from here, and the next step, revealed bit by bit.

`find_route` plans; a `Guide` keeps the plans, so that following hints leads to the goal.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Event as CancelFlag
from threading import Lock
from typing import NamedTuple

from tilewise.checking import known_distance
from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.limits import Limits, Meter, Progress
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.result import Status
from tilewise.errors import CancelledError, LimitsError, TilewiseError
from tilewise.puzzle.board import Board, Goal, Move
from tilewise.puzzle.parity import why_unsolvable
from tilewise.puzzle.position import Position, WantedGoal, read_position
from tilewise.solving import solve

GROUND = "linear_conflict"
"""The heuristic that gives the lower bound of a distance: it needs no table for any shape."""
SHORTEST = 0.001
"""Seconds for a search when the table took all the time."""
LEVELS = 4
AREA_MOVES = 3
"""A hint about where to look covers this many of the next moves."""
AHEAD = 64
"""A plan is kept for this many of the boards that it passes next; each hint adds more."""
MOST_KEPT = 20_000
"""Boards with a plan that a guide keeps: some 10 MB."""
DIRECTIONS = {Move.U: "up", Move.D: "down", Move.L: "left", Move.R: "right"}
_VERTICAL, _HORIZONTAL = ("top", "middle", "bottom"), ("left", "middle", "right")


class Route(NamedTuple):
    """What is known about the route to the goal.

    Example:
        >>> find_route("312 475 68b", None, Limits()).method
        'table'
    """

    distance: int | None
    """The length of a shortest solution, or None."""
    lower_bound: int
    """At least this many moves are needed."""
    moves: str | None
    """A solution, a shortest one where the distance is known."""
    method: str
    """How they were found: `table`, `search`, `bound` or `cancelled`."""


def find_route(
    board: Position | Board | str,
    goal: WantedGoal,
    limits: Limits,
    *,
    cancel: CancelFlag | None = None,
    progress: Progress | None = None,
    context: BuildContext = DEFAULT_CONTEXT,
) -> Route:
    """Find a route to the goal: down a table, by a search, or as people solve it.

    Args:
        board: A board, a position or a text.
        goal: As for `solve`; None leaves it to the board.
        limits: The limits of the search.
        cancel: A flag that ends the search when it is set.
        progress: Called with the counters of the search.
        context: How tables may be built.

    Raises:
        TilewiseError: The board cannot be solved.

    Example:
        >>> find_route("312 475 68b", None, Limits())
        Route(distance=4, lower_bound=4, moves='LULU', method='table')
    """
    position = read_position(board, goal)
    board, goal = position.board, position.goal
    if not goal.reachable_from(board):
        raise TilewiseError(why_unsolvable(board, goal))
    meter = Meter(limits, len(board.tiles), cancel)
    try:
        known = known_distance(board, goal, context.within(meter))
    except CancelledError:
        if meter.cancelled:
            raise
        known = None
    if known is not None:
        return Route(known, known, _down(board, goal, known), "table")
    left = meter.seconds_left
    limits = limits if left is None else replace(limits, seconds=max(left, SHORTEST))
    result = solve(
        board, goal=goal, limits=limits, cancel=cancel, progress=progress, context=context
    )
    if result.optimal and result.cost is not None:
        return Route(result.cost, result.cost, result.moves, "search")
    method = "cancelled" if result.status is Status.CANCELLED else "bound"
    return Route(None, build_heuristic(GROUND, goal)(board), result.moves, method)


@dataclass(frozen=True, slots=True)
class _Plan:
    """The moves of a solution from number `done` on; `shortest`: no solution has fewer."""

    moves: str
    done: int
    shortest: bool

    @property
    def rest(self) -> str:
        return self.moves[self.done :]

    @property
    def length(self) -> int:
        return len(self.moves) - self.done


class Guide:
    """Keeps the plans it has given: who follows one meets its rest, or a shorter one.

    A new search at every board could come back to where it was, since each may find another
    solution that is not the shortest. A step aside makes a plan longer by one move at most.
    """

    def __init__(self) -> None:
        self._plans: OrderedDict[bytes, _Plan] = OrderedDict()
        self._lock = Lock()

    def route(
        self,
        board: Position | Board | str,
        goal: WantedGoal,
        limits: Limits,
        *,
        cancel: CancelFlag | None = None,
        progress: Progress | None = None,
        context: BuildContext = DEFAULT_CONTEXT,
    ) -> Route:
        """As `find_route`, but never longer than the plan that leads over this board."""
        position = read_position(board, goal)
        kept = self._kept(position.goal, position.board)
        if kept is not None and kept.distance is not None:
            return kept
        found = find_route(
            position, None, limits, cancel=cancel, progress=progress, context=context
        )
        if found.method in ("table", "cancelled"):  # a table leads home by itself
            return found
        shorter = kept is None or found.distance is not None or _longer(kept, found)
        best = found if kept is None or shorter else kept
        self._keep(position.goal, position.board, best)
        return best

    def _kept(self, goal: Goal, board: Board) -> Route | None:
        """The rest of a plan that passes here, or a step back to one."""
        with self._lock:
            plan = self._plans.get(_key(goal, board))
            beside = [
                (move.value, self._plans.get(_key(goal, board.move(move))))
                for move in board.legal_moves()
            ]
        if plan is not None and plan.shortest:
            return Route(plan.length, plan.length, plan.rest, "search")
        plans = [plan.rest] if plan is not None else []
        plans += [move + near.rest for move, near in beside if near is not None]
        if not plans:
            return None
        return Route(None, build_heuristic(GROUND, goal)(board), min(plans, key=len), "bound")

    def _keep(self, goal: Goal, board: Board, route: Route) -> None:
        """Note what is left of a plan at the boards that it passes next."""
        moves = route.moves or ""
        for done, move in enumerate(moves[:AHEAD]):
            key = _key(goal, board)
            plan = _Plan(moves, done, route.distance is not None)
            with self._lock:
                other = self._plans.get(key)
                if other is None or plan.shortest or plan.length < other.length:
                    self._plans[key] = plan
                self._plans.move_to_end(key)
                while len(self._plans) > MOST_KEPT:
                    self._plans.popitem(last=False)
            board = board.move(move)


def _key(goal: Goal, board: Board) -> bytes:
    """A board and its goal, packed: a guide keeps thousands of them."""
    return bytes((board.columns, *goal.board.tiles, *board.tiles))


def _longer(kept: Route, found: Route) -> bool:
    return found.moves is not None and len(found.moves) < len(kept.moves or "")


def _down(board: Board, goal: Goal, distance: int) -> str:
    """A shortest solution, down the table."""
    moves = []
    for left in range(distance - 1, -1, -1):
        move = next(m for m in board.legal_moves() if known_distance(board.move(m), goal) == left)
        board = board.move(move)
        moves.append(move.value)
    return "".join(moves)


@dataclass(frozen=True)
class Hint:
    """A hint in words, and what it gives away.

    Example:
        >>> board = Board.parse("312 475 68b")
        >>> hint(board, find_route(board, None, Limits()), 3)
        Hint(level=3, text='Move tile 8.', area=None, tile=8, move=None, moves=None)
    """

    level: int
    """1 to 4."""
    text: str
    """The hint for people."""
    area: list[int] | None = None
    """Cells to look at."""
    tile: int | None = None
    """The tile to move."""
    move: str | None = None
    """The next move of the blank."""
    moves: str | None = None
    """The whole solution."""


def hint(board: Board, route: Route, level: int) -> Hint:
    """Give a hint.

    Args:
        board: The board.
        route: What `find_route` found for it.
        level: 1 the distance, 2 where to look, 3 which tile, 4 the move.

    Raises:
        LimitsError: There is no such level.

    Example:
        >>> goal = Goal.blank_first(3, 3)
        >>> board = Board.parse("312 475 68b")
        >>> hint(board, find_route(board, goal, Limits()), 4).text
        'Move tile 8 right. 4 moves from here, and no fewer.'
    """
    if not 1 <= level <= LEVELS:
        raise LimitsError(f"expected a level from 1 to {LEVELS}, got {level}")
    if route.moves == "":
        return Hint(level, "This is the goal.")
    if route.moves is None:
        text = f"At least {route.lower_bound} moves are needed; no solution was found in time."
        return Hint(level, text)
    tile = board.move(route.moves[0]).tiles[board.blank]
    if level == 1:
        return Hint(level, length_in_words(route))
    if level == 2:
        area = _touched(board, route.moves[:AREA_MOVES])
        return Hint(level, f"Look at the {_region(board, area)}.", area=area)
    if level == 3:
        return Hint(level, f"Move tile {tile}.", tile=tile)
    text = f"Move tile {tile} {DIRECTIONS[Move(route.moves[0]).opposite]}. {length_in_words(route)}"
    return Hint(level, text, tile=tile, move=route.moves[0], moves=route.moves)


def length_in_words(route: Route) -> str:
    """How far it is, and how sure that is."""
    length = len(route.moves or "")
    moves = f"{length} move{'' if length == 1 else 's'}"
    if route.distance is not None:
        return f"{moves} from here, and no fewer."
    return f"{moves} from here the way people do it; the shortest solution was not found in time."


def _touched(board: Board, moves: str) -> list[int]:
    """The cells that the blank visits."""
    cells = {board.blank}
    for move in moves:
        board = board.move(move)
        cells.add(board.blank)
    return sorted(cells)


def _region(board: Board, cells: list[int]) -> str:
    """Where on the board the cells lie, in words."""
    row = sum(cell // board.columns for cell in cells) / len(cells) / (board.rows - 1)
    column = sum(cell % board.columns for cell in cells) / len(cells) / (board.columns - 1)
    up, across = _VERTICAL[min(2, int(row * 3))], _HORIZONTAL[min(2, int(column * 3))]
    return "middle" if up == across == "middle" else f"{up} {across}"
