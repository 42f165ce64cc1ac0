"""Worksheets: the first steps of a search as an exercise on paper, with an answer key.

Each step gives the nodes that are new, with their boards; the student fills in what the search
computes and which node is taken next. No step needs the answer of the one before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewise.core.algorithm_facts import BEST_FIRST, Frontier, FrontierKind
from tilewise.core.configured_algorithm import ConfiguredAlgorithm, build_algorithm
from tilewise.core.entries import AlgorithmEntry
from tilewise.core.events import Event, Kind
from tilewise.core.registry import ALGORITHMS, HEURISTICS
from tilewise.core.rules import Rules
from tilewise.courses import COURSES, own_search
from tilewise.errors import SpecError
from tilewise.traces.explain import Choice, explain
from tilewise.traces.open_list import TIE_WORDS
from tilewise.traces.watched import DEFAULT_ALGORITHM, Watched

DEFAULT_STEPS = 8
LISTED_IN_KEY, LISTED_NUMBERS = 12, 60
SERVED = (*BEST_FIRST, FrontierKind.LAYERS, FrontierKind.DEEPENING)
"""The kinds of frontier that can be followed on paper."""
MAKES_NODES = (Kind.START, Kind.GENERATE, Kind.REOPEN)

_DUPLICATES = {
    "full": "A successor is thrown away if its state is known with a path that is not longer.",
    "skip-if-in-frontier": "A successor is thrown away if its state is known with a path that is "
    "not longer, or waits on the open list.",
    "closed-when-generated": "A successor is thrown away if its state was made before.",
}


@dataclass(frozen=True)
class SheetColumn:
    """A value of each node: given on the sheet, or a blank that only the key fills in."""

    title: str
    given: bool
    value: Callable[[Event], str]


@dataclass(frozen=True)
class SheetStep:
    """The moment before a node is taken: what is new, what was thrown away, what else waits."""

    choice: Choice
    new: tuple[Event, ...]
    known: tuple[Event, ...]
    waiting: tuple[int, ...]

    @property
    def waiting_text(self) -> str:
        shown = ", ".join(map(str, self.waiting[:LISTED_NUMBERS]))
        more = len(self.waiting) - LISTED_NUMBERS
        return shown + (f" and {more:,} more" if more > 0 else "")

    @property
    def answer(self) -> str:
        """The node that is taken, and why."""
        event = self.choice.event
        goal = ", the goal" if event.kind is Kind.GOAL else ""
        return f"node {event.node}{goal}: {self.choice.reason}"

    @property
    def thrown_away(self) -> str:
        """Each successor that was thrown away, by its move and the node that has its state."""
        return ", ".join(f"{event.move} (the state of node {event.node})" for event in self.known)


@dataclass(frozen=True)
class Sheet:
    """What the writers need, in order."""

    search: Watched
    rules: tuple[str, ...]
    columns: tuple[SheetColumn, ...]
    steps: tuple[SheetStep, ...]
    has_open_list: bool

    @property
    def title(self) -> str:
        with_h = f" with {self.search.heuristic}" if self.search.heuristic else ""
        name = self.search.algorithm
        if name in ALGORITHMS:  # options are shown with the name, not with the title
            name = ALGORITHMS[name].title
        return f"{name}{with_h}, step by step"


def usual_heuristic(algorithm: str | None) -> str | None:
    """The heuristic for a sheet where none is named: one that can be counted by hand."""
    entry = build_algorithm(algorithm or DEFAULT_ALGORITHM).entry
    return "manhattan" if entry.needs_heuristic else None


def sheet(search: Watched, steps: int = DEFAULT_STEPS) -> Sheet:
    """The first steps of a search as an exercise."""
    own = own_search(search.algorithm)
    configured = None if own else build_algorithm(search.algorithm)
    frontier = configured.frontier if configured else Frontier(g=1, h=1)
    if (own and not _own_takes(search)) or frontier.kind not in SERVED:
        served = [name for name, entry in ALGORITHMS.items() if entry.frontier.kind in SERVED]
        served += dict.fromkeys(
            method.search
            for course in COURSES.values()
            for method in course.methods
            if method.own and method.own.frontier.takes
        )
        name = configured.entry.name if configured else search.algorithm
        raise SpecError(f"expected an algorithm with a worksheet: {', '.join(served)}; got {name}")
    made: list[SheetStep] = []
    seen = 0
    choices = explain(search.events, search.algorithm, search.rules, show=None)
    for choice in choices:
        since = search.events[seen : choice.event.seq]
        new = tuple(event for event in since if event.kind in MAKES_NODES)
        others = {event.node for event in new}
        waiting = sorted(
            entry.event.node
            for entry in choice.open
            if not entry.stale and entry.event.node not in others
        )
        duplicates = tuple(event for event in since if event.kind is Kind.DUPLICATE)
        made.append(SheetStep(choice, new, duplicates, tuple(waiting)))
        seen = choice.event.seq
        if len(made) == steps:
            break
    return Sheet(
        search=search,
        rules=tuple(_rules(search, configured, frontier)),
        columns=_columns(frontier),
        steps=tuple(made),
        has_open_list=frontier.kind is not FrontierKind.DEEPENING,
    )


def _own_takes(search: Watched) -> str:
    """The sentence on what a course's own search takes next; empty for all others."""
    own = own_search(search.algorithm, search.heuristic)
    return own[1].own.frontier.takes if own and own[1].own else ""


