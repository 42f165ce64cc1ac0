"""A game: the current board, the moves made, and those that can be redone."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tilewise.puzzle.board import Board, Goal, Move


class Game:
    """One person's game on one board after the other.

    `note` is about the goal; `helped` is the number of moves that the program has made.
    """

    def __init__(
        self, start: Board, goal: Goal, more: Iterator[Board], note: str | None = None
    ) -> None:
        self.goal = goal
        self.note = note
        self._more = more
        self._begin(start)

    def _begin(self, start: Board) -> None:
        self.start = self.board = start
        self.done: list[Move] = []
        self._undone: list[Move] = []
        self.helped = 0
        self._began: float | None = None
        self._seconds = 0.0

    @property
    def solved(self) -> bool:
        return self.board == self.goal.board

    @property
    def seconds(self) -> float:
        """Since the first move; the clock stops at the goal."""
        if self._began is None or self.solved:
            return self._seconds
        return time.monotonic() - self._began

    def move(self, move: Move, *, by_program: bool = False) -> bool:
        """Move the blank, if it can go there."""
        if move not in self.board.legal_moves():
            return False
        self.helped += by_program
        if self._began is None:
            self._began = time.monotonic()
        self.board = self.board.move(move)
        self.done.append(move)
        self._undone.clear()
        if self.solved:
            self._seconds = time.monotonic() - self._began
        return True

    @property
    def ending(self) -> str:
        """What to say at the goal; what the program did is not counted for the player."""
        count = len(self.done)
        moves = f"{count} move{'' if count == 1 else 's'}"
        if not self.helped:
            return f"Solved in {moves}."
        if self.helped >= count:
            return f"Solved for you in {moves}."
        return f"Solved in {moves}, {self.helped} of them made for you."

    def slide(self, cell: int) -> int:
        """Slide the tile on a cell, and those between it and the blank, towards the blank.

        Returns how many tiles moved.
        """
        row, column = divmod(cell, self.board.columns)
        blank_row, blank_column = divmod(self.board.blank, self.board.columns)
        if row == blank_row:
            direction = Move.R if column > blank_column else Move.L
            count = abs(column - blank_column)
        elif column == blank_column:
            direction = Move.D if row > blank_row else Move.U
            count = abs(row - blank_row)
        else:
            return 0
        return sum(self.move(direction) for _ in range(count))

    def undo(self) -> bool:
        """Take the last move back."""
        if not self.done:
            return False
        move = self.done.pop()
        self.board = self.board.move(move.opposite)
        self._undone.append(move)
        return True

    def redo(self) -> bool:
        """Make the move again that was taken back last."""
        if not self._undone:
            return False
        move = self._undone.pop()
        self.board = self.board.move(move)
        self.done.append(move)
        return True

    def restart(self) -> None:
        """Back to the board at the start."""
        self._begin(self.start)

    def next(self) -> bool:
        """Go on to another scramble, if there is one."""
        board = next(self._more, None)
        if board is not None:
            self._begin(board)
        return board is not None
