"""Crews: who does the runs. Here the words that all crews share, and the crew of one process."""

from __future__ import annotations

import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as CancelFlag
from typing import Protocol

from tilewise.batch import LEAST_MEMORY
from tilewise.core.limits import default_memory
from tilewise.errors import TilewiseError
from tilewise.lab.columns import Value, Values
from tilewise.lab.execute import perform
from tilewise.lab.run import Run
from tilewise.plugins import load_file

BUDGET = 3.0
"""Seconds after which a batch begins no further run; what is left comes back undone."""


class CrewError(TilewiseError):
    """The workers cannot be reached, or are not fit for the work."""


@dataclass(frozen=True)
class Setting:
    """What holds for all runs: the engine, and the user's own files by path and text."""

    engine: str = "auto"
    files: tuple[tuple[str, str], ...] = ()


@dataclass(eq=False)
class Batch:
    """Runs that go to a worker together. `alone`: nothing else may be on that worker."""

    runs: Sequence[Run]
    alone: bool = False


@dataclass
class Report:
    """News of a batch: rows that are ready; if it is over, what was not done; if its worker
    died, why."""

    batch: Batch
    rows: list[tuple[Run, Values]] = field(default_factory=list)
    over: bool = False
    rest: Sequence[Run] = ()
    died: str = ""
    seconds: float = 0.0


class Crew(Protocol):
    """Workers that take batches and report."""

    name: str

    @property
    def slots(self) -> int:
        """How many batches can run at the same time; 0 while no worker is there."""
        ...

    def has_room(self, alone: bool) -> bool:
        """Whether a batch can be handed over at the moment."""
        ...

    def submit(self, batch: Batch) -> None:
        """Hand a batch over; only when there is room for it."""
        ...

    def wait(self, seconds: float) -> list[Report]:
        """What is new, after at most so many seconds."""
        ...

    def close(self) -> None:
        """Send the workers home; what they were doing is lost."""
        ...


class InProcess:
    """The runs one after the other, in this process."""

    name = "this process"
    slots = 1

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._batch: Batch | None = None
        self._left: deque[Run] = deque()
        prepare(setting)

    def has_room(self, alone: bool) -> bool:
        """One batch at a time."""
        return self._batch is None

    def submit(self, batch: Batch) -> None:
        """Keep the batch until somebody waits for it."""
        self._batch, self._left = batch, deque(batch.runs)

    def wait(self, seconds: float) -> list[Report]:
        """Do the next run of the batch."""
        if self._batch is None:
            return []
        run, batch, began = self._left.popleft(), self._batch, time.perf_counter()
        row = perform(run, self._setting.engine)
        if not self._left:
            self._batch = None
        rows = [] if row is None else [(run, tuple(row.values()))]
        spent = time.perf_counter() - began
        return [Report(batch, rows, over=not self._left, seconds=spent)]

    def close(self) -> None:
        """Nothing is left behind."""


def memory_share(on_this_host: int) -> int:
    """The memory limit of runs that name none: they share what one would have."""
    return max(default_memory() // max(1, on_this_host), LEAST_MEMORY)


_prepared: set[str] = set()


def prepare(setting: Setting) -> None:
    """Load the user's own heuristics and algorithms, once in each process.

    Their texts come along, because the files need not be where a worker is.
    """
    for path, text in setting.files:
        if text in _prepared:
            continue
        if Path(path).is_file() and Path(path).read_text(encoding="utf-8") == text:
            load_file(path)
        else:
            with tempfile.TemporaryDirectory(prefix="tilewise-") as folder:
                file = Path(folder, Path(path).name)
                file.write_text(text, encoding="utf-8")
                load_file(str(file))
        _prepared.add(text)


def perform_in_turn(
    runs: Sequence[Run], setting: Setting, on_this_host: int, cancel: CancelFlag | None = None
) -> Iterator[Values]:
    """The values of each run, until the budget is spent or it is cancelled."""
    prepare(setting)
    share = memory_share(on_this_host)
    began = time.perf_counter()
    for run in runs:
        row = perform(run, setting.engine, share, cancel)
        if row is None:
            return
        yield tuple(row.values())
        if time.perf_counter() - began > BUDGET:
            return


def packed(run: Run) -> tuple[Value, ...]:
    """A run for the journey: a tuple is smaller than an object."""
    return run.values()


def unpacked(values: Sequence[Value]) -> Run:
    """A run that has arrived."""
    return Run(*values)  # type: ignore[arg-type]
