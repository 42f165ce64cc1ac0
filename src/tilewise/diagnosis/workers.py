"""Runs work in several processes within a budget; answers come as they are ready.

Each process has a pipe of its own and there are no threads, so a process can be stopped at any
moment: by Ctrl-C, or when work does not end in time.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from types import TracebackType
from typing import Any, NamedTuple, TypeVar

from tilewise.child_processes import children_ignore_ctrl_c
from tilewise.diagnosis.budget import TIME, Budget, EndedEarlyError
from tilewise.errors import InternalError, LimitsError
from tilewise.plugins import load_file

Item = TypeVar("Item")
Answer = TypeVar("Answer")

MOST_PROCESSES = 64


class _Worker(NamedTuple):
    process: multiprocessing.process.BaseProcess
    pipe: Connection[Any, Any]


class Workers:
    """Processes that are kept for several rounds of work; a count of one means this process.

    They are started afresh ("spawn"), as on every system, and load the user's own files first.
    """

    def __init__(self, processes: int | None, files: Sequence[str] = ()) -> None:
        self.count = useful_processes(processes)
        self._files = tuple(files)
        self._workers: list[_Worker] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self._stop()

    def run(
        self,
        work: Callable[[Item], Answer],
        items: Sequence[Item],
        budget: Budget,
        alone: bool = False,
    ) -> Iterator[tuple[Item, Answer]]:
        """Each item with its answer, in any order; `alone` keeps small work in this process.

        The work is to end by itself when its budget does.
        """
        if self.count == 1 or alone or len(items) < 2:
            for item in items:
                budget.check()
                yield item, work(item)
            return
        waiting = list(reversed(items))
        busy: dict[Connection[Any, Any], Item] = {}
        self._start()
        idle = [worker.pipe for worker in self._workers]
        try:
            while True:
                while idle and waiting and budget.left() != 0:
                    pipe, item = idle.pop(), waiting.pop()
                    pipe.send((work, item))
                    busy[pipe] = item
                if not busy:
                    break
                for pipe in self._ready(busy, budget):
                    answer = _received(pipe)
                    idle.append(pipe)
                    yield busy.pop(pipe), answer
        finally:
            if busy:  # what they would still answer belongs to no one
                self._stop()
        if waiting:
            raise EndedEarlyError(TIME)

    @staticmethod
    def _ready(
        busy: dict[Connection[Any, Any], Item], budget: Budget
    ) -> list[Connection[Any, Any]]:
        left = budget.left()
        ready = wait(list(busy), None if left is None else left + budget.grace)
        if not ready:
            raise EndedEarlyError(TIME)
        return [pipe for pipe in busy if pipe in ready]

    def _start(self) -> None:
        if self._workers:
            return
        context = multiprocessing.get_context("spawn")
        with children_ignore_ctrl_c():
            for _ in range(self.count):
                ours, theirs = context.Pipe()
                process = context.Process(target=_serve, args=(theirs, self._files), daemon=True)
                process.start()
                theirs.close()
                self._workers.append(_Worker(process, ours))

    def _stop(self) -> None:
        for worker in self._workers:
            worker.process.terminate()
            worker.pipe.close()
        for worker in self._workers:
            worker.process.join()
        self._workers = []


def _received(pipe: Connection[Any, Any]) -> Any:
    """The answer of a process; its error is raised here."""
    try:
        done, answer = pipe.recv()
    except (EOFError, OSError):
        raise InternalError("a process of the count doctor ended by itself") from None
    if not done:
        raise answer
    return answer


def _serve(pipe: Connection[Any, Any], files: tuple[str, ...]) -> None:
    """What a process does: leave Ctrl-C to the parent, load what was loaded there, and work."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for path in files:
        load_file(path)
    with contextlib.suppress(EOFError, OSError):  # the parent is gone
        while True:
            work, item = pipe.recv()
            try:
                answer = True, work(item)
            except Exception as error:
                answer = False, error
            pipe.send(answer)


def useful_processes(wanted: int | None) -> int:
    """The number wanted, or one for each core."""
    if wanted is None:
        return min(os.cpu_count() or 1, MOST_PROCESSES)
    if type(wanted) is not int or not 1 <= wanted <= MOST_PROCESSES:
        raise LimitsError(f"expected 1 to {MOST_PROCESSES} processes, got {wanted!r}")
    return wanted
