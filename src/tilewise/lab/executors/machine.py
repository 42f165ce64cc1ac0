"""The executor of one machine: processes with pipes, which send each outcome at once."""

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

from tilewise.child_processes import children_ignore_ctrl_c
from tilewise.errors import TilewiseError
from tilewise.lab.executors.executor import Batch, BatchUpdate, ExecutorError
from tilewise.lab.executors.worker import WorkerSetup, execute_in_turn
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.run import Run

MOST_WORKERS = 256
READY, OVER = "ready", "over"
"""What a worker sends when it has started, and after the last outcome of a batch."""
GATHER = 0.02
"""Seconds in which the outcomes of short runs are gathered, so that they go together."""
MOST_FALSE_STARTS = 3
GRACE = 5.0
"""Seconds that a worker without a parent may take to end."""


@dataclass(eq=False)
class WorkerProcess:
    """A process, our end of its pipe, and the batch that it does."""

    process: SpawnProcess
    pipe: Connection
    batch: Batch | None = None
    ready: bool = False
    done: int = 0
    began: float = field(default_factory=time.perf_counter)


class MachineExecutor:
    """Processes of this machine; one that dies is replaced, and its batch comes back."""

    def __init__(self, workers: int, setup: WorkerSetup) -> None:
        if not 1 <= workers <= MOST_WORKERS:
            raise ExecutorError(f"expected 1 to {MOST_WORKERS} workers, got {workers}")
        self.name = f"{workers} processes" if workers > 1 else "1 process"
        self.slots = workers
        self._setup = setup
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
            worker.pipe.send(list(batch.runs))

    def wait(self, seconds: float) -> list[BatchUpdate]:
        """All that has come in the meantime, from every worker."""
        waiting: list[Any] = [worker.pipe for worker in self._workers]
        waiting += [worker.process.sentinel for worker in self._workers]
        wait(waiting, seconds)
        updates = []
        for place, worker in enumerate(self._workers):
            update, dead = self._update(worker)
            if update is not None:
                updates.append(update)
            if dead:
                self._check_start(worker)
                worker.pipe.close()
                worker.process.join()
                self._workers[place] = self._started()
        return updates

    def close(self) -> None:
        """End the processes at once."""
        for worker in self._workers:
            worker.process.terminate()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()

    def _update(self, worker: WorkerProcess) -> tuple[BatchUpdate | None, bool]:
        """What a worker has sent, and whether it is dead."""
        batch = worker.batch
        update = BatchUpdate(batch or Batch(()))
        dead = False
        try:
            while worker.pipe.poll():
                self._take(worker, update, worker.pipe.recv())
        except (EOFError, OSError):
            dead = True
        if batch is None:
            return None, dead
        if dead and not worker.ready:  # it has not seen the batch
            update.over, update.rest = True, batch.runs
        if dead and not update.over:
            update.over, update.rest = True, batch.runs[worker.done :]
            worker.process.join()
            update.died = _cause(worker.process.exitcode)
        if update.over:
            worker.batch = None
            update.seconds = time.perf_counter() - worker.began
        return (update if update.done or update.over else None), dead

    def _take(self, worker: WorkerProcess, update: BatchUpdate, message: Any) -> None:
        runs = update.batch.runs
        if isinstance(message, TilewiseError):
            raise message
        if message == READY:
            worker.ready = True
            return
        if message == OVER:
            update.over, update.rest = True, runs[worker.done :]
            return
        update.done += zip(runs[worker.done :], message, strict=False)
        worker.done += len(message)

    def _check_start(self, worker: WorkerProcess) -> None:
        """Give up when worker after worker ends before it has begun."""
        self._false_starts = 0 if worker.ready else self._false_starts + 1
        if self._false_starts >= MOST_FALSE_STARTS:
            worker.process.join()
            raise ExecutorError(
                f"expected workers that start, got {self._false_starts} that "
                f"{_cause(worker.process.exitcode)} (a script that starts workers needs "
                "if __name__ == '__main__')"
            )

    def _started(self) -> WorkerProcess:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=work, args=(theirs, self._setup, self.slots), daemon=True
        )
        with children_ignore_ctrl_c():
            process.start()
        theirs.close()
        return WorkerProcess(process, ours)


def work(pipe: Connection, setup: WorkerSetup, on_this_host: int) -> None:
    """What a worker does until its pipe is closed: batches in, outcomes out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to end
    cancel = CancelFlag()
    threading.Thread(target=_watch_parent, args=(cancel,), daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        pipe.send(READY)
        while True:
            _execute(pipe, pipe.recv(), setup, on_this_host, cancel)


def _execute(
    pipe: Connection, runs: Sequence[Run], setup: WorkerSetup, on_this_host: int, cancel: CancelFlag
) -> None:
    outcomes: list[RunOutcome] = []
    sent = time.perf_counter()
    try:
        for outcome in execute_in_turn(runs, setup, on_this_host, cancel):
            outcomes.append(outcome)
            if time.perf_counter() - sent > GATHER:
                pipe.send(outcomes)
                outcomes, sent = [], time.perf_counter()
        pipe.send(outcomes)
    except TilewiseError as error:
        pipe.send(error)
    else:
        pipe.send(OVER)


def _watch_parent(cancel: CancelFlag) -> None:
    """End a search whose outcome is not wanted any more: the parent may have been killed."""
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
