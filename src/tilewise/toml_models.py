"""Reads TOML files into pydantic models; errors are one line each.

A field's description says what is expected, so that every error has the same form:
`homework.toml, line 9: question far, max_nodes: expected a whole number of at least 1, got 0`.
"""

from __future__ import annotations

import tomllib
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Annotated, Any, ClassVar, TypeVar, get_args

from tilewise.errors import MissingExtraError, SpecError, did_you_mean, shortened
from tilewise.quantities import MEGABYTE, read_count, read_memory, read_seconds

try:
    from pydantic import (
        AfterValidator,
        BaseModel,
        BeforeValidator,
        ConfigDict,
        Discriminator,
        Field,
        Tag,
        ValidationError,
    )
except ImportError:
    raise MissingExtraError("pydantic", "to read TOML files", "lab") from None

__all__ = [
    "AfterValidator",
    "BeforeValidator",
    "Count",
    "Discriminator",
    "Field",
    "Listed",
    "Megabytes",
    "Seconds",
    "Tag",
    "TomlTable",
    "TomlText",
    "read_model",
]
"""What models need of pydantic comes from here, so that one message covers its absence."""

T = TypeVar("T")
LONGEST_NAME = 40
"""Characters of the name of a table that an error shows."""
MOST_READ = 10_000_000
"""Characters that are read, some of them often, to find the line of a key."""
_ENDS = ("]", "}", '"""', "'''")
"""One of these stands in the last line of a statement of several lines."""
_NOT_A_TABLE = ("model_type", "model_attributes_type", "dict_type")
_KEY = "[key]"
"""What pydantic puts behind a key that is wrong itself."""


class TomlTable(BaseModel):
    """A table of a TOML file: nothing is converted, and unknown keys are refused."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        arbitrary_types_allowed=True,
        hide_input_in_errors=True,
    )
    further_keys: ClassVar[Mapping[str, Sequence[str]]] = {}
    """Keys that a file may have and that are moved elsewhere before the model sees them, each with
    those of which it needs one beside it."""


M = TypeVar("M", bound=TomlTable)


def _listed(value: object) -> object:
    return tuple(value) if isinstance(value, list) else (value,)


def _read_by(read: Callable[[str], object], value: object) -> object:
    """What a text says; one that cannot be read stays as it is, for the model to refuse."""
    found = read(value) if isinstance(value, str) else None
    return value if found is None else found


def _count(value: object) -> object:
    """A number of TOML such as 1e6 is a float, even where it is whole."""
    whole = isinstance(value, float) and value.is_integer()
    return int(value) if whole else _read_by(read_count, value)  # type: ignore[call-overload]


def _megabytes(text: str) -> float | None:
    size = read_memory(text)
    return None if size is None else size / MEGABYTE


Count = Annotated[int, BeforeValidator(_count)]
"""A whole number; 1e6 and "10k" as well."""
Megabytes = Annotated[float, BeforeValidator(partial(_read_by, _megabytes))]
"""Megabytes as a number, or a size such as "2GB"."""
Seconds = Annotated[float, BeforeValidator(partial(_read_by, read_seconds))]
"""Seconds as a number, or a time such as "1m30s"."""

Listed = Annotated[tuple[T, ...], BeforeValidator(_listed)]
"""Values of a list; a single one may stand without brackets."""


Path = Sequence[str | int]
"""Keys and places in lists that lead to a value of a TOML file."""


@dataclass(frozen=True)
class TomlText:
    """A TOML text; `where` is the name of its file, for errors."""

    text: str
    where: str = ""

    @cached_property
    def tables(self) -> dict[str, Any]:
        """What the text says."""
        try:
            return _parsed(self.text)
        except tomllib.TOMLDecodeError as error:
            reason = str(error).splitlines()[0]
        except RecursionError:
            reason = "it is too deep"
        except ValueError:
            reason = "a number has too many digits"
        raise SpecError(f"{_prefix(self.where)}expected TOML: {reason}")

    def place(self, path: Path) -> str:
        """The file and the line where a value stands, as an error begins; or its table's line."""
        for end in range(len(path), 0, -1):
            if _has(self.tables, path[:end]):
                line = self._line(path[:end])
                break
        else:
            line = None
        words = filter(None, (self.where, f"line {line}" if line else ""))
        return _prefix(", ".join(words))

    def error(self, path: Path, reason: object) -> SpecError:
        """An error that names file and line of a value."""
        return SpecError(f"{self.place(path)}{reason}")

    def _line(self, path: Path) -> int | None:
        """The line where the statement that makes a value begins, counted from 1.

        A text up to the end of a statement is TOML itself. None where statements go on for so many
        lines that it would take too long.
        """
        lines = self.text.removeprefix("\ufeff").splitlines(keepends=True)
        begins = _statements(lines)
        if begins is None:
            return None
        ends = [*(line - 1 for line in begins[1:]), len(lines)]
        made = bisect(ends, False, key=lambda end: _has(_parsed("".join(lines[:end])), path))
        return begins[made]


