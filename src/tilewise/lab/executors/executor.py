"""Executor: takes batches of runs and returns their outcomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tilewise.errors import TilewiseError
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.run import Run


class ExecutorError(TilewiseError):
    """The workers cannot be reached, or cannot do the work."""


@dataclass(eq=False)
class Batch:
    """Runs that go to a worker together. `alone`: nothing else may be on that worker."""

    runs: Sequence[Run]
    alone: bool = False


@dataclass
class BatchUpdate:
    """What is new about a batch: the runs that are done.

    If the batch is over, `rest` are the runs that were not done; if its worker died, `died` says
    why.
    """

    batch: Batch
    done: list[tuple[Run, RunOutcome]] = field(default_factory=list)
    over: bool = False
    rest: Sequence[Run] = ()
    died: str = ""
    seconds: float = 0.0


class Executor(Protocol):
    """Workers that take batches and send updates."""

    name: str

    @property
    def slots(self) -> int:
        """How many batches can run at the same time; 0 while there is no worker."""
        ...

    def has_room(self, alone: bool) -> bool:
        """Whether a batch can be handed over at the moment."""
        ...

    def submit(self, batch: Batch) -> None:
        """Hand a batch over; only when there is room for it."""
        ...

    def wait(self, seconds: float) -> list[BatchUpdate]:
        """What is new, after at most this number of seconds."""
        ...

    def close(self) -> None:
        """End the workers; what they were doing is lost."""
        ...
