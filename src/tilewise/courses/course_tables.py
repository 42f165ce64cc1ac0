"""The tables of a course file, as pydantic reads them: keys, types and limits."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Annotated, Literal

from tilewise.core.registry import ALGORITHMS
from tilewise.core.stats import COUNTERS
from tilewise.courses.answers import ITEMS
from tilewise.courses.printed_output import MOVE_STYLES
from tilewise.errors import SpecError, did_you_mean, shortened
from tilewise.puzzle import formats
from tilewise.toml_models import AfterValidator, Count, Field, TomlTable

METHOD = r"^[A-Za-z0-9][A-Za-z0-9_*+.() -]{0,39}$"
NAME = r"^[A-Za-z0-9][A-Za-z0-9_*+.-]{0,39}$"
MOST_METHODS, MOST_EXAMPLES, MOST_LINES = 50, 100, 20
LONGEST = 20_000
_TEXT = Annotated[str, Field(max_length=LONGEST)]
_LINES = Annotated[list[_TEXT], Field(max_length=MOST_LINES)]
MOST_POINTS, MOST_NODES_OFF = 1_000_000, 10**9
PERCENT = re.compile(r"\s*([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*%\s*")


def _known(name: str, names: Collection[str]) -> str:
    if name not in names:
        hint = did_you_mean(name, names)
        raise SpecError(f"expected {', '.join(names)}; got {shortened(name, 40)}{hint}")
    return name


def _item(name: str) -> str:
    return _known(name, ITEMS)


def _counter(name: str) -> str:
    return _known(name, [counter.name for counter in COUNTERS])


def _in_order(points: dict[str, float]) -> dict[str, float]:
    return {item: points[item] for item in ITEMS if item in points}


Item = Annotated[str, AfterValidator(_item)]
Points = Annotated[
    dict[Item, Annotated[int | float, Field(ge=0, le=MOST_POINTS)]], AfterValidator(_in_order)
]
"""Points for items of an answer, as assignments and course files give them."""
POINTS = f"a number from 0 to {MOST_POINTS:,}"
Tolerance = (
    Annotated[int, Field(ge=0, le=MOST_NODES_OFF)]
    | Annotated[str, Field(pattern=rf"^{PERCENT.pattern}$")]
)
"""How far a count may be off."""
TOLERANCE = f'a whole number from 0 to {MOST_NODES_OFF:,}, or a share as in "5%"'


class MethodTable(TomlTable):
    """One search of a course."""

    name: str = Field(
        pattern=METHOD, description="a name of letters, digits, spaces and - _ * + . such as A* h1"
    )
    algorithm: str = Field(
        min_length=1, description=f"an algorithm such as {', '.join(list(ALGORITHMS)[:3])}"
    )
    heuristic: str | None = Field(default=None, description="a heuristic such as manhattan")
    title: _TEXT = Field(default="", description="a text")
    aliases: _LINES = Field(default_factory=list, description="a list of texts")
    rules: str | None = Field(default=None, description="rules such as fifo or ties=oldest")


class OutputTable(TomlTable):
    """What the course's program prints."""

    solved: _TEXT = Field(default="", description="a template: a text with fields in braces")
    unsolvable: _TEXT = Field(default="", description="a template: a text with fields in braces")
    limit: _TEXT = Field(default="", description="a template: a text with fields in braces")
    step: _TEXT = Field(default="", description="a template: a text with fields in braces")
    also: _LINES = Field(default_factory=list, description=f"a list of up to {MOST_LINES} lines")
    also_unsolvable: _LINES = Field(
        default_factory=list, description=f"a list of up to {MOST_LINES} texts"
    )
    moves: str = Field(default="", description=f"one of {', '.join(MOVE_STYLES)}")
    moves_of: Literal["blank", "tile"] = Field(default="blank", description="blank or tile")
    cell_width: int = Field(default=1, ge=1, le=9, description="a whole number from 1 to 9")
    blank: str = Field(default="0", pattern=r"^\S{1,9}$", description="what stands for the blank")


class DraftTable(TomlTable):
    """A question of a sample assignment; without a depth the board cannot be solved."""

    method: str = Field(min_length=1, description="a method of the course")
    depth: int | None = Field(default=None, ge=0, le=31, description="a whole number from 0 to 31")
    points: str = Field(description="points such as path = 4, length = 1")
    max_nodes: Count | None = Field(default=None, ge=1, description="a whole number of at least 1")


class GradingTable(TomlTable):
    """What is asked and graded."""

    points: Points = Field(default_factory=dict, description=POINTS)
    tolerance: Tolerance = Field(default=0, description=TOLERANCE)
    counts: Literal["profile", "sound", "known"] = Field(
        default="profile", description="profile, sound or known"
    )
    words: dict[Item, _TEXT] = Field(default_factory=dict, description="a text for each item")
    sample: list[DraftTable] = Field(
        default_factory=list, max_length=MOST_METHODS, description="[[grading.sample]] tables"
    )


class ExampleTable(TomlTable):
    """What the course's program prints for a board."""

    name: str = Field(default="", max_length=80, description="a text")
    board: _TEXT = Field(description="the text of a board")
    method: str = Field(min_length=1, description="a method of the course")
    output: _TEXT = Field(description="the lines that are printed, ... for what changes")


class CourseTable(TomlTable):
    """A whole course file."""

    name: str = Field(
        pattern=NAME, description="a word of letters, digits, - _ * + and . such as my-course"
    )
    title: str = Field(pattern=r"\S", max_length=200, description="a text")
    goal: str = Field(min_length=1, description="first, last, snail or a board")
    notation: str = Field(
        default="",
        description=f"a notation: {', '.join(each.name for each in formats.NOTATIONS)}",
    )
    shape: str | None = Field(
        default=None, pattern=r"^([2-9]|1[0-6])x([2-9]|1[0-6])$", description="a shape such as 3x3"
    )
    usual: str | None = Field(default=None, description="the name of a method")
    rules: str = Field(default="", description="rules such as fifo or ties=oldest")
    counters: list[Annotated[str, AfterValidator(_counter)]] = Field(
        default_factory=list, description="a list of counters of tilewise, such as expanded"
    )
    notes: _LINES = Field(default_factory=list, description=f"a list of up to {MOST_LINES} texts")
    methods: list[MethodTable] = Field(
        min_length=1, max_length=MOST_METHODS, description=f"1 to {MOST_METHODS} [[methods]] tables"
    )
    output: OutputTable = Field(default_factory=OutputTable, description="a table of keys")
    grading: GradingTable = Field(default_factory=GradingTable, description="a table of keys")
    examples: list[ExampleTable] = Field(
        default_factory=list,
        max_length=MOST_EXAMPLES,
        description=f"up to {MOST_EXAMPLES} [[examples]] tables",
    )
