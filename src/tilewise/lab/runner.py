"""run_experiment(): the loop that claims runs, hands them to a crew and commits what comes back."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tilewise.core.build_context import DEFAULT_CONTEXT, BuildContext
from tilewise.core.registry import build_heuristic
from tilewise.errors import SpecError, shortened
from tilewise.lab.columns import RESULT_COLUMNS, Values
from tilewise.lab.database import StoreError
from tilewise.lab.execute import check_engine, failed, version
from tilewise.lab.executors import Batch, Crew, InProcess, Report, Setting, prepare
from tilewise.lab.experiment import Cell, Experiment
from tilewise.lab.leases import Claims
from tilewise.lab.row_writer import Writer
from tilewise.lab.run import Run
from tilewise.lab.store import Progress, Store
from tilewise.puzzle.position import read_position

WANTED_SECONDS = 1.5
"""How long a batch should take, so that handing it over costs next to nothing; at the end, when
little is left for many workers, it may be as short as `LEAST_SECONDS`."""
LEAST_SECONDS = 0.1
FIRST_SIZE, LARGEST_SIZE, AHEAD = 8, 2000, 2
"""Runs in a batch before anything is known; the most; batches given out per place."""
TICK = 0.25
DEATHS_ALONE = 2
"""A run that ends its worker so often while nothing else is on it is recorded as failed."""


@dataclass(frozen=True)
class Moment:
    """What there is to show while an experiment runs."""

    planned: int
    done: int
    done_now: int
    seconds: float
    last: str
    waiting: str = ""


@dataclass(frozen=True)
class Summary:
    """How a run of an experiment ended: runs wanted, done by this process, done
    before or by others, failed in all."""

    planned: int
    done_now: int
    done_before: int
    failed: int
    seconds: float


Watch = Callable[[Moment], None]


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

    `workers`: processes of this machine, 0 for one on each core, 1 for this process alone.
    `cluster`: the address of a Dask scheduler, or `local`. Everything that can be wrong with the
    request is found before the store is touched.
    """
    setting = Setting(engine, tuple(_file_text(path) for path in experiment.load))
    prepare(setting)
    cells = experiment.cells(full)
    check_engine(engine, [cell.run for cell in cells])
    if cluster is None:
        _build_heuristics(cells, context)
    facts = _facts(experiment, setting, full, command)
    crew = _crew(workers, cluster, setting)
    try:
        with Store.open_to_write(folder, experiment.name) as store:
            _check_files(store, setting)
            if retry_failed:
                store.forget_failed()
            cells = _kept(experiment, cells, store, full)
            store.plan(cells, facts)
            claims = Claims(store.folder, crew.name)
            writer = Writer(store)
            try:
                loop = _Loop(experiment.shuffled(cells), store.done(), writer, claims, crew, watch)
                loop.run()
            finally:
                try:
                    writer.close()
                finally:
                    claims.close()
            return loop.summary(store.progress())
    finally:
        crew.close()


def _crew(workers: int, cluster: str | None, setting: Setting) -> Crew:
    if cluster is not None:
        from tilewise.lab.executors.cluster import Cluster

        return Cluster(cluster, workers, setting)
    if workers == 1:
        return InProcess(setting)
    from tilewise.lab.executors.machine import Pool

    return Pool(workers or os.cpu_count() or 1, setting)


def _build_heuristics(cells: Iterable[Cell], context: BuildContext) -> None:
    """Make each heuristic once: what does not fit its goal is found, and tables are built, here."""
    runs = {(cell.run.heuristic, cell.run.goal): cell.run for cell in cells if _estimates(cell.run)}
    for run in runs.values():
        goal = read_position(run.board, run.goal).goal
        build_heuristic(run.heuristic, goal, context)


def _estimates(run: Run) -> bool:
    return bool(run.heuristic) and not run.measure and not run.profile


def _file_text(path: str) -> tuple[str, str]:
    try:
        return str(Path(path).resolve()), Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise SpecError(f"expected a Python file to load, got {shortened(path)}") from None


def _kept(experiment: Experiment, cells: list[Cell], store: Store, full: bool) -> list[Cell]:
    """The cells, and those of an earlier `--full` that are done: they stay in the tables."""
    if full or store.facts.get("full") != "yes":
        return cells
    done = store.done()
    every = experiment.cells(full=True)
    return [cell for cell in every if not cell.full or cell.run.key in done]


