"""run_experiment(): do the runs of an experiment that its store does not have yet."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.made_heuristic import build_heuristic
from tilewise.errors import SpecError, TilewiseError, shortened
from tilewise.files import read_text
from tilewise.lab.database import StoreError
from tilewise.lab.execute import check_engine, version
from tilewise.lab.executors.executor import Executor
from tilewise.lab.executors.in_process import InProcessExecutor
from tilewise.lab.executors.worker import WorkerSetup, prepare
from tilewise.lab.experiment import Experiment, PlannedRun
from tilewise.lab.leases import Leases
from tilewise.lab.plan import PendingRuns, Plan
from tilewise.lab.row_writer import RowWriter
from tilewise.lab.run import Run
from tilewise.lab.store import Store
from tilewise.lab.work_loop import Moment, Summary, Watch, WorkLoop
from tilewise.plugins import LARGEST_SOURCE
from tilewise.puzzle.position import read_position

LOOK_EVERY = 1000
"""Planned runs after which the progress is shown."""


def run_experiment(
    experiment: Experiment,
    folder: str | Path,
    *,
    workers: int = 1,
    cluster: str | None = None,
    full: bool = False,
    engine: str = "auto",
    retry_failed: bool = False,
    watch: Watch | None = None,
    command: str = "",
    context: BuildContext = DEFAULT_CONTEXT,
) -> Summary:
    """Do the runs that the store in the folder does not have yet; what is done stays.

    Everything that can be wrong with the request is found before the store is touched.

    Args:
        experiment: The runs that are wanted.
        folder: Where the store is, or will be.
        workers: Processes of this machine: 0 for one on each core, 1 for this process alone.
        cluster: The address of a Dask scheduler, or `local`.
        full: The large form of a built-in experiment.
        engine: As for `solve`.
        retry_failed: Do failed runs again.
        watch: Called with a `Moment` while it works.
        command: The command line, for the report.
        context: How tables may be built.

    Returns:
        How many runs there are, and how many were done now.

    Raises:
        SpecError: Something in the experiment is unknown.
        StoreError: The folder holds another experiment.

    Example:
        >>> import tempfile
        >>> from tilewise.lab import Boards, Part
        >>> part = Part("all", [Boards(("1b2 345 678",))], heuristics=["manhattan", "misplaced"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     summary = run_experiment(Experiment("mine", [part]), folder)
        >>> summary.planned, summary.done_now, summary.failed
        (2, 2, 0)
    """
    files = tuple(_file_text(path) for path in experiment.load)
    setup = WorkerSetup(engine, files, str(Path(folder).resolve()))
    prepare(setup)
    planning = Planning(watch)
    with Plan() as plan:
        plan.fill(planning.checked(experiment.each_planned(full), engine))
        if cluster is None:
            planning.build_heuristics(context)
        facts = _facts(experiment, setup, full, command)
        with closing(_executor(workers, cluster, setup)) as executor:
            return _executed(
                experiment, folder, plan, planning, setup, executor, facts, retry_failed, watch
            )


def _executed(
    experiment: Experiment,
    folder: str | Path,
    plan: Plan,
    planning: Planning,
    setup: WorkerSetup,
    executor: Executor,
    facts: dict[str, str],
    retry_failed: bool,
    watch: Watch | None,
) -> Summary:
    """Do the runs of a plan that the store does not have yet."""
    with Store.open_to_write(folder, experiment.name) as store:
        _check_files(store, setup)
        if retry_failed:
            store.forget_failed()
        with Plan() as larger:
            wanted = _with_earlier(experiment, plan, larger, store, facts)
            store.plan(wanted, wanted.digest, facts, planning.look)
            pending = PendingRuns(wanted, store.open_positions(), experiment.order_seed)
            leases = Leases(store.folder, executor.name)
            writer = RowWriter(store)
            try:
                loop = WorkLoop(store.planned(), pending, writer, leases, executor, watch)
                loop.run()
            finally:
                try:
                    writer.close()
                finally:
                    leases.close()
        return loop.summary(store.progress())


class Planning:
    """Makes a plan run by run: checks each, shows how many there are, notes what must be built."""

    def __init__(self, watch: Watch | None) -> None:
        self._watch = watch
        self._began = time.monotonic()
        self._estimates: dict[tuple[str, str], Run] = {}

    def checked(self, planned: Iterable[PlannedRun], engine: str) -> Iterator[PlannedRun]:
        """The runs; what is wrong with one is an error before anything is done."""
        for number, each in enumerate(planned):
            self.look(number)
            run = each.run
            check_engine(engine, run)
            if _estimates(run):
                self._estimates.setdefault((run.heuristic, run.goal), run)
            yield each

    def look(self, number: int) -> None:
        """Show now and then how far it is."""
        if number % LOOK_EVERY == 0 and self._watch is not None:
            seconds = time.monotonic() - self._began
            self._watch(Moment(0, 0, 0, seconds, "", planning=number))

    def build_heuristics(self, context: BuildContext) -> None:
        """Make each heuristic once, so that bad specs are found and tables are built at first."""
        for run in self._estimates.values():
            goal = read_position(run.board, run.goal).goal
            build_heuristic(run.heuristic, goal, context)


def _executor(workers: int, cluster: str | None, setup: WorkerSetup) -> Executor:
    if cluster is not None:
        from tilewise.lab.executors.cluster import ClusterExecutor

        return ClusterExecutor(cluster, workers, setup)
    if workers == 1:
        return InProcessExecutor(setup)
    from tilewise.lab.executors.machine import MachineExecutor

    return MachineExecutor(workers or os.cpu_count() or 1, setup)


def _estimates(run: Run) -> bool:
    return bool(run.heuristic) and not run.measure and not run.profile


def _file_text(path: str) -> tuple[str, str]:
    try:
        return str(Path(path).resolve()), read_text(path, LARGEST_SOURCE, "a Python file")
    except TilewiseError:
        raise SpecError(f"expected a Python file to load, got {shortened(path)}") from None


def _with_earlier(
    experiment: Experiment, plan: Plan, larger: Plan, store: Store, facts: dict[str, str]
) -> Plan:
    """The plan, and the runs of an earlier `--full` that are done: they stay in the tables."""
    if "full" in facts or store.facts.get("full") != "yes":
        return plan
    every = experiment.each_planned(full=True)
    return larger.fill(each for each in every if not each.full or store.is_done(each.run))


def _facts(experiment: Experiment, setup: WorkerSetup, full: bool, command: str) -> dict[str, str]:
    facts = {
        "name": experiment.name,
        "experiment": json.dumps(experiment.to_dict()),
        "command": command,
        "version": version(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "files": _digests(setup),
    }
    return facts | ({"full": "yes"} if full else {})


def _digests(setup: WorkerSetup) -> str:
    """The user's own files and what was in them."""
    return json.dumps(
        {Path(path).name: hashlib.sha256(text.encode()).hexdigest() for path, text in setup.files}
    )


def _check_files(store: Store, setup: WorkerSetup) -> None:
    """A heuristic that has changed under its name must not be mixed with the old one."""
    before = json.loads(store.facts.get("files", "{}"))
    for name, digest in json.loads(_digests(setup)).items():
        if before.get(name, digest) != digest:
            raise StoreError(
                f"expected {name} as it was when this store was begun, got another text: "
                "choose another folder"
            )
