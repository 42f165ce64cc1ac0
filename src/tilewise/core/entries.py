"""What is registered: a heuristic or an algorithm with everything it says about itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from tilewise.core.algorithm_facts import Contract, Frontier, FrontierKind, PseudoCode
from tilewise.core.problem import State
from tilewise.core.result import Outcome
from tilewise.core.rules import Rules
from tilewise.puzzle.board import Board, Goal

Estimate = Callable[[State], int]
"""A heuristic as the searches call it: on the raw tuple of tiles."""
CONTEXT_OPTION = "context"
"""The parameter by which a factory that builds tables gets its BuildContext."""
ENGINE_OPTION = "engine"
"""The parameter by which an algorithm that runs other searches is given the engine for them."""


BACKWARD_OPTION = "backward"
"""The parameter by which a two-sided search gets its estimate of the moves from the start."""


class Tabled(NamedTuple):
    """An estimate that holds large tables, and their bytes; a factory may return it.

    Tables that are mapped from files are not counted.
    """

    estimate: Estimate
    table_bytes: int


class Share(NamedTuple):
    """What some tiles add to the value of a heuristic, and why."""

    tiles: tuple[int, ...]
    value: int
    why: str


Shares = Callable[[Goal, Estimate, State], list[Share]]
"""The shares of a state: of a heuristic that is their sum, given its goal and its estimate."""

NO_FRONTIER = Frontier(FrontierKind.NONE)


@dataclass(frozen=True)
class HeuristicEntry:
    """A registered heuristic: a factory that is given the goal and its options (or the parts)."""

    name: str
    factory: Callable[..., Estimate | Tabled | Callable[[Board], int]]
    admissible: bool
    consistent: bool
    combines: bool
    on_boards: bool
    aliases: tuple[str, ...]
    builds_tables: bool = False
    changes_by_one: bool = False
    fractions: bool = False
    """Whether its values may be fractions."""
    title: str = ""
    shares: Shares | None = None
    version: Callable[..., Hashable] | None = None
    """Given the goal and the options: which of several things it would be made of now."""

    @property
    def about(self) -> str:
        return _first_paragraph(self.factory)

    @property
    def built_in(self) -> bool:
        return self.factory.__module__.startswith("tilewise.")

    @property
    def rest(self) -> str | None:
        """The parameter that takes any number of texts after the other parts of a spec."""
        names = (name for name, p in self.options.items() if p.kind is p.VAR_POSITIONAL)
        return next(names, None)

    @property
    def options(self) -> dict[str, inspect.Parameter]:
        """What the factory takes after the goal, in order; combinators take parts instead."""
        if self.combines:
            return {}
        after_the_goal = list(inspect.signature(self.factory).parameters.values())[1:]
        return {
            p.name: p
            for p in after_the_goal
            if p.kind is not p.VAR_KEYWORD and not (self.builds_tables and p.name == CONTEXT_OPTION)
        }


@dataclass(frozen=True)
class AlgorithmEntry:
    """A registered algorithm with its facts."""

    name: str
    search: Callable[..., Outcome]
    needs_heuristic: bool
    optimal: bool
    complete: bool
    contract: Contract
    knobs: tuple[str, ...]
    default_heuristic: str | None
    sound: Callable[[Rules], bool]
    tree: bool
    native_options: dict[str, range]
    title: str
    frontier: Frontier
    choice: str | None
    pseudo_code: PseudoCode
    native: str | None
    combines: bool = False
    bounded: str | None = None
    anytime: bool = False
    backward: bool = False
    takes_incumbent: bool = False
    native_with_options: str | None = None
    fractions: bool = False
    """Whether its order is right with values of h that are fractions."""

    @property
    def about(self) -> str:
        return _first_paragraph(self.search)

    @property
    def guarantee(self) -> str:
        """What is known of its solutions with an admissible heuristic, in words."""
        if self.optimal:
            return "shortest, good ones before" if self.anytime else "shortest"
        return f"at most {self.bounded} times too long" if self.bounded else "valid"

    @property
    def without_one(self) -> str:
        """What a search does that takes no heuristic, as the end of a sentence."""
        return "has its own" if self.frontier.h else "uses none"

    @property
    def own_values(self) -> bool:
        """Whether h is not just its heuristic's: from the other end, too, or of its own."""
        without = bool(self.frontier.h) and not self.needs_heuristic
        return self.frontier.kind is FrontierKind.TWO_SIDED or without

    @cached_property
    def built_in(self) -> bool:
        return self.search.__module__.startswith("tilewise.")

    @property
    def options(self) -> dict[str, inspect.Parameter]:
        """The keyword-only options, in order; then those of the native engine, off by default."""
        parameters = inspect.signature(self.search).parameters.values()
        options = {p.name: p for p in parameters if p.kind is p.KEYWORD_ONLY}
        for given, name in ((self.combines, ENGINE_OPTION), (self.backward, BACKWARD_OPTION)):
            if given:
                options.pop(name, None)
        for name, values in self.native_options.items():
            options[name] = inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=values.start
            )
        return options


def _first_paragraph(thing: Callable[..., Any]) -> str:
    paragraph = (inspect.getdoc(thing) or "").split("\n\n")[0]
    return " ".join(paragraph.split())
