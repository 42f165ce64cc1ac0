"""Limits: how much a search may use; Meter: the limits of one running search."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from threading import Event as CancelFlag

from tilewise.core.incumbent import Gap, Improved, Incumbent
from tilewise.core.result import Status, Stop, StoppedBy
from tilewise.core.stats import Stats
from tilewise.errors import LimitsError

CHECK_EVERY = 1024
"""A running search looks at the clock, its memory and the cancel flag after this many nodes."""
FIRST_STEP, QUICK, SLOW = 8, 0.02, 0.1
"""Where there is a limit of time, the clock is looked at more often: at first, and where nodes take
long, by a heuristic of somebody else. After less than 0.02 seconds the next step is twice as long,
after more than 0.1 half as long."""

Progress = Callable[[Stats], None]


@dataclass(frozen=True)
class Limits:
    """The most a search may use; None is no limit. Reaching one is a status, not an error.

    Raises:
        LimitsError: A limit is not a positive number.

    Example:
        >>> Limits(generated=1_000_000, seconds=2.5)
        Limits(generated=1000000, seconds=2.5, memory=None, gap=None)
    """

    generated: int | None = None
    """Nodes generated. A search stops when it would generate one more."""
    seconds: float | None = None
    """Seconds by the clock."""
    memory: int | None = None
    """Bytes; with None, half of the machine's memory."""
    gap: int | str | None = None
    """For `anytime`, which goes on until its solution is at most that far above the proved bound:
    moves such as `4`, or `"5%"` of the cost."""

    def __post_init__(self) -> None:
        for name, unit in (("generated", "nodes"), ("memory", "bytes")):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or value < 1):
                raise LimitsError(
                    f"expected a limit of at least 1 for {name} ({unit}), got {value}"
                )
        seconds = self.seconds
        if seconds is not None and (
            not isinstance(seconds, int | float) or not 0 < seconds < math.inf
        ):
            raise LimitsError(f"expected a positive limit for seconds, got {seconds!r}")
        if self.gap is not None:
            Gap.parse(self.gap)


UNLIMITED = Limits()


