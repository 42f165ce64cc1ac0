"""Experiments by name, and from TOML files. Settings outside of a part hold for all parts."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from tilewise.core.limits import Limits
from tilewise.errors import SpecError, shortened
from tilewise.lab.builtin import BUILT_IN
from tilewise.lab.experiment import Experiment, Part
from tilewise.lab.instances import Boards, FromFile, FromSuite, Scramble, Source

OF_EXPERIMENT = ("name", "title", "report", "order_seed", "load", "part")
OF_PART = (
    "instances",
    "algorithms",
    "heuristics",
    "rules",
    "profile",
    "goal",
    "max_nodes",
    "seconds",
    "memory",
    "seeds",
    "labels",
    "full",
)
SOURCES = {
    "suite": ("suite", "first", "numbers"),
    "scramble": ("scramble", "depth", "walk", "count", "repeats", "distinct", "seed", "goal"),
    "boards": ("boards", "goal"),
    "file": ("file",),
}
"""The kinds of instances, each known by its first key, and the keys that it may have."""
MEGABYTE = 2**20
LARGEST_FILE = 10 * MEGABYTE


def load(name: str) -> Experiment:
    """The built-in experiment of that name, or the one that a TOML file defines."""
    if name in BUILT_IN:
        return built_in(name)
    path = Path(name)
    if path.suffix == ".toml" or (path.exists() and not path.is_dir()):
        return from_file(path)
    close = difflib.get_close_matches(name, BUILT_IN, n=1)
    hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(BUILT_IN)}"
    raise SpecError(f"expected an experiment or a TOML file, got {shortened(name)} ({hint})")


def built_in(name: str) -> Experiment:
    """One of the experiments that come with tilewise."""
    module, _, attribute = BUILT_IN[name].partition(":")
    made = getattr(import_module(module), attribute)
    experiment: Experiment = made() if callable(made) else made
    return experiment


def from_file(path: Path) -> Experiment:
    """Read a TOML file; paths in it are seen from its folder."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise SpecError(f"expected a small TOML file, got {shortened(str(path))}")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SpecError(
            f"expected a readable TOML file: {error.strerror}: {shortened(str(path))}"
        ) from None
    except UnicodeDecodeError:
        raise SpecError(f"expected a UTF-8 text file, got {shortened(str(path))}") from None
    return from_toml(text, name=path.stem, folder=path.parent)


def from_toml(text: str, *, name: str = "", folder: Path | None = None) -> Experiment:
    """The experiment that a TOML text defines; `name` is for texts that give none.

    >>> one = from_toml('name = "one"\\nboards = ["1b2 345 678"]')
    >>> one.planned_runs()[0].run.heuristic
    'linear_conflict'
    """
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SpecError(f"expected TOML: {error}") from None
    for kind, keys in SOURCES.items():
        if kind in table:  # a single source may stand without its own table
            short = {key: table.pop(key) for key in keys if key in table and key != "goal"}
            table["instances"] = [*_tables(table, "instances"), short]
    _check_keys(table, (*OF_EXPERIMENT, *OF_PART), "an experiment")
    common = {key: table[key] for key in OF_PART if key in table}
    reader = _Reader(folder or Path())
    parts = _tables(table, "part") or [{}]
    return Experiment(
        name=_text(table, "name", name),
        title=_text(table, "title", ""),
        report=_text(table, "report", ""),
        order_seed=_number(table, "order_seed", 0),
        load=tuple(str(reader.folder / path) for path in _texts(table, "load", ())),
        parts=tuple(reader.part(number, common, part) for number, part in enumerate(parts, 1)),
    )


