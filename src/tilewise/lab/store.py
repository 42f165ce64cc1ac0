"""Store: the folder of an experiment. A row is on the disk as soon as it is added."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

from tilewise.errors import shortened
from tilewise.lab.columns import Label, values_of
from tilewise.lab.database import (
    FILE,
    LEASES,
    PLANNED,
    RUNS,
    StoreError,
    add_new_columns,
    check,
    connect,
    connect_to_read,
    create,
    is_new,
    plain_errors,
)
from tilewise.lab.experiment import PlannedRun
from tilewise.lab.leases import LEASE_SECONDS, owner_is_alive
from tilewise.lab.outcome import FAILED, OUTCOME_COLUMNS, RunOutcome
from tilewise.lab.row import Row
from tilewise.lab.run import RUN_COLUMNS, Run
from tilewise.puzzle.board import Board

Looks = Callable[[int], None]
"""Called with a number of runs, so that a long plan can be watched."""


def _no_looks(number: int) -> None:
    """Watch nothing."""


@dataclass(frozen=True)
class Session:
    """A process that works on a store, as it last said so."""

    host: str
    pid: int
    workers: str
    began: float
    beat: float
    done: int


@dataclass(frozen=True)
class Progress:
    """How far an experiment is: runs wanted and done, how they ended, who works on it."""

    planned: int
    done: int
    statuses: Mapping[str, int]
    sessions: Sequence[Session]
    reasons: Mapping[str, int]
    """Why runs failed, and how many for each reason."""

    @property
    def failed(self) -> int:
        return self.statuses.get(FAILED, 0)

    @property
    def complete(self) -> bool:
        return self.done >= self.planned


class Store:
    """The results of one experiment: one SQLite file in its folder."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self.path = folder / FILE
        self._connection = connection

    @classmethod
    def open(cls, folder: str | Path) -> Store:
        """Open an existing store to read; it is not changed."""
        folder = Path(folder)
        path = folder / FILE
        with plain_errors(path):
            missing = not path.is_file() or is_new(path)
        if missing:
            raise StoreError(f"expected the folder of an experiment, got {shortened(str(folder))}")
        check(path)
        return cls(folder, connect_to_read(path))

    @classmethod
    def open_to_write(cls, folder: str | Path, name: str) -> Store:
        """Open the store of the experiment of that name, or make a new one."""
        if not str(folder).strip():
            raise StoreError("expected the name of a folder, got an empty text")
        folder = Path(folder)
        path = folder / FILE
        with plain_errors(path):
            if folder.exists() and not folder.is_dir():
                raise StoreError(f"expected a folder, got a file: {shortened(str(folder))}")
            folder.mkdir(parents=True, exist_ok=True)
            if is_new(path):
                create(path)
        check(path, whole=True)
        store = cls(folder, connect(path))
        held = store.facts.get("name", name)
        if held != name:
            store.close()
            raise StoreError(
                f"expected a new folder, or one of experiment {name}, got one of {held}: "
                f"{shortened(str(folder))}"
            )
        with store._transaction() as connection:
            add_new_columns(connection)
        return store

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @property
    def facts(self) -> dict[str, str]:
        """What is known about the store: name, command, versions, dates."""
        with plain_errors(self.path):
            rows = self._connection.execute("SELECT name, value FROM facts").fetchall()
        return {row["name"]: row["value"] for row in rows if row["name"] != "experiment"}

    @property
    def experiment(self) -> dict[str, Any]:
        """The definition, as `Experiment.to_dict` gave it."""
        with plain_errors(self.path):
            row = self._connection.execute(
                "SELECT value FROM facts WHERE name = 'experiment'"
            ).fetchone()
        definition: dict[str, Any] = json.loads(row["value"]) if row else {}
        return definition

    def plan(
        self,
        wanted: Iterable[PlannedRun],
        digest: str,
        facts: Mapping[str, str],
        watch: Looks = _no_looks,
    ) -> None:
        """Say which runs are wanted; results that are there stay, wanted or not.

        Another digest means other runs. `watch` is called with the number of each one.
        """
        known = self.facts
        with self._transaction() as connection:
            if known.get("plan") != digest:
                connection.execute(f"DELETE FROM {PLANNED}")
                connection.executemany(
                    f"INSERT INTO {PLANNED} VALUES (?, ?, ?, ?, ?, ?)", _plan_lines(wanted, watch)
                )
            added = {"created": _now(), **known, **facts, "plan": digest, "updated": _now()}
            connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", added.items())

    def is_done(self, run: Run) -> bool:
        """Whether a run has a row."""
        with plain_errors(self.path):
            found = self._connection.execute(f"SELECT 1 FROM {RUNS} WHERE key = ?", (run.key,))
            return found.fetchone() is not None

    def planned(self) -> int:
        """The number of different runs that are wanted."""
        with plain_errors(self.path):
            (count,) = self._connection.execute(
                f"SELECT count(DISTINCT key) FROM {PLANNED}"
            ).fetchone()
        return int(count)

    def open_positions(self) -> Iterator[int]:
        """The first positions of all planned runs that have no row, in order."""
        with plain_errors(self.path):
            for row in self._connection.execute(
                f"SELECT min(position) AS first FROM {PLANNED} "
                f"WHERE key NOT IN (SELECT key FROM {RUNS}) GROUP BY key ORDER BY first"
            ):
                yield row["first"]

    def add(self, done: Iterable[tuple[Run, RunOutcome]]) -> int:
        """Commit what came of runs; one that has a row keeps it. The number of new rows."""
        lines = [_line(run, outcome) for run, outcome in done]
        with self._transaction() as connection:
            added = connection.executemany(_INSERT, lines)
            keys = json.dumps([line["key"] for line in lines])
            connection.execute(
                f"DELETE FROM {LEASES} WHERE key IN (SELECT value FROM json_each(?))", (keys,)
            )
        return added.rowcount

    def forget_failed(self) -> int:
        """Take out the rows of failed runs, so that they are done again."""
        with self._transaction() as connection:
            return connection.execute(f"DELETE FROM {RUNS} WHERE status = ?", (FAILED,)).rowcount

    def rows(self) -> list[Row]:
        """A row for each planned run that is done, in the order of the definition.

        Every label is a column of all rows, None where a run has no such label.
        """
        with plain_errors(self.path):
            found = self._connection.execute(
                f"SELECT part, instance, shape, labels, {RUNS}.* "
                f"FROM {PLANNED} JOIN {RUNS} USING (key) ORDER BY position"
            ).fetchall()
        labels = [json.loads(line["labels"]) for line in found]
        names = dict.fromkeys(name for each in labels for name in each)
        return [
            _row(line, {name: each.get(name) for name in names})
            for line, each in zip(found, labels, strict=True)
        ]

    def progress(self) -> Progress:
        """How far it is, at this moment."""
        with plain_errors(self.path):
            statuses = self._connection.execute(
                f"SELECT status, count(*) AS number FROM {RUNS} "
                f"WHERE key IN (SELECT key FROM {PLANNED}) GROUP BY status"
            ).fetchall()
            reasons = self._connection.execute(
                f"SELECT reason, count(*) AS number FROM {RUNS} WHERE status = ? "
                f"AND key IN (SELECT key FROM {PLANNED}) GROUP BY reason ORDER BY number DESC",
                (FAILED,),
            ).fetchall()
            sessions = self._connection.execute("SELECT * FROM sessions ORDER BY began").fetchall()
        counts = Counter({row["status"]: row["number"] for row in statuses})
        alive = [
            Session(*(row[each.name] for each in fields(Session)))
            for row in sessions
            if time.time() - row["beat"] < LEASE_SECONDS
            and owner_is_alive(self.folder, row["owner"])
        ]
        why = {row["reason"]: row["number"] for row in reasons}
        return Progress(self.planned(), counts.total(), dict(counts), alive, why)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with plain_errors(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise


_COLUMNS = (*RUN_COLUMNS, *OUTCOME_COLUMNS)
_AS_TEXT = tuple(each for each in _COLUMNS if each.kind is dict)
"""The columns whose values SQLite cannot keep as they are."""
_INSERT = (
    f"INSERT OR IGNORE INTO {RUNS} (key, {', '.join(each.name for each in _COLUMNS)}) "
    f"VALUES (:key, {', '.join(f':{each.name}' for each in _COLUMNS)})"
)


def _line(run: Run, outcome: RunOutcome) -> dict[str, str | int | float | None]:
    """The values of a new row by the names of its columns."""
    values = {"key": run.key} | values_of(run) | values_of(outcome)
    for each in _AS_TEXT:
        values[each.name] = each.stored(values[each.name])
    return values


def _row(line: sqlite3.Row, labels: Mapping[str, Label | None]) -> Row:
    """A row that was read; an older store need not have every column of an outcome."""
    there = line.keys()
    run = Run(**{each.name: line[each.name] for each in RUN_COLUMNS})
    outcome = RunOutcome.from_values(
        {
            each.name: each.restored(line[each.name])
            for each in OUTCOME_COLUMNS
            if each.name in there
        }
    )
    return Row(line["part"], line["instance"], line["key"], line["shape"], labels, run, outcome)


def _plan_lines(wanted: Iterable[PlannedRun], watch: Looks) -> Iterator[tuple[object, ...]]:
    """The rows of the table of planned runs."""
    for position, each in enumerate(wanted):
        watch(position)
        shape, labels = _shape(each.run.board), json.dumps(each.labels)
        yield position, each.part, each.instance, shape, labels, each.run.key


@lru_cache(maxsize=16)  # the runs of a board follow one another
def _shape(board: str) -> str:
    return Board.parse(board).shape


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
