"""Plan: the runs that an experiment wants, one after the other, in memory that does not grow."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from tempfile import SpooledTemporaryFile
from typing import Any

from tilewise.lab.experiment import PlannedRun
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.recorded_depth import DEPTH, ContradictionError, contradiction
from tilewise.lab.run import Run

IN_MEMORY = 64 * 2**20
"""Bytes of a plan that are kept in memory; a larger one is in a temporary file."""


class Plan:
    """Planned runs by their positions, from 0 on.

    Of each only its place in the file is in memory: 8 bytes. The file is removed when the plan is
    closed, or when the process ends in whatever way.
    """

    def __init__(self) -> None:
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115
        self._places = array("Q")
        self._hashed = hashlib.sha256()
        self._end = 0

    def __enter__(self) -> Plan:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, position: int) -> PlannedRun:
        self._file.seek(self._places[position])
        facts, run = self._file.readline().split(b"\t")
        part, instance, labels, full = json.loads(facts)
        return PlannedRun(part, instance, labels, full, Run(*json.loads(run)))

    def __iter__(self) -> Iterator[PlannedRun]:
        for position in range(len(self)):
            yield self[position]

    def add(self, planned: PlannedRun) -> None:
        """Put a run at the end; before the first one is read."""
        facts = (planned.part, planned.instance, dict(planned.labels), planned.full)
        line = f"{json.dumps(facts)}\t{planned.run.text}\n".encode()
        self._hashed.update(line)
        self._places.append(self._end)
        self._file.seek(self._end)
        self._file.write(line)
        self._end += len(line)

    def fill(self, planned: Iterable[PlannedRun]) -> Plan:
        """Put runs at the end."""
        for each in planned:
            self.add(each)
        return self

    @property
    def digest(self) -> str:
        """The same for the same runs in the same places."""
        return self._hashed.hexdigest()

    def close(self) -> None:
        """Remove the file."""
        self._file.close()


class PendingRuns:
    """The runs that are still to be given out: in the order drawn by a seed, or as planned."""

    def __init__(self, plan: Plan, positions: Iterable[int], seed: int | None) -> None:
        self._plan = plan
        self._positions = array("Q", positions)
        if seed is not None:
            Random(seed).shuffle(self._positions)
        self._given = 0
        self._back: deque[Run] = deque()
        self._depths: dict[str, Any] = {}

    def __len__(self) -> int:
        return len(self._positions) - self._given + len(self._back)

    def take(self, most: int) -> list[Run]:
        """The next runs; those that came back are the last."""
        positions = self._positions[self._given : self._given + most]
        self._given += len(positions)
        runs = [self._noted(self._plan[position]) for position in positions]
        while self._back and len(runs) < most:
            runs.append(self._back.popleft())
        return runs

    def check(self, run: Run, outcome: RunOutcome) -> None:
        """Refuse an outcome that contradicts the depth which the plan records of its board."""
        wrong = contradiction(self._depths.pop(run.key, None), run, outcome)
        if wrong is not None:
            raise ContradictionError(wrong)

    def _noted(self, planned: PlannedRun) -> Run:
        """The run; its depth is kept until its outcome is there."""
        if DEPTH in planned.labels:
            self._depths[planned.run.key] = planned.labels[DEPTH]
        return planned.run

    def put_back(self, runs: Sequence[Run]) -> None:
        """Take in runs that could not be done now."""
        self._back.extend(runs)
