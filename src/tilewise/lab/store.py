"""Store: the folder of an experiment. A row is on the disk as soon as it is added."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from tilewise.errors import shortened
from tilewise.lab.columns import FAILED, RESULT_COLUMNS, RUN_COLUMNS, Row, Values
from tilewise.lab.database import (
    FILE,
    StoreError,
    check,
    connect,
    connect_to_read,
    create,
    is_new,
    plain_errors,
)
from tilewise.lab.experiment import Cell
from tilewise.lab.leases import LEASE, owner_is_alive
from tilewise.lab.run import Run
from tilewise.puzzle.board import Board


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
        check(path)
        store = cls(folder, connect(path))
        held = store.facts.get("name", name)
        if held != name:
            store.close()
            raise StoreError(
                f"expected a new folder, or one of experiment {name}, got one of {held}: "
                f"{shortened(str(folder))}"
            )
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

    def plan(self, cells: Sequence[Cell], facts: Mapping[str, str]) -> None:
        """Say which cells are wanted; results that are there stay, wanted or not."""
        planned = [
            (
                position,
                cell.part,
                cell.instance,
                _shape(cell.run.board),
                json.dumps(cell.labels),
                cell.run.key,
            )
            for position, cell in enumerate(cells)
        ]
        digest = hashlib.sha256(repr(planned).encode()).hexdigest()
        known = self.facts
        with self._transaction() as connection:
            if known.get("plan") != digest:
                connection.execute("DELETE FROM cells")
                connection.executemany("INSERT INTO cells VALUES (?, ?, ?, ?, ?, ?)", planned)
            added = {"created": _now(), **known, **facts, "plan": digest, "updated": _now()}
            connection.executemany("INSERT OR REPLACE INTO facts VALUES (?, ?)", added.items())

    def done(self) -> set[str]:
        """The keys of all runs that have a row."""
        with plain_errors(self.path):
            return {row["key"] for row in self._connection.execute("SELECT key FROM runs")}

    def add(self, rows: Iterable[tuple[Run, Values]]) -> int:
        """Commit rows; a run that has one already keeps it. The number of new ones."""
        marks = ", ".join("?" * (1 + len(RUN_COLUMNS) + len(RESULT_COLUMNS)))
        lines = [(run.key, *run.values(), *row) for run, row in rows]
        with self._transaction() as connection:
            added = connection.executemany(f"INSERT OR IGNORE INTO runs VALUES ({marks})", lines)
            keys = json.dumps([line[0] for line in lines])
            connection.execute(
                "DELETE FROM claims WHERE key IN (SELECT value FROM json_each(?))", (keys,)
            )
        return added.rowcount

    def forget_failed(self) -> int:
        """Take out the rows of failed runs, so that they are done again."""
        with self._transaction() as connection:
            return connection.execute("DELETE FROM runs WHERE status = ?", (FAILED,)).rowcount

    def rows(self) -> list[Row]:
        """A dict for each cell that is done, in the order of the definition.

        Every label is a column of all rows, None where a cell has no such label.
        """
        with plain_errors(self.path):
            found = self._connection.execute(
                "SELECT part, instance, shape, labels, runs.* FROM cells JOIN runs USING (key) "
                "ORDER BY position"
            ).fetchall()
        labels = [json.loads(row["labels"]) for row in found]
        names = dict.fromkeys(name for each in labels for name in each)
        return [
            {
                "part": row["part"],
                "instance": row["instance"],
                **{name: each.get(name) for name in names},
                "key": row["key"],
                "shape": row["shape"],
                **{name: row[name] for name in RUN_COLUMNS},
                **{name: row[name] for name in RESULT_COLUMNS},
                "heuristic": row["heuristic"] or None,
                "optimal": bool(row["optimal"]),
                "measured": json.loads(row["measured"]) if row["measured"] else None,
            }
            for row, each in zip(found, labels, strict=True)
        ]

    def progress(self) -> Progress:
        """How far it is, at this moment."""
        with plain_errors(self.path):
            planned = self._connection.execute("SELECT count(DISTINCT key) FROM cells").fetchone()[
                0
            ]
            statuses = self._connection.execute(
                "SELECT status, count(*) AS number FROM runs WHERE key IN (SELECT key FROM cells) "
                "GROUP BY status"
            ).fetchall()
            reasons = self._connection.execute(
                "SELECT reason, count(*) AS number FROM runs WHERE status = ? AND key IN "
                "(SELECT key FROM cells) GROUP BY reason ORDER BY number DESC",
                (FAILED,),
            ).fetchall()
            sessions = self._connection.execute("SELECT * FROM sessions ORDER BY began").fetchall()
        counts = Counter({row["status"]: row["number"] for row in statuses})
        alive = [
            Session(*(row[each.name] for each in fields(Session)))
            for row in sessions
            if time.time() - row["beat"] < LEASE and owner_is_alive(self.folder, row["owner"])
        ]
        why = {row["reason"]: row["number"] for row in reasons}
        return Progress(planned, counts.total(), dict(counts), alive, why)

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


def _shape(board: str) -> str:
    return Board.parse(board).shape


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
