"""What a report is made of: sections of text, tables and plots. Data only; others write it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tilewise.drawing.plot_data import Plot

Value = str | int | float | None


@dataclass(frozen=True)
class Cell:
    """A value of a table and its marks.

    `mark` is shown behind the value, such as `(93/100)` where 7 of 100 runs reached a limit.
    `best` says that no other cell it is compared with is better.
    """

    value: Value
    digits: int = 2
    mark: str = ""
    best: bool = False

    @property
    def number(self) -> bool:
        return isinstance(self.value, int | float)

    def text(self) -> str:
        """The value and its mark as people read them."""
        return f"{self.plain(',')} {self.mark}".strip()

    def plain(self, separator: str = "") -> str:
        """The value alone; numbers with the digits that are shown."""
        if self.value is None:
            return ""
        if isinstance(self.value, float):
            return f"{self.value:{separator}.{self.digits}f}"
        if isinstance(self.value, int):
            return f"{self.value:{separator}d}"
        return self.value


@dataclass(frozen=True)
class Table:
    """Titles of columns and rows of cells; plain values are taken as cells.

    `folded` are the numbers of rows that only CSV files show; a note must say so.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    folded: range = range(0)

    @property
    def visible(self) -> tuple[tuple[Cell, ...], ...]:
        """The rows that people are shown."""
        return tuple(row for place, row in enumerate(self.rows) if place not in self.folded)

    @classmethod
    def of(
        cls,
        name: str,
        title: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Cell | Value]],
        notes: Sequence[str] = (),
        folded: range = range(0),
    ) -> Table:
        """A table of cells and plain values."""
        cells = tuple(
            tuple(item if isinstance(item, Cell) else Cell(item) for item in row) for row in rows
        )
        return cls(name, title, tuple(columns), cells, tuple(notes), folded)

    def right(self, column: int) -> bool:
        """Whether a column holds numbers, which are set to the right."""
        return any(row[column].number for row in self.rows)


@dataclass(frozen=True)
class Section:
    """A heading, paragraphs, tables and plots."""

    title: str
    text: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    plots: tuple[Plot, ...] = ()


@dataclass(frozen=True)
class Report:
    """The whole: what was done, what came out, with which settings and versions."""

    name: str
    title: str
    sections: tuple[Section, ...]
    summary: tuple[str, ...] = ()
    facts: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def tables(self) -> list[Table]:
        return [table for section in self.sections for table in section.tables]

    @property
    def plots(self) -> list[Plot]:
        return [plot for section in self.sections for plot in section.plots if not plot.empty]