class Meter:
    """Watches the limits of one search. An algorithm of your own gets one from `solve`.

    `if stats.generated == meter.pause and meter.stop(stats)` stands directly before a successor
    is generated, so a limit of n nodes stops a search that has generated exactly n. `admissible`
    and `consistent` are what is known of the heuristic of the search.

    Args:
        limits: What the search may use.
        cells: The cells of the board: they decide how much memory a state takes.
        cancel: A flag that ends the search when it is set.
        progress: Called with the counters while the search runs.

    Example:
        >>> meter = Meter(Limits(generated=2), cells=9)
        >>> meter.stop(Stats(generated=1)), meter.pause, meter.stop(Stats(generated=2))
        (False, 2, True)
        >>> meter.status
        <Status.LIMIT: 'limit'>
    """

    def __init__(
        self,
        limits: Limits,
        cells: int,
        cancel: CancelFlag | None = None,
        progress: Progress | None = None,
        improved: Improved | None = None,
    ) -> None:
        self.limits = limits
        self.status = Status.LIMIT
        self.stopped_by: StoppedBy | None = None
        self.admissible = self.consistent = False
        self.bytes_per_state = bytes_per_state(cells)
        self.pause = 0
        self.incumbent: str | None = None
        """A solution that is known; a search that takes it looks for shorter ones only."""
        self._most = math.inf if limits.generated is None else limits.generated
        self.memory = limits.memory or default_memory()
        self._cancel = cancel
        self._progress = progress
        self._improved = improved
        self._began = self._search_began = self._looked = time.perf_counter()
        self._step = FIRST_STEP
        self._whole, self._between = 0, -1
        """The nodes after which everything is looked at, and those of a look at the clock before.
        At how many nodes a search runs out of memory, or is cancelled, does not depend on time."""

    @property
    def seconds(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self._began

    @property
    def cancelled(self) -> bool:
        """Whether the search must end because its cancel flag is set."""
        return self._cancel is not None and self._cancel.is_set()

    def cancel(self) -> None:
        """End it as the flag does: whoever runs it was interrupted."""
        self._cancel = CancelFlag()
        self._cancel.set()

    @property
    def over(self) -> bool:
        """Whether to end work that makes no nodes, such as building a table; `status` says why."""
        if self.cancelled:
            self.status = Status.CANCELLED
            return True
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            self.stopped_by = StoppedBy.SECONDS
            return True
        return False

    def past(self, share: float) -> bool:
        """Whether a share of the time is over, or it is cancelled: for work in several parts."""
        seconds = self.limits.seconds
        return self.cancelled or (seconds is not None and self.seconds >= share * seconds)

    @property
    def seconds_left(self) -> float | None:
        """The time that is left to a search; None without a limit."""
        if self.limits.seconds is None:
            return None
        return self.limits.seconds - self.seconds

    def begin_search(self) -> None:
        """Say that the search itself begins now; the limit of time counts what was before, too."""
        self._search_began = time.perf_counter()

    @property
    def search_seconds(self) -> float:
        """The time of the search itself."""
        return time.perf_counter() - self._search_began

    def tell(self, stats: Stats) -> None:
        """Show the counters so far to whoever watches the progress."""
        if self._progress is not None:
            self._progress(stats)

    def tell_improved(self, incumbent: Incumbent) -> None:
        """Show a better solution or bound to whoever watches."""
        if self._improved is not None:
            self._improved(incumbent)

    def stop(self, stats: Stats) -> bool:
        """Whether the search must end here; if so `status` says why."""
        if stats.generated == self._between and stats.generated < self._most:
            return self._out_of_time(stats)
        if self.cancelled:
            self.status = Status.CANCELLED
            return True
        held = max(stats.stored, stats.peak_stored) * self.bytes_per_state
        if stats.generated >= self._most:
            self.stopped_by = StoppedBy.NODES
        elif held > self.memory:
            self.stopped_by = StoppedBy.MEMORY
        elif self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            self.stopped_by = StoppedBy.SECONDS
        if self.stopped_by is not None:
            return True
        self.tell(stats)
        self._whole = int(min(self._most, stats.generated + CHECK_EVERY))
        self._pause_after(stats.generated)
        return False

    def _out_of_time(self, stats: Stats) -> bool:
        """A look at the clock alone."""
        if self.limits.seconds is not None and self.seconds >= self.limits.seconds:
            self.stopped_by = StoppedBy.SECONDS
            return True
        self._pause_after(stats.generated)
        return False

    def _pause_after(self, generated: int) -> None:
        self.pause = self._whole
        if self.limits.seconds is None:
            return
        now = time.perf_counter()
        passed, self._looked = now - self._looked, now
        if passed > SLOW:
            self._step = max(1, self._step // 2)
        elif passed < QUICK:
            self._step = min(2 * self._step, CHECK_EVERY)
        self.pause = min(self._whole, generated + self._step)
        self._between = self.pause if self.pause < self._whole else -1

    def reached(self, stats: Stats, beside: int = 0) -> Stop | None:
        """The limit that ended the search; `beside` are the bytes of its tables."""
        if self.stopped_by is None:
            return None
        match self.stopped_by:
            case StoppedBy.NODES:
                return Stop(StoppedBy.NODES, stats.generated, self.limits.generated or 0)
            case StoppedBy.SECONDS:
                return Stop(StoppedBy.SECONDS, self.seconds, self.limits.seconds or 0)
            case StoppedBy.MEMORY:
                return Stop(StoppedBy.MEMORY, stats.peak_memory + beside, self.memory + beside)
        return None


def bytes_per_state(cells: int) -> int:
    """Memory that the Python engine takes for a stored state, with its node and table entries."""
    return 360 + 8 * cells


@cache
def default_memory() -> int:
    """Half of the machine's memory, or 4 GiB where the size is unknown."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):
        return 4 * 2**30