def _facts(experiment: Experiment, setting: Setting, full: bool, command: str) -> dict[str, str]:
    facts = {
        "name": experiment.name,
        "experiment": json.dumps(experiment.to_dict()),
        "command": command,
        "version": version(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "files": _digests(setting),
    }
    return facts | ({"full": "yes"} if full else {})


def _digests(setting: Setting) -> str:
    """The user's own files and what was in them."""
    return json.dumps(
        {Path(path).name: hashlib.sha256(text.encode()).hexdigest() for path, text in setting.files}
    )


def _check_files(store: Store, setting: Setting) -> None:
    """A heuristic that has changed under its name must not be mixed with the old one."""
    before = json.loads(store.facts.get("files", "{}"))
    for name, digest in json.loads(_digests(setting)).items():
        if before.get(name, digest) != digest:
            raise StoreError(
                f"expected {name} as it was when this store was begun, got another text: "
                "choose another folder"
            )


class _Loop:
    """One process's share of the work."""

    def __init__(
        self,
        runs: list[Run],
        done: set[str],
        writer: Writer,
        claims: Claims,
        crew: Crew,
        watch: Watch | None,
    ) -> None:
        self._planned = len(runs)
        self._known = self._planned - sum(run.key not in done for run in runs)
        self._pending = deque(run for run in runs if run.key not in done)
        self._elsewhere: list[Run] = []
        self._ready: deque[Run] = deque()
        self._suspects: deque[list[Run]] = deque()
        self._deaths: dict[str, int] = {}
        self._under_way = 0
        self._found = 0
        self._seconds_each: float | None = None
        self._last = ""
        self._writer, self._claims, self._crew, self._watch = writer, claims, crew, watch
        self._began = time.monotonic()

    def run(self) -> None:
        """Hand out, take in, until every run is done, here or by another process."""
        while self._hand_out() or self._under_way or self._elsewhere:
            self._show()
            if not self._under_way:  # no worker, or all that is left is being done elsewhere
                time.sleep(TICK)
            for report in self._crew.wait(TICK):
                self._take_in(report)
            self._claims.done = self._writer.added
        self._show()

    def summary(self, progress: Progress) -> Summary:
        """What was done, after the last row is on the disk."""
        return Summary(
            self._planned,
            self._writer.added,
            self._planned - self._writer.added,
            progress.failed,
            time.monotonic() - self._began,
        )

    def _hand_out(self) -> bool:
        """Give the crew as many batches as it has room for; whether anything is left to give."""
        while self._suspects and self._crew.has_room(alone=True):
            self._submit(Batch(self._suspects.popleft(), alone=True))
        while not self._suspects and self._crew.has_room(alone=False):
            runs = self._next_runs()
            if not runs:
                break
            self._submit(Batch(runs))
        return bool(self._pending or self._ready or self._suspects)

    def _submit(self, batch: Batch) -> None:
        self._crew.submit(batch)
        self._under_way += 1

    def _next_runs(self) -> list[Run]:
        """Runs that are ours to do, as many as make a batch."""
        size = self._size()
        while len(self._ready) < size and (self._pending or self._elsewhere):
            if not self._claim(size):
                break
        return [self._ready.popleft() for _ in range(min(size, len(self._ready)))]

    def _size(self) -> int:
        """Runs in a batch: about a second of work, less when there is little left to share."""
        if self._seconds_each is None:
            return FIRST_SIZE
        each = max(self._seconds_each, 1e-6)
        left = len(self._pending) + len(self._ready)
        share = -(-left // max(1, AHEAD * self._crew.slots))
        wanted = min(int(WANTED_SECONDS / each), max(share, int(LEAST_SECONDS / each)))
        return max(1, min(wanted, LARGEST_SIZE))

    def _claim(self, size: int) -> bool:
        """Claim the next few runs; False when all that is left belongs to others."""
        if not self._pending:
            self._pending.extend(self._elsewhere)
            self._elsewhere.clear()
        asked = [self._pending.popleft() for _ in range(min(size, len(self._pending)))]
        ours, done = self._claims.take([run.key for run in asked])
        self._found += len(done)
        self._ready.extend(run for run in asked if run.key in ours)
        known = ours | done
        self._elsewhere += [run for run in asked if run.key not in known]
        return bool(ours or done or self._pending)

    def _take_in(self, report: Report) -> None:
        if report.rows:
            self._commit(report.rows)
        if not report.over:
            return
        self._under_way -= 1
        done = len(report.batch.runs) - len(report.rest)
        if done and not report.died:
            each = report.seconds / done
            before = self._seconds_each
            self._seconds_each = each if before is None else 0.7 * before + 0.3 * each
        if report.died:
            self._suspect(report)
        else:
            self._ready.extendleft(reversed(report.rest))

    def _commit(self, rows: list[tuple[Run, Values]]) -> None:
        self._writer.add(rows)
        run, row = rows[-1][0], dict(zip(RESULT_COLUMNS, rows[-1][1], strict=True))
        outcome = f"{row['cost']} moves" if row["cost"] is not None else row["status"]
        search = " ".join(filter(None, (run.profile, run.algorithm, run.heuristic or run.measure)))
        self._last = f"{read_position(run.board, run.goal)} {search}: {outcome}"

    def _suspect(self, report: Report) -> None:
        """Halve a batch that ended its worker; a run is blamed when it does so alone, twice."""
        rest = list(report.rest)
        if len(rest) > 1:
            half = (len(rest) + 1) // 2
            self._suspects.extend((rest[:half], rest[half:]))
        elif rest:
            run = rest[0]
            self._deaths[run.key] = self._deaths.get(run.key, 0) + report.batch.alone
            if self._deaths[run.key] < DEATHS_ALONE:
                self._suspects.append(rest)
            else:
                reason = f"its worker died twice with nothing else to do: {report.died}"
                self._commit([(run, tuple(failed(reason).values()))])

    def _show(self) -> None:
        if self._watch is None:
            return
        done = self._known + self._found + self._writer.added
        waiting = ""
        if not self._crew.slots:
            waiting = "no workers: waiting for one"
        elif self._elsewhere and not self._under_way:
            waiting = "the rest is being done by another process"
        seconds = time.monotonic() - self._began
        self._watch(Moment(self._planned, done, self._writer.added, seconds, self._last, waiting))
