"""`tilewise scramble`: boards drawn at random."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable

import click

from tilewise.cli import commands, exit_codes, progress
from tilewise.cli import shared_options as shared
from tilewise.cli.numbers import Whole
from tilewise.errors import SpecError
from tilewise.puzzle.board import Board
from tilewise.puzzle.position import board_text, text_for
from tilewise.scrambling import PATIENCE, Scrambles
from tilewise.scrambling import scramble as draw


@commands.command()
@click.argument("shape", metavar="SHAPE", help="3x3, 2x5, 4 (for 4x4) ...")
@click.option("--uniform", is_flag=True, help="Any board, each with the same chance (default).")
@shared.depth(help="Boards whose shortest solutions have D moves.")
@click.option(
    "--walk", metavar="N", type=Whole(0, 10**7), help="Where N random moves from the goal lead."
)
@click.option(
    "--repeats/--no-repeats",
    default=None,
    help="Whether a walk may enter a board twice (default: yes).",
)
@click.option(
    "--count", "-n", default="1", metavar="N", type=Whole(most=10**9), help="How many boards."
)
@click.option("--distinct", is_flag=True, help="No board twice.")
@shared.seed()
@shared.goal_of_shape()
@click.option("--to", metavar="FORMAT", help="A notation (tilewise list formats).")
@shared.seconds(
    help="Give up after S seconds for all boards together, tables included "
    f"(default: {PATIENCE:g} for each board, not counting tables)."
)
@shared.as_json(help="One JSON object per board, with the seed.")
def scramble(
    shape: str,
    uniform: bool,
    depth: int | None,
    walk: int | None,
    repeats: bool | None,
    count: int,
    distinct: bool,
    seed: int | None,
    goal: str,
    to: str | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Draw boards at random: one per line, all solvable.

    Without --depth or --walk every board that reaches the goal has the
    same chance. With --depth every board of that depth has the same chance
    on shapes of up to 12 cells (3x4, 2x6), and at small depths of larger
    shapes (up to 16 on 4x4).

    Deeper boards of larger shapes have exactly the depth named, proved by
    an optimal search, but not the same chance: they are taken from
    shortest solutions of random walks, so boards that such walks pass are
    more likely. With --json, "uniform" says which it was.

    The goal last is written in slidysim notation, whose goal it is. Where
    the notation would mean another goal, --goal stands behind the board, so
    that tilewise solve --file - always means the same goal.

    Exit code: 0, 2 bad input or a depth that no board has, 20 given up.

    Examples:

    tilewise scramble 3x3

    tilewise scramble 3x3 --depth 20 --count 5 --seed 1

    tilewise scramble 4x4 --walk 100 --no-repeats --to korf

    tilewise scramble 3x3 --depth 31 --count 2 --distinct
    """
    if sum([uniform, depth is not None, walk is not None]) > 1:
        raise SpecError("expected one of --uniform, --depth D and --walk N")
    if repeats is not None and walk is None:
        raise SpecError("expected --repeats and --no-repeats together with --walk N")
    boards = draw(
        shape,
        goal=goal,
        depth=depth,
        walk=walk,
        repeats=repeats is not False,
        count=count,
        distinct=distinct,
        seed=seed,
        seconds=seconds,
        context=progress.shown_tables(),
    )
    given = _write(boards, _writer(boards, to, {"depth": depth, "walk": walk} if as_json else None))
    if boards.gave_up:
        over = f"the {seconds:g} s were over" if seconds else f"the next one took {PATIENCE:g} s"
        print(
            f"tilewise: gave up after {given:,} of {count:,} boards: {over} "
            "(--seconds S gives it more time)",
            file=sys.stderr,
        )
        return exit_codes.LIMIT
    return exit_codes.OK


def _write(boards: Scrambles, text_of: Callable[[Board], str]) -> int:
    """Write board after board, an empty line between those of several lines; count them."""
    given = 0
    for given, board in enumerate(boards, start=1):
        text = text_of(board)
        sys.stdout.write("\n" * (given > 1 and "\n" in text) + text + "\n")
    return given


def _writer(
    boards: Scrambles, to: str | None, facts: dict[str, int | None] | None
) -> Callable[[Board], str]:
    """How a board is written: in the notation named, or in one that implies the goal.

    With facts: as a JSON object that has them, too.
    """
    goal = boards.goal

    def text_of(board: Board) -> str:
        if facts is None:
            return text_for(board, goal, to)
        text = board_text(board, goal, to)
        about = {"goal": goal.name, **facts, "uniform": boards.uniform, "seed": boards.seed}
        return json.dumps({"board": text, **about})

    return text_of
