"""Suites: named lists of instances with their costs, as text files with their source."""

from __future__ import annotations

import csv
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
    optimal: int | None
    """The length of its shortest solutions; None where it is not known."""
    board: Board
    """The board."""
    bound: int
    """The moves that are proved to be needed at least."""
    best: int
    """The moves of the best solution known."""


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

    @property
    def lengths(self) -> str:
        """The least and the most moves that its boards need, as far as that is known."""
        low = min(each.bound for each in self.instances)
        high = max(each.best for each in self.instances)
        return str(low) if low == high else f"{low} to {high}"

    @property
    def shape(self) -> str:
        """The shape of its boards."""
        return self.instances[0].board.shape

    @property
    def proved(self) -> bool:
        """Whether the length of every shortest solution is known."""
        return all(each.optimal is not None for each in self.instances)


def names() -> list[str]:
    """The names of all suites.

    Example:
        >>> "korf100" in names()
        True
    """
    files = resources.files(__name__).iterdir()
    return sorted(file.name.removesuffix(".txt") for file in files if file.name.endswith(".txt"))


@lru_cache(maxsize=32)
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
    # `# key: value` lines, then `number: optimal: board` or `number: bound-best: board` lines
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
            number, moves, board = (part.strip() for part in line.split(":", 2))
            bound, _, best = moves.partition("-")
            optimal = None if best else int(bound)
            instances.append(
                SuiteBoard(number, optimal, Board.parse(board), int(bound), int(best or bound))
            )
    return Suite(name, facts["title"], facts["source"], facts["goal"], tuple(instances))


@lru_cache(maxsize=8)
def published_nodes(name: str) -> dict[str, dict[str, int]]:
    """Nodes that others have published for the boards of a suite, by number and by source.

    Args:
        name: The name of the suite; most have none.

    Example:
        >>> published_nodes("korf24")["38"]["korf_felner"]
        38173507
    """
    file = resources.files(__name__).joinpath(f"{name}_nodes.csv")
    if not file.is_file():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {
        row["number"]: {source: int(count) for source, count in row.items() if source != "number"}
        for row in rows
    }
