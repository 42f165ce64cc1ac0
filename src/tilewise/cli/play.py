"""`tilewise play`: play in the terminal."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from tilewise.cli import commands, exit_codes, interrupts
from tilewise.cli import shared_options as shared
from tilewise.cli.progress import shown_tables
from tilewise.errors import BoardError, SpecError, TilewiseError
from tilewise.puzzle.board import Goal
from tilewise.puzzle.parity import why_unsolvable
from tilewise.puzzle.position import read_position
from tilewise.puzzle.shapes import read_shape
from tilewise.scrambling import scramble

if TYPE_CHECKING:
    from tilewise.play.game import Game

LARGEST_SIDE = 10
USUAL_GOAL = "last"


@commands.command()
@click.argument(
    "what", default="4x4", metavar="[SHAPE|BOARD]", help="3x3, 4x4 ..., or a board to play."
)
@shared.goal()
@shared.depth(help="Scramble to exactly D moves from the goal.")
@shared.seed()
def play(what: str, goal: str, depth: int | None, seed: int | None) -> int:
    """Play in the terminal, with hints and the solution on request.

    Arrow keys or the mouse move tiles; the keys say where the tile goes. The goal of a shape is
    last, the goal of the toy, unless another is named; that of a board is the one that tilewise
    solve takes. The goal is shown below the board.

    Examples:

    tilewise play

    tilewise play 3x3 --depth 10

    tilewise play "8b6 547 231"
    """
    game = new_game(
        what,
        goal,
        depth,
        seed,
    )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise SpecError("expected a terminal to play in, got something else")
    try:
        from tilewise.play.screen import PlayScreen
        from tilewise.play.terminal import as_it_is, is_gone
    except ModuleNotFoundError as error:
        raise SpecError(
            f"expected the extra play for the game, got no {error.name}: "
            "pip install 'tilewise[play]'"
        ) from None
    screen = PlayScreen(game)
    if os.name == "posix":
        screen.interrupted = _ending(as_it_is())
        screen.gone = is_gone
    screen.run()
    return screen.return_code or exit_codes.OK


def _ending(restore: Callable[[], None]) -> Callable[[], None]:
    """What Ctrl-C does, as a key and as a signal: the terminal is again what it was."""

    def end(*_: object) -> None:
        restore()
        interrupts.end()

    interrupts.keep()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    return end


def new_game(what: str, goal: str, depth: int | None, seed: int | None) -> Game:
    """A game on the board named, or on scrambles of the shape named."""
    from tilewise.play.game import Game

    try:
        rows, columns = read_shape(what)
    except BoardError as no_shape:
        return _on_board(what, goal, depth, no_shape)
    if max(rows, columns) > LARGEST_SIDE:
        raise BoardError(f"expected a shape up to {LARGEST_SIDE}x{LARGEST_SIDE}, got {what}")
    target = Goal.named(USUAL_GOAL if goal == "auto" else goal, rows, columns)
    boards = scramble(
        f"{rows}x{columns}",
        goal=target,
        depth=depth,
        seed=seed,
        count=10**6,
        context=shown_tables(),
    )
    first = next(boards, None)
    if first is None:
        raise TilewiseError(f"expected a board of depth {depth} within seconds, found none in time")
    return Game(first, target, boards)


def _on_board(text: str, goal: str, depth: int | None, no_shape: BoardError) -> Game:
    from tilewise.play.game import Game

    if text.count("x") == 1 and not any(mark in text for mark in ":,/ "):
        raise no_shape
    position = read_position(text, goal)
    board = position.board
    if depth is not None:
        raise SpecError("expected a shape with --depth D, got a board")
    if max(board.rows, board.columns) > LARGEST_SIDE:
        raise BoardError(f"expected a board up to {LARGEST_SIDE}x{LARGEST_SIDE}, got {board.shape}")
    if not position.solvable:
        raise TilewiseError(why_unsolvable(board, position.goal))
    return Game(board, position.goal, iter(()), position.note)
