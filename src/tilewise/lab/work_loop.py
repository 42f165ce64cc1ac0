"""WorkLoop: lease runs, hand them to an executor, commit their outcomes."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from tilewise.lab.execute import lost
from tilewise.lab.executors.executor import Batch, BatchUpdate, Executor
from tilewise.lab.leases import Leases
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.plan import PendingRuns
from tilewise.lab.recorded_depth import ContradictionError
from tilewise.lab.row_writer import RowWriter
from tilewise.lab.run import Run
from tilewise.lab.store import Progress
from tilewise.puzzle.position import read_position

WANTED_SECONDS = 1.5
"""How long a batch should take, so that handing it over costs next to nothing; at the end, when
little is left for many workers, it may be as short as `LEAST_SECONDS`."""
LEAST_SECONDS = 0.1
FIRST_SIZE, LARGEST_SIZE, AHEAD = 8, 2000, 2
"""Runs in a batch before anything is known; the most; batches given out per place."""
TICK = 0.25
DEATHS_ALONE = 2
"""A run that ends its worker this often while nothing else is on it is recorded as failed."""


@dataclass(frozen=True)
class Moment:
    """What there is to show while an experiment runs."""

    planned: int
    done: int
    done_now: int
    seconds: float
    last: str
    waiting: str = ""
    planning: int = 0
    """While the plan is made: the runs that it has by now."""


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


class WorkLoop:
    """One process's share of the runs."""

    def __init__(
        self,
        planned: int,
        pending: PendingRuns,
        writer: RowWriter,
        leases: Leases,
        executor: Executor,
        watch: Watch | None,
    ) -> None:
        self._planned = planned
        self._known = planned - len(pending)
        self._pending = pending
        self._elsewhere: list[Run] = []
        self._ready: deque[Run] = deque()
        self._suspects: deque[list[Run]] = deque()
        self._deaths: dict[str, int] = {}
        self._under_way = 0
        self._found = 0
        self._seconds_each: float | None = None
        self._last = ""
        self._writer, self._leases, self._executor, self._watch = writer, leases, executor, watch
        self._began = time.monotonic()

    def run(self) -> None:
        """Hand out, take in, until every run is done, here or by another process."""
        while self._hand_out() or self._under_way or self._elsewhere:
            self._show()
            if not self._under_way:  # no worker, or all that is left is being done elsewhere
                time.sleep(TICK)
            for update in self._executor.wait(TICK):
                self._take_in(update)
            self._leases.done = self._writer.added
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
        """Give the executor the batches that it has room for; whether anything is left to give."""
        while self._suspects and self._executor.has_room(alone=True):
            self._submit(Batch(self._suspects.popleft(), alone=True))
        while not self._suspects and self._executor.has_room(alone=False):
            runs = self._next_runs()
            if not runs:
                break
            self._submit(Batch(runs))
        return bool(len(self._pending) or self._ready or self._suspects)

    def _submit(self, batch: Batch) -> None:
        self._executor.submit(batch)
        self._under_way += 1

    def _next_runs(self) -> list[Run]:
        """Runs that are ours to do, as many as make a batch."""
        size = self._size()
        while len(self._ready) < size and (len(self._pending) or self._elsewhere):
            if not self._lease(size):
                break
        return [self._ready.popleft() for _ in range(min(size, len(self._ready)))]

    def _size(self) -> int:
        """Runs in a batch: about a second of work, less when there is little left to share."""
        if self._seconds_each is None:
            return FIRST_SIZE
        each = max(self._seconds_each, 1e-6)
        left = len(self._pending) + len(self._ready)
        share = -(-left // max(1, AHEAD * self._executor.slots))
        wanted = min(int(WANTED_SECONDS / each), max(share, int(LEAST_SECONDS / each)))
        return max(1, min(wanted, LARGEST_SIZE))

    def _lease(self, size: int) -> bool:
        """Lease the next few runs; False when all that is left belongs to others."""
        if not len(self._pending):
            self._pending.put_back(self._elsewhere)
            self._elsewhere.clear()
        wanted = self._pending.take(size)
        ours, done = self._leases.take([run.key for run in wanted])
        self._found += len(done)
        self._ready.extend(run for run in wanted if run.key in ours)
        known = ours | done
        self._elsewhere += [run for run in wanted if run.key not in known]
        return bool(ours or done or len(self._pending))

    def _take_in(self, update: BatchUpdate) -> None:
        if update.done:
            self._commit(update.done)
        if not update.over:
            return
        self._under_way -= 1
        done = len(update.batch.runs) - len(update.rest)
        if done and not update.died:
            each = update.seconds / done
            before = self._seconds_each
            self._seconds_each = each if before is None else 0.7 * before + 0.3 * each
        if update.died:
            self._suspect(update)
        else:
            self._ready.extendleft(reversed(update.rest))

    def _commit(self, done: list[tuple[Run, RunOutcome]]) -> None:
        """Keep outcomes; one that contradicts its plan is not kept, and ends the work."""
        for number, (run, outcome) in enumerate(done):
            try:
                self._pending.check(run, outcome)
            except ContradictionError:
                self._writer.add(done[:number])
                raise
        self._writer.add(done)
        run, outcome = done[-1]
        end = outcome.status if outcome.cost is None else f"{outcome.cost} moves"
        search = " ".join(filter(None, (run.profile, run.algorithm, run.heuristic or run.measure)))
        self._last = f"{read_position(run.board, run.goal)} {search}: {end}"

    def _suspect(self, update: BatchUpdate) -> None:
        """Halve a batch that ended its worker; a run is blamed when it does so alone, twice."""
        rest = list(update.rest)
        if len(rest) > 1:
            half = (len(rest) + 1) // 2
            self._suspects.extend((rest[:half], rest[half:]))
        elif rest:
            run = rest[0]
            self._deaths[run.key] = self._deaths.get(run.key, 0) + update.batch.alone
            if self._deaths[run.key] < DEATHS_ALONE:
                self._suspects.append(rest)
            else:
                reason = f"its worker died twice with nothing else to do: {update.died}"
                self._commit([(run, lost(reason))])

    def _show(self) -> None:
        if self._watch is None:
            return
        done = self._known + self._found + self._writer.added
        waiting = ""
        if not self._executor.slots:
            waiting = "no workers: waiting for one"
        elif self._elsewhere and not self._under_way:
            waiting = "the rest is being done by another process"
        seconds = time.monotonic() - self._began
        self._watch(Moment(self._planned, done, self._writer.added, seconds, self._last, waiting))
