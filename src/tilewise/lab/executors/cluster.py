"""The executor of many machines: a Dask cluster. Workers return outcomes; only this process writes.

Each batch is sent to one worker, by name, so that it is known which batches a worker that dies
had. The scheduler would try a batch on worker after worker, and end them all if one run does.
"""

from __future__ import annotations

import gc
import os
import pickle
import threading
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from tilewise.errors import InternalError, TilewiseError, in_one_line
from tilewise.lab.execute import version
from tilewise.lab.executors.connection import Connection
from tilewise.lab.executors.executor import Batch, BatchUpdate, ExecutorError
from tilewise.lab.executors.worker import WorkerSetup, execute_in_turn, prepare
from tilewise.lab.outcome import RunOutcome

FETCH_SECONDS, REFRESH = 10.0, 1.0
"""How long a worker may take to send what is ready; how often the list of workers is renewed."""


@dataclass(eq=False)
class SentBatch:
    """A batch on its way, the worker it went to and the result to come."""

    batch: Batch
    worker: str
    future: Any
    began: float


class ClusterExecutor:
    """Workers of a Dask scheduler, or of a cluster of processes on this machine."""

    def __init__(self, address: str, workers: int, setup: WorkerSetup) -> None:
        self._setup = setup
        self._sent: list[SentBatch] = []
        self._threads: dict[str, int] = {}
        self._refreshed = 0.0
        self._something_new = threading.Event()
        self.name = f"Dask cluster {address}"
        workers = workers or os.cpu_count() or 1
        self._connection = Connection(address, workers, partial(readied, setup))
        self._client = self._connection.client
        self._refresh()

    @property
    def slots(self) -> int:
        """The threads of all workers that are there."""
        self._refresh()
        return sum(self._threads.values())

    def has_room(self, alone: bool) -> bool:
        """Whether there is a worker for a batch."""
        return self._fit(alone) is not None

    def submit(self, batch: Batch) -> None:
        """Send the batch to the worker that has least to do.

        The runs go as one text: Dask would look through every value of a list, and so it does
        with what comes back.
        """
        worker = self._fit(batch.alone)
        if worker is None:
            raise InternalError("expected room for a batch on the cluster")
        future = self._client.submit(
            execute_batch,
            pickle.dumps(list(batch.runs)),
            self._setup,
            self._on_host_of(worker),
            workers=[worker],
            allow_other_workers=False,
            pure=False,
        )
        future.add_done_callback(lambda _: self._something_new.set())
        self._sent.append(SentBatch(batch, worker, future, time.perf_counter()))

    def wait(self, seconds: float) -> list[BatchUpdate]:
        """The batches that are back, and those whose worker is gone."""
        if self._sent:
            self._something_new.wait(seconds)
        self._something_new.clear()
        self._refresh()
        updates = []
        for sent in list(self._sent):
            update = self._update(sent)
            if update is not None:
                self._sent.remove(sent)
                update.seconds = time.perf_counter() - sent.began
                updates.append(update)
        return updates

    def close(self) -> None:
        """Cancel what is under way, and end a cluster of our own."""
        try:
            self._client.cancel([sent.future for sent in self._sent], force=True)
        finally:
            self._connection.close()

    def _fit(self, alone: bool) -> str | None:
        """The worker with least to do; one that has nothing at all for a batch alone.

        Beside the batches that run, one more waits on a worker, so that it never has to.
        """
        load = Counter(sent.worker for sent in self._sent)
        closed = {sent.worker for sent in self._sent if sent.batch.alone}
        fit = [
            (load[worker] / threads, worker)
            for worker, threads in self._threads.items()
            if worker not in closed and load[worker] <= (0 if alone else threads)
        ]
        return min(fit)[1] if fit else None

    def _update(self, sent: SentBatch) -> BatchUpdate | None:
        """The update of a batch that is over, None while it is under way."""
        runs, status = sent.batch.runs, sent.future.status
        fetched = self._fetched(sent) if status == "finished" else None
        if fetched is not None:
            outcomes, seconds = fetched
            done = list(zip(runs, outcomes, strict=False))
            sent.began = time.perf_counter() - seconds
            return BatchUpdate(sent.batch, done, over=True, rest=runs[len(done) :])
        if status == "error":
            error = sent.future.exception()
            if isinstance(error, TilewiseError):
                raise error
            if not Connection.is_loss(error):
                raise ExecutorError(
                    f"expected outcomes from {sent.worker}, got {in_one_line(error)}"
                )
        elif sent.worker in self._threads and status in ("pending", "finished"):
            return None
        if sent.worker in self._threads and status in ("cancelled", "lost"):
            return BatchUpdate(sent.batch, over=True, rest=runs)
        sent.future.cancel(force=True)
        return BatchUpdate(sent.batch, over=True, rest=runs, died="the cluster lost it")

    def _fetched(self, sent: SentBatch) -> tuple[list[RunOutcome], float] | None:
        """What a batch brought; None if its worker died before it could be fetched."""
        try:
            outcomes, seconds = sent.future.result(FETCH_SECONDS)
        except Exception as error:
            if not Connection.is_loss(error):
                raise
            self._refreshed = 0.0
            self._refresh()
            return None
        return pickle.loads(outcomes), seconds

    def _refresh(self) -> None:
        """Renew the list of workers from time to time."""
        if time.monotonic() - self._refreshed < REFRESH:
            return
        try:
            self._threads = dict(self._client.nthreads())
        except (OSError, TimeoutError, RuntimeError, TypeError):
            self._threads = {}
            if self._client.status != "running":
                raise ExecutorError(
                    "the scheduler of the cluster has gone; what was done is in the store"
                ) from None
        self._refreshed = time.monotonic()

    def _on_host_of(self, worker: str) -> int:
        host = urlsplit(worker).hostname
        return sum(n for each, n in self._threads.items() if urlsplit(each).hostname == host)


def readied(setup: WorkerSetup) -> str:
    """Load all that a worker needs before its first batch; the version that it has.

    What is loaded by then stays, Dask's many objects above all: the collector of garbage need
    not walk through them again and again while searches make and drop their states.
    """
    prepare(setup)
    gc.freeze()
    return version()


def execute_batch(runs: bytes, setup: WorkerSetup, on_this_host: int) -> tuple[bytes, float]:
    """What a worker does with a batch: its outcomes as bytes, and the seconds that it took."""
    began = time.perf_counter()
    outcomes = list(execute_in_turn(pickle.loads(runs), setup, on_this_host))
    return pickle.dumps(outcomes), time.perf_counter() - began
