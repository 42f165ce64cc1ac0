"""Runs work in several processes with a time limit; answers come as they are ready."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from types import TracebackType
from typing import TypeVar

from tilewise.errors import LimitsError
from tilewise.plugins import load_file

Item = TypeVar("Item")
Answer = TypeVar("Answer")

MOST_PROCESSES = 64


class OutOfTimeError(Exception):
    """The seconds that were allowed have passed."""


class Workers:
    """Processes that are kept for several rounds of work; a count of one means this process.

    They are started afresh ("spawn"), as on every system, and load the user's own files first.
    """

    def __init__(
        self, processes: int | None, seconds: float | None = None, files: Sequence[str] = ()
    ) -> None:
        self.count = useful_processes(processes)
        self._end = None if seconds is None else time.monotonic() + seconds
        self._files = tuple(files)
        self._pool: ProcessPoolExecutor | None = None
        self._ours: set[multiprocessing.process.BaseProcess] = set()

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._pool is None:
            return
        if kind is not None:
            self._stop()
        self._pool.shutdown(wait=kind is None, cancel_futures=True)

    def run(
        self, work: Callable[[Item], Answer], items: Sequence[Item], alone: bool = False
    ) -> Iterator[tuple[Item, Answer]]:
        """Each item with its answer, in any order; `alone` keeps small work in this process."""
        if self.count == 1 or alone or len(items) < 2:
            for item in items:
                self._check_time()
                yield item, work(item)
            return
        futures = {self._started().submit(work, item): item for item in items}
        try:
            for future in as_completed(futures, self._left()):
                yield futures[future], future.result()
        except TimeoutError:
            self._stop()
            raise OutOfTimeError from None

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            before = set(multiprocessing.active_children())
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.count, context, _begin, (self._files,))
            self._pool.submit(os.getpid)  # the processes start with the first task
            self._ours = set(multiprocessing.active_children()) - before
        return self._pool

    def _stop(self) -> None:
        for process in self._ours:
            process.terminate()

    def _left(self) -> float | None:
        return None if self._end is None else max(0.0, self._end - time.monotonic())

    def _check_time(self) -> None:
        if self._left() == 0:
            raise OutOfTimeError


def useful_processes(wanted: int | None) -> int:
    """The number wanted, or one for each core."""
    if wanted is None:
        return min(os.cpu_count() or 1, MOST_PROCESSES)
    if type(wanted) is not int or not 1 <= wanted <= MOST_PROCESSES:
        raise LimitsError(f"expected 1 to {MOST_PROCESSES} processes, got {wanted!r}")
    return wanted


def _begin(files: tuple[str, ...]) -> None:
    """Leave Ctrl-C to the parent, and load what the user loaded there."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for path in files:
        load_file(path)
