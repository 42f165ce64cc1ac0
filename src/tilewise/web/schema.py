"""The choices of a request, all read from the registries."""

from __future__ import annotations

from typing import Any

from pydantic import Field

import tilewise
from tilewise import suites
from tilewise.core import rules
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.entries import AlgorithmEntry
from tilewise.core.events import Kind
from tilewise.core.registry import ALGORITHMS, HEURISTICS
from tilewise.core.spec import Spec
from tilewise.core.stats import COUNTERS, Counter
from tilewise.courses import COURSES
from tilewise.courses.course import Course
from tilewise.native import ENGINES
from tilewise.puzzle import formats
from tilewise.puzzle.board import MAX_SIDE, MIN_SIDE
from tilewise.traces.open_list import TIE_WORDS
from tilewise.web.budgets import Budgets
from tilewise.web.responses import ResponseModel

GOALS = {
    "auto": "that of the notation",
    "first": "blank first",
    "last": "blank last",
    "snail": "snail",
}
"""What a request may name as its goal, with the words of the page."""
KNOB_TITLES = {
    "order": "Order of successors",
    "ties": "Ties go to",
    "duplicates": "A successor is compared with",
    "goal_test": "The goal is known when",
    "count": "Also counted",
}
KNOB_WORDS = {
    "order": {},
    "ties": TIE_WORDS,
    "duplicates": {
        "full": "all known states",
        "skip-if-in-frontier": "all; one that waits is never replaced",
        "closed-when-generated": "all; none is made twice",
        "ancestors(1)": "the state before it",
        "ancestors(2)": "the two states before it",
    },
    "goal_test": {"taken": "it is taken", "generated": "it is generated"},
    "count": {
        "none": "nothing",
        "root": "the start",
        "goal": "the goal",
        "root+goal": "the start and the goal",
    },
}
"""The knobs of the rules and their values, in the words of the page."""
SHOWN_MOVES = "UUL"
"""The moves of the examples of the move styles."""


class OptionFacts(ResponseModel):
    """An option of an algorithm, as its spec writes it."""

    name: str
    default: str


class PseudoCodeFacts(ResponseModel):
    """An algorithm in a few lines, and the line, from 1, of each kind of event."""

    lines: list[str]
    line_of: dict[str, int]


class AlgorithmFacts(ResponseModel):
    """An algorithm; the names of the fields are those of the registry."""

    name: str
    title: str
    about: str
    optimal: bool
    complete: bool
    needs_heuristic: bool
    default_heuristic: str | None
    knobs: list[str]
    options: list[OptionFacts]
    tree: bool
    contract: str
    best_first: bool
    has_events: bool = Field(description="Whether it can be traced.")
    pseudo_code: PseudoCodeFacts

    @classmethod
    def of(cls, entry: AlgorithmEntry) -> AlgorithmFacts:
        """The facts of a registered algorithm, with the options as its spec writes them."""
        written = Spec.parse(build_algorithm(entry.name).spec).options
        options = [OptionFacts(name=name, default=default) for name, default in written]
        code = PseudoCodeFacts(
            lines=list(entry.pseudo_code.lines),
            line_of={kind.value: line for kind, line in entry.pseudo_code.line_of.items()},
        )
        return cls.from_object(
            entry,
            options=options,
            contract=entry.contract.value,
            best_first=entry.frontier.best_first,
            has_events=not entry.combines,
            pseudo_code=code,
        )


class HeuristicFacts(ResponseModel):
    """A heuristic; the names of the fields are those of the registry."""

    name: str
    title: str
    aliases: list[str]
    about: str
    admissible: bool
    consistent: bool
    combines: bool


class RulesFacts(ResponseModel):
    """The knobs of the rules with their values, and the sets of rules that have a name."""

    knobs: dict[str, list[str]]
    titles: dict[str, str] = Field(description="The knobs in words.")
    words: dict[str, dict[str, str]] = Field(description="The values of each knob in words.")
    named: list[dict[str, Any]]


