"""The executor without workers: the runs one after the other, in this process."""

from __future__ import annotations

import time
from collections import deque

from tilewise.lab.execute import execute_run
from tilewise.lab.executors.executor import Batch, BatchUpdate
from tilewise.lab.executors.worker import WorkerSetup, prepare
from tilewise.lab.run import Run


class InProcessExecutor:
    """Does a run of its batch whenever it is waited for."""

    name = "this process"
    slots = 1

    def __init__(self, setup: WorkerSetup) -> None:
        self._setup = setup
        self._batch: Batch | None = None
        self._left: deque[Run] = deque()
        prepare(setup)

    def has_room(self, alone: bool) -> bool:
        """One batch at a time."""
        return self._batch is None

    def submit(self, batch: Batch) -> None:
        """Keep the batch for the next waits."""
        self._batch, self._left = batch, deque(batch.runs)

    def wait(self, seconds: float) -> list[BatchUpdate]:
        """Do the next run of the batch."""
        if self._batch is None:
            return []
        run, batch, began = self._left.popleft(), self._batch, time.perf_counter()
        outcome = execute_run(run, self._setup.engine, proofs=self._setup.proofs(1))
        if not self._left:
            self._batch = None
        done = [] if outcome is None else [(run, outcome)]
        spent = time.perf_counter() - began
        return [BatchUpdate(batch, done, over=not self._left, seconds=spent)]

    def close(self) -> None:
        """Nothing is left behind."""
