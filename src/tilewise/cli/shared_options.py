"""Arguments and options that several commands have, each described once.

A command uses one as a decorator, `@shared.goal()`, and may give it a help text or a default of
its own: `@shared.seconds(help="Stop each search after S seconds.")`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

from tilewise.cli.numbers import LARGEST_SEED, Memory, Nodes, Seconds, Whole
from tilewise.errors import SpecError, shortened
from tilewise.plain_functions import with_functions_of_files
from tilewise.plugins import load_file
from tilewise.quantities import COUNT_EXAMPLES, MEMORY_EXAMPLES, TIME_EXAMPLES

F = TypeVar("F", bound=Callable[..., Any])


def _load_files(ctx: click.Context, _: click.Parameter, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Load the files before any name is looked up, but not while a shell completes a word."""
    for path in () if ctx.resilient_parsing else paths:
        load_file(path)
    return paths


def _functions(
    ctx: click.Context, _: click.Parameter, given: str | tuple[str, ...] | None
) -> str | tuple[str, ...] | None:
    """Load functions that are named by FILE.py:NAME, so that the specs have their names."""
    if given is None or ctx.resilient_parsing:
        return given
    if isinstance(given, str):
        return with_functions_of_files(given)
    return tuple(map(with_functions_of_files, given))


def _perspective(_: click.Context, param: click.Parameter, word: str | None) -> str | None:
    if word not in (None, "blank", "tile"):
        raise SpecError(f"expected {param.opts[0]} blank or tile, got {shortened(word)}")
    return word


def _course(ctx: click.Context, _: click.Parameter, text: str | None) -> str | None:
    """The name of the course that a name or a file means; a file is read, and known from then on.

    Late: few commands need the courses, and reading a file needs the extra lab.
    """
    if text is None or ctx.resilient_parsing:
        return None
    from tilewise.courses.files import find_course

    return find_course(text, python=True).name


def max_nodes(
    *, help: str = "Stop after exactly N generated nodes.", default: int | None = None
) -> Callable[[F], F]:
    """A number of nodes; the help shows how it may be written."""
    return click.option(
        "--max-nodes",
        metavar="N",
        type=Nodes(),
        default=default,
        help=f"{help.rstrip('.')}: 5000, {COUNT_EXAMPLES}.",
    )


def seconds(
    *, help: str = "Stop after S seconds.", default: float | None = None
) -> Callable[[F], F]:
    """A time; the help shows how it may be written."""
    return click.option(
        "--seconds",
        metavar="S",
        type=Seconds(),
        default=default,
        help=f"{help} S: {TIME_EXAMPLES}.",
    )


memory = partial(
    click.option,
    "--memory",
    metavar="SIZE",
    type=Memory(),
    help=f"Stop at SIZE: {MEMORY_EXAMPLES} (default: half of the machine's memory).",
)
board = partial(
    click.argument, "board", metavar="BOARD", help="In any notation (tilewise list formats)."
)
algorithm = partial(
    click.option, "--algorithm", "-a", metavar="SPEC", help="astar, beam(width=10) ..."
)
heuristic = partial(
    click.option,
    "--heuristic",
    "-H",
    metavar="SPEC",
    callback=_functions,
    help="manhattan, max(h1, h2), FILE.py:FUNCTION ...",
)
rules = partial(
    click.option,
    "--rules",
    metavar="RULES",
    help="A name such as fifo, or knobs: order=LRUD,ties=fifo.",
)
profile = partial(
    click.option,
    "--profile",
    metavar="COURSE",
    callback=_course,
    help="A course's search: a name (tilewise course list) or a file such as my_course.toml.",
)
engine = partial(
    click.option, "--engine", metavar="NAME", default="auto", help="auto, python or native."
)
goal = partial(
    click.option,
    "--goal",
    metavar="GOAL",
    default="auto",
    help="auto, first, last, snail or a board.",
)
goal_of_shape = partial(
    click.option, "--goal", metavar="GOAL", default="first", help="first, last, snail or a board."
)
seed = partial(
    click.option,
    "--seed",
    metavar="N",
    type=Whole(0, LARGEST_SEED),
    help="The same seed gives the same boards.",
)
depth = partial(click.option, "--depth", metavar="D", type=Whole(0, 10**9))
moves = partial(
    click.option,
    "--moves",
    metavar="blank|tile",
    default="blank",
    callback=_perspective,
    help="Name the moves of the blank or those of the tile.",
)
file = partial(click.option, "--file", metavar="FILE|-")
as_json = partial(click.option, "--json", "as_json", is_flag=True, help="One JSON object.")
load = partial(
    click.option,
    "--load",
    metavar="FILE.py",
    multiple=True,
    is_eager=True,
    expose_value=False,
    callback=_load_files,
    help="Load your own heuristics and algorithms first.",
)
