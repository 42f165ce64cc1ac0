"""The subtrees of one proof on a Dask cluster. A worker that dies loses only its batch of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from tilewise.core.limits import default_memory
from tilewise.errors import InternalError, TilewiseError, in_one_line
from tilewise.lab.executors.connection import Connection
from tilewise.lab.executors.executor import ExecutorError
from tilewise.native import SubtreeCount
from tilewise.proofs.executors import PassTask, Report, ThreadsHere

BATCHES_A_WORKER = 20
"""Batches that a pass is cut into for each thread of the cluster: their sizes differ much."""
MOST_LOSSES = 10
"""A batch that ends its worker this often is not tried again."""
LOOK_EVERY = 0.2


class SubtreesOnCluster:
    """Searches subtrees by the workers of a Dask scheduler, or of a cluster on this machine."""

    def __init__(self, address: str, workers: int) -> None:
        self._address, self._workers = address, workers
        self._connected: Connection | None = None

    def connect(self, seconds: float, ended: Callable[[], bool]) -> None:
        """Connect to the scheduler, or start the cluster."""
        if self._connected is None:
            self._connected = Connection(self._address, self._workers, seconds=seconds, ended=ended)

    def search(
        self, task: PassTask, roots: Sequence[tuple[int, str]], report: Report
    ) -> str | None:
        """Send batches of subtrees to the workers until all are done, or a solution is found."""
        slots = max(1, self._connection.slots)
        if len(roots) < slots:  # a small pass, done before it would have been sent
            return ThreadsHere(1).search(task, roots, report)
        size = max(1, len(roots) // (BATCHES_A_WORKER * slots))
        batches = [roots[at : at + size] for at in range(0, len(roots), size)]
        waiting = {self._sent(task, batch): (batch, 0) for batch in batches}
        try:
            while waiting:
                time.sleep(LOOK_EVERY)
                done: list[SubtreeCount] = []
                for future in [each for each in waiting if each.done()]:
                    batch, losses = waiting.pop(future)
                    answer = self._answer(future)
                    if answer is None:
                        if losses == MOST_LOSSES:
                            raise ExecutorError(f"{losses} workers ended at the same subtrees")
                        waiting[self._sent(task, batch)] = (batch, losses + 1)
                        continue
                    counts, moves = answer
                    done += [SubtreeCount(*each) for each in counts]
                    if moves is not None:
                        report(done, 0)
                        return moves
                if report(done, 0):
                    return None
        except KeyboardInterrupt:
            waiting.clear()  # the scheduler drops them when this client leaves
            raise
        finally:
            if waiting:
                self._connection.client.cancel(list(waiting), force=True)
        return None

    def probe(
        self, task: PassTask, nodes: int, ended: Callable[[], bool]
    ) -> tuple[str | None, int]:
        """Look for a solution by a thread of this process: it is short beside the pass."""
        return ThreadsHere(1).probe(task, nodes, ended)

    def close(self) -> None:
        """End a cluster of our own, or leave the one that was named."""
        if self._connected is not None:
            self._connected.close()

    @property
    def _connection(self) -> Connection:
        if self._connected is None:
            raise InternalError("subtrees are sent before there is a cluster")
        return self._connected

    def _sent(self, task: PassTask, batch: Sequence[tuple[int, str]]) -> Any:
        slots = max(1, self._connection.slots)
        return self._connection.client.submit(search_batch, task, list(batch), slots, pure=False)

    def _answer(self, future: Any) -> tuple[list[tuple[Any, ...]], str | None] | None:
        """What a batch brought; None if its worker is gone."""
        try:
            answer: tuple[list[tuple[Any, ...]], str | None] = future.result(timeout=10)
        except TilewiseError:
            raise
        except Exception as error:
            if self._connection.is_loss(error):
                return None
            raise ExecutorError(f"expected counted subtrees, got {in_one_line(error)}") from error
        return answer


def search_batch(
    task: PassTask, roots: list[tuple[int, str]], on_this_host: int
) -> tuple[list[tuple[Any, ...]], str | None]:
    """What a worker does: the counts of subtrees as plain tuples, and a solution if there is one.

    Tables come from the cache of the host, where the first worker builds them.
    """
    counts: list[tuple[Any, ...]] = []

    def collect(done: list[SubtreeCount], unfinished: int) -> bool:
        counts.extend(map(tuple, done))
        return False

    here = ThreadsHere(1, default_memory() // max(1, on_this_host))
    return counts, here.search(task, roots, collect)
