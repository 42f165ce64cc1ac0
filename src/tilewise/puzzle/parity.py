"""Why a board cannot be solved, with its own numbers, and which similar boards can."""

from __future__ import annotations

from itertools import combinations

from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.position import board_text, text_for

MANY_CELLS = 25
"""Boards with more cells than this are not explained cycle by cycle."""


def why_unsolvable(board: Board, goal: Goal) -> str:
    """The parity argument in one line."""
    swaps, steps = goal.swaps_from(board), goal.blank_steps_from(board)
    return (
        f"no moves lead from {board_text(board, goal)} to {board_text(goal.board, goal)}: "
        f"the tiles are an "
        f"{_parity(swaps)} number of swaps away ({swaps}), the blank an {_parity(steps)} number "
        f"of steps ({steps}), and every move changes both parities at once"
    )


def explain(board: Board, goal: Goal) -> str:
    """The parity argument at length, with the nearest boards that can be solved."""
    swaps, steps = goal.swaps_from(board), goal.blank_steps_from(board)
    lines = [
        f"{board_text(board, goal)} cannot reach {board_text(goal.board, goal)}.",
        "A move swaps the blank with a tile and takes the blank one step, so the parity",
        "of the swaps still to make and the parity of the blank's way home change",
        "together.",
        f"Swaps:  {_swaps_in_words(board, goal)}, which is {_parity(swaps)}.",
        f"Blank:  {steps} step{'s' if steps != 1 else ''} from home, which is {_parity(steps)}.",
        "They differ here and agree on the goal, so no moves lead from one to the other.",
        "Lifting two tiles out and swapping them mends it. The nearest boards:",
    ]
    for first, second, mended in nearest_solvable(board, goal):
        lines.append(f"  {text_for(mended, goal)}   (swap {first} and {second})")
    return "\n".join(lines)


def nearest_solvable(board: Board, goal: Goal, most: int = 3) -> list[tuple[int, int, Board]]:
    """Boards that one swap of two tiles makes of an unsolvable one, most tiles home first."""
    candidates = []
    for first, second in combinations(range(1, len(board.tiles)), 2):
        tiles = list(board.tiles)
        i, j = tiles.index(first), tiles.index(second)
        tiles[i], tiles[j] = second, first
        at_home = sum(tile == goal.board.tiles[cell] for cell, tile in enumerate(tiles))
        candidates.append((-at_home, abs(i - j), first, second, tuple(tiles)))
    return [
        (first, second, Board.trusted(board.rows, board.columns, tiles))
        for _, _, first, second, tiles in sorted(candidates)[:most]
    ]


def _parity(number: int) -> str:
    return "odd" if number % 2 else "even"


def _swaps_in_words(board: Board, goal: Goal) -> str:
    cycles = goal.cycles_from(board)
    swaps = goal.swaps_from(board)
    if len(board.tiles) > MANY_CELLS:
        return f"{len(cycles)} cycles of tiles take {swaps} in all"
    shown = " ".join("(" + " ".join(str(t or "blank") for t in cycle) + ")" for cycle in cycles)
    return f"the cycles {shown or 'none'} take {swaps} in all"