def _parsed(text: str) -> dict[str, Any]:
    return tomllib.loads(text.removeprefix("\ufeff"))


def _statements(lines: Sequence[str]) -> list[int] | None:
    """The numbers of the lines where statements begin: each is a TOML text of its own."""
    begins, statement, read = [1], "", 0
    for number, line in enumerate(lines, start=1):
        goes_on, statement = bool(statement), statement + line
        if goes_on and not any(mark in line for mark in _ENDS):
            continue
        read += len(statement)
        if read > MOST_READ:
            return None
        with suppress(ValueError):
            _parsed(statement)
            begins.append(number + 1)
            statement = ""
    return begins[:-1]


def _has(tables: Any, path: Path) -> bool:
    """Whether tables have a value at a path."""
    for step in path:
        if isinstance(step, int):
            if not isinstance(tables, list) or step >= len(tables):
                return False
        elif not isinstance(tables, dict) or step not in tables:
            return False
        tables = tables[step]
    return True


def read_model(model: type[M], given: TomlText, table: dict[str, Any] | None = None) -> M:
    """The model of a text, or of its tables rearranged; the first thing that is wrong is an error.

    Unknown keys come first: one that is misspelt is missing, too.
    """
    table = given.tables if table is None else table
    try:
        return model.model_validate(table)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = min(found, key=lambda each: each["type"] != "extra_forbidden")
        path = _path_in_text(model, given, table, first["loc"])
        raise given.error(path, _explained(model, table, first)) from None


def _path_in_text(
    model: type[TomlTable], given: TomlText, table: dict[str, Any], path: Path
) -> Path:
    """Where the text has what a model refuses, without pydantic's own steps."""
    steps = list[str | int]()
    value: Any = table
    for step, following in zip(path, (*path[1:], None), strict=True):
        if not _has(value, [step]):
            continue
        found = value[step]
        if isinstance(following, str) and not isinstance(found, dict):
            continue  # the kind of a table, named by its first key
        steps.append(step)
        value = found
    if not _has(given.tables, steps):  # a key that was moved before the model saw it
        return [step for step in steps if step in model.further_keys][-1:]
    return steps


def _prefix(where: str) -> str:
    return f"{where}: " if where else ""


def _explained(model: type[TomlTable], table: dict[str, Any], error: Any) -> str:
    """One error of pydantic in our words: the place, what was expected and what came."""
    path, kind = error["loc"], error["type"]
    if kind == "extra_forbidden":
        spot = _find(model, table, path[:-1])
        table_model = spot.models[0]
        beside = table_model.further_keys.get(str(path[-1]))
        if beside is not None:
            return (
                f"{_prefix(spot.place)}expected {path[-1]} beside {' or '.join(beside)}, "
                "got it without"
            )
        known = list(dict.fromkeys((*table_model.model_fields, *table_model.further_keys)))
        hint = did_you_mean(path[-1], known)
        wanted, came = f"the keys {', '.join(known)}", f"{shortened(path[-1], 40)}{hint}"
        return f"{_prefix(spot.place)}expected {wanted}; got {came}"
    spot = _find(model, table, path)
    if kind == "value_error":
        return f"{_prefix(spot.place)}{error['ctx']['error']}"
    wanted = "a table of keys" if kind in _NOT_A_TABLE else spot.expected
    came = "nothing" if kind == "missing" else shortened(error["input"])
    return f"{_prefix(spot.place)}expected {wanted}, got {came}"


@dataclass
class _Spot:
    """Where an error is, in words; what is expected there; the models that a table there may be."""

    place: str
    expected: str
    models: list[type[TomlTable]]


def _find(model: type[TomlTable], table: dict[str, Any], path: Path) -> _Spot:
    """Follow a path of keys and numbers through a model and the table that was read."""
    models, expected, words = [model], "", list[str]()
    value: Any = table
    for step in path:
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) else value
            if isinstance(value, dict):
                words[-1] = f"{words[-1].removesuffix('s')} {_name_of(value, step + 1)}"
        elif len(models) > 1:  # which of several kinds of table it was read as
            models = [each for each in models if next(iter(each.model_fields)) == step]
        elif step != _KEY and (models or isinstance(value, dict)):  # not the name of a type
            words.append(step)
            field = models[0].model_fields.get(step) if models else None
            expected = (field.description if field else None) or expected
            models = list(_models_in(field.annotation)) if field else []
            value = value.get(step) if isinstance(value, dict) else None
    return _Spot(", ".join(words), expected, models)


def _name_of(table: dict[str, Any], number: int) -> str:
    """What a table of several is called: by its name, or by its number."""
    name = table.get("name")
    plain = isinstance(name, str) and name.isprintable() and 0 < len(name) <= LONGEST_NAME
    return str(name if plain else number)


def _models_in(annotation: Any) -> Iterator[type[TomlTable]]:
    """The models that an annotation names, inside lists and choices as well."""
    if isinstance(annotation, type) and issubclass(annotation, TomlTable):
        yield annotation
    for each in get_args(annotation):
        yield from _models_in(each)
