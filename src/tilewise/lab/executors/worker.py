"""What every worker does, wherever it is: get ready, then execute runs one after the other."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event as CancelFlag

from tilewise.batch import LEAST_MEMORY
from tilewise.core.limits import default_memory
from tilewise.lab.execute import execute_run
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.proof_runs import ProofSetting
from tilewise.lab.run import Run
from tilewise.plugins import load_file
from tilewise.proofs.executors import cores

BUDGET = 3.0
"""Seconds after which a batch starts no further run; the rest comes back undone."""


@dataclass(frozen=True)
class WorkerSetup:
    """What a worker must know before its first run: the engine, the user's files with texts.

    `folder`: the store's, for checkpoints of proofs. A worker that cannot see it does without.
    """

    engine: str = "auto"
    files: tuple[tuple[str, str], ...] = ()
    folder: str = ""

    def proofs(self, on_this_host: int) -> ProofSetting:
        """How proofs are done by one of several workers of a host."""
        return ProofSetting(self.folder, max(1, cores() // max(1, on_this_host)))


_loaded: set[str] = set()


def prepare(setup: WorkerSetup) -> None:
    """Load the user's own heuristics and algorithms, once in each process.

    Their texts come along, because the files need not be where a worker is.
    """
    for path, text in setup.files:
        if text in _loaded:
            continue
        if Path(path).is_file() and Path(path).read_text(encoding="utf-8") == text:
            load_file(path)
        else:
            with tempfile.TemporaryDirectory(prefix="tilewise-") as folder:
                file = Path(folder, Path(path).name)
                file.write_text(text, encoding="utf-8")
                load_file(str(file))
        _loaded.add(text)


def execute_in_turn(
    runs: Sequence[Run], setup: WorkerSetup, on_this_host: int, cancel: CancelFlag | None = None
) -> Iterator[RunOutcome]:
    """What comes of each run, until the budget is spent or it is cancelled."""
    prepare(setup)
    share = memory_share(on_this_host)
    began = time.perf_counter()
    for run in runs:
        outcome = execute_run(run, setup.engine, share, cancel, setup.proofs(on_this_host))
        if outcome is None:
            return
        yield outcome
        if time.perf_counter() - began > BUDGET:
            return


def memory_share(on_this_host: int) -> int:
    """The memory limit of runs that name none: they share what one would have."""
    return max(default_memory() // max(1, on_this_host), LEAST_MEMORY)
