"""Leases: several processes share the runs of one store, each run done by one of them.

A lease is the right to do a run, for a time; its owner renews it. An owner also holds a lock that
ends with its process, so that the leases of a process that was killed are free at once and not
only when their time is over.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import secrets
import sqlite3
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from tilewise.lab.database import FILE, LEASES, RUNS, connect, plain_errors

LEASE_SECONDS, BEAT = 60.0, 5.0
"""Seconds that a lease holds, and between two renewals."""


class Leases:
    """The leases of one process; a thread renews them and records how many runs are done."""

    def __init__(self, folder: Path, workers: str) -> None:
        self.done = 0
        self._path = folder / FILE
        self._owner = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock = _hold(_lock_file(folder, self._owner))
        self._connection = connect(self._path)
        self._mutex = threading.Lock()
        self._over = threading.Event()
        now = time.time()
        self._write(
            "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)",
            (self._owner, platform.node(), os.getpid(), workers, now, now, 0),
        )
        self._clear_dead()
        self._thread = threading.Thread(target=self._renew, daemon=True)
        self._thread.start()

    def take(self, keys: Sequence[str]) -> tuple[set[str], set[str]]:
        """Lease runs: those that are ours now, and those that are done already.

        What is in neither set is being done by another process.
        """
        self._clear_dead()
        until = time.time() + LEASE_SECONDS
        with plain_errors(self._path), self._mutex:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                done = self._known(RUNS, keys)
                ours = set(keys) - done - self._known(LEASES, keys)
                leases = ((key, self._owner, until) for key in ours)
                self._connection.executemany(f"INSERT INTO {LEASES} VALUES (?, ?, ?)", leases)
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
        return ours, done

    def close(self) -> None:
        """Give back the leases of runs that were not done."""
        self._over.set()
        self._thread.join()
        try:
            self._write(f"DELETE FROM {LEASES} WHERE owner = ?", (self._owner,))
            self._write("DELETE FROM sessions WHERE owner = ?", (self._owner,))
        finally:
            self._connection.close()
            self._lock.close()
            _lock_file(self._path.parent, self._owner).unlink(missing_ok=True)

    def _known(self, table: str, keys: Sequence[str]) -> set[str]:
        """Those of the keys that a table has."""
        wanted = "SELECT value FROM json_each(?)"
        found = self._connection.execute(
            f"SELECT key FROM {table} WHERE key IN ({wanted})", (json.dumps(keys),)
        )
        return {row["key"] for row in found}

    def _renew(self) -> None:
        while not self._over.wait(BEAT):
            # who writes rows reports a full disk; here the next beat tries again
            with contextlib.suppress(sqlite3.Error):
                self._execute(
                    f"UPDATE {LEASES} SET until = ? WHERE owner = ?",
                    (time.time() + LEASE_SECONDS, self._owner),
                )
                self._execute(
                    "UPDATE sessions SET beat = ?, done = ? WHERE owner = ?",
                    (time.time(), self.done, self._owner),
                )

    def _clear_dead(self) -> None:
        """Free the leases of processes that have ended, and those whose time is over."""
        with plain_errors(self._path), self._mutex:
            owners = self._connection.execute(
                f"SELECT owner FROM {LEASES} UNION SELECT owner FROM sessions"
            ).fetchall()
            late = self._connection.execute(
                f"SELECT 1 FROM {LEASES} WHERE until < ? LIMIT 1", (time.time(),)
            ).fetchone()
        for owner in {row["owner"] for row in owners} - {self._owner}:
            if not owner_is_alive(self._path.parent, owner):
                self._write(f"DELETE FROM {LEASES} WHERE owner = ?", (owner,))
                self._write("DELETE FROM sessions WHERE owner = ?", (owner,))
                with contextlib.suppress(OSError):
                    _lock_file(self._path.parent, owner).unlink(missing_ok=True)
        if late:
            self._write(f"DELETE FROM {LEASES} WHERE until < ?", (time.time(),))

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        with plain_errors(self._path):
            self._execute(statement, values)

    def _execute(self, statement: str, values: tuple[object, ...]) -> None:
        with self._mutex:
            self._connection.execute(statement, values)


def owner_is_alive(folder: Path, owner: str) -> bool:
    """Whether the process of this name still runs: then it holds its lock."""
    file = _lock_file(folder, owner)
    if not file.exists():
        return False
    try:
        probe = sqlite3.connect(file, timeout=0, isolation_level=None)
        try:
            probe.execute("PRAGMA journal_mode = MEMORY")
            probe.execute("BEGIN EXCLUSIVE")
            return False
        finally:
            probe.close()
    except sqlite3.Error:
        return True


def _lock_file(folder: Path, owner: str) -> Path:
    return folder / f"run-{owner}.lock"


def _hold(file: Path) -> sqlite3.Connection:
    """A lock of the operating system, through SQLite, which has one on every platform."""
    with plain_errors(file):
        lock = sqlite3.connect(file, timeout=0, isolation_level=None, check_same_thread=False)
        lock.execute("PRAGMA journal_mode = MEMORY")  # one file is enough
        lock.execute("BEGIN EXCLUSIVE")
    return lock
