"""What the tables of a store hold is checked before it is used, and before anything is written.

SQLite checks the form of its file, but a changed byte inside of a text, or a value of another
type than its column, is sound to it.
"""

from __future__ import annotations

import json
import sqlite3

from tilewise.lab.outcome import OUTCOME_COLUMNS

_TYPES = {"TEXT": ("text",), "INTEGER": ("integer",), "REAL": ("real", "integer")}
_NEVER_NULL = {"part", "instance", "shape", "labels", "key", "status", "name", "value"}
_NEVER_NULL |= {"board", "goal", "algorithm", "heuristic", "rules", "profile", "measure"}
_JSON_FACTS = ("experiment", "files")


def fault(connection: sqlite3.Connection, tables: dict[str, str]) -> str | None:
    """What is wrong with the values of a store, in words; None if nothing is.

    `tables` has the definition of each table. Errors of SQLite are left to the caller.
    """
    for table, definition in tables.items():
        there = {row["name"] for row in connection.execute(f"PRAGMA table_info({table})")}
        for column in definition.split(", "):
            name, kind = column.split()[:2]
            if name in there and _is_wrong(connection, table, name, kind):
                return f"another value than {kind} in column {name} of table {table}"
    for name, value in connection.execute("SELECT name, value FROM facts"):
        if name in _JSON_FACTS and not _is_object(value):
            return f"the fact {name} is no JSON object"
    for labels in connection.execute("SELECT DISTINCT labels FROM cells"):
        if not _is_object(labels[0], scalars=True):
            return "labels that are no JSON object"
    return None


def read_all(connection: sqlite3.Connection, tables: dict[str, str]) -> None:
    """Read every row once, so that SQLite finds texts that are no UTF-8."""
    for table in tables:
        for _ in connection.execute(f"SELECT * FROM {table}"):
            pass


def _is_wrong(connection: sqlite3.Connection, table: str, name: str, kind: str) -> bool:
    allowed = [*_TYPES[kind], *([] if name in _NEVER_NULL else ["null"])]
    listed = ", ".join(f"'{each}'" for each in allowed)
    condition = f"typeof({name}) NOT IN ({listed})"
    if name in {each.name for each in OUTCOME_COLUMNS if each.kind is dict}:
        as_json = f"CASE json_valid({name}) WHEN 1 THEN json_type({name}) END"
        condition += f" OR {name} IS NOT NULL AND coalesce({as_json}, '') != 'object'"
    found = connection.execute(f"SELECT 1 FROM {table} WHERE {condition} LIMIT 1").fetchone()
    return found is not None


def _is_object(text: str, *, scalars: bool = False) -> bool:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return False
    if not isinstance(value, dict):
        return False
    return not scalars or all(isinstance(each, str | int | float | None) for each in value.values())