class _Reader:
    """Reads the parts of one file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def part(self, number: int, common: Mapping[str, Any], own: Mapping[str, Any]) -> Part:
        """A part: its own settings, and the common ones where it has none."""
        _check_keys(own, ("name", *OF_PART), f"part {number}")
        table = {**common, **own}
        labels = table.get("labels", {})
        if not isinstance(labels, dict):
            raise SpecError(f"expected labels as a table, got {shortened(labels)}")
        return Part(
            name=_text(table, "name", f"part {number}" if number > 1 else "all"),
            instances=tuple(self.source(source) for source in _tables(table, "instances")),
            algorithms=_texts(table, "algorithms", ("astar",)),
            heuristics=_texts(table, "heuristics", ()),
            rules=_texts(table, "rules", ("default",)),
            profile=_text(table, "profile", ""),
            goal=_text(table, "goal", ""),
            limits=_limits(table),
            seeds=_numbers(table, "seeds", (0,)),
            labels=labels,
            full=_flag(table, "full", False),
        )

    def source(self, table: Mapping[str, Any]) -> Source:
        """Instances of one of the kinds."""
        kind = next((kind for kind in SOURCES if kind in table), None)
        if kind is None:
            raise SpecError(f"expected instances with {', '.join(SOURCES)}, got {_keys(table)}")
        _check_keys(table, SOURCES[kind], f"instances by {kind}")
        if kind == "suite":
            numbers = tuple(str(number) for number in _list(table, "numbers", ()))
            first = _number(table, "first", 0) if "first" in table else None
            return FromSuite(_text(table, "suite", ""), first, numbers)
        if kind == "boards":
            return Boards(_texts(table, "boards", ()), _text(table, "goal", ""))
        if kind == "file":
            return FromFile(str(self.folder / _text(table, "file", "")))
        return Scramble(
            _text(table, "scramble", ""),
            depth=_numbers(table, "depth", ()),
            walk=_numbers(table, "walk", ()),
            count=_number(table, "count", 1),
            repeats=_flag(table, "repeats", True),
            distinct=_flag(table, "distinct", False) if "distinct" in table else None,
            seed=_number(table, "seed", 0) if "seed" in table else None,
            goal=_text(table, "goal", "first"),
        )


def _limits(table: Mapping[str, Any]) -> tuple[Limits, ...]:
    """Every combination of the limits that are listed; memory is in megabytes."""
    nodes = _numbers(table, "max_nodes", ()) or (None,)
    memory: list[int | None] = [each * MEGABYTE for each in _numbers(table, "memory", ())]
    seconds = _list(table, "seconds", ()) or (None,)
    return tuple(
        Limits(generated=n, seconds=s, memory=m)
        for n, s, m in product(nodes, seconds, memory or [None])
    )


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for key in table:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            raise SpecError(f"expected {', '.join(known)} in {what}, got {shortened(key)}{hint}")


def _keys(table: Mapping[str, Any]) -> str:
    return ", ".join(table) or "nothing"


def _tables(table: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise SpecError(f"expected [[{key}]] tables, got {shortened(value)}")
    return value


def _list(table: Mapping[str, Any], key: str, default: tuple[Any, ...]) -> tuple[Any, ...]:
    value = table.get(key, default)
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _texts(table: Mapping[str, Any], key: str, default: tuple[str, ...]) -> tuple[str, ...]:
    values = _list(table, key, default)
    for value in values:
        if not isinstance(value, str):
            raise SpecError(f"expected texts for {key}, got {shortened(value)}")
    return values


def _numbers(table: Mapping[str, Any], key: str, default: tuple[int, ...]) -> tuple[int, ...]:
    values = _list(table, key, default)
    for value in values:
        if type(value) is not int:
            raise SpecError(f"expected whole numbers for {key}, got {shortened(value)}")
    return values


def _text(table: Mapping[str, Any], key: str, default: str) -> str:
    value = table.get(key, default)
    if not isinstance(value, str):
        raise SpecError(f"expected a text for {key}, got {shortened(value)}")
    return value


def _number(table: Mapping[str, Any], key: str, default: int) -> int:
    value = table.get(key, default)
    if type(value) is not int:
        raise SpecError(f"expected a whole number for {key}, got {shortened(value)}")
    return value


def _flag(table: Mapping[str, Any], key: str, default: bool) -> bool:
    value = table.get(key, default)
    if not isinstance(value, bool):
        raise SpecError(f"expected true or false for {key}, got {shortened(value)}")
    return value
