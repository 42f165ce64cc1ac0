"""The executor of many machines: a Dask cluster. Workers return outcomes; only this process writes.

Each batch is sent to one worker, by name, so that it is known which batches a worker that dies
had. The scheduler would try a batch on worker after worker, and end them all if one run does.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import pickle
import signal
import socket
import threading
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from tilewise.errors import InternalError, MissingExtraError, TilewiseError, in_one_line, shortened
from tilewise.lab.execute import version
from tilewise.lab.executors.executor import Batch, BatchUpdate, ExecutorError
from tilewise.lab.executors.worker import WorkerSetup, execute_in_turn, prepare
from tilewise.lab.outcome import RunOutcome

try:
    import dask
    import distributed
except ImportError:
    raise MissingExtraError("dask.distributed", "for a cluster", "cluster") from None

LOCAL = "local"
CLOSE_SECONDS = 5.0
CONNECT_SECONDS, FETCH_SECONDS, REFRESH = 10.0, 10.0, 1.0
"""How long the scheduler may take to answer, and a worker to send what is ready; how often the
list of its workers is renewed."""

QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
}
"""WorkerSetups of a cluster of our own: its workers need not be watched many times a second, which
takes time from the runs."""


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
        for name in ("distributed", "distributed.scheduler", "distributed.worker", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._setup = setup
        self._sent: list[SentBatch] = []
        self._threads: dict[str, int] = {}
        self._refreshed = 0.0
        self._something_new = threading.Event()
        self._cluster: Any = None
        if address == LOCAL:
            self._cluster = _local(workers or os.cpu_count() or 1)
        self.name = f"Dask cluster {address}"
        try:
            self._client = _connected(address if self._cluster is None else self._cluster)
            if self._cluster is not None:
                self._client.register_plugin(IgnoreInterrupts())
            self._check_workers()
            self._refresh()
        except BaseException:
            if self._cluster is not None:
                self._cluster.close()
            raise

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
            self._client.close(timeout=5)
        finally:
            if self._cluster is not None:
                self._cluster.close(timeout=5)

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
            if not isinstance(error, distributed.KilledWorker | OSError):
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
        except (TimeoutError, OSError, distributed.CancelledError, distributed.KilledWorker):
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

    def _check_workers(self) -> None:
        """Workers of another version would fill the store with results of another program."""
        try:
            found: dict[str, str] = self._client.run(readied, self._setup)
        except TilewiseError:
            raise
        except Exception as error:
            raise ExecutorError(
                f"expected tilewise on every worker, got {in_one_line(error)}"
            ) from error
        for worker, theirs in found.items():
            if theirs != version():
                raise ExecutorError(f"expected tilewise {version()} on {worker}, got {theirs}")


class IgnoreInterrupts(distributed.WorkerPlugin):
    """Ctrl-C reaches the workers of this machine, too; the client decides when they end."""

    def setup(self, worker: Any) -> None:
        """Called when a worker starts, also one that replaces another."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)


class Connection:
    """A client of a scheduler, or of a cluster of processes on this machine: for any task."""

    def __init__(self, address: str, workers: int) -> None:
        for name in ("distributed", "distributed.scheduler", "distributed.worker", "tornado"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        self._cluster: Any = _local(workers) if address == LOCAL else None
        try:
            self.client = _connected(address if self._cluster is None else self._cluster)
            if self._cluster is not None:
                self.client.register_plugin(IgnoreInterrupts())
        except BaseException:
            if self._cluster is not None:
                self._cluster.close()
            raise

    @property
    def slots(self) -> int:
        """The threads of all workers that are there."""
        return sum(self.client.nthreads().values())

    @staticmethod
    def is_loss(error: BaseException) -> bool:
        """Whether an error says that a worker is gone, not that its work went wrong."""
        lost = (distributed.KilledWorker, distributed.CancelledError, OSError, TimeoutError)
        return isinstance(error, lost)

    def close(self) -> None:
        """Leave; a cluster of our own ends. A worker that is slow to end does so with us."""
        try:
            with suppress(TimeoutError):
                self.client.close(timeout=CLOSE_SECONDS)
        finally:
            if self._cluster is not None:
                with suppress(TimeoutError):
                    self._cluster.close(timeout=CLOSE_SECONDS)


def _local(workers: int) -> Any:
    """A cluster of processes on this machine."""
    start: Any = distributed.LocalCluster
    with dask.config.set(QUIET):
        return start(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )


def _connected(address: Any) -> Any:
    try:
        if isinstance(address, str):
            _check_scheduler(address)
        connect: Any = distributed.Client
        return connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError, MemoryError) as error:
        raise ExecutorError(
            f"expected a Dask scheduler such as tcp://host:8786, got {_answer_of(address, error)}"
        ) from error


def _answer_of(address: Any, error: Exception) -> str:
    name = shortened(str(address))
    if isinstance(error, socket.gaierror):
        return f"a host whose name is not known: {name}"
    if isinstance(error, MemoryError):  # Dask takes the first bytes of any answer for a length
        return f"another kind of answer from {name}"
    return f"no answer from {name} within {CONNECT_SECONDS:g} s"


def _check_scheduler(address: str) -> None:
    """Raise what is wrong with the address of a scheduler.

    A client that cannot connect waits when it is deleted, and at the end of the process for a
    lookup of its host's name, which can take minutes. So a thread that is not waited for tries
    before there is a client.
    """
    host = urlsplit(address if "://" in address else f"//{address}").hostname
    outcome: SimpleQueue[Exception | None] = SimpleQueue()
    dask_itself: Any = distributed  # it has no types

    async def shake_hands() -> None:
        keys = dask_itself.Security().get_connection_args("client")
        comm = await dask_itself.comm.connect(address, timeout=CONNECT_SECONDS, **keys)
        await comm.close()

    def attempt() -> None:
        try:
            if host is not None:
                socket.getaddrinfo(host, None)
            asyncio.run(shake_hands())
        except Exception as error:
            outcome.put(error)
        else:
            outcome.put(None)

    threading.Thread(target=attempt, daemon=True).start()
    try:
        error = outcome.get(timeout=CONNECT_SECONDS)
    except Empty:
        raise TimeoutError(address) from None
    if error is not None:
        raise error


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
