"""The names in a TOML file that defines an experiment: an unknown one is an error with its line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tilewise import suites
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.made_heuristic import heuristic_name
from tilewise.core.rules import Rules
from tilewise.courses.files import find_course
from tilewise.errors import TilewiseError
from tilewise.lab.definition_tables import (
    ExperimentTable,
    PartSettings,
    ScrambleTable,
    SuiteTable,
)
from tilewise.puzzle.shapes import goal_of_shape, read_shape
from tilewise.toml_models import TomlText

Check = Callable[[str], object]
Named = tuple[tuple[str | int, ...], str, Check]
"""Where a name stands, the name, and the function that refuses it."""


def check_names(given: TomlText, definition: ExperimentTable, folder: Path | None = None) -> None:
    """Refuse names that nothing has; those of files that are still to be loaded are not known."""
    own = bool(definition.load)
    for path, name, check in _names(definition, own, folder):
        try:
            check(name)
        except TilewiseError as error:
            words = ", ".join(_words(path))
            raise given.error(_in_text(given, path), f"{words}: {error}") from None


def _names(definition: ExperimentTable, own: bool, folder: Path | None) -> Iterator[Named]:
    yield from _of_settings((), definition, definition.profile, own, folder)
    for number, part in enumerate(definition.part):
        profile = part.profile if "profile" in part.model_fields_set else definition.profile
        yield from _of_settings(("part", number), part, profile, own, folder)


def _of_settings(
    path: tuple[str | int, ...],
    settings: PartSettings,
    profile: str,
    own: bool,
    folder: Path | None,
) -> Iterator[Named]:
    if settings.profile:
        yield (*path, "profile"), settings.profile, partial(find_course, folder=folder)
    checks: dict[str, Check] = {"rules": Rules.parse}
    if not own and not profile:
        checks |= {"algorithms": build_algorithm, "heuristics": heuristic_name}
    for key, check in checks.items():
        for number, name in enumerate(getattr(settings, key)):
            yield (*path, key, number), name, check
    for number, source in enumerate(settings.instances):
        place = (*path, "instances", number)
        if isinstance(source, SuiteTable):
            yield (*place, "suite"), source.suite, suites.load
        elif isinstance(source, ScrambleTable):
            yield (*place, "scramble"), source.scramble, read_shape
            goal, shape = source.goal or settings.goal, source.scramble
            if goal:
                named = (*place, "goal") if source.goal else (*path, "goal")
                yield named, goal, partial(goal_of_shape, shape)


def _words(path: tuple[str | int, ...]) -> Iterator[str]:
    """A path in words: `part 2, instance 1, suite`."""
    for step, following in zip(path, (*path[1:], None), strict=True):
        if isinstance(step, str):
            table = isinstance(following, int) and step in ("part", "instances")
            yield f"{step.removesuffix('s')} {following + 1}" if table else step  # type: ignore[operator]


def _in_text(given: TomlText, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Where the text has it: a single source has no table of its own."""
    if path[0] == "instances" and "instances" not in given.tables:
        return path[2:]
    return path
