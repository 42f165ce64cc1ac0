"""A column of the store, derived from the field of a dataclass that holds its value.

A field says what it means in its annotation; its name and type are its own. The tables of SQLite,
the exports, the reports and the documents all read `columns_of()`.
"""

from __future__ import annotations

import json
import types
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

Label = str | int | float
"""What a column of the user's own holds."""

_SQL = {str: "TEXT", int: "INTEGER", bool: "INTEGER", float: "REAL", dict: "TEXT"}


@dataclass(frozen=True)
class Column:
    """Name, meaning, type and unit. `repeats`: it is the same whenever a run is repeated."""

    name: str
    meaning: str
    kind: type
    unit: str = ""
    repeats: bool = True

    @property
    def sql(self) -> str:
        """The column as a definition in SQL."""
        return f"{self.name} {_SQL[self.kind]}"

    def stored(self, value: Any) -> str | int | float | None:
        """A value as SQLite keeps it."""
        if self.kind is dict and value is not None:
            return json.dumps(value)
        stored: str | int | float | None = value
        return stored

    def restored(self, value: Any) -> Any:
        """A value that SQLite has kept."""
        if value is None:
            return False if self.kind is bool else None
        if self.kind is dict:
            return json.loads(value)
        return bool(value) if self.kind is bool else value


@dataclass(frozen=True)
class Meaning:
    """What a field of a dataclass means: it stands in its annotation and makes it a column."""

    text: str
    unit: str = ""
    repeats: bool = True


@dataclass(frozen=True)
class ColumnGroup:
    """Several columns in one field, which maps their names to values."""

    columns: tuple[Column, ...]


@cache
def columns_of(kind: Hashable) -> tuple[Column, ...]:
    """The columns of a dataclass, in the order of its fields."""
    return tuple(column for _, columns, _ in _fields(kind) for column in columns)


def values_of(thing: Any) -> dict[str, Any]:
    """The values of the columns of a dataclass, by name."""
    values: dict[str, Any] = {}
    kind: Hashable = thing.__class__
    for name, _, group in _fields(kind):
        value = getattr(thing, name)
        if group:
            for each in group:
                values[each] = value.get(each)
        else:
            values[name] = value
    return values


def plain_type(hint: Any) -> type:
    """The type of a column that may be None: `int` for `int | None`."""
    if isinstance(hint, types.UnionType):
        (hint,) = (each for each in get_args(hint) if each is not type(None))
    plain: type = get_origin(hint) or hint
    return plain


@cache
def _fields(kind: Hashable) -> tuple[tuple[str, tuple[Column, ...], tuple[str, ...]], ...]:
    """The fields that are columns: name, columns, and the names in the group if it is one."""
    found: list[tuple[str, tuple[Column, ...], tuple[str, ...]]] = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        what = hint.__metadata__[0] if get_origin(hint) is Annotated else None
        if isinstance(what, ColumnGroup):
            found.append((name, what.columns, tuple(each.name for each in what.columns)))
        elif isinstance(what, Meaning):
            inner = plain_type(get_args(hint)[0])
            found.append((name, (Column(name, what.text, inner, what.unit, what.repeats),), ()))
    return tuple(found)
