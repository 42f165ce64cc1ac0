"""`tilewise zoo`: wrong solvers and heuristics, to practise on."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

import click

from tilewise.cli import commands, exit_codes, render
from tilewise.cli import shared_options as shared
from tilewise.diagnosis.zoo import BOARD, ZOO, Creature, creature
from tilewise.errors import SpecError
from tilewise.puzzle.parity import explain
from tilewise.puzzle.position import board_text, read_position


@commands.command()
@click.argument(
    "name", required=False, metavar="[NAME]", help="One of the zoo; without, all of them."
)
@click.argument("board", required=False, metavar="[BOARD]", help="A board for a solver to solve.")
@shared.goal()
@shared.as_json(help="As JSON.")
def zoo(name: str | None, board: str | None, goal: str, as_json: bool) -> None:
    """Show the bug zoo: wrong solvers, and what betrays each.

    A solver prints what a homework would: its moves, its cost and the
    nodes it expanded. tilewise why finds its rules from the count. The
    heuristics are examined with tilewise audit zoo:NAME.

    Examples:

    tilewise zoo

    tilewise zoo pairwise-conflicts

    tilewise zoo g-forgotten 4,6,2,7,1,5,3,0,8
    """
    if name is None:
        _print_all(as_json)
        return
    found = creature(name)
    if board is not None and found.solver is None:
        raise SpecError(f"expected no board for the heuristic {name}: {found.command}")
    answer = _run(found, board, goal) if found.solver else None
    if as_json:
        print(json.dumps(_object(found) | ({"run": answer} if answer else {})))
        return
    for line in _card(found, answer, render.terminal_width()):
        print(line)


def _run(found: Creature, text: str | None, goal: str) -> dict[str, Any]:
    position = read_position(BOARD if text is None else text, goal)
    board, target = position.board, position.goal
    if not position.solvable:
        print(explain(board, target))
        raise click.exceptions.Exit(exit_codes.UNSOLVABLE)
    if found.solver is None:
        return {}
    printed = found.solver(board, target)
    return {
        "note": position.note,
        "board": board_text(board, target, one_word=True),
        "goal": target.name,
        "moves": printed.moves,
        "cost": printed.cost,
        "expanded": printed.expanded,
        "says": printed.says,
    }


def _object(found: Creature) -> dict[str, Any]:
    return {
        "name": found.name,
        "kind": found.kind,
        "wrong": found.wrong,
        "betrayed_by": found.betrayed_by,
    }


def _print_all(as_json: bool) -> None:
    if as_json:
        print(json.dumps([_object(each) for each in ZOO.values()], indent=2))
        return
    width = render.terminal_width()
    for kind in ("heuristic", "solver"):
        print(f"{kind}s")
        for each in ZOO.values():
            if each.kind == kind:
                for line in _wrapped(each.wrong, width, f"  {each.name:<25}"):
                    print(line)
        print()
    print("tilewise zoo NAME says what betrays it")


def _card(found: Creature, answer: dict[str, Any] | None, width: int) -> Iterator[str]:
    if answer and answer["note"]:
        yield answer["note"]
    yield f"{found.name} ({found.kind})"
    yield from _wrapped(found.wrong, width, f"  {'wrong':<13}")
    yield from _wrapped(found.betrayed_by, width, f"  {'betrayed by':<13}")
    yield from _wrapped(found.command, width, f"  {'try':<13}")
    if answer:
        yield ""
        yield f"on {answer['board']}, goal {answer['goal']}, it prints:"
        if answer["says"]:
            yield f"  {answer['says']}"
        else:
            yield from _wrapped(answer["moves"], width, f"  {'moves':<13}")
            yield f"  {'cost':<13}{answer['cost']}"
        yield f"  {'expanded':<13}{answer['expanded']}"


def _wrapped(text: str, width: int, first: str) -> list[str]:
    return textwrap.wrap(
        text,
        max(width, len(first) + 20),
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_on_hyphens=False,
    )
