"""`tilewise compare`: one board, several searches, one table."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from tilewise.cli import commands, exit_codes, progress, render
from tilewise.cli import shared_options as shared
from tilewise.cli.compare_table import table_text
from tilewise.comparing import SORT_KEYS, pairings, ranked
from tilewise.comparing import compare as run
from tilewise.core.limits import Limits
from tilewise.core.result import Result, Status
from tilewise.errors import SpecError, shortened
from tilewise.puzzle.parity import explain
from tilewise.puzzle.position import Position, board_text, read_position

DEFAULT_NODES = 200_000
AS_GIVEN = "given"


@commands.command()
@shared.board()
@shared.algorithm(multiple=True, help="An algorithm; may be repeated.")
@shared.heuristic(multiple=True, help="A heuristic; may be repeated.")
@shared.goal()
@shared.rules()
@shared.max_nodes(default=DEFAULT_NODES, help="Stop each search after N generated nodes.")
@shared.seconds(help="Stop each search after S seconds.")
@shared.engine()
@click.option(
    "--sort", default=AS_GIVEN, metavar="KEY", help="given, cost, or a counter such as generated."
)
@shared.as_json(help="One JSON object a search.")
@shared.load()
def compare(
    board: str,
    algorithm: tuple[str, ...],
    heuristic: tuple[str, ...],
    goal: str,
    rules: str | None,
    max_nodes: int,
    seconds: float | None,
    engine: str,
    sort: str,
    as_json: bool,
) -> int:
    """Compare searches on one board: solution length and work done.

    Algorithms and heuristics named together are all combined. Algorithms
    alone run with their default heuristic, heuristics alone with A* (IDA*
    on boards of more than 10 cells). With neither: a usual dozen.
    Rules that an algorithm has no use for do not touch it.

    A search that reached its limit shows > and (limit) instead of a bar:
    how much more it would need is not known.

    Exit code: 0 when any of the searches solved the board, 2 bad input,
    10 unsolvable, 20 when none solved it.

    Examples:

    tilewise compare "8b6 547 231"

    tilewise compare "8b6 547 231" -a astar -a idastar -H manhattan -H gaschnig

    tilewise compare "8b6 547 231" -H mine -H linear_conflict --load mine.py

    tilewise compare "8b6 547 231" --sort generated --max-nodes 1000000
    """
    if sort not in (AS_GIVEN, *SORT_KEYS):
        raise SpecError(
            f"expected --sort {AS_GIVEN}, {', '.join(SORT_KEYS)}; got {shortened(sort)}"
        )
    limits = Limits(generated=max_nodes, seconds=seconds)
    position = read_position(board, goal)
    chosen = pairings(position.board, algorithm, heuristic)
    found: list[Result] = []
    tables = progress.shown_tables()
    runs = run(position, None, chosen, rules=rules, limits=limits, engine=engine, context=tables)
    line = progress.BoardsLine(len(chosen))
    try:
        for result in runs:
            found.append(result)
            line.advance()
    finally:
        line.clear()
    if sort != AS_GIVEN:
        found = ranked(found, sort)
    _show(found, position, as_json)
    return _code(found)


def _show(found: Sequence[Result], position: Position, as_json: bool) -> None:
    first = found[0]
    if as_json:
        for result in found:
            print(json.dumps(result.to_dict()))
    elif first.status is Status.UNSOLVABLE:
        print(explain(first.board, first.goal))
    else:
        if position.note:
            print(position.note)
        rules = "" if first.rules == "default" else f", rules {first.rules}"
        engines = " and ".join(sorted({result.engine for result in found}))
        board = board_text(position.board, position.goal)
        print(f"{board}, goal {position.goal.name}{rules}, {engines} engine")
        print(table_text(found, render.terminal_width()))


def _code(found: Sequence[Result]) -> int:
    return min(exit_codes.OF_STATUS[result.status] for result in found)
