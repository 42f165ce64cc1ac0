"""`tilewise convert`: boards and moves from one notation to another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

import click

from tilewise.cli import board_input, commands, exit_codes
from tilewise.cli import shared_options as shared
from tilewise.errors import MoveError, SpecError, TilewiseError, shortened, visible
from tilewise.puzzle import formats
from tilewise.puzzle.board import Board
from tilewise.puzzle.position import GOAL_MARK, without_goal

STYLES = ", ".join(formats.MOVE_STYLES)
ONLY_STYLES = {"letters", "runs", "words"}
"""Styles of moves that cannot be meant as a notation of boards."""


@commands.command()
@click.argument("texts", nargs=-1, metavar="[BOARD|MOVES]...", help="Boards, or moves.")
@click.option("--to", metavar="FORMAT", help=f"A notation, or for moves {STYLES}.")
@click.option("--from", "from_", metavar="FORMAT", help="Read boards in this notation only.")
@click.option("--moves", is_flag=True, help="The texts are moves.")
@click.option(
    "--from-moves",
    metavar="blank|tile",
    help="The moves given are those of the blank or of the tile.",
)
@click.option(
    "--to-moves", metavar="blank|tile", help="Write the moves of the blank or of the tile."
)
@shared.file(help="Read boards from a file, or moves, one path per line.")
def convert(
    texts: tuple[str, ...],
    to: str | None,
    from_: str | None,
    moves: bool,
    from_moves: str | None,
    to_moves: str | None,
    file: str | None,
) -> int:
    """Write boards or moves in another notation.

    Boards are read in any notation and written in that of --to (tilewise
    list formats). A notation also stands for a goal: name it when you go on
    from, say, eecs391 (blank first) to slidysim (blank last).

    Moves are those of the blank. Programs that name the moves of the tiles
    use the opposite letters: --from-moves tile, --to-moves tile.

    Exit code: 0, 2 for what cannot be read or written.

    Examples:

    tilewise convert "8b6 547 231" --to slidysim

    tilewise convert --file boards.txt --to json

    tilewise convert "['Up', 'Left', 'Left']" --moves --to runs

    tilewise convert U3LD2R --from-moves tile --to-moves blank --to words
    """
    if (not texts) == (file is None):
        raise SpecError("expected boards or moves, or --file FILE: one of the two")
    if moves or from_moves or to_moves or to in ONLY_STYLES:
        if from_ is not None:
            raise SpecError("expected --from-moves blank or tile for moves, got --from")
        converted = _moves_converter(to or "letters", from_moves or "blank", to_moves or "blank")
        as_moves = True
    else:
        converted, as_moves = _board_converter(from_, to), False
    if file is None:
        _write(map(converted, texts))
        return exit_codes.OK
    return _convert_file(file, converted, as_moves)


def _board_converter(from_: str | None, to: str | None) -> Callable[[str], str]:
    known = ", ".join(each.name for each in formats.NOTATIONS)
    if to is None:
        raise SpecError(f"expected --to FORMAT, one of {known} (for moves: {STYLES})")
    target = formats.notation(to).name
    read = formats.read if from_ is None else formats.notation(from_).read

    def converted(text: str) -> str:
        if _is_moves(text):
            quoted = shortened(text)
            raise SpecError(f"expected a board, got moves (--moves converts them): {quoted}")
        board, goal = without_goal(text)
        mark = "" if goal is None else f" {GOAL_MARK} {goal}"
        return Board.from_reading(read(board), board).to(target) + mark

    return converted


def _moves_converter(style: str, read_as: str, write_as: str) -> Callable[[str], str]:
    formats.write_moves("", style, write_as)  # refuses what is unknown before anything is written
    formats.read_moves("", read_as)
    return lambda text: formats.write_moves(formats.read_moves(text, read_as), style, write_as)


def _is_moves(text: str) -> bool:
    try:
        return bool(formats.read_moves(text))
    except MoveError:
        return False


def _convert_file(path: str, converted: Callable[[str], str], as_moves: bool) -> int:
    """Convert entry after entry; one that cannot be is reported and the rest goes on."""
    codes = []

    def texts(found: Iterable[board_input.BoardEntry]) -> Iterator[str]:
        for entry in found:
            try:
                yield converted(entry.text)
                codes.append(exit_codes.OK)
            except TilewiseError as error:
                sys.stdout.flush()
                print(f"tilewise: error: {entry.place}: {error}", file=sys.stderr)
                codes.append(exit_codes.BAD_INPUT)

    with board_input.lines_of(path) as lines:
        _write(texts(_paths(path, lines) if as_moves else board_input.entries(path, lines)))
    if not codes:
        raise SpecError(f"expected a file with boards or moves, got none in {shortened(path)}")
    return max(codes)


def _paths(path: str, lines: Iterable[str]) -> Iterator[board_input.BoardEntry]:
    for number, line in enumerate(map(str.strip, lines), start=1):
        if line and not line.startswith("#"):
            yield board_input.BoardEntry(f"{visible(path)}:{number}", line)


def _write(texts: Iterable[str]) -> None:
    """One text a line; an empty line between those of several lines."""
    for number, text in enumerate(texts):
        sys.stdout.write("\n" * (number > 0 and "\n" in text) + text + "\n")
