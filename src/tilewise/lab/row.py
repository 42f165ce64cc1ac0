"""Row: a planned run of an experiment with its outcome, for reports and exports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

from tilewise.lab.columns import Column, Label, Meaning, columns_of, values_of
from tilewise.lab.outcome import OUTCOME_COLUMNS, RunOutcome
from tilewise.lab.run import RUN_COLUMNS, Run


@dataclass(frozen=True, eq=False)
class Row(Mapping[str, Any]):
    """One line of the results: a mapping of its columns, the labels among them, to values.

    >>> run = Run("1b2 345 678", "first", "bfs")
    >>> row = Row("all", "easy", run.key, "3x3", {"walk": 1}, run, RunOutcome("solved", cost=1))
    >>> row["cost"], row["walk"], row.run.board
    (1, 1, '1b2 345 678')
    """

    part: Annotated[str, Meaning("the part of the experiment")]
    instance: Annotated[str, Meaning("the name of the instance")]
    key: Annotated[str, Meaning("the hash of the run")]
    shape: Annotated[str, Meaning("rows x columns")]
    labels: Mapping[str, Label | None]
    run: Run
    outcome: RunOutcome

    @cached_property
    def _values(self) -> dict[str, Any]:
        run = values_of(self.run)
        run["heuristic"] = self.run.heuristic or None
        return {
            "part": self.part,
            "instance": self.instance,
            **self.labels,
            "key": self.key,
            "shape": self.shape,
            **run,
            **values_of(self.outcome),
        }

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def with_labels(self, **labels: Label) -> Row:
        """The row with further labels, for a report that sorts by them."""
        return replace(self, labels={**self.labels, **labels})


COLUMNS: dict[str, Column] = {
    each.name: each for each in (*columns_of(Row), *RUN_COLUMNS, *OUTCOME_COLUMNS)
}
"""Every column but the labels, by name."""

VOLATILE = tuple(name for name, each in COLUMNS.items() if not each.repeats)
"""The columns that may differ when a run is repeated; all others are the same."""
