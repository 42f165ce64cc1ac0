"""How the boards of a goal are seen by a model: the goal's blank on the first cell, wide shapes.

A model has values for one shape and one goal, with the blank on cell 0 and each tile named by its
home cell. Any goal with its blank in a corner is that goal, mirrored, with other names. From any
other goal the blank is walked to the nearest corner: the board there is the model's goal, and a
beam ends when it comes to the wanted one, which lies on the way or a few moves beyond.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tilewise.core.problem import State
from tilewise.puzzle.board import Board, Goal, Move

_MOVES = {move.step: move.value for move in Move}


@dataclass(frozen=True)
class ModelFrame:
    """The cells and tiles of a goal, as a model has them."""

    rows: int
    columns: int
    """The model's shape: no more rows than columns."""
    board_columns: int
    cell: tuple[int, ...]
    """For each cell of the board the model's."""
    home: tuple[int, ...]
    """For each tile its home cell in the model; the blank's is 0."""
    solved: bytes
    """The goal, as the model has it."""

    def homes(self, tiles: State) -> bytes:
        """A board as the model has it: for each cell the home of its tile."""
        homes = bytearray(len(tiles))
        for cell, tile in zip(self.cell, tiles, strict=True):
            homes[cell] = self.home[tile]
        return bytes(homes)

    def moves(self, start: State, path: bytes) -> str:
        """The moves of the blank, from the cells of the model that it goes to."""
        board_cell = {theirs: ours for ours, theirs in enumerate(self.cell)}
        at = divmod(start.index(0), self.board_columns)
        moves = []
        for cell in path:
            to = divmod(board_cell[cell], self.board_columns)
            moves.append(_MOVES[to[0] - at[0], to[1] - at[1]])
            at = to
        return "".join(moves)


@lru_cache(maxsize=256)
def frame_of(goal: Goal) -> ModelFrame:
    """The frame of a goal."""
    board = goal.board
    rows, columns = board.rows, board.columns
    row, column = divmod(board.blank, columns)
    bottom, right = row > rows - 1 - row, column > columns - 1 - column
    turned = rows > columns

    def seen(cell: int) -> int:
        down, across = divmod(cell, columns)
        down = rows - 1 - down if bottom else down
        across = columns - 1 - across if right else across
        return across * rows + down if turned else down * columns + across

    cells = tuple(seen(cell) for cell in range(rows * columns))
    corner = _blank_in_corner(board, bottom=bottom, right=right)
    home = [0] * (rows * columns)
    for cell, tile in enumerate(corner.tiles):
        home[tile] = cells[cell]
    shape = (columns, rows) if turned else (rows, columns)
    frame = ModelFrame(*shape, columns, cells, tuple(home), b"")
    return ModelFrame(*shape, columns, cells, tuple(home), frame.homes(board.tiles))


def _blank_in_corner(board: Board, *, bottom: bool, right: bool) -> Board:
    row, column = divmod(board.blank, board.columns)
    steps = (Move.D, board.rows - 1 - row) if bottom else (Move.U, row)
    across = (Move.R, board.columns - 1 - column) if right else (Move.L, column)
    for move, count in (steps, across):
        for _ in range(count):
            board = board.move(move)
    return board
