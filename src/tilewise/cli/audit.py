"""`tilewise audit`: is a heuristic what it claims to be?"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

import click

from tilewise.cli import commands, exit_codes, render
from tilewise.cli import shared_options as shared
from tilewise.cli.bars import bar
from tilewise.cli.progress import WorkLine
from tilewise.diagnosis.audit import Audit, Examined, Violation
from tilewise.diagnosis.audit import audit as examine
from tilewise.diagnosis.audited import CLAIMS, read_audited
from tilewise.diagnosis.zoo import heuristic_of
from tilewise.puzzle.board import Goal
from tilewise.puzzle.position import text_for

WIDEST_BAR, MOST_ROWS, ENOUGH = 40, 24, 1000
"""Fewer states than the last are not worth a histogram."""


@commands.command()
@click.argument(
    "heuristic", metavar="HEURISTIC", help="FILE.py:NAME, a registered heuristic, or zoo:NAME."
)
@click.option(
    "--shape", multiple=True, metavar="SHAPE", help="3x3, 2x4, 2x5, 4x4 ...; may be repeated."
)
@shared.goal()
@click.option(
    "--takes",
    default="auto",
    metavar="WHAT",
    help="What your function takes: auto, board, tiles, grid, goal; board,goal; tiles,goal; "
    "grid,goal.",
)
@click.option(
    "--claims",
    metavar="WORDS",
    help="What must hold: admissible,consistent or one of them, or none.",
)
@shared.as_json()
@shared.load()
def audit(
    heuristic: str, shape: tuple[str, ...], goal: str, takes: str, claims: str | None, as_json: bool
) -> int:
    """Prove a heuristic admissible and consistent, or refute it.

    A heuristic that fails is refuted by the smallest counterexample. Every state of 3x3, 2x4,
    2x5 and smaller shapes is tried. Of larger ones, up to 16 cells: all states near the goal,
    random walks, and the 100 boards of Korf. Without --shape: 3x3 and 4x4.

    A function FILE.py:NAME is called with a Board if its parameter is
    called board, with a tuple of tiles if it is called tiles or state,
    with a list of rows if it is called grid; --takes says otherwise. With a
    second parameter it is given the goal as well. A function of a goal is
    one that makes the heuristic, as registered ones do.

    Exit code: 0 all claims hold, 1 a claim fails, 2 bad input.

    Examples:

    tilewise audit my_file.py:my_heuristic

    tilewise audit linear_conflict --shape 2x5

    tilewise audit my_file.py:h --takes tiles --goal last --claims admissible

    tilewise audit zoo:pairwise-conflicts
    """
    chosen = heuristic_of(heuristic, claims) or read_audited(heuristic, takes, claims)
    line = WorkLine("states")
    try:
        found = examine(chosen, shape or (), goal, line.show)
    finally:
        line.clear()
    if as_json:
        print(json.dumps(found.to_dict()))
    else:
        for text in _lines(found, render.terminal_width()):
            print(text)
    return exit_codes.OK if found.passed else exit_codes.FAILED


def _lines(found: Audit, width: int) -> Iterator[str]:
    claims = " and ".join(name for name in CLAIMS if name in found.claims) or "nothing"
    yield (
        f"{found.name}, claims to be {claims}" if found.claims else f"{found.name}, claims nothing"
    )
    for shape, reason in found.skipped.items():
        yield from textwrap.wrap(f"{shape} left out: {reason}", width, subsequent_indent="  ")
    for each in found.examined:
        yield ""
        yield from _section(each, width)
    if found.saving is not None:
        yield ""
        yield from textwrap.wrap(_saving(found), width, subsequent_indent="  ")
    yield ""
    yield from textwrap.wrap(found.verdict, width, subsequent_indent="  ", break_on_hyphens=False)


def _section(each: Examined, width: int) -> Iterator[str]:
    yield f"{each.goal.board.shape}, goal {each.goal.name}: {each.what}, {each.states:,}"
    for name in CLAIMS:
        if (each.mean_distance is None) if name == "admissible" else not each.edges:
            continue  # distances are not known here, or no two states are neighbours
        violation = each.violations.get(name)
        if violation is None:
            yield f"  {name:<12} yes"
        else:
            yield from _violation(name, violation, each.goal, width)
    share = f" of {each.mean_distance:.2f} moves" if each.mean_distance is not None else ""
    yield f"  {'mean':<12} {each.mean:.2f}{share}, {1e6 * each.seconds_per_call:.1f} us a call"
    if each.mean_distance is not None and "admissible" in each.violations:
        yield (
            f"  {'too large':<12} {each.too_large:,} states ({each.too_large / each.states:.1%}), "
            f"by {each.mean_excess:.2f} moves on average, {-min(each.errors)} at most"
        )
        yield f"  {'mean error':<12} {each.mean_error:.2f} moves"
    if each.mean_distance is not None and each.states >= ENOUGH:
        yield from _histogram(each, width)


def _violation(name: str, wrong: Violation, goal: Goal, width: int) -> Iterator[str]:
    board = text_for(wrong.board, goal)
    if name == "admissible":
        plural = "state is" if wrong.states == 1 else "states are"
        text = (
            f"NO: {wrong.states:,} {plural} overestimated; the nearest: {board}, "
            f"h = {wrong.h:g}, distance {wrong.distance}"
        )
    elif wrong.neighbour is None:
        text = f"NO: the goal {board} has h = {wrong.h:g}, not 0"
    else:
        neighbour = text_for(wrong.neighbour, goal)
        plural = "move changes" if wrong.states == 1 else "moves change"
        text = (
            f"NO: {wrong.states:,} {plural} h by more than 1; the nearest: {board}, "
            f"h = {wrong.h:g}, and {neighbour}, h = {wrong.neighbour_h:g}"
        )
    yield from textwrap.wrap(
        text,
        width,
        initial_indent=f"  {name:<12} ",
        subsequent_indent=" " * 15,
        break_on_hyphens=False,
    )


def _histogram(each: Examined, width: int) -> Iterator[str]:
    """How much the distance is underestimated, in rows of equal width."""
    low, high = min(each.errors), max(each.errors)
    even = len({error % 2 for error in each.errors}) == 1  # as of heuristics that keep parity
    step = 1 + even
    while (high - low) // step >= MOST_ROWS:
        step += 1 + even
    rows: dict[int, int] = {}
    for error, count in each.errors.items():
        place = (error - low) // step
        rows[place] = rows.get(place, 0) + count
    most = max(rows.values())
    digits = max(len("states"), len(f"{most:,}"))
    yield f"  {'too low by':<12} {'states':>{digits}}"
    for place in range(max(rows) + 1):
        start = low + place * step
        label = str(start) if step == 1 + even else f"{start} to {start + step - 1}"
        count = rows.get(place, 0)
        room = max(5, min(WIDEST_BAR, width - digits - 19))
        yield f"  {label:<12} {count:>{digits},}  {bar(count / most, room)}".rstrip()


def _saving(found: Audit) -> str:
    saving = found.saving
    if saving is None:
        return ""
    shape = found.examined[0].goal.board.shape
    text = (
        f"A* on {saving.boards} boards of {shape}: {saving.expanded:,} nodes expanded, "
        f"with Manhattan {saving.manhattan:,}: "
    )
    text += (
        f"{saving.share:.0%} saved"
        if saving.share >= 0
        else f"{saving.expanded / max(1, saving.manhattan):.1f} times as many"
    )
    if saving.limited:
        text += f"; {saving.limited} not solved within the limit"
    if saving.longer:
        text += f"; {saving.longer} solved with more moves than needed"
    return text
