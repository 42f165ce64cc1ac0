"""`tilewise improve`: a shorter solution from one that is given."""

from __future__ import annotations

import click

from tilewise import Limits
from tilewise.cli import commands, exit_codes, interrupts, progress
from tilewise.cli import shared_options as shared
from tilewise.cli.output import Show
from tilewise.improving import improve as improve_path
from tilewise.puzzle import formats
from tilewise.puzzle.position import read_position


@commands.command()
@shared.board()
@click.option(
    "--path", metavar="MOVES", required=True, help="The solution to shorten: ULDR, up left ..."
)
@shared.moves()
@shared.goal()
@shared.max_nodes()
@shared.seconds(help="Stop after S seconds (default: 10).")
@shared.as_json(help="One JSON object.")
def improve(
    board: str,
    path: str,
    moves: str,
    goal: str,
    max_nodes: int | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Make a solution shorter by solving parts of it again.

    The parts become longer and longer. The path may come from a person, from another program or
    from tilewise solve. Ctrl-C keeps the best so far. Exit code: 0 done, 2 bad input or a path
    that does not solve the board, 130 interrupted.

    Examples:

    tilewise improve "142 3b5 678" --path DULRUL

    tilewise improve "142 3b5 678" --path "down up left right up left"
    """
    position = read_position(board, goal)
    letters = formats.read_moves(path, moves)
    table = progress.IncumbentTable()
    try:
        result = improve_path(
            position,
            letters,
            limits=Limits(generated=max_nodes, seconds=seconds),
            progress=table,
            improved=table.improved,
        )
    finally:
        table.clear()
    Show(as_json, False, False, moves, None).alone(board, result, None)
    interrupts.keep_nothing()
    return exit_codes.OF_STATUS[result.status]
