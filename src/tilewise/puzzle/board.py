"""The words of the domain: Board, Move and Goal. All three are immutable values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from tilewise.errors import BoardError, GoalError, MoveError, did_you_mean, shortened
from tilewise.puzzle import formats

MIN_SIDE, MAX_SIDE = 2, 16


class Move(StrEnum):
    """A direction of the blank. The order U D L R is the order of successors everywhere.

    Example:
        >>> Move.U.opposite, Move("L").step
        (<Move.D: 'D'>, (0, -1))
    """

    U = "U"
    """The blank goes up, a tile down."""
    D = "D"
    """The blank goes down, a tile up."""
    L = "L"
    """The blank goes left, a tile right."""
    R = "R"
    """The blank goes right, a tile left."""

    @property
    def opposite(self) -> Move:
        """The move that takes this one back; also the direction in which the tile slides."""
        return _OPPOSITE[self]

    @property
    def step(self) -> tuple[int, int]:
        """Rows down and columns right that the blank goes."""
        return _STEP[self]


COMPACT, FLAT = "eecs391", "columbia"
"""The notations of `str(board)`, for boards up to 3x3 and for larger ones."""
_OPPOSITE = {Move.U: Move.D, Move.D: Move.U, Move.L: Move.R, Move.R: Move.L}
_STEP = {Move.U: (-1, 0), Move.D: (1, 0), Move.L: (0, -1), Move.R: (0, 1)}


def way_back(moves: str) -> str:
    """The moves that lead from the end of a path to its beginning.

    >>> way_back("ULL")
    'RRD'
    """
    return "".join(Move(move).opposite.value for move in reversed(moves))


@dataclass(frozen=True)
class Board:
    """An arrangement of the tiles 0 (the blank) to rows * columns - 1, row by row.

    Immutable and hashable. `Board.parse(str(board)) == board`.

    Raises:
        BoardError: The shape is not 2x2 to 16x16, or the tiles are not each of them once.

    Example:
        >>> board = Board.parse("1b2 345 678")
        >>> board
        Board(rows=3, columns=3, tiles=(1, 0, 2, 3, 4, 5, 6, 7, 8))
        >>> print(board.move("L"))
        b12 345 678
    """

    rows: int
    """2 to 16."""
    columns: int
    """2 to 16."""
    tiles: tuple[int, ...]
    """Row by row; 0 is the blank."""

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "tiles", tuple(self.tiles))
        except TypeError:
            raise BoardError(f"expected a tuple of tiles, got {shortened(self.tiles)}") from None
        check_shape(self.rows, self.columns)
        _check_tiles(self.rows, self.columns, self.tiles)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read a board in any notation of `tilewise list formats`.

        Args:
            text: The board; its notation is found out.

        Raises:
            BoardError: The text is not a board; the message says what was expected and where.

        Example:
            >>> Board.parse("1 2 3/4 5 6/7 8 0") == Board.parse("[[1,2,3],[4,5,6],[7,8,0]]")
            True
        """
        return cls.from_reading(formats.read(text), text)

    @classmethod
    def from_reading(cls, reading: formats.Reading, text: str) -> Board:
        """A board from what a notation's reader understood; errors quote the text."""
        try:
            return cls(reading.rows, reading.columns, reading.tiles)
        except BoardError as error:
            raise BoardError(f"{error}: {shortened(text)}") from None

    @classmethod
    def trusted(cls, rows: int, columns: int, tiles: tuple[int, ...]) -> Board:
        """A board from tiles that are known to be right: successors of a board, say."""
        board = object.__new__(cls)
        board.__dict__.update(rows=rows, columns=columns, tiles=tiles)
        return board

    def __hash__(self) -> int:
        return hash(self.tiles)

    def to(self, notation: str) -> str:
        """Write the board in a notation.

        Args:
            notation: A name of `tilewise list formats`, such as `json` or `slidysim`.

        Raises:
            BoardError: The notation is unknown or cannot express this board.

        Example:
            >>> Board.parse("1b2 345 678").to("columbia")
            '1,0,2,3,4,5,6,7,8'
        """
        return formats.write(notation, self.rows, self.columns, self.tiles)

    def __str__(self) -> str:
        compact = self.rows <= 3 and self.columns <= 3
        return self.to(COMPACT if compact else FLAT)

    def _repr_svg_(self) -> str:
        """The board as notebooks show it."""
        from tilewise.drawing.svg import board_svg

        return board_svg(self.rows, self.columns, self.tiles)

    @property
    def shape(self) -> str:
        """Rows and columns as text: `3x3`."""
        return f"{self.rows}x{self.columns}"

    @cached_property
    def blank(self) -> int:
        """The cell of the blank, counted row by row from 0."""
        return self.tiles.index(0)

    def grid(self) -> Iterator[tuple[int, ...]]:
        """The rows from top to bottom."""
        for start in range(0, len(self.tiles), self.columns):
            yield self.tiles[start : start + self.columns]

    def legal_moves(self) -> tuple[Move, ...]:
        """The moves that keep the blank on the board, in the order U D L R."""
        return tuple(move for move in Move if self._target(move) is not None)

    def move(self, move: Move | str) -> Board:
        """The board after one move of the blank.

        Args:
            move: A `Move` or its letter.

        Raises:
            MoveError: The move is unknown or leaves the board.
        """
        if move not in Move.__members__:
            raise MoveError(f"expected a move U, D, L or R, got {shortened(move)}")
        target = self._target(Move(move))
        if target is None:
            legal = " ".join(self.legal_moves())
            raise MoveError(f"expected one of {legal} on {self}, got {Move(move)}")
        tiles = list(self.tiles)
        tiles[self.blank], tiles[target] = tiles[target], 0
        return Board.trusted(self.rows, self.columns, tuple(tiles))

    def after(self, moves: Iterable[Move | str]) -> Board:
        """The board after all the moves, one after the other.

        Args:
            moves: Letters, as in `"LULU"`, or `Move` values.

        Raises:
            MoveError: One of them is unknown or leaves the board.

        Example:
            >>> print(Board.parse("312 475 68b").after("LULU"))
            b12 345 678
        """
        board = self
        for move in moves:
            board = board.move(move)
        return board

    def _target(self, move: Move) -> int | None:
        down, right = move.step
        row, column = divmod(self.blank, self.columns)
        row, column = row + down, column + right
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return row * self.columns + column if inside else None


