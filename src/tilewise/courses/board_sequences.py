"""Boards that a text draws one below the other, and the moves between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tilewise.courses.answers import LONGEST_VALUE, MOST_MOVES, board_in
from tilewise.puzzle.board import Board

_ROW = re.compile(r"[\s|\[(,]*(?:\d{1,3}|[bB_.])(?:[\s|,;]+(?:\d{1,3}|[bB_.]))+[\s|\]),;]*")
_CELL = re.compile(r"\d{1,3}|[bB_.]")
SHORTEST = len("1 2")
"""The shortest row of a board."""
_RULE = re.compile(r"[\s|+=-]*[+=-]{3,}[\s|+=-]*")


def boards_in(
    lines: Sequence[str], shape: tuple[int, int] | None = None
) -> Iterator[tuple[int, Board]]:
    """Every board that rows of numbers draw, with the number of its last line from 1.

    Boards are square unless a shape is given; lines of dashes between rows do not count.
    """
    rows: list[str] = []
    columns = 0
    for number, line in enumerate(lines, start=1):
        if not SHORTEST <= len(line) <= LONGEST_VALUE or not _ROW.fullmatch(line):
            if rows and not _RULE.fullmatch(line[:LONGEST_VALUE]):
                rows = []
            continue
        cells = _CELL.findall(line)
        if rows and len(cells) != columns:
            rows = []
        columns = len(cells)
        rows.append(" ".join(cells))
        wanted = shape or (columns, columns)
        if columns == wanted[1] and len(rows) == wanted[0]:
            cells = _CELL.findall(" ".join(rows))
            board = board_in("\n".join(rows)) if len({*cells}) == len(cells) else None
            rows = []
            if board is not None:
                yield number, board


def moves_between(boards: Sequence[Board]) -> tuple[str | None, str | None]:
    """The moves that lead from each board to the next, or what is wrong with the boards.

    A board that is drawn twice in a row is one step only.
    """
    if len(boards) > MOST_MOVES:
        return None, f"expected at most {MOST_MOVES:,} boards, got {len(boards):,}"
    moves = []
    for number, (board, following) in enumerate(pairwise(boards), start=2):
        if board == following:
            continue
        fits = [move for move in board.legal_moves() if board.after(move) == following]
        if not fits:
            return None, f"board {number} does not follow from the one before it by one move"
        moves.append(fits[0])
    return "".join(moves), None
