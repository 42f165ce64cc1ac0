"""Runs that are proofs: they go on from a checkpoint in the folder of their experiment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as CancelFlag

from tilewise.core.limits import Limits
from tilewise.core.result import Status
from tilewise.core.rules import Rules
from tilewise.files import temporary_folder
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.run import Run
from tilewise.proofs import checkpoint as checkpoints
from tilewise.proofs.executors import ThreadsHere
from tilewise.proofs.proving import prove
from tilewise.proofs.state import ProofState

FOLDER, ENDING = "proofs", ".proof"
"""Where the checkpoints are in the folder of an experiment: `tilewise proofs` shows them."""
LOOKING = 20.0
"""Seconds for finding a solution before the first pass."""


@dataclass(frozen=True)
class ProofSetting:
    """The folder of the experiment, if it can be seen from here, and the threads of a proof."""

    folder: str = ""
    threads: int = 1


def proved(
    run: Run, limits: Limits, cancel: CancelFlag | None, setting: ProofSetting
) -> RunOutcome:
    """Prove the board of a run; beside the counters of its passes, when a solution was found."""
    with _folder(setting) as folder:
        path = folder / f"{run.key}{ENDING}"
        result = prove(
            run.board,
            goal=run.goal,
            heuristic=run.heuristic or None,
            order=Rules.parse(run.rules).order,
            checkpoint=path,
            executor=ThreadsHere(setting.threads, limits.memory or ThreadsHere().memory),
            limits=limits,
            looking=LOOKING,
            cancel=cancel,
        )
        if result.status is Status.CANCELLED and (cancel is None or not cancel.is_set()):
            raise KeyboardInterrupt
        outcome = RunOutcome.from_result(result)
        if not result.optimal or not path.exists():
            return outcome
        return replace(outcome, measured=_measured(checkpoints.read(path)))


@contextmanager
def _folder(setting: ProofSetting) -> Iterator[Path]:
    """Where the checkpoint is: in the experiment's folder, or in one that goes with the run."""
    if setting.folder and Path(setting.folder).is_dir():
        folder = Path(setting.folder, FOLDER)
        folder.mkdir(exist_ok=True)
        yield folder
        return
    with temporary_folder("tilewise-") as temporary:
        yield temporary


def _measured(state: ProofState) -> dict[str, int | float | None]:
    return {
        "passes": len(state.passes),
        "nodes": sum(each.generated for each in state.passes),
        "further_nodes": state.current.generated if state.current else 0,
        "probed_nodes": state.probed,
        "first_cost": state.first_cost,
        "found_after": state.found_after,
        "proof_seconds": state.seconds,
    }
