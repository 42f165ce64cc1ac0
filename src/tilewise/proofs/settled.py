"""Settled: a flag that ends a search which finds nothing better any more."""

from __future__ import annotations

import math
import time
from threading import Event as CancelFlag


class Settled(CancelFlag):
    """Set when a search is cancelled, or has found nothing better for a while."""

    def __init__(self, patience: float, cancel: CancelFlag | None) -> None:
        super().__init__()
        self._patience, self._cancel = patience, cancel
        self._ends = math.inf
        self.seen = False
        """Whether the search was ended so, and not by Ctrl-C."""

    def put_off(self) -> None:
        """Wait again: there is a better solution."""
        self._ends = time.monotonic() + self._patience

    def is_set(self) -> bool:
        """Whether to end."""
        cancelled = self._cancel is not None and self._cancel.is_set()
        if cancelled or time.monotonic() >= self._ends:
            self.seen = True
        return self.seen
