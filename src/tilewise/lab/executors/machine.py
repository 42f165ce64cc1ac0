"""The crew of one machine: processes, each with a pipe. Rows are sent when their runs end."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from threading import Event as CancelFlag
from typing import Any

from tilewise.errors import TilewiseError
from tilewise.lab.columns import Values
from tilewise.lab.executors import (
    Batch,
    CrewError,
    Report,
    Setting,
    packed,
    perform_in_turn,
    unpacked,
)
from tilewise.lab.run import Run

MOST_WORKERS = 256
READY, OVER = "ready", "over"
"""What a worker sends when it has started, and after the last row of a batch."""
GATHER = 0.02
"""Seconds in which rows of short runs are gathered, so that they go together."""
MOST_FALSE_STARTS = 3
GRACE = 5.0
"""Seconds that a worker without a parent may take to end."""


@dataclass(eq=False)
class Worker:
    """A process, our end of its pipe, and the batch that it does."""

    process: SpawnProcess
    pipe: Connection
    batch: Batch | None = None
    ready: bool = False
    done: int = 0
    began: float = field(default_factory=time.perf_counter)


class Pool:
    """Processes of this machine; one that dies is replaced, and its batch comes back."""

    def __init__(self, workers: int, setting: Setting) -> None:
        if not 1 <= workers <= MOST_WORKERS:
            raise CrewError(f"expected 1 to {MOST_WORKERS} workers, got {workers}")
        self.name = f"{workers} processes" if workers > 1 else "1 process"
        self.slots = workers
        self._setting = setting
        self._false_starts = 0
        self._context = multiprocessing.get_context("spawn")
        self._workers = [self._started() for _ in range(workers)]

    def has_room(self, alone: bool) -> bool:
        """Whether a worker has no batch."""
        return any(worker.batch is None for worker in self._workers)

    def submit(self, batch: Batch) -> None:
        """Give the batch to a worker that has none."""
        worker = next(each for each in self._workers if each.batch is None)
        worker.batch, worker.done, worker.began = batch, 0, time.perf_counter()
        with contextlib.suppress(OSError):  # it is dead: the next wait will see that
            worker.pipe.send([packed(run) for run in batch.runs])

    def wait(self, seconds: float) -> list[Report]:
        """All that has come in the meantime, from every worker."""
        waiting: list[Any] = [worker.pipe for worker in self._workers]
        waiting += [worker.process.sentinel for worker in self._workers]
        wait(waiting, seconds)
        reports = []
        for place, worker in enumerate(self._workers):
            report, dead = self._news(worker)
            if report is not None:
                reports.append(report)
            if dead:
                self._check_start(worker)
                worker.pipe.close()
                worker.process.join()
                self._workers[place] = self._started()
        return reports

    def close(self) -> None:
        """End the processes at once."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()

    def _news(self, worker: Worker) -> tuple[Report | None, bool]:
        """What a worker has sent, and whether it is dead."""
        batch = worker.batch
        report = Report(batch or Batch(()))
        dead = False
        try:
            while worker.pipe.poll():
                self._take(worker, report, worker.pipe.recv())
        except (EOFError, OSError):
            dead = True
        if batch is None:
            return None, dead
        if dead and not worker.ready:  # it has not seen the batch
            report.over, report.rest = True, batch.runs
        if dead and not report.over:
            report.over, report.rest = True, batch.runs[worker.done :]
            worker.process.join()
            report.died = _cause(worker.process.exitcode)
        if report.over:
            worker.batch = None
            report.seconds = time.perf_counter() - worker.began
        return (report if report.rows or report.over else None), dead

    def _take(self, worker: Worker, report: Report, message: Any) -> None:
        runs = report.batch.runs
        if isinstance(message, TilewiseError):
            raise message
        if message == READY:
            worker.ready = True
            return
        if message == OVER:
            report.over, report.rest = True, runs[worker.done :]
            return
        report.rows += zip(runs[worker.done :], message, strict=False)
        worker.done += len(message)

    def _check_start(self, worker: Worker) -> None:
        """Give up when worker after worker ends before it has begun."""
        self._false_starts = 0 if worker.ready else self._false_starts + 1
        if self._false_starts >= MOST_FALSE_STARTS:
            worker.process.join()
            raise CrewError(
                f"expected workers that start, got {self._false_starts} that "
                f"{_cause(worker.process.exitcode)} (a script that starts workers needs "
                "if __name__ == '__main__')"
            )

    def _started(self) -> Worker:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=work, args=(theirs, self._setting, self.slots), daemon=True
        )
        process.start()
        theirs.close()
        return Worker(process, ours)


def work(pipe: Connection, setting: Setting, on_this_host: int) -> None:
    """What a worker does until its pipe is closed: batches in, rows out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to end
    cancel = CancelFlag()
    threading.Thread(target=_watch_parent, args=(cancel,), daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        pipe.send(READY)
        while True:
            _do(pipe, [unpacked(values) for values in pipe.recv()], setting, on_this_host, cancel)


def _do(
    pipe: Connection, runs: Sequence[Run], setting: Setting, on_this_host: int, cancel: CancelFlag
) -> None:
    rows: list[Values] = []
    sent = time.perf_counter()
    try:
        for row in perform_in_turn(runs, setting, on_this_host, cancel):
            rows.append(row)
            if time.perf_counter() - sent > GATHER:
                pipe.send(rows)
                rows, sent = [], time.perf_counter()
        pipe.send(rows)
    except TilewiseError as error:
        pipe.send(error)
    else:
        pipe.send(OVER)


def _watch_parent(cancel: CancelFlag) -> None:
    """End a search whose result nobody will take: the parent may have been killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        cancel.set()
        time.sleep(GRACE)
        os.kill(os.getpid(), signal.SIGTERM)  # a course's search does not look at the flag


def _cause(exitcode: int | None) -> str:
    """How a process ended, in words."""
    if exitcode is not None and exitcode < 0 and os.name == "posix":
        with contextlib.suppress(ValueError):
            return f"killed by signal {signal.Signals(-exitcode).name}"
    return f"ended with code {exitcode}"
