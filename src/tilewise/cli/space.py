"""`tilewise space`: the whole state space of a small shape."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click

from tilewise.cli import commands, render
from tilewise.cli import shared_options as shared
from tilewise.cli.bars import bar
from tilewise.cli.progress import shown_tables
from tilewise.puzzle.position import text_for
from tilewise.puzzle.shapes import goal_of_shape
from tilewise.tables.distances.spaces import Space
from tilewise.tables.distances.spaces import space as explore

MOST_SHOWN = 10
WIDEST_BAR = 60


@commands.command()
@click.argument("shape", metavar="SHAPE", help="3x3, 2x5, ... up to 3x4 and 2x6.")
@shared.goal_of_shape()
@shared.as_json()
def space(shape: str, goal: str, as_json: bool) -> None:
    """Count the boards of a shape by depth, and name the hardest.

    The depth of a board is the number of moves of its shortest solutions.
    Shapes of up to 12 cells; exit code 2 for larger ones. From 2x5 on the table is kept in the
    cache (tilewise pdb list), 32 MB for 3x4.

    Examples:

    tilewise space 3x3

    tilewise space 2x4 --goal last

    tilewise space 3x4 --json
    """
    found = explore(goal_of_shape(shape, goal), shown_tables())
    if as_json:
        print(json.dumps(found.to_dict()))
        return
    for line in _lines(found, render.terminal_width()):
        print(line)


def _lines(found: Space, width: int) -> Iterator[str]:
    yield f"{found.goal.board.shape}, goal {found.goal.name}: {found.states:,} boards"
    yield f"depth: at most {found.maximum}, {found.mean:.2f} on average"
    yield ""
    most = max(found.levels)
    digits = max(len("boards"), len(f"{most:,}"))
    bar_width = min(WIDEST_BAR, width - len("depth") - digits - 4)
    yield f"depth  {'boards':>{digits}}"
    for depth, boards in enumerate(found.levels):
        yield f"{depth:>5}  {boards:>{digits},}  {bar(boards / most, bar_width)}"
    yield ""
    yield _title(found)
    for board in found.hardest[:MOST_SHOWN]:
        yield f"  {text_for(board, found.goal)}"


def _title(found: Space) -> str:
    count = len(found.hardest)
    if count == 1:
        return f"the hardest board ({found.maximum} moves):"
    shown = f", the first {MOST_SHOWN} of {count:,}" if count > MOST_SHOWN else ""
    return f"the hardest boards ({found.maximum} moves{shown}):"
