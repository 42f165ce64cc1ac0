"""RowWriter: a thread that commits rows while the next run goes on."""

from __future__ import annotations

import threading
from collections import deque

from tilewise.lab.outcome import RunOutcome
from tilewise.lab.run import Run
from tilewise.lab.store import Store

GATHER = 0.02
"""Seconds in which further rows may come before a commit: with runs of a millisecond, a commit for
each would take half as long as the runs."""


class RowWriter:
    """Commits each row when its run has ended; those that come at about the same time go together.

    Waiting for the disk takes longer than many a run. An error of the disk comes up at the next
    row that is added, or at the end.
    """

    def __init__(self, store: Store) -> None:
        self.added = 0
        """Rows that are on the disk."""
        self._store = store
        self._queue: deque[tuple[Run, RunOutcome]] = deque()
        self._error: Exception | None = None
        self._over = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def add(self, rows: list[tuple[Run, RunOutcome]]) -> None:
        """Hand over rows to be committed."""
        with self._changed:
            self._raise()
            self._queue.extend(rows)
            self._changed.notify()

    def close(self) -> None:
        """Commit the remaining rows and end; raise an error that is still pending."""
        with self._changed:
            self._over = True
            self._changed.notify()
        self._thread.join()
        self._raise()

    def _raise(self) -> None:
        error, self._error = self._error, None
        if error is not None:
            raise error

    def _write(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._queue or self._over)
                self._changed.wait_for(lambda: self._over, GATHER)
                rows = list(self._queue)
                self._queue.clear()
            if not rows:
                return
            try:
                self.added += self._store.add(rows)
            except Exception as error:
                self._error = error
                return
