"""RunOutcome: the outcome of a run, sent from a worker to the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Annotated, Any, get_type_hints

from tilewise.core.result import Result
from tilewise.core.stats import COUNTERS, Stats
from tilewise.lab.columns import Column, ColumnGroup, Meaning, columns_of, plain_type

FAILED, MEASURED = "failed", "measured"
"""Statuses beside those of a search: the run ended its worker or broke; it was a measurement."""

_TYPES = get_type_hints(Stats)
_DEPENDS_ON_MACHINE = ("seconds", "peak_memory")
COUNTER_COLUMNS = tuple(
    Column(
        counter.name,
        counter.meaning,
        plain_type(_TYPES[counter.name]),
        counter.unit,
        repeats=counter.name not in _DEPENDS_ON_MACHINE,
    )
    for counter in COUNTERS
)


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """How a run ended, with its counters; a counter that a search does not have is None."""

    status: Annotated[str, Meaning("solved, unsolvable, limit, stuck, measured or failed")]
    cost: Annotated[int | None, Meaning("moves of the solution", unit="moves")] = None
    moves: Annotated[str | None, Meaning("the solution, as the blank goes")] = None
    optimal: Annotated[bool, Meaning("whether the search proves that no solution is shorter")] = (
        False
    )
    bound: Annotated[
        int | None, Meaning("moves that are proved to be needed at least", unit="moves")
    ] = None
    stopped_by: Annotated[
        str | None, Meaning("the limit that ended the search: nodes, seconds or memory")
    ] = None
    counters: Annotated[Mapping[str, int | float | None], ColumnGroup(COUNTER_COLUMNS)] = field(
        default_factory=dict
    )
    measured: Annotated[dict[str, Any] | None, Meaning("the values of a measurement")] = None
    engine: Annotated[str | None, Meaning("python or native")] = None
    version: Annotated[str | None, Meaning("the version of tilewise")] = None
    machine: Annotated[str | None, Meaning("the host that ran it", repeats=False)] = None
    reason: Annotated[str | None, Meaning("why a run failed, or does not prove what it should")] = (
        None
    )

    def __reduce__(self) -> tuple[type[RunOutcome], tuple[Any, ...]]:
        """Workers send outcomes often: the values alone take a fifth of the usual time."""
        return RunOutcome, _VALUES(self)

    @classmethod
    def from_result(cls, result: Result) -> RunOutcome:
        """What a search gave."""
        return cls(
            status=result.status.value,
            cost=result.cost,
            moves=result.moves,
            optimal=result.optimal,
            bound=result.bound,
            stopped_by=result.stopped_by and result.stopped_by.value,
            counters=counters_of(result.stats),
            engine=result.engine,
            reason=result.doubt,
        )

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> RunOutcome:
        """The outcome whose columns have these values; one that is missing is None."""
        own = {name: values[name] for name in _OWN if name in values}
        return cls(**own, counters={name: values.get(name) for name in _COUNTERS})


OUTCOME_COLUMNS = columns_of(RunOutcome)
"""What came of a run. The engine and the version are columns, not part of the key."""


_VALUES = attrgetter(*(each.name for each in fields(RunOutcome)))
_OWN = tuple(each.name for each in fields(RunOutcome) if each.name != "counters")
_COUNTERS = tuple(each.name for each in COUNTER_COLUMNS)


def counters_of(stats: Stats) -> dict[str, int | float | None]:
    """The counters of a search by name."""
    return {name: getattr(stats, name) for name in _COUNTERS}
