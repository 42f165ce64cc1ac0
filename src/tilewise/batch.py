"""Many boards at once: all cores, results in the order of the boards."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from threading import Event as CancelFlag
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tilewise.core.limits import Limits, default_memory
from tilewise.core.result import Result
from tilewise.errors import LimitsError
from tilewise.native import may_serve
from tilewise.puzzle.board import Board
from tilewise.puzzle.position import Position
from tilewise.solving import solve

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

Item = TypeVar("Item")
Answer = TypeVar("Answer")

MOST_THREADS, LEAST_MEMORY = 256, 256 * 2**20
BATCHES_AHEAD, LARGEST_BATCH, QUICK = 4, 64, 0.01
"""Batches handed out before an answer is awaited; boards that take no time go many in a batch."""
LOOK = 0.05
"""Seconds after which the answers of a batch that is not at its end are given."""


def solve_many(
    boards: Iterable[Position | Board | str], *, threads: int | None = None, **how: Any
) -> Iterator[Result]:
    """Solve boards as `solve(board, **how)` does, several at a time.

    The native engine runs without Python's lock, so by default it gets a thread for each core.
    The Python engine gets one thread.

    Args:
        boards: Boards, positions or texts. An endless iterator is fine: boards are taken as they
            are needed.
        threads: How many boards to solve at a time.
        **how: The other arguments of `solve`. Limits hold for each board; without a memory limit
            the searches share half of the machine's memory.

    Returns:
        The results, in the order of the boards. When you stop reading them, the running
        searches are cancelled.

    Raises:
        LimitsError: `threads` is not a number from 1 to 256.
        TilewiseError: What `solve` raises, when the result of that board is read.

    Example:
        >>> [result.cost for result in solve_many(["1b2 345 678", "312 b45 678", "b12 345 678"])]
        [1, 1, 0]
    """
    threads = useful_threads(threads, how)
    how = {**how, "limits": shared_limits(how.get("limits"), threads)}
    cancel = how.pop("cancel", None) or CancelFlag()
    return in_order(lambda board: solve(board, cancel=cancel, **how), boards, threads, cancel)


def useful_threads(wanted: int | None, how: dict[str, Any]) -> int:
    """The number wanted, else one for each core where the native engine may serve."""
    if wanted is not None:
        if type(wanted) is not int or not 1 <= wanted <= MOST_THREADS:
            raise LimitsError(f"expected 1 to {MOST_THREADS} threads, got {wanted!r}")
        return wanted
    native = may_serve(
        how.get("engine", "auto"), how.get("algorithm"), how.get("heuristic"), how.get("rules")
    )
    return os.cpu_count() or 1 if native else 1


def shared_limits(limits: Limits | None, threads: int) -> Limits | None:
    """The limits of each of several searches: without a memory limit they share the default."""
    if threads == 1 or (limits is not None and limits.memory is not None):
        return limits
    share = max(default_memory() // threads, LEAST_MEMORY)
    return replace(limits or Limits(), memory=share)


def in_order(
    function: Callable[[Item], Answer], items: Iterable[Item], threads: int, cancel: CancelFlag
) -> Iterator[Answer]:
    """The function of each item, computed by several threads, in the order of the items.

    When the caller stops early, or Ctrl-C comes, the running searches are cancelled.
    """
    if threads == 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    remaining = iter(items)
    waiting: deque[_Batch[Answer]] = deque()
    size = 1
    pool, patient = ThreadPoolExecutor(threads), True
    try:
        while (taken := list(islice(remaining, size))) or waiting:
            if taken:
                waiting.append(_Batch(pool, function, taken))
            while waiting and (
                not taken or waiting[0].done() or len(waiting) > BATCHES_AHEAD * threads
            ):
                yield from waiting[0]
                quick = waiting.popleft().seconds < QUICK
                size = min(2 * size, LARGEST_BATCH) if quick else 1
    except KeyboardInterrupt:
        patient = False  # searches end when they look at the flag
        raise
    finally:
        if waiting:
            cancel.set()
        pool.shutdown(wait=patient, cancel_futures=True)


class _Batch(Generic[Answer]):
    """Items that one thread works on, one after the other."""

    def __init__(
        self, pool: ThreadPoolExecutor, function: Callable[[Item], Answer], items: list[Item]
    ) -> None:
        self.seconds = 0.0
        self._answers: list[Answer] = []
        self._work = pool.submit(self._answer, function, items)
        self.done = self._work.done

    def _answer(self, function: Callable[[Item], Answer], items: list[Item]) -> None:
        began = time.perf_counter()
        for item in items:
            self._answers.append(function(item))
        self.seconds = time.perf_counter() - began

    def __iter__(self) -> Iterator[Answer]:
        """The answers as they come: a slow item does not keep those before it waiting."""
        from concurrent.futures import wait

        given = 0
        while not wait([self._work], LOOK).done or given < len(self._answers):
            ready = self._answers[given:]
            given += len(ready)
            yield from ready
        self._work.result()
