"""Where the boards of an experiment come from: lists, suites, files, scramble recipes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Protocol

from tilewise import suites
from tilewise.errors import BoardError, SpecError, TilewiseError, shortened
from tilewise.lab.columns import Label
from tilewise.puzzle.board import Board
from tilewise.puzzle.board_files import entries, lines_of_file
from tilewise.puzzle.position import read_position, text_for
from tilewise.puzzle.shapes import goal_of_shape
from tilewise.scrambling import scramble

USUAL_GOAL = "first"
"""What boards are drawn for where no goal is named."""


@dataclass(frozen=True)
class Instance:
    """A board to run, the goal that its source implies, its name, and labels for the tables."""

    board: Board
    goal: str = ""
    name: str = ""
    labels: Mapping[str, Label] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The board, with its goal where the notation would mean another one."""
        if not self.goal:
            return str(self.board)
        return text_for(self.board, read_position(self.board, self.goal).goal)


class Source(Protocol):
    """Instances that are made when they are needed; a built-in experiment may bring its own."""

    def draw(self, seed: int) -> Iterable[Instance]:
        """The instances; a source that has no seed of its own uses the one given."""
        ...

    def describe(self) -> dict[str, Any]:
        """The recipe as strings, numbers and lists, for the report."""
        ...


@dataclass(frozen=True)
class Boards:
    """Boards as they are listed: texts in any notation, or instances."""

    boards: tuple[str | Instance, ...]
    goal: str = ""

    def draw(self, seed: int) -> Iterator[Instance]:
        """The boards in order; a text has the goal of its notation unless one is named."""
        for board in self.boards:
            yield board if isinstance(board, Instance) else _read(board, self.goal, board)

    def describe(self) -> dict[str, Any]:
        listed = [b.text if isinstance(b, Instance) else b for b in self.boards]
        return {"boards": listed, **({"goal": self.goal} if self.goal else {})}


@dataclass(frozen=True)
class FromSuite:
    """A named suite, or the first few of it, or some by their numbers."""

    suite: str
    first: int | None = None
    numbers: tuple[str, ...] = ()

    def draw(self, seed: int) -> Iterator[Instance]:
        """The instances with their known depth; an unknown number is an error."""
        suite = suites.load(self.suite)
        wanted = {str(number) for number in self.numbers}
        missing = wanted - {instance.number for instance in suite.instances}
        if missing:
            raise SpecError(
                f"expected numbers of suite {self.suite}, got {shortened(min(missing))}"
            )
        if self.first is not None and self.first < 1:
            raise SpecError(f"expected the first 1 or more of {self.suite}, got {self.first}")
        for instance in suite.instances[: self.first]:
            if not wanted or instance.number in wanted:
                name = f"{self.suite}:{instance.number}"
                known: dict[str, Label] = (
                    {} if instance.optimal is None else {"depth": instance.optimal}
                )
                yield Instance(instance.board, suite.goal, name, known)

    def describe(self) -> dict[str, Any]:
        facts = {"suite": self.suite, "first": self.first, "numbers": list(self.numbers)}
        return {name: value for name, value in facts.items() if value}


@dataclass(frozen=True)
class FromFile:
    """The boards of a text or CSV file, as `tilewise solve --file` reads them."""

    file: str

    def draw(self, seed: int) -> Iterator[Instance]:
        """The boards in order; the first that cannot be read is an error that names its line."""
        found = False
        with lines_of_file(self.file) as lines:
            for entry in entries(Path(self.file).name, lines):
                found = True
                try:
                    yield _read(entry.text, "", entry.place)
                except TilewiseError as error:
                    raise BoardError(f"{entry.place}: {error}") from None
        if not found:
            raise BoardError(f"expected boards, got none in {shortened(self.file)}")

    def describe(self) -> dict[str, Any]:
        return {"file": self.file}


@dataclass(frozen=True)
class Scramble:
    """Boards drawn at random: of exact depths, from walks of given lengths, or any boards.

    Those of depth d are drawn with the seed plus d, walks of n moves with the seed plus n. Boards
    of a depth are all different, and where there are fewer than `count`, all of them are taken.
    Without a goal they are drawn for that of the part, else for blank first.
    """

    shape: str
    depth: tuple[int, ...] = ()
    walk: tuple[int, ...] = ()
    count: int = 1
    repeats: bool = True
    distinct: bool | None = None
    seed: int | None = None
    goal: str = ""

    def draw(self, seed: int) -> Iterator[Instance]:
        """The boards, depth by depth or walk by walk."""
        if self.depth and self.walk:
            raise SpecError("expected depths or walks to scramble by, got both")
        if self.count < 1:
            raise SpecError(f"expected a count of at least 1, got {self.count}")
        kind = "depth" if self.depth else "walk" if self.walk else "any"
        base = seed if self.seed is None else self.seed
        for amount in self.depth or self.walk or (0,):
            for number, board in enumerate(self._boards(kind, amount, base), start=1):
                place = f"{kind}{amount}" if kind != "any" else kind
                labels: dict[str, Label] = {} if kind == "any" else {kind: amount}
                name = f"{self.shape}-{place}-{base}:{number}"
                yield Instance(board, self.goal or USUAL_GOAL, name, labels)

    def describe(self) -> dict[str, Any]:
        facts = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "shape"}
        changed = {f.name for f in fields(self) if getattr(self, f.name) != f.default}
        return {"scramble": self.shape, **{n: v for n, v in facts.items() if n in changed}}

    def _boards(self, kind: str, amount: int, base: int) -> Iterator[Board]:
        distinct = kind == "depth" if self.distinct is None else self.distinct
        drawn = scramble(
            self.shape,
            goal=self.goal or USUAL_GOAL,
            count=self.count,
            distinct=distinct,
            all_if_fewer=kind == "depth",
            seed=base + amount,
            repeats=self.repeats,
            depth=amount if kind == "depth" else None,
            walk=amount if kind == "walk" else None,
        )
        found = 0
        for board in drawn:
            found += 1
            yield board
        if drawn.gave_up:
            raise SpecError(
                f"expected {self.count} boards of {kind} {amount} on {self.shape}, got "
                f"{found} before the time was up"
            )


def for_goal(source: Source, goal: str) -> Source:
    """A source of boards for the goal of a part; one that names another goal is an error."""
    if not goal or not isinstance(source, Scramble | Boards):
        return source
    if source.goal and not _same_goal(source, goal):
        raise SpecError(
            f"expected one goal for boards and searches, got {source.goal} for the boards and "
            f"{goal} for the searches"
        )
    return replace(source, goal=goal)


def _same_goal(source: Scramble | Boards, goal: str) -> bool:
    if isinstance(source, Boards):
        return source.goal == goal
    return goal_of_shape(source.shape, source.goal) == goal_of_shape(source.shape, goal)


def _read(text: str, goal: str, name: str) -> Instance:
    position = read_position(text, goal or None)
    return Instance(position.board, position.goal.name, name)
