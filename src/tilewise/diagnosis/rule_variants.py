"""Variants of a search: the choices of rules that the count doctor tries, each in words.

A variant is an algorithm, a heuristic and a setting of the knobs, or a course's own search.
How a program counts, with or without the root and the goal, is arithmetic on one run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations, product

from tilewise import heuristics, search  # noqa: F401  (registers them)
from tilewise.core.algorithm_facts import BEST_FIRST
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.entries import AlgorithmEntry, Estimate
from tilewise.core.made_heuristic import Heuristic, build_heuristic, heuristic_name
from tilewise.core.problem import DEFAULT_ORDER, State
from tilewise.core.registry import ALGORITHMS
from tilewise.core.rules import Rules, rule_sets
from tilewise.courses import COURSES
from tilewise.courses.course import Method
from tilewise.puzzle.board import Goal

COUNTERS = ("expanded", "generated", "stored", "max_frontier")
UNNAMED_COUNTERS = COUNTERS[:3]
"""Those that are tried when no counter is named: one run gives all three."""

ORDERS = tuple("".join(letters) for letters in permutations(DEFAULT_ORDER))
_EVERY = ("full", "skip-if-in-frontier", "closed-when-generated", "ancestors(1)", "ancestors(2)")
_ONCE = ("full", "ancestors(1)", "ancestors(2)")
_BY_H = ("h-newest", "oldest", "newest", "h-oldest", "largeh-newest", "largeh-oldest")
_BY_AGE = ("newest", "oldest")


@dataclass(frozen=True)
class Settings:
    """The settings of the knobs that make a difference for one algorithm; its own come first."""

    orders: tuple[str, ...]
    ties: tuple[str, ...]
    duplicates: tuple[str, ...]
    goal_tests: tuple[str, ...]

    @classmethod
    def of(cls, algorithm: str) -> Settings:
        """They follow from what the algorithm declares of its knobs and its frontier."""
        entry = build_algorithm(algorithm).entry
        frontier = entry.frontier
        by_age = _BY_AGE if frontier.usual_ties.endswith("newest") else _BY_AGE[::-1]
        ties = _BY_H if frontier.ties_look_at_h else by_age
        duplicates = _EVERY if frontier.finds_cheaper_paths else _ONCE
        return cls(
            orders=ORDERS if "order" in entry.knobs else ORDERS[:1],
            ties=ties if "ties" in entry.knobs else (frontier.usual_ties,),
            duplicates=duplicates if "duplicates" in entry.knobs else duplicates[:1],
            goal_tests=GOAL_TESTS if "goal_test" in entry.knobs else GOAL_TESTS[:1],
        )


GOAL_TESTS = ("taken", "generated")
HEURISTICS = ("manhattan", "misplaced")
"""Those tried when none is named; in both the blank can be counted by mistake."""


@dataclass(frozen=True)
class Counting:
    """Whether the root and the goal are counted: what it adds to each counter."""

    words: str
    added: tuple[int, int, int, int]
    departures: int
    rule: str | None
    """The setting of the knob `count`, None where the knob cannot say it."""


COUNTINGS = (
    Counting("", (0, 0, 0, 0), 0, "none"),
    Counting("the goal counted as expanded", (1, 0, 0, 0), 1, "goal"),
    Counting("the root counted as generated", (0, 1, 1, 0), 1, "root"),
    Counting("the root not counted as expanded", (-1, 0, 0, 0), 1, None),
    Counting("the goal not counted as generated", (0, -1, -1, 0), 1, None),
    Counting("the root counted as generated, the goal as expanded", (1, 1, 1, 0), 2, "root+goal"),
    Counting("neither the root nor the goal counted", (-1, -1, -1, 0), 2, None),
)

TIE_WORDS = {
    "h-newest": "smaller h first, then newest first",
    "h-oldest": "smaller h first, then oldest first",
    "largeh-newest": "larger h first, then newest first",
    "largeh-oldest": "larger h first, then oldest first",
    "newest": "newest first",
    "oldest": "oldest first",
}
DUPLICATE_WORDS = {
    "full": "",
    "skip-if-in-frontier": "a state in the frontier is skipped even when the new path is cheaper "
    "(skip-if-in-frontier)",
    "closed-when-generated": "a state counts as closed as soon as it is generated "
    "(closed-when-generated)",
    "ancestors(1)": "no duplicate detection at all (ancestors(1))",
    "ancestors(2)": "no duplicate detection but the step straight back (ancestors(2))",
}


@dataclass(frozen=True)
class RuleVariant:
    """One choice of rules. With a profile's name it is that profile's own search."""

    algorithm: str
    heuristic: str | None
    blank: bool
    rules: Rules
    profile: str | None = None

    @property
    def sound(self) -> bool:
        """Whether it always finds a shortest solution; docs/why.md has the reasons.

        All paths between two states have lengths of one parity. So an error of 1 costs nothing:
        a goal tested when it is generated, or a blank counted once in misplaced. And where the
        larger h goes first, a consistent heuristic leads to each state on a shortest path first.
        """
        if self.profile is not None:
            return not self.blank
        entry = build_algorithm(self.algorithm).entry
        if not entry.optimal or not entry.needs_heuristic:
            return entry.optimal
        admissible, consistent = _facts(self.heuristic or "zero")
        if self.rules.duplicates in ("skip-if-in-frontier", "closed-when-generated"):
            return consistent and not self.blank and self.rules.ties.startswith("largeh")
        return admissible and (not self.blank or self.heuristic == "misplaced")

    @property
    def named_rules(self) -> str | None:
        """The profile or named rule set that has these rules, if there is one."""
        if self.profile is not None:
            return self.profile
        if len(Settings.of(self.algorithm).ties) < len(_BY_H):  # a name says nothing else here
            return None
        for name, rules in rule_sets().items():
            # where a course has its own A*, its rules are only the nearest to that
            if rules == self.rules and not (name in COURSES and COURSES[name].usual.own):
                return name
        return None

    @property
    def method(self) -> Method | None:
        """The method of the course whose own search it is."""
        if self.profile is None:
            return None
        return next(
            method
            for method in COURSES[self.profile].methods
            if method.diagnosed == (self.algorithm, self.heuristic)
        )

    @property
    def rules_text(self) -> str | None:
        """The rules as `--rules` reads them, None for a profile's own search."""
        if self.profile is not None:
            return None
        rules = self.rules
        # what the algorithm does by itself need not be said
        if rules.ties == Settings.of(self.algorithm).ties[0]:
            rules = replace(rules, ties=Rules().ties)
        return rules.knobs_text() or "default"

    def departures(self, tried: tuple[str, ...], algorithm: str | None) -> int:
        """The number of differences from the default: A* with the first heuristic tried."""
        if self.profile is not None:
            return 1
        rules, usual = self.rules, Settings.of(self.algorithm)
        return (
            (algorithm is None and self.algorithm != chosen_algorithms(None)[0])
            + (self.heuristic is not None and self.heuristic != tried[0])
            + self.blank
            + (rules.order != DEFAULT_ORDER)
            + (rules.ties != usual.ties[0])
            + (rules.duplicates != usual.duplicates[0])
            + (rules.goal_test != GOAL_TESTS[0])
        )

    @property
    def who(self) -> str:
        """Algorithm and heuristic in words."""
        called = _called(self.algorithm)
        if self.heuristic is None:
            return called
        blank = ", the blank counted as a tile" if self.blank else ""
        return f"{called}, {self.heuristic}{blank}"

    def parts(self, orders: tuple[str, ...] = ()) -> list[str]:
        """What is special about it, in words, part by part; the order always is named."""
        if self.profile is not None:
            return [COURSES[self.profile].diagnosis]
        rules, usual = self.rules, Settings.of(self.algorithm)
        shown = [f"order {order_words(rules.order)}"]
        if len(orders) > 1:
            shown = [f"order {order_words(rules.order)} (or {_other_orders(orders[1:])})"]
        if len(usual.ties) > 2 or rules.ties != usual.ties[0]:
            shown.append(f"ties {TIE_WORDS[rules.ties]}")
        shown.append(DUPLICATE_WORDS[rules.duplicates])
        if rules.goal_test == "generated":
            shown.append("goal tested when generated")
        return [part for part in shown if part]