class MethodFacts(ResponseModel):
    """What a course calls one of its searches, and how a request and a response name it."""

    name: str = Field(description="The course's word for it.")
    called: str
    algorithm: str = Field(description="The `algorithm` to name beside the profile.")
    resembles: str = Field(description="The algorithm of tilewise that it is or resembles.")
    heuristic: str | None
    estimate: str | None = Field(description="The heuristic as a response names it.")
    width: int | None = Field(description="The usual width of a beam.")
    usual: bool = Field(description="Whether it runs where a request names no search.")


class ProfileFacts(ResponseModel):
    """A course."""

    name: str
    about: str
    command: str
    goal: str
    heuristics: dict[str, str]
    differences: list[str]
    rules: str = Field(description="The rule set nearest to it.")
    max_nodes: int | None = Field(description="Its program stops at this number of nodes.")
    searches: list[MethodFacts]

    @classmethod
    def of(cls, course: Course) -> ProfileFacts:
        """The facts of a course, with the searches in its own order."""
        searches = [
            MethodFacts.from_object(
                method,
                called=method.title or method.name,
                algorithm=course.request_name(method),
                resembles=Spec.parse(method.algorithm).name,
                usual=method == course.usual,
            )
            for method in course.methods
        ]
        heuristics = dict(course.heuristics)
        return cls.from_object(
            course, heuristics=heuristics, rules=course.rule_set, searches=searches
        )


class NotationFacts(ResponseModel):
    """A notation for boards."""

    name: str
    aliases: list[str]
    goal: str | None
    example: str
    about: str


class MoveStyleFacts(ResponseModel):
    """A style in which moves are written."""

    name: str
    example: str


class GoalFacts(ResponseModel):
    """A goal that a request can name."""

    name: str
    title: str


class SuiteFacts(ResponseModel):
    """A named set of boards."""

    name: str
    boards: int
    goal: str
    about: str
    source: str


class EngineFacts(ResponseModel):
    """An engine."""

    name: str
    about: str


class Sides(ResponseModel):
    """The least and the most rows or columns of a board."""

    least: int
    most: int


class SchemaResponse(ResponseModel):
    """The available choices, and the budgets of this server."""

    version: str
    algorithms: list[AlgorithmFacts]
    heuristics: list[HeuristicFacts]
    rules: RulesFacts
    profiles: list[ProfileFacts]
    counters: list[Counter]
    event_kinds: list[str]
    formats: list[NotationFacts]
    move_styles: list[MoveStyleFacts]
    goals: list[GoalFacts]
    suites: list[SuiteFacts]
    engines: list[EngineFacts]
    budgets: Budgets
    shapes: Sides


def schema(budgets: Budgets) -> SchemaResponse:
    """Algorithms, heuristics, rules, profiles, counters, notations, suites, and the budgets."""
    return SchemaResponse(
        version=tilewise.__version__,
        algorithms=[AlgorithmFacts.of(entry) for entry in ALGORITHMS.values()],
        heuristics=[HeuristicFacts.from_object(entry) for entry in HEURISTICS.values()],
        rules=_rules(),
        profiles=[ProfileFacts.of(course) for course in COURSES.values()],
        counters=list(COUNTERS),
        event_kinds=[kind.value for kind in Kind],
        formats=[NotationFacts.from_object(each) for each in formats.NOTATIONS],
        move_styles=[
            MoveStyleFacts(name=style, example=formats.write_moves(SHOWN_MOVES, style, "blank"))
            for style in formats.MOVE_STYLES
        ],
        goals=[GoalFacts(name=name, title=title) for name, title in GOALS.items()],
        suites=[
            SuiteFacts.from_object(suite, boards=len(suite.instances), about=suite.title)
            for suite in map(suites.load, suites.names())
        ],
        engines=[EngineFacts(name=name, about=about) for name, about in ENGINES.items()],
        budgets=budgets,
        shapes=Sides(least=MIN_SIDE, most=MAX_SIDE),
    )


def _rules() -> RulesFacts:
    return RulesFacts(
        knobs={
            "order": [],
            "ties": list(rules.TIES),
            "duplicates": list(rules.DUPLICATES),
            "goal_test": list(rules.GOAL_TESTS),
            "count": list(rules.COUNTS),
        },
        titles=KNOB_TITLES,
        words=KNOB_WORDS,
        named=[
            {"name": name, **{knob: getattr(each, knob) for knob in rules.KNOBS}}
            for name, each in rules.rule_sets().items()
        ],
    )