def check_shape(rows: int, columns: int) -> None:
    """Refuse shapes outside 2x2 to 16x16."""
    if type(rows) is not int or type(columns) is not int:
        raise BoardError(f"expected whole numbers of rows and columns, got {rows!r}, {columns!r}")
    if not (MIN_SIDE <= rows <= MAX_SIDE and MIN_SIDE <= columns <= MAX_SIDE):
        raise BoardError(
            f"expected {MIN_SIDE} to {MAX_SIDE} rows and columns, got a {rows}x{columns} board"
        )


def _check_tiles(rows: int, columns: int, tiles: tuple[int, ...]) -> None:
    cells = rows * columns
    if len(tiles) != cells:
        raise BoardError(f"expected {cells} tiles for a {rows}x{columns} board, got {len(tiles)}")
    first_at: dict[int, int] = {}
    for position, tile in enumerate(tiles, start=1):
        if type(tile) is not int or not 0 <= tile < cells:
            raise BoardError(
                f"expected tiles 0 to {cells - 1} on a {rows}x{columns} board, "
                f"got {shortened(tile)} at position {position}"
            )
        if tile in first_at:
            raise BoardError(
                f"expected each tile once on a {rows}x{columns} board, got "
                f"{tile or 'the blank'} at positions {first_at[tile]} and {position}"
            )
        first_at[tile] = position


