"""One proof on a Dask cluster: the same counters as here, also when a worker is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.proofs.test_proofs import BOARD, SOLUTION, SPEC, counters
from tilewise.lab.executors.subtrees import SubtreesOnCluster
from tilewise.proofs import checkpoint
from tilewise.proofs.executors import PassTask
from tilewise.proofs.proving import prove


class Killing(SubtreesOnCluster):
    """Kills a worker once, when it has batches to do."""

    sent = killed = 0

    def _sent(self, task: PassTask, batch: Sequence[tuple[int, str]]) -> Any:
        future = super()._sent(task, batch)
        self.sent += 1
        if self.sent == 30:
            self.killed = next(iter(self._connection.client.run(os.getpid).values()))
            os.kill(self.killed, signal.SIGKILL)
        return future


def test_a_worker_that_is_killed_changes_no_counter(tmp_path: Path) -> None:
    states = []
    for name, executor in (("here", None), ("cluster", Killing("local", 2))):
        path = tmp_path / f"{name}.proof"
        try:
            result = prove(
                BOARD.board,
                goal="first",
                incumbent=SOLUTION,
                heuristic=SPEC,
                checkpoint=path,
                executor=executor,
            )
        finally:
            if executor is not None:
                executor.close()
        assert result.optimal and result.cost == BOARD.optimal
        states.append(checkpoint.read(path))
    assert executor is not None and executor.killed and executor.sent > 30
    assert counters(states[0]) == counters(states[1])
