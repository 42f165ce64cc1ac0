"""Worksheets: the first steps of a search as an exercise on paper, with an answer key.

Each step gives the nodes that are new, with their boards; the student fills in what the search
computes and which node is taken next. No step needs the answer of the one before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tilewise.core.events import Event, Kind
from tilewise.core.registry import HEURISTICS, build_algorithm
from tilewise.core.rules import Rules
from tilewise.courses import COURSES, own_search
from tilewise.errors import SpecError
from tilewise.traces.explain import BEST_FIRST, RULE_WORDS, Choice, explain
from tilewise.traces.open_list import Order
from tilewise.traces.watched import DEFAULT_ALGORITHM, Watched

DEFAULT_STEPS = 8
LISTED_IN_KEY, LISTED_NUMBERS = 12, 60
MAKES_NODES = (Kind.START, Kind.GENERATE, Kind.REOPEN)

_TAKES = {
    "bfs": "Breadth-first search takes the node with the smallest g.",
    "dfs": "Depth-first search takes the node with the largest g.",
    "ucs": "Uniform-cost search takes the node with the smallest g.",
    "greedy": "Greedy best-first search takes the node with the smallest h.",
    "astar": "A* takes the node with the smallest f = g + h.",
    "beam": "Beam search goes layer by layer: a layer is sorted by h, the best are kept, and those "
    "are expanded one after the other.",
    "hill_climbing": "Hill climbing always goes on to the new neighbour with the smallest h.",
    "ids": "Iterative deepening goes depth-first, to depth 0, then 1, then 2 and so on. It keeps "
    "no open list.",
    "idastar": "IDA* goes depth-first and cuts off nodes whose f = g + h is above the bound; the "
    "next bound is the smallest f that was cut off. It keeps no open list.",
}
_CALLED = {
    "astar": "A*",
    "bfs": "Breadth-first search",
    "dfs": "Depth-first search",
    "greedy": "Greedy best-first search",
    "hill_climbing": "Hill climbing",
    "idastar": "IDA*",
    "ids": "Iterative deepening",
    "ucs": "Uniform-cost search",
}
_DUPLICATES = {
    "full": "A successor is thrown away if its state is known with a path that is not longer.",
    "skip-if-in-frontier": "A successor is thrown away if its state is known with a path that is "
    "not longer, or waits on the open list.",
    "closed-when-generated": "A successor is thrown away if its state was made before.",
}


@dataclass(frozen=True)
class Column:
    """A value of each node: given on the sheet, or a blank that only the key fills in."""

    title: str
    given: bool
    value: Callable[[Event], str]


@dataclass(frozen=True)
class Step:
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
    columns: tuple[Column, ...]
    steps: tuple[Step, ...]
    has_open_list: bool

    @property
    def title(self) -> str:
        with_h = f" with {self.search.heuristic}" if self.search.heuristic else ""
        name = _CALLED.get(self.search.algorithm, self.search.algorithm)
        return f"{name}{with_h}, step by step"


def usual_heuristic(algorithm: str | None) -> str | None:
    """The heuristic for a sheet where none is named: one that can be counted by hand."""
    entry = build_algorithm(algorithm or DEFAULT_ALGORITHM).entry
    return "manhattan" if entry.needs_heuristic else None


def sheet(search: Watched, steps: int = DEFAULT_STEPS) -> Sheet:
    """The first steps of a search as an exercise."""
    name = _name(search)
    if name not in _TAKES and name != "wastar" and not _own_takes(search):
        own = dict.fromkeys(
            method.search
            for course in COURSES.values()
            for method in course.methods
            if method.own and method.own.frontier.takes
        )
        served = ", ".join([*_TAKES, *own, "wastar"])
        raise SpecError(f"expected an algorithm with a worksheet: {served}; got {name}")
    made: list[Step] = []
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
        made.append(Step(choice, new, duplicates, tuple(waiting)))
        seen = choice.event.seq
        if len(made) == steps:
            break
    return Sheet(
        search=search,
        rules=tuple(_rules(search, name)),
        columns=_columns(search, name),
        steps=tuple(made),
        has_open_list=name in _LISTED or bool(_own_takes(search)),
    )


_LISTED = (*BEST_FIRST, "beam", "hill_climbing")


def _own_takes(search: Watched) -> str:
    """The sentence on what a course's own search takes next; empty for all others."""
    own = own_search(search.algorithm, search.heuristic)
    return own[1].own.frontier.takes if own and own[1].own else ""


def _name(search: Watched) -> str:
    own = own_search(search.algorithm)
    return search.algorithm if own else build_algorithm(search.algorithm).entry.name


def _columns(search: Watched, name: str) -> tuple[Column, ...]:
    """g is given where more than g is to be computed."""
    g = Column("g", name not in ("bfs", "dfs", "ucs", "ids"), lambda event: str(event.g))
    h = Column("h", False, lambda event: str(event.h))
    if not g.given:
        return (g,)
    if name in ("greedy", "beam", "hill_climbing"):
        return (g, h)
    if name == "wastar":
        order = Order.of(build_algorithm(search.algorithm), Rules())
        title = order.value(0, 0).partition(" = ")[0]
        return (g, h, Column(title, False, lambda e: order.value(e.g, e.h).partition(" = ")[2]))
    return (g, h, Column("f", False, lambda event: str(event.g + event.h)))


def _rules(search: Watched, name: str) -> list[str]:
    """What the student has to know, in sentences."""
    rules = search.rules
    if name == "wastar":
        weight = build_algorithm(search.algorithm).options["weight"]
        said = [f"Weighted A* takes the node with the smallest g + {_text(weight)}h."]
    else:
        said = [_own_takes(search) or _TAKES[name]]
    if name == "beam":
        width = build_algorithm(search.algorithm).options["width"]
        said.append(f"{width:,} states of a layer are kept; ties go to the oldest.")
    if name in BEST_FIRST:
        words = RULE_WORDS[f"ties={rules.ties}"].removeprefix("ties to ")
        said.append(f"Of equal ones it takes {words}.")
    said.append(
        "Successors are made in the order "
        + ", ".join(rules.order)
        + (" and put on the stack in reverse" if name == "dfs" else "")
        + ": the ways the blank goes (up, down, left, right)."
    )
    said.append(_duplicates(rules, name, tree=bool(_own_takes(search))))
    if name in BEST_FIRST and rules.goal_test == "generated":
        said.append("The search ends when the goal is made.")
    elif name in BEST_FIRST or _own_takes(search):
        said.append("The search ends when the goal is taken.")
    if search.heuristic:
        entry = HEURISTICS.get(search.heuristic)
        said.append(f"h is {search.heuristic}{f': {entry.about}' if entry else '.'}")
    return said


def _duplicates(rules: Rules, name: str, *, tree: bool) -> str:
    if tree or name in ("ids", "idastar"):
        return "The step straight back is never made; other states may come again."
    if name in ("dfs", "greedy", "beam", "hill_climbing"):
        return _DUPLICATES["closed-when-generated"]
    if rules.ancestors is None:
        return _DUPLICATES[rules.duplicates]
    if rules.ancestors == 1:
        return "No successor is thrown away."
    return f"A successor is thrown away only if it is one of its {rules.ancestors} last ancestors."


def _text(weight: Fraction) -> str:
    return f"{float(weight):g}"