@dataclass(frozen=True)
class Goal:
    """A board to reach.

    Raises:
        GoalError: What is given is not a `Board`.

    Example:
        >>> Goal.blank_last(3, 3).name, Goal(Board.parse("321 654 87b")).name
        ('last', '321 654 87b')
        >>> Goal.blank_first(3, 3).reachable_from(Board.parse("1b2 345 687"))
        False
    """

    board: Board
    """The board itself."""

    def __post_init__(self) -> None:
        if not isinstance(self.board, Board):
            raise GoalError(f"expected a Board as goal, got {shortened(self.board)}")

    def __hash__(self) -> int:
        return hash(self.board.tiles)

    @classmethod
    def of(cls, goal: Goal | Board) -> Goal:
        """A goal as it is, or the goal to reach a board."""
        return goal if isinstance(goal, Goal) else cls(goal)

    @classmethod
    def blank_first(cls, rows: int, columns: int) -> Goal:
        """0 1 2 3 ...: the goal of Korf's papers and of many courses."""
        check_shape(rows, columns)
        return cls(Board.trusted(rows, columns, tuple(range(rows * columns))))

    @classmethod
    def blank_last(cls, rows: int, columns: int) -> Goal:
        """1 2 3 ... 0: the goal of the toy."""
        check_shape(rows, columns)
        return cls(Board.trusted(rows, columns, (*range(1, rows * columns), 0)))

    @classmethod
    def snail(cls, rows: int, columns: int) -> Goal:
        """1 2 3 ... clockwise from the corner to the middle, the blank at the end of the spiral."""
        check_shape(rows, columns)
        tiles = [0] * (rows * columns)
        for number, cell in enumerate(_spiral(rows, columns), start=1):
            tiles[cell] = number % (rows * columns)
        return cls(Board.trusted(rows, columns, tuple(tiles)))

    @classmethod
    def named(cls, name: str, rows: int, columns: int) -> Goal:
        """The goal of a name, for a shape.

        Args:
            name: `first`, `last`, `snail`, or a board as text.
            rows: The rows of the shape.
            columns: The columns of the shape.

        Raises:
            GoalError: The name is unknown, or the board has another shape.
        """
        if name in NAMED_GOALS:
            return named_goals(rows, columns)[name]
        try:
            board = Board.parse(name)
        except BoardError as error:
            if name.isalpha():
                hint = did_you_mean(name, NAMED_GOALS)
                names = "auto, first, last, snail or a board"
                raise GoalError(f"expected a goal {names}, got {shortened(name)}{hint}") from None
            raise GoalError(f"expected a goal first, last, snail or a board; {error}") from None
        if (board.rows, board.columns) != (rows, columns):
            raise GoalError(
                f"expected a {rows}x{columns} goal for a {rows}x{columns} board, "
                f"got {board.shape}: {shortened(name)}"
            )
        return cls(board)

    @property
    def name(self) -> str:
        """`first`, `last` or `snail`; of any other goal, the text of its board."""
        rows, columns = self.board.rows, self.board.columns
        for name, goal in named_goals(rows, columns).items():
            if goal.board == self.board:
                return name
        return str(self.board)

    def reachable_from(self, board: Board) -> bool:
        """Whether moves lead from the board to this goal: a parity, in linear time.

        A move swaps the blank with a tile, so it changes the parity of the permutation,
        and it takes the blank one step, so it changes the parity of the blank's distance.

        Args:
            board: A board of the same shape.

        Raises:
            GoalError: The board has another shape.
        """
        if (board.rows, board.columns) != (self.board.rows, self.board.columns):
            raise GoalError(f"expected a {self.board.shape} board for this goal, got {board.shape}")
        return _parity_agrees(self.board.tiles, board.tiles, board.columns)

    def swaps_from(self, board: Board) -> int:
        """The fewest swaps of two tiles (the blank is a tile here) that make the goal."""
        return sum(len(cycle) - 1 for cycle in self.cycles_from(board))

    def cycles_from(self, board: Board) -> list[list[int]]:
        """The cycles of tiles, longer than one, that the permutation to the goal consists of."""
        cell_of = {tile: cell for cell, tile in enumerate(self.board.tiles)}
        seen: set[int] = set()
        cycles = []
        for tile in range(len(board.tiles)):
            cycle = []
            while tile not in seen:
                seen.add(tile)
                cycle.append(tile)
                tile = board.tiles[cell_of[tile]]
            if len(cycle) > 1:
                cycles.append(cycle)
        return cycles

    def blank_steps_from(self, board: Board) -> int:
        """Rows plus columns between the blank and its place."""
        return _steps(board.blank, self.board.blank, board.columns)


def _steps(cell: int, other: int, columns: int) -> int:
    """Rows plus columns between two cells."""
    row, column = divmod(cell, columns)
    other_row, other_column = divmod(other, columns)
    return abs(row - other_row) + abs(column - other_column)


@lru_cache(maxsize=1024)
def _parity_agrees(goal: tuple[int, ...], tiles: tuple[int, ...], columns: int) -> bool:
    homes = _homes(goal)
    to = [homes[tile] for tile in tiles]
    swaps = 0
    for cell in range(len(to)):
        while to[cell] != cell:  # each swap brings one tile home
            home = to[cell]
            to[cell], to[home] = to[home], home
            swaps += 1
    return swaps % 2 == _steps(tiles.index(0), homes[0], columns) % 2


@lru_cache(maxsize=64)
def _homes(tiles: tuple[int, ...]) -> tuple[int, ...]:
    """The cell of each tile."""
    return tuple(sorted(range(len(tiles)), key=tiles.__getitem__))


NAMED_GOALS = {"first": Goal.blank_first, "last": Goal.blank_last, "snail": Goal.snail}


@lru_cache(maxsize=64)
def named_goals(rows: int, columns: int) -> dict[str, Goal]:
    """The goals of a shape that have names."""
    return {name: make(rows, columns) for name, make in NAMED_GOALS.items()}


def _spiral(rows: int, columns: int) -> Iterator[int]:
    top, bottom, left, right = 0, rows - 1, 0, columns - 1
    while top <= bottom and left <= right:
        yield from (top * columns + column for column in range(left, right + 1))
        yield from (row * columns + right for row in range(top + 1, bottom + 1))
        if top < bottom and left < right:
            yield from (bottom * columns + column for column in range(right - 1, left - 1, -1))
            yield from (row * columns + left for row in range(bottom - 1, top, -1))
        top, bottom, left, right = top + 1, bottom - 1, left + 1, right - 1
