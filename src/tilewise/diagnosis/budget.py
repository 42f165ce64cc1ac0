"""What the count doctor may use: time, and the memory of a process."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from tilewise.core.limits import default_memory

TIME, MEMORY, INTERRUPTED = "time", "memory", "interrupted"
"""Why the work ended early."""
GRACE, SHARE_OF_GRACE = 1.0, 0.25
"""Seconds after the end in which processes return what they have, but no more than this share of
the whole time; then they are stopped."""


class EndedEarlyError(Exception):
    """The work ended before it was done; its argument says why."""

    @property
    def reason(self) -> str:
        return str(self.args[0])


@dataclass(frozen=True)
class Budget:
    """When the work must end, on the monotonic clock, and the bytes that a process may hold.

    Budgets are all equal, so that a cache of findings does not depend on them.
    """

    end: float | None = field(default=None, compare=False)
    memory: int = field(default_factory=default_memory, compare=False)
    grace: float = field(default=GRACE, compare=False)

    @classmethod
    def of(cls, seconds: float | None, processes: int = 1) -> Budget:
        """From now on, shared by processes."""
        end = None if seconds is None else time.monotonic() + seconds
        grace = GRACE if seconds is None else min(GRACE, SHARE_OF_GRACE * seconds)
        return cls(end, default_memory() // processes, grace)

    def left(self) -> float | None:
        """Seconds that are left; None without a limit."""
        return None if self.end is None else max(0.0, self.end - time.monotonic())

    def check(self, held: int = 0) -> None:
        """End the work if the time is over, or if more bytes are held than allowed."""
        if self.end is not None and time.monotonic() >= self.end:
            raise EndedEarlyError(TIME)
        if held > self.memory:
            raise EndedEarlyError(MEMORY)

    def part(self, share: float) -> Budget:
        """A budget that ends when this share of the time left has passed."""
        left = self.left()
        end = None if left is None else time.monotonic() + share * left
        return Budget(end, self.memory, self.grace)


UNLIMITED = Budget()