def _columns(frontier: Frontier) -> tuple[SheetColumn, ...]:
    """g is given where more than g is to be computed."""
    g = SheetColumn("g", bool(frontier.h), lambda event: str(event.g))
    h = SheetColumn("h", False, lambda event: str(event.h))
    if not frontier.h:
        return (g,)
    if not frontier.g:
        return (g, h)
    return (
        g,
        h,
        SheetColumn(frontier.name, False, lambda e: frontier.value(e.g, e.h).split(" = ")[1]),
    )


def _rules(
    search: Watched, configured: ConfiguredAlgorithm | None, frontier: Frontier
) -> list[str]:
    """What the student has to know, in sentences."""
    rules = search.rules
    said = [_takes(configured.entry, frontier) if configured else _own_takes(search)]
    if configured and isinstance(configured.entry.frontier.width, str):
        said.append(f"{frontier.width:,} states of a layer are kept; ties go to the oldest.")
    if configured and frontier.best_first:
        said.append(f"Of equal ones it takes {TIE_WORDS[rules.ties]}.")
    said.append(
        "Successors are made in the order "
        + ", ".join(rules.order)
        + (" and put on the stack in reverse" if frontier.pushes_reversed else "")
        + ": the directions of the blank (up, down, left, right)."
    )
    said.append(_duplicates(rules, frontier, tree=configured is None))
    if configured and frontier.best_first and rules.goal_test == "generated":
        said.append("The search ends when the goal is made.")
    elif frontier.best_first:
        said.append("The search ends when the goal is taken.")
    if search.heuristic:
        entry = HEURISTICS.get(search.heuristic)
        said.append(f"h is {search.heuristic}{f': {entry.about}' if entry else '.'}")
    return said


def _takes(entry: AlgorithmEntry, frontier: Frontier) -> str:
    """Which node the algorithm takes next."""
    if entry.choice:
        return f"{entry.title} {entry.choice}."
    return f"{entry.title} takes the node with the {frontier.best} {frontier.formula}."


def _duplicates(rules: Rules, frontier: Frontier, tree: bool) -> str:
    if tree or frontier.kind is FrontierKind.DEEPENING:
        return "The step straight back is never made; other states may come again."
    if not frontier.reopens:
        return _DUPLICATES["closed-when-generated"]
    if rules.ancestors is None:
        return _DUPLICATES[rules.duplicates]
    if rules.ancestors == 1:
        return "No successor is thrown away."
    return f"A successor is thrown away only if it is one of its {rules.ancestors} last ancestors."