def order_words(order: str) -> str:
    """The letters of an order, apart."""
    return " ".join(order)


def _other_orders(orders: tuple[str, ...]) -> str:
    if len(orders) == len(ORDERS) - 1:
        return "any other"
    if len(orders) > 3:
        return f"{', '.join(orders[:2])} and {len(orders) - 2} more"
    return ", ".join(orders)


@lru_cache(maxsize=64)
def _facts(heuristic: str) -> tuple[bool, bool]:
    """Whether a heuristic is admissible and consistent, as it declares."""
    made = build_heuristic(heuristic, Goal.blank_first(2, 2))
    return made.admissible, made.consistent


def chosen_heuristics(named: str | None) -> tuple[str, ...]:
    """The heuristic that is named, or those that are tried when none is."""
    return HEURISTICS if named is None else (heuristic_name(named),)


def chosen_algorithms(named: str | None) -> tuple[str, ...]:
    """The algorithm that is named, or those that are tried when none is.

    These are the best-first searches of the package that have no options, the most usual first.
    """
    if named is not None:
        return (build_algorithm(named).spec,)
    tried = [
        entry
        for entry in ALGORITHMS.values()
        if entry.built_in and entry.frontier.best_first and not entry.frontier.options
    ]
    tried.sort(key=lambda entry: (BEST_FIRST.index(entry.frontier.kind), not entry.needs_heuristic))
    return tuple(entry.name for entry in tried)


