"""The tables of a TOML file that defines an experiment, as pydantic models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Annotated, Any, ClassVar

from tilewise.core.limits import Limits
from tilewise.lab.columns import Label
from tilewise.lab.experiment import Experiment, Part
from tilewise.lab.instances import Boards, FromFile, FromSuite, Scramble, Source
from tilewise.quantities import MEGABYTE
from tilewise.toml_models import (
    BeforeValidator,
    Count,
    Discriminator,
    Field,
    Listed,
    Megabytes,
    Seconds,
    Tag,
    TomlTable,
)

Texts = Listed[str]
WholeNumbers = Listed[int]


def _text_of(value: object) -> object:
    return str(value) if type(value) is int else value


class SuiteTable(TomlTable):
    """Instances of a suite."""

    suite: str = Field(description="the name of a suite")
    first: int | None = Field(default=None, description="a whole number")
    numbers: Listed[Annotated[str, BeforeValidator(_text_of)]] = Field(
        default=(), description="numbers of the suite"
    )

    def source(self, folder: Path) -> Source:
        """What the table describes."""
        return FromSuite(self.suite, self.first, self.numbers)


class ScrambleTable(TomlTable):
    """Instances that are drawn at random."""

    scramble: str = Field(description='a shape such as "3x3"')
    depth: WholeNumbers = Field(default=(), description="whole numbers")
    walk: WholeNumbers = Field(default=(), description="whole numbers")
    count: int = Field(default=1, description="a whole number")
    repeats: bool = Field(default=True, description="true or false")
    distinct: bool | None = Field(default=None, description="true or false")
    seed: int | None = Field(default=None, description="a whole number")
    goal: str = Field(default="", description="a goal")

    def source(self, folder: Path) -> Source:
        """What the table describes."""
        settings = {name: getattr(self, name) for name in type(self).model_fields}
        return Scramble(settings.pop("scramble"), **settings)


class BoardsTable(TomlTable):
    """Instances that are listed."""

    boards: Texts = Field(description="texts of boards")
    goal: str = Field(default="", description="a goal")

    def source(self, folder: Path) -> Source:
        """What the table describes."""
        return Boards(self.boards, self.goal)


class FileTable(TomlTable):
    """Instances of a file."""

    file: str = Field(description="the name of a file")

    def source(self, folder: Path) -> Source:
        """What the table describes; the file is seen from the folder of the definition."""
        return FromFile(str(folder / self.file))


SOURCES: dict[str, type[TomlTable]] = {
    next(iter(table.model_fields)): table
    for table in (SuiteTable, ScrambleTable, BoardsTable, FileTable)
}
"""The kinds of instances; each is known by its first key."""


def _kind(table: Any) -> str | None:
    keys = table if isinstance(table, dict) else type(table).model_fields
    return next((kind for kind in SOURCES if kind in keys), None)


SourceTable = Annotated[
    Annotated[SuiteTable, Tag("suite")]
    | Annotated[ScrambleTable, Tag("scramble")]
    | Annotated[BoardsTable, Tag("boards")]
    | Annotated[FileTable, Tag("file")],
    Discriminator(_kind),
]


class PartSettings(TomlTable):
    """What a part may say for itself, and a file for all of its parts."""

    instances: list[SourceTable] = Field(
        default_factory=list,
        description=f"[[instances]] tables with one of the keys {', '.join(SOURCES)}",
    )
    algorithms: Texts = Field(default=("astar",), description="texts")
    heuristics: Texts = Field(default=(), description="texts")
    rules: Texts = Field(default=("default",), description="texts")
    profile: str = Field(default="", description="the name of a course or a course file")
    goal: str = Field(default="", description="a goal")
    max_nodes: Listed[Annotated[Count, Field(ge=1)]] = Field(
        default=(), description='whole numbers of at least 1 or texts such as "10k"'
    )
    seconds: Listed[Annotated[Seconds, Field(gt=0)]] = Field(
        default=(), description='numbers above 0 or texts such as "1m30s"'
    )
    memory: Listed[Annotated[Megabytes, Field(ge=1 / MEGABYTE)]] = Field(
        default=(), description='numbers of megabytes above 0 or texts such as "2GB"'
    )
    seeds: WholeNumbers = Field(default=(0,), description="whole numbers")
    labels: dict[str, Label] = Field(default_factory=dict, description="a text or a number")
    full: bool = Field(default=False, description="true or false")


class PartTable(PartSettings):
    """A part: its own settings; where it has none, those of the file hold."""

    name: str | None = Field(default=None, description="a text")

    def part(self, number: int, common: PartSettings, folder: Path) -> Part:
        """What the table describes."""
        chosen = {
            name: getattr(self if name in self.model_fields_set else common, name)
            for name in PartSettings.model_fields
        }
        limits = _limits(*(chosen.pop(name) for name in ("max_nodes", "seconds", "memory")))
        sources = tuple(table.source(folder) for table in chosen.pop("instances"))
        if chosen["profile"].endswith(".toml"):
            chosen["profile"] = str(folder / chosen["profile"])
        usual = f"part {number}" if number > 1 else "all"
        name = usual if self.name is None else self.name
        return Part(name, sources, limits=limits, **chosen)


class ExperimentTable(PartSettings):
    """A whole file."""

    further_keys: ClassVar[Mapping[str, Sequence[str]]] = {
        key: [kind for kind, other in SOURCES.items() if key in other.model_fields]
        for table in SOURCES.values()
        for key in table.model_fields
    }

    name: str | None = Field(default=None, description="a text")
    title: str = Field(default="", description="a text")
    report: str = Field(default="", description="a text")
    order_seed: int = Field(default=0, description="a whole number")
    load: Texts = Field(default=(), description="names of Python files")
    part: list[PartTable] = Field(default_factory=list, description="[[part]] tables")

    def experiment(self, name: str, folder: Path) -> Experiment:
        """What the file describes; `name` is for a file that gives none."""
        parts = self.part or [PartTable()]
        return Experiment(
            name=name if self.name is None else self.name,
            title=self.title,
            report=self.report,
            order_seed=self.order_seed,
            load=tuple(str(folder / path) for path in self.load),
            parts=tuple(each.part(n, self, folder) for n, each in enumerate(parts, start=1)),
        )


def with_single_source(table: dict[str, Any]) -> dict[str, Any]:
    """A single source may stand in the file without a table of its own: it gets one."""
    table = dict(table)
    for kind, model in SOURCES.items():
        if kind in table and isinstance(table.get("instances", []), list):
            keys = [key for key in model.model_fields if key in table and key != "goal"]
            source = {key: table.pop(key) for key in keys}
            table["instances"] = [*table.get("instances", []), source]
    return table


def _limits(
    nodes: tuple[int, ...], seconds: tuple[float, ...], megabytes: tuple[float, ...]
) -> tuple[Limits, ...]:
    """Every combination of the limits that are listed."""
    return tuple(
        Limits(generated=n, seconds=s, memory=None if m is None else int(m * MEGABYTE))
        for n, s, m in product(nodes or (None,), seconds or (None,), megabytes or (None,))
    )
