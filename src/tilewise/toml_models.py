"""Reads TOML files into pydantic models; errors are one line each.

A field's description says what is expected, so that every error has the same form:
`homework.toml: question far, max_nodes: expected a whole number of at least 1, got 0`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
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
    "parse_toml",
    "read_model",
]
"""What models need of pydantic comes from here, so that one message covers its absence."""

T = TypeVar("T")
LONGEST_NAME = 40
"""Characters of the name of a table that an error shows."""
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
    further_keys: ClassVar[tuple[str, ...]] = ()
    """Keys that a file may have and that are moved elsewhere before the model sees them."""


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


def parse_toml(text: str, where: str = "") -> dict[str, Any]:
    """The tables of a TOML text; `where` is the name of its file."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        reason = str(error).splitlines()[0]
    except RecursionError:
        reason = "it is too deep"
    except ValueError:
        reason = "a number has too many digits"
    raise SpecError(f"{_prefix(where)}expected TOML: {reason}")


def read_model(model: type[M], table: dict[str, Any], where: str = "") -> M:
    """The model of a table; the first thing that is wrong is an error.

    Unknown keys come first: one that is misspelt is missing, too.
    """
    try:
        return model.model_validate(table)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = min(found, key=lambda each: each["type"] != "extra_forbidden")
        raise SpecError(f"{_prefix(where)}{_explained(model, table, first)}") from None


def _prefix(where: str) -> str:
    return f"{where}: " if where else ""


def _explained(model: type[TomlTable], table: dict[str, Any], error: Any) -> str:
    """One error of pydantic in our words: the place, what was expected and what came."""
    path, kind = error["loc"], error["type"]
    if kind == "extra_forbidden":
        spot = _find(model, table, path[:-1])
        table_model = spot.models[0]
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


def _find(model: type[TomlTable], table: dict[str, Any], path: Sequence[str | int]) -> _Spot:
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
