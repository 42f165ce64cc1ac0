"""The SQLite file of a store: its tables, how it is opened, and its errors in plain words."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from tilewise.errors import TilewiseError, shortened
from tilewise.lab import store_contents
from tilewise.lab.outcome import OUTCOME_COLUMNS
from tilewise.lab.run import RUN_COLUMNS

FILE = "store.sqlite"
APPLICATION = 0x54494C45
"""Marks the file as ours: the letters TILE."""
VERSION = 1
PATIENCE = 60.0
"""Seconds to wait while another process writes."""
STEPS_BETWEEN_LOOKS = 100_000
"""Steps of SQLite, a few milliseconds, after which Ctrl-C is looked for."""
INTERRUPTED = "interrupted"
"""What SQLite says then."""

PLANNED, RUNS, LEASES = "cells", "runs", "claims"
"""Tables by the names that version 0.1 gave them: the planned runs, the rows, the leases."""

TABLES = {
    "facts": "name TEXT PRIMARY KEY, value TEXT NOT NULL",
    PLANNED: "position INTEGER PRIMARY KEY, part TEXT, instance TEXT, shape TEXT, labels TEXT, "
    "key TEXT NOT NULL",
    RUNS: ", ".join(
        ("key TEXT PRIMARY KEY", *(each.sql for each in (*RUN_COLUMNS, *OUTCOME_COLUMNS)))
    ),
    LEASES: "key TEXT PRIMARY KEY, owner TEXT NOT NULL, until REAL NOT NULL",
    "sessions": "owner TEXT PRIMARY KEY, host TEXT, pid INTEGER, workers TEXT, began REAL, "
    "beat REAL, done INTEGER",
}


class StoreError(TilewiseError):
    """A store cannot be read or written."""


def connect(path: Path) -> sqlite3.Connection:
    """Open a store for writing: every commit is on the disk before it returns."""
    with plain_errors(path):
        connection = sqlite3.connect(
            path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA synchronous = FULL")
        return _prepared(connection)


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a store without writing to it, also in a folder that cannot be written."""
    with plain_errors(path):
        address = f"file:{quote(os.fsencode(path.resolve()))}?mode=ro"
        connection = _opened(address)
        try:
            connection.execute("SELECT 1 FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            connection.close()
            # the log needs a file beside the store; without a log the store stands alone
            if path.with_name(f"{FILE}-wal").exists():
                raise
            connection = _opened(f"{address}&immutable=1")
    return connection


def create(path: Path) -> None:
    """Make the tables of a new store, all or none; nothing is left where that fails."""
    with plain_errors(path):
        existed = path.exists()
        connection = connect(path)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            if connection.execute("PRAGMA user_version").fetchone()[0] == 0:
                for name, columns in TABLES.items():
                    connection.execute(f"CREATE TABLE {name} ({columns})")
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")
        except sqlite3.Error:
            connection.close()
            for ending in ("", "-wal", "-shm") if not existed else ():
                path.with_name(path.name + ending).unlink(missing_ok=True)
            raise
        connection.close()


def is_new(path: Path) -> bool:
    """Whether there is no store yet; what was begun and never finished counts as none."""
    if not path.exists() or path.stat().st_size == 0:
        return True
    with plain_errors(path), closing(connect_to_read(path)) as connection:
        tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        mark = connection.execute("PRAGMA application_id").fetchone()[0]
        return bool(tables == 0 and mark == 0)


def check(path: Path, *, whole: bool = False) -> None:
    """Refuse a file that is damaged, not a store, or of another version, without a change to it.

    `whole`: every row is read, as before anything is written to the store.
    """
    with plain_errors(path), closing(connect_to_read(path)) as connection:
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
            raise StoreError(
                f"expected a store of tilewise, got another database: {shortened(str(path))}"
            )
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version != VERSION:
            raise StoreError(
                f"expected a store of version {VERSION}, got version {version}: "
                f"{shortened(str(path))} (use the tilewise that made it, or another folder)"
            )
        found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if found != "ok":
            raise StoreError(_damaged(path, found))
        for name, columns in TABLES.items():
            wanted = {column.split()[0] for column in columns.split(", ")}
            there = columns_of_table(connection, name)
            may_be_missing = {each.name for each in OUTCOME_COLUMNS} if name == RUNS else set()
            if wanted != there | may_be_missing:
                differing = ", ".join(sorted(wanted ^ (there | may_be_missing)))
                raise StoreError(
                    f"expected the columns of this tilewise, but table {name} of "
                    f"{shortened(str(path))} differs in {differing}"
                )
        wrong = store_contents.fault(connection, TABLES)
        if wrong is not None:
            raise StoreError(_damaged(path, wrong))
        if whole:
            store_contents.read_all(connection, TABLES)


def columns_of_table(connection: sqlite3.Connection, table: str) -> set[str]:
    """The names of the columns that a table of this store has."""
    return {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}


def add_new_columns(connection: sqlite3.Connection) -> None:
    """Give an older store the columns that outcomes have got since; its rows have no value there.

    Only inside a transaction: another process may be about to do the same.
    """
    there = columns_of_table(connection, RUNS)
    for each in OUTCOME_COLUMNS:
        if each.name not in there:
            connection.execute(f"ALTER TABLE {RUNS} ADD COLUMN {each.sql}")


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Errors of SQLite and of the disk as one line that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        text, where = str(error), shortened(str(path))
        if text == INTERRUPTED:
            raise KeyboardInterrupt from None
        if "not a database" in text or "malformed" in text or "UTF-8" in text:
            raise StoreError(_damaged(path, text)) from error
        if "full" in text or "disk I/O" in text:
            raise StoreError(f"expected room on the disk for {where}, got: {text}") from error
        if "locked" in text or "busy" in text:
            raise StoreError(
                f"expected to write within {PATIENCE:g} s, got: {where} is locked "
                "by another program"
            ) from error
        if "readonly" in text or "unable to open" in text:
            raise StoreError(f"expected a store that can be opened: {text}: {where}") from error
        raise StoreError(f"expected a sound store, got: {text}: {where}") from error
    except UnicodeError as error:
        raise StoreError(_damaged(path, "text that is no UTF-8")) from error
    except OSError as error:
        raise StoreError(
            f"expected a folder that can be written: {error.strerror or error}: "
            f"{shortened(str(error.filename or path))}"
        ) from error


def _opened(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address, timeout=PATIENCE, uri=True, isolation_level=None, check_same_thread=False
    )
    return _prepared(connection)


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Rows by name, and long statements that Ctrl-C ends."""
    connection.row_factory = sqlite3.Row
    # Python raises KeyboardInterrupt inside the function, and SQLite ends the statement
    connection.set_progress_handler(lambda: 0, STEPS_BETWEEN_LOOKS)
    return connection


def _damaged(path: Path, found: str) -> str:
    return (
        f"expected a sound store, got a damaged file, which was left as it is: "
        f"{shortened(str(path))} ({shortened(found)})"
    )
