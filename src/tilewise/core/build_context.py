"""BuildContext: the limits, cancelling and progress of building tables."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from tilewise.core.limits import Meter, default_memory
from tilewise.errors import CancelledError

TableProgress = Callable[[str, int, int], None]
"""Gets the name of a table, the number of its finished entries, and the number of all of them."""


def never() -> bool:
    """The answer to "was it cancelled?" where nothing can cancel it."""
    return False


@dataclass(frozen=True)
class BuildContext:
    """How tables may be built; it is passed from the caller down to the builder.

    Example:
        >>> import tilewise as tw
        >>> seen = []
        >>> context = BuildContext(progress=lambda name, done, total: seen.append(name))
        >>> h = tw.make_heuristic("pdb(4-4)", tw.Goal.blank_first(3, 3), context=context)
        >>> h(tw.Board.parse("8b6 547 231"))
        27
    """

    memory: int | None = None
    """Bytes; None is the default limit, half of the machine's memory."""
    cancelled: Callable[[], bool] = never
    """Called now and then while a table is built; when it returns True, `CancelledError` is raised:
    the caller wants to end, or its time is up."""
    progress: TableProgress | None = None
    """Called with the name of a table, its finished entries and all of them."""
    quick: bool = False
    """Build nothing that takes more than about a second, and write only default tables to the
    cache."""

    @property
    def memory_limit(self) -> int:
        """The bytes of memory that may be used."""
        return self.memory or default_memory()

    def report(self, name: str, done: int, total: int) -> None:
        """Show how many entries of a table are finished."""
        if self.progress is not None:
            self.progress(name, done, total)

    def check(self) -> None:
        """End the building here if the caller wants that."""
        if self.cancelled():
            raise CancelledError("stopped while a table was being built")

    def until(self, seconds: float | None) -> BuildContext:
        """The same, ended after so many seconds from now, if there is such a limit."""
        if seconds is None:
            return self
        latest = time.monotonic() + seconds
        return replace(self, cancelled=lambda: self.cancelled() or time.monotonic() >= latest)

    def within(self, meter: Meter) -> BuildContext:
        """The same for one search, whose meter counts the time of its tables, too."""
        memory = self.memory if meter.limits.memory is None else meter.limits.memory
        cancelled = self.cancelled
        context = object.__new__(BuildContext)  # small searches would feel the usual way
        context.__dict__.update(
            memory=memory,
            cancelled=lambda: meter.over or cancelled(),
            progress=self.progress,
            quick=self.quick,
        )
        return context


DEFAULT_CONTEXT = BuildContext()
"""The default memory limit, no cancelling, no progress."""
