"""What one request may use, and how many may wait."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from tilewise.core.build_context import BuildContext
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.limits import Limits, default_memory
from tilewise.defaults import PATIENCE
from tilewise.errors import LimitsError, shortened
from tilewise.web.job_queue import LONG_THREADS

MEGABYTE = 2**20
LEAST_MEMORY, MOST_MEMORY = 64, 1024


def workers() -> int:
    """Threads of the quick queue: one a core, at least two, so that one job blocks no other."""
    return max(2, os.cpu_count() or 1)


def share_of_memory() -> int:
    """Megabytes for one search if all threads of both queues run at once."""
    share = default_memory() // MEGABYTE // (workers() * (1 + LONG_THREADS))
    return max(LEAST_MEMORY, min(MOST_MEMORY, share))


@dataclass(frozen=True)
class Budgets:
    """The most that a request may use, and the defaults for what it leaves out."""

    max_nodes: int = 20_000_000_000
    seconds: float = 60.0
    memory: int = field(default_factory=share_of_memory)
    events: int = 200_000
    searches: int = 12
    boards: int = 100
    walk: int = 100_000
    points: int = 100_000
    body: int = 64 * 1024
    trace_body: int = 8 * MEGABYTE
    waiting: int = 256
    threads: int = field(default_factory=workers)
    cache_memory: int = 512
    default_seconds: float = 20.0
    default_events: int = 2_000
    default_nodes_compared: int = 200_000

    def build_context(self, cancelled: Callable[[], bool]) -> BuildContext:
        """How a request may build tables: quickly, within its memory, until it is stopped."""
        return BuildContext(self.memory * MEGABYTE, cancelled, quick=True)

    def check_options(self, algorithm: str | None) -> None:
        """Refuse options of an algorithm that are beyond the budgets of their names."""
        if algorithm is not None:
            options = build_algorithm(algorithm).options
            self.check(**{name: options[name] for name in ("threads",) if name in options})

    def limits(
        self,
        algorithm: str | None,
        max_nodes: int | None,
        seconds: float | None,
        memory: int | None,
    ) -> Limits:
        """The limits of a search. If no algorithm is named, it gets the patience of `solve`.

        Time limits every search. One of nodes is set only where it is named, because with it
        `anytime` runs its parts one after the other, so that the run can be repeated.
        """
        self.check(max_nodes=max_nodes, seconds=seconds, memory=memory)
        if seconds is None:
            seconds = PATIENCE if algorithm is None else self.default_seconds
        return Limits(
            generated=max_nodes,
            seconds=seconds,
            memory=(self.memory if memory is None else memory) * MEGABYTE,
        )

    def check(self, **requested: float | None) -> None:
        """Refuse numbers above the budget of their name."""
        for name, value in requested.items():
            most = getattr(self, name)
            if value is not None and value > most:
                raise LimitsError(
                    f"expected at most {most:,g} for {name} on this server, got {shortened(value)}"
                )
