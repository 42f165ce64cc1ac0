"""Problem: what an algorithm sees of a puzzle. States are raw tuples of tiles, for speed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import itemgetter

from tilewise.errors import GoalError, MoveError
from tilewise.puzzle.board import Board, Goal, Move

State = tuple[int, ...]
Slide = tuple[str, Callable[[State], State]]

DEFAULT_ORDER = "UDLR"


class Problem:
    """What an algorithm sees of a puzzle: start and goal, and successors in a fixed order.

    States are plain tuples of tiles.

    Args:
        start: The board to begin at.
        goal: The goal.
        order: The order of successors: the letters U D L R in any order.

    Raises:
        GoalError: Start and goal have different shapes.

    Example:
        >>> problem = Problem(Board.parse("1b2 345 678"), Goal.blank_first(3, 3))
        >>> [move for move, state in problem.successors(problem.start)]
        ['D', 'L', 'R']
        >>> problem.replay("L") == problem.goal
        True
    """

    def __init__(self, start: Board, goal: Goal, order: str = DEFAULT_ORDER) -> None:
        if (start.rows, start.columns) != (goal.board.rows, goal.board.columns):
            raise GoalError(f"expected a goal of shape {start.shape}, got {goal.board.shape}")
        self.rows, self.columns = start.rows, start.columns
        self.start: State = start.tiles
        self.goal: State = goal.board.tiles
        self.order = order
        self._slides = _slides(start.rows, start.columns, order)

    def successors(self, state: State, last: str = "") -> list[tuple[str, State]]:
        """Moves and the states they lead to, without the move that takes `last` straight back."""
        return [(move, slide(state)) for move, slide in self._slides[last][state.index(0)]]

    def replay(self, moves: str) -> State:
        """The state after the moves, one after the other.

        Raises:
            MoveError: One of them is not legal.
        """
        tiles, blank = [*self.start], self.start.index(0)
        targets = _targets(self.rows, self.columns)
        for number, move in enumerate(moves, start=1):
            target = targets[blank].get(move)
            if target is None:
                raise MoveError(f"expected a legal move as number {number}, got {move!r}")
            tiles[blank] = tiles[target]
            blank = target
        tiles[blank] = 0
        return tuple(tiles)

    def states(self, moves: str) -> Iterator[State]:
        """The start and the state after each of the moves, which must be legal."""
        state, slides = self.start, _slides_by_move(self.rows, self.columns)
        yield state
        for move in moves:
            _, slide = slides[state.index(0)][move]
            state = slide(state)
            yield state

    def board(self, state: State) -> Board:
        """The state as people see it."""
        return Board.trusted(self.rows, self.columns, state)

    def reversed(self) -> Problem:
        """The same puzzle from the goal to the start."""
        return Problem(self.board(self.goal), Goal(self.board(self.start)), self.order)


@lru_cache(maxsize=64)
def _slides_by_move(
    rows: int, columns: int
) -> list[dict[str, tuple[int, Callable[[State], State]]]]:
    """By cell of the blank: each legal move with the blank's next cell and the swap."""
    cells = tuple(range(rows * columns))
    return [
        {move: (slide(cells).index(cell), slide) for move, slide in slides}
        for cell, slides in enumerate(_slides(rows, columns, DEFAULT_ORDER)[""])
    ]


@lru_cache(maxsize=64)
def _targets(rows: int, columns: int) -> list[dict[str, int]]:
    """By cell of the blank: the next one by each legal move."""
    return [
        {move: target for move, (target, _) in slides.items()}
        for slides in _slides_by_move(rows, columns)
    ]


@lru_cache(maxsize=64)
def _slides(rows: int, columns: int, order: str) -> dict[str, list[list[Slide]]]:
    """By last move and cell of the blank: the moves allowed, each with its swap as one C call."""
    table: dict[str, list[list[Slide]]] = {last: [] for last in ("", *Move)}
    for cell in range(rows * columns):
        row, column = divmod(cell, columns)
        slides: list[Slide] = []
        for move in map(Move, order):
            down, right = move.step
            if 0 <= row + down < rows and 0 <= column + right < columns:
                cells = list(range(rows * columns))
                target = cell + down * columns + right
                cells[cell], cells[target] = target, cell
                slides.append((move.value, itemgetter(*cells)))
        for last, by_cell in table.items():
            back = Move(last).opposite if last else None
            by_cell.append([slide for slide in slides if slide[0] != back])
    return table
