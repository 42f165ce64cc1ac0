"""A client of a Dask scheduler, or of a cluster of our own. No other module knows Dask."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from tilewise.child_processes import children_ignore_ctrl_c
from tilewise.core.build_context import never
from tilewise.errors import (
    CancelledError,
    MissingExtraError,
    TilewiseError,
    in_one_line,
    shortened,
)
from tilewise.lab.execute import version
from tilewise.lab.executors.executor import ExecutorError

T = TypeVar("T")
LOCAL = "local"
CONNECT_SECONDS, CLOSE_SECONDS, LOOK_EVERY = 10.0, 5.0, 0.05
"""How long a scheduler may take to answer, and to say goodbye; how often it is looked whether the
caller still wants it."""

QUIET = {
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "1s",
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.scheduler.work-stealing": False,
    "distributed.scheduler.active-memory-manager.start": False,
}
"""Settings of a cluster of our own: its workers need not be watched many times a second, which
takes time from the runs."""
PATIENT = {"distributed.deploy.lost-worker-timeout": "1h"}
"""A worker that died is started again, which takes longer than the usual 15 s on a busy machine;
after that Dask would give it up for good. The setting is read when a worker dies."""


class _Opened(NamedTuple):
    client: Any
    cluster: Any
    """The cluster if it is our own, else None."""

    def close(self) -> None:
        """Leave. The workers of our own cluster have nothing to keep: they are killed."""
        if self.cluster is not None:
            _kill_workers(self.cluster)
        for each in (self.client, self.cluster):
            if each is not None:
                with suppress(TimeoutError):
                    each.close(timeout=CLOSE_SECONDS)


class Connection:
    """A client of a scheduler, or of a cluster of processes on this machine."""

    def __init__(
        self,
        address: str,
        workers: int,
        greeting: Callable[[], str] = version,
        *,
        seconds: float = math.inf,
        ended: Callable[[], bool] = never,
    ) -> None:
        """Connect within the seconds, as long as it is wanted.

        Args:
            address: That of a scheduler, or `local`.
            workers: The processes of a local cluster.
            greeting: Called on every worker; it returns the version that the worker has.
            seconds: How long it may take.
            ended: Called now and then; True ends it.

        Raises:
            ExecutorError: There is no answer, or workers have another version.
            CancelledError: It was ended, or a local cluster did not start in time.
        """
        began = time.monotonic()
        if address != LOCAL:
            within = min(CONNECT_SECONDS, seconds)
            if not _by_a_thread(lambda: _check_scheduler(address, within), within, ended):
                raise _no_scheduler(address, TimeoutError(), within)
        left = seconds - (time.monotonic() - began)
        opened = _by_a_thread(lambda: _opened(address, workers, greeting), left, ended)
        if opened is None and address != LOCAL:
            raise _no_scheduler(address, TimeoutError(), seconds)
        if opened is None:
            raise CancelledError("the time was up while a cluster was being started")
        self._opened = opened
        self.client = opened.client

    @property
    def slots(self) -> int:
        """The threads of all workers that are there."""
        return sum(self.client.nthreads().values())

    @staticmethod
    def is_loss(error: BaseException) -> bool:
        """Whether an error says that a worker is gone, not that its work went wrong."""
        dask = _distributed()
        lost = (dask.KilledWorker, dask.CancelledError, OSError, TimeoutError)
        return isinstance(error, lost)

    def close(self) -> None:
        """Leave; a cluster of our own ends."""
        self._opened.close()


def _by_a_thread(make: Callable[[], T], seconds: float, ended: Callable[[], bool]) -> T | None:
    """What `make` returns or raises; None if that takes longer than the seconds.

    Nothing stops Dask while it loads, looks up a name or starts a cluster. So a thread does it
    that is not waited for, and what comes too late is closed again.
    """
    outcome: SimpleQueue[T | Exception] = SimpleQueue()
    left = threading.Event()
    deadline = time.monotonic() + seconds

    def attempt() -> None:
        try:
            # the processes of a local cluster are started by this thread and those it starts
            with children_ignore_ctrl_c():
                outcome.put(make())
        except Exception as error:
            outcome.put(error)
        if left.is_set():
            close_late()

    def close_late() -> None:
        with suppress(Empty):  # both threads look, and one of them gets it
            late = outcome.get_nowait()
            if isinstance(late, _Opened):
                late.close()

    threading.Thread(target=attempt, daemon=True).start()
    try:
        made = _waited_for(outcome, deadline, ended)
    except BaseException:
        left.set()
        close_late()
        raise
    if made is None:
        left.set()
        close_late()
    if isinstance(made, Exception):
        raise made
    return made


def _waited_for(outcome: SimpleQueue[T], deadline: float, ended: Callable[[], bool]) -> T | None:
    while True:
        with suppress(Empty):
            return outcome.get(timeout=max(0.0, min(LOOK_EVERY, deadline - time.monotonic())))
        if ended():
            raise CancelledError("stopped while a cluster was being connected to")
        if time.monotonic() >= deadline:
            return None


def _distributed() -> Any:
    """Dask, which takes a second to load."""
    try:
        import distributed
    except ImportError:
        raise MissingExtraError("dask.distributed", "for a cluster", "cluster") from None
    for name in ("distributed", "distributed.scheduler", "distributed.worker", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _opened(address: str, workers: int, greeting: Callable[[], str]) -> _Opened:
    cluster = _local(workers) if address == LOCAL else None
    client = None
    try:
        client = _connected(address if cluster is None else cluster)
        _check_workers(client, greeting)
    except BaseException:
        _Opened(client, cluster).close()
        raise
    return _Opened(client, cluster)


def _local(workers: int) -> Any:
    """A cluster of processes on this machine."""
    start = _distributed().LocalCluster
    import dask

    dask.config.set(PATIENT)
    try:
        with dask.config.set(QUIET):
            return start(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=None,
                # its server listens all the same: here, and where nobody else does
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                silence_logs=logging.CRITICAL,
            )
    except (OSError, RuntimeError) as error:
        raise ExecutorError(f"expected a cluster that starts, got {in_one_line(error)}") from error


def _kill_workers(cluster: Any) -> None:
    """End the processes of a local cluster at once; Dask would ask each and wait for it."""
    for nanny in list(cluster.workers.values()):
        nanny.auto_restart = False
        if nanny.pid is not None:
            with suppress(ProcessLookupError):
                os.kill(nanny.pid, signal.SIGTERM)


def _connected(address: Any) -> Any:
    connect = _distributed().Client
    try:
        return connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError, MemoryError) as error:
        raise _no_scheduler(address, error, CONNECT_SECONDS) from error


def _no_scheduler(address: Any, error: Exception, seconds: float) -> ExecutorError:
    name = shortened(str(address))
    if isinstance(error, socket.gaierror):
        answer = f"a host whose name is not known: {name}"
    elif isinstance(error, MemoryError):  # Dask takes the first bytes of any answer for a length
        answer = f"another kind of answer from {name}"
    else:
        answer = f"no answer from {name} within {seconds:.2g} s"
    return ExecutorError(f"expected a Dask scheduler such as tcp://host:8786, got {answer}")


def _check_scheduler(address: str, seconds: float) -> bool:
    """Whether a scheduler answers at the address; else an error says what is wrong.

    A client that cannot connect waits when it is deleted, and at the end of the process for a
    lookup of its host's name, which can take minutes. So this is tried before there is a client.
    """
    dask = _distributed()
    host = urlsplit(address if "://" in address else f"//{address}").hostname

    async def shake_hands() -> None:
        keys = dask.Security().get_connection_args("client")
        comm = await dask.comm.connect(address, timeout=seconds, **keys)
        await comm.close()

    try:
        if host is not None:
            socket.getaddrinfo(host, None)
        asyncio.run(shake_hands())
    except (OSError, TimeoutError, ValueError, TypeError, MemoryError) as error:
        raise _no_scheduler(address, error, seconds) from error
    return True


def _check_workers(client: Any, greeting: Callable[[], str]) -> None:
    """Workers of another version would fill the store with results of another program."""
    try:
        found: dict[str, str] = client.run(greeting)
    except TilewiseError:
        raise
    except Exception as error:
        raise ExecutorError(
            f"expected tilewise on every worker, got {in_one_line(error)}"
        ) from error
    for worker, theirs in found.items():
        if theirs != version():
            raise ExecutorError(f"expected tilewise {version()} on {worker}, got {theirs}")
