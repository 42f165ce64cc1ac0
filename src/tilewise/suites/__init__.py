"""Suites: named lists of instances with known optimal costs, as text files with their source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from tilewise.errors import SpecError, shortened
from tilewise.puzzle.board import Board


@dataclass(frozen=True)
class SuiteBoard:
    """One board of a suite.

    Example:
        >>> load("korf100").instances[0].optimal
        57
    """

    number: str
    """Its number in the suite."""
    optimal: int
    """The length of its shortest solutions."""
    board: Board
    """The board."""


@dataclass(frozen=True)
class Suite:
    """A named list of instances.

    Example:
        >>> load("korf100").goal
        'first'
    """

    name: str
    """Its name."""
    title: str
    """What it is, in a line."""
    source: str
    """Where it was published."""
    goal: str
    """The name of its goal."""
    instances: tuple[SuiteBoard, ...]
    """The boards."""


def names() -> list[str]:
    """The names of all suites.

    Example:
        >>> "korf100" in names()
        True
    """
    files = resources.files(__name__).iterdir()
    return sorted(file.name.removesuffix(".txt") for file in files if file.name.endswith(".txt"))


@lru_cache(maxsize=8)
def load(name: str) -> Suite:
    """Read a suite.

    Args:
        name: Its name.

    Raises:
        SpecError: There is no such suite.

    Example:
        >>> len(load("korf100").instances)
        100
    """
    # `# key: value` lines, then `number: optimal: board` lines
    if name not in names():
        known = ", ".join(names())
        raise SpecError(f"expected the name of a suite ({known}), got {shortened(name)}")
    facts: dict[str, str] = {}
    instances = []
    text = resources.files(__name__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            key, colon, value = line[1:].partition(":")
            if colon:
                facts[key.strip()] = value.strip()
        elif line.strip():
            number, optimal, board = line.split(":", 2)
            instances.append(SuiteBoard(number, int(optimal), Board.parse(board)))
    return Suite(name, facts["title"], facts["source"], facts["goal"], tuple(instances))