def _called(algorithm: str) -> str:
    """The name of an algorithm inside a sentence."""
    configured = build_algorithm(algorithm)
    title = configured.entry.title
    if algorithm != configured.entry.name:  # with options
        return algorithm
    if title[1:2].islower():
        title = title[0].lower() + title[1:]
    only_h = configured.frontier.best_first and not configured.frontier.g
    return f"{title} (h alone, g left out)" if only_h else title


def variants(algorithm: str | None, heuristic: str | None) -> Iterator[tuple[RuleVariant, ...]]:
    """All variants that differ, in batches that share algorithm, heuristic and order."""
    chosen = chosen_algorithms(algorithm)
    weights = [build_algorithm(name).frontier.weights for name in chosen]
    for name in chosen:
        configured, knobs = build_algorithm(name), Settings.of(name)
        names: tuple[str | None, ...] = (
            chosen_heuristics(heuristic) if configured.entry.needs_heuristic else (None,)
        )
        # two that sort by the same differ in their ties alone: each has its own
        shared = weights.count(configured.frontier.weights) > 1
        ties = knobs.ties[:1] if shared else knobs.ties
        settings = list(product(ties, knobs.duplicates, knobs.goal_tests))
        for each, order in product(names, knobs.orders):
            for blank in (False, True) if each in HEURISTICS else (False,):
                yield tuple(
                    RuleVariant(name, each, blank, _rules(configured.entry, order, *setting))
                    for setting in settings
                )


def profile_variants(algorithm: str | None, heuristic: str | None) -> tuple[RuleVariant, ...]:
    """The searches that courses have of their own, those with the names that are wanted."""
    wanted = None if heuristic is None else heuristic_name(heuristic)
    found = []
    for course in COURSES.values():
        for method in course.methods:
            if method.own is None or method.diagnosed is None:
                continue
            name, estimate = method.diagnosed
            if algorithm in (None, name) and (estimate is None or wanted in (None, estimate)):
                found.append(
                    RuleVariant(name, estimate, method.blank_counted, course.rules, course.name)
                )
    return tuple(found)


def _rules(entry: AlgorithmEntry, order: str, ties: str, duplicates: str, goal_test: str) -> Rules:
    given = frozenset({"ties"} & {*entry.knobs})
    return Rules(order, ties, duplicates, goal_test, given=given)


def estimate_of(heuristic: Heuristic, blank: bool) -> Estimate:
    """The estimate, or the wrong one that counts the blank as if it were a tile."""
    if not blank:
        return heuristic.estimate
    goal, estimate = heuristic.goal.board, heuristic.estimate
    if heuristic.spec == "misplaced":
        home = goal.blank
        return lambda state: estimate(state) + (state[home] != 0)
    row, column = divmod(goal.blank, goal.columns)
    away = [
        abs(cell // goal.columns - row) + abs(cell % goal.columns - column)
        for cell in range(len(goal.tiles))
    ]

    def with_blank(state: State) -> int:
        return estimate(state) + away[state.index(0)]

    return with_blank
