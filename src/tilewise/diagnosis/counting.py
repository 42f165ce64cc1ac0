"""Runs the searches of the package under many rules, and keeps only the counts.

The searches are the ordinary ones. What makes thousands of them fast is that states are numbered:
successors and estimates of a state are worked out once and are a look-up in every later run.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, cast

from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.entries import Estimate
from tilewise.core.limits import Limits, Meter, bytes_per_state
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.problem import DEFAULT_ORDER, Problem, State
from tilewise.core.result import Outcome, Status
from tilewise.core.stats import Stats
from tilewise.courses import COURSES
from tilewise.courses.running import run_course
from tilewise.diagnosis.budget import UNLIMITED, Budget, EndedEarlyError
from tilewise.diagnosis.rule_variants import RuleVariant, estimate_of
from tilewise.errors import InternalError, SpecError, TilewiseError, in_one_line
from tilewise.puzzle.board import Board, Goal

LOOK_EVERY = 16
"""A run looks at its limit after this many nodes."""
CHECK_EVERY = 4096
"""Counting paths looks at the budget after this many."""
FRONTIER_FACTOR, FRONTIER_START = 10, 1000
"""A run that counts the frontier ends after expanding 10 times the limit and 1000 nodes more."""


class Counts(NamedTuple):
    """The counters of a run that found a solution, in the order of COUNTERS, and its length."""

    expanded: int | None
    generated: int | None
    stored: int | None
    max_frontier: int | None
    cost: int


@dataclass(frozen=True)
class CountLimit:
    """When a run has counted too much to be of interest; and the depth of the board, if known."""

    counter: str
    most: int
    optimal: int | None = None


class CountMeter(Meter):
    """Stops a search by any counter, and ends it early when the budget is spent.

    `held`: bytes that the process holds already.
    """

    def __init__(self, stop: CountLimit, budget: Budget, cells: int, held: int = 0) -> None:
        super().__init__(Limits(), cells)
        self._budget, self._held = budget, held
        self.counter, self.most = stop.counter, stop.most
        self.most_expanded = (
            FRONTIER_FACTOR * stop.most + FRONTIER_START
            if stop.counter == "max_frontier"
            else stop.most
        )

    def stop(self, stats: Stats) -> bool:
        """Whether the counter, or the number of expansions, is past its limit."""
        if getattr(stats, self.counter) >= self.most or stats.expanded >= self.most_expanded:
            return True
        stored = max(stats.stored, stats.peak_stored)
        self._budget.check(self._held + stored * self.bytes_per_state)
        self.pause = stats.generated + LOOK_EVERY
        return False


class NumberedStates:
    """The states of one shape and goal by number; each is expanded once for all runs."""

    def __init__(self, goal: Goal) -> None:
        self.goal = goal
        self._problem = Problem(goal.board, goal)
        self._number_of: dict[State, int] = {}
        self._states: list[State] = []
        self._steps: list[list[tuple[str, int]] | None] = []
        self._estimates: dict[tuple[str, bool], Estimates] = {}
        self._ordered: tuple[str, dict[int, list[tuple[str, int]]]] = ("", {})

    @property
    def held(self) -> int:
        """About the bytes that the states take."""
        return len(self._states) * bytes_per_state(len(self.goal.board.tiles))

    def number(self, state: State) -> int:
        """The number of a state, a new one if it was never seen."""
        number = self._number_of.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
            self._steps.append(None)
        return number

    def steps(self, number: int) -> list[tuple[str, int]]:
        """Moves and the numbers of the states they lead to, in the order U D L R."""
        steps = self._steps[number]
        if steps is None:
            made = self._problem.successors(self._states[number])
            steps = self._steps[number] = [(move, self.number(child)) for move, child in made]
        return steps

    def in_order(self, order: str) -> dict[int, list[tuple[str, int]]]:
        """A table of successors in another order; the last order's is kept."""
        if self._ordered[0] != order:
            self._ordered = (order, InOrder(self, order))
        return self._ordered[1]

    def estimates(self, heuristic: str | None, blank: bool) -> Estimates:
        """A table of the values of a heuristic."""
        key = heuristic or "zero", blank
        if key not in self._estimates:
            made = estimate_of(build_heuristic(key[0], self.goal), blank)
            self._estimates[key] = Estimates(self._states, made)
        return self._estimates[key]


class InOrder(dict[int, list[tuple[str, int]]]):
    """Successors by number, in one order; computed on first use."""

    def __init__(self, states: NumberedStates, order: str) -> None:
        self._states, self._order = states, order

    def __missing__(self, number: int) -> list[tuple[str, int]]:
        steps = self._states.steps(number)
        if self._order != DEFAULT_ORDER:
            steps = sorted(steps, key=lambda step: self._order.index(step[0]))
        self[number] = steps
        return steps


class Estimates(dict[int, int]):
    """Values of a heuristic by the number of a state; computed on first use."""

    def __init__(self, states: list[State], estimate: Estimate) -> None:
        self._states, self._estimate = states, estimate

    def __missing__(self, number: int) -> int:
        value = self[number] = self._estimate(self._states[number])
        return value


class NumberedProblem:
    """What an algorithm sees, as `Problem` is, with numbers for states."""

    def __init__(self, states: NumberedStates, start: State, order: str) -> None:
        self.start = states.number(start)
        self.goal = states.number(states.goal.board.tiles)
        self.successors = states.in_order(order).__getitem__


@lru_cache(maxsize=4)
def numbered_states(goal: Goal) -> NumberedStates:
    """The numbered states of a goal, shared by all runs of a process."""
    return NumberedStates(goal)


def run(
    variant: RuleVariant, board: Board, goal: Goal, stop: CountLimit, budget: Budget = UNLIMITED
) -> Outcome:
    """Run one variant on one board; a course's own search on the states as they are."""
    if variant.profile is not None:
        return _run_course(variant, board, goal, stop, budget)
    configured = build_algorithm(variant.algorithm)
    entry = configured.entry
    meter = CountMeter(stop, budget, len(board.tiles))
    if is_numbered(variant):
        states = numbered_states(goal)
        if states.held > budget.memory // 2:  # they only save time
            numbered_states.cache_clear()
            states = numbered_states(goal)
        meter = CountMeter(stop, budget, len(board.tiles), states.held)
        problem = cast(Problem, NumberedProblem(states, board.tiles, variant.rules.order))
        h = cast(Estimate, states.estimates(variant.heuristic, variant.blank).__getitem__)
    else:  # it may look at the tiles of a state
        problem = Problem(board, goal, variant.rules.order)
        h = estimate_of(build_heuristic(variant.heuristic or "zero", goal), variant.blank)
    try:
        return entry.search(problem, h, meter, variant.rules, None, **configured.python_options)
    except (Exception, SystemExit) as error:
        if entry.built_in or isinstance(error, TilewiseError | EndedEarlyError):
            raise
        raise SpecError(f"algorithm {entry.name} failed: {in_one_line(error)}") from error


def is_numbered(variant: RuleVariant) -> bool:
    """Whether the search is a best-first search of the package, whose loop is known here."""
    entry = build_algorithm(variant.algorithm).entry
    return entry.built_in and entry.frontier.best_first


def counted(outcome: Outcome) -> Counts | None:
    """The counts of an outcome; None if the run was stopped."""
    if outcome.status is not Status.SOLVED:
        return None
    stats = outcome.stats
    return Counts(
        stats.expanded, stats.generated, stats.stored, stats.max_frontier, len(outcome.moves or "")
    )


def _run_course(
    variant: RuleVariant, board: Board, goal: Goal, stop: CountLimit, budget: Budget
) -> Outcome:
    """A course's own search; the nodes generated are those that its program counts."""
    course, method = COURSES[str(variant.profile)], variant.method
    if method is None:
        raise InternalError(f"no method of {variant.profile} is {variant.who}")
    # a program with its own limit of nodes counts them itself
    own = CountLimit(stop.counter, sys.maxsize) if course.max_nodes is not None else stop
    meter = CountMeter(own, budget, len(board.tiles))
    limits = Limits(generated=stop.most)
    result = run_course(course, method, board, goal=goal, limits=limits, meter=meter)
    stats = replace(result.stats, generated=method.generated(result))
    return Outcome(result.status, result.moves, stats)


def serves(variant: RuleVariant, goal: Goal) -> bool:
    """Whether a variant can search for the goal: some courses know one goal only."""
    return variant.profile is None or COURSES[variant.profile].serves(goal)


class Measuring:
    """The counts of many variants on one board, without the runs whose counts are known beforehand.

    A search that tests the goal when it generates it does what the one that tests when it takes
    it does, up to there: if the first is stopped, so is the second. Where no cheaper path to a
    known state was ever found, all settings of the duplicates do the same.
    """

    def __init__(
        self, board: Board, goal: Goal, stop: CountLimit, budget: Budget = UNLIMITED
    ) -> None:
        self._board, self._goal, self._stop, self._budget = board, goal, stop, budget
        self._done: dict[RuleVariant, Outcome] = {}

    def counts(self, variants: Iterable[RuleVariant]) -> list[Counts | None]:
        """The counts of each variant, None where it was stopped or does not know the goal."""
        return list(self.each(variants))

    def each(self, variants: Iterable[RuleVariant]) -> Iterator[Counts | None]:
        """The same one by one, until the budget is spent."""
        for variant in variants:
            outcome = self._outcome(variant) if serves(variant, self._goal) else None
            counts = counted(outcome) if outcome else None
            yield _known_by(variant, counts) if counts else None

    def _outcome(self, variant: RuleVariant) -> Outcome:
        if variant not in self._done:
            same = self._same_as(variant)
            self._done[variant] = same or run(
                variant, self._board, self._goal, self._stop, self._budget
            )
        return self._done[variant]

    def _same_as(self, variant: RuleVariant) -> Outcome | None:
        """The outcome of another variant if it must be the same."""
        rules = variant.rules
        if variant.profile is not None or not is_numbered(variant):
            return None
        if rules.ancestors and self._too_many(variant, rules.ancestors):
            return Outcome(Status.LIMIT, None, Stats())
        if rules.goal_test == "taken":
            earlier = self._outcome(_with(variant, goal_test="generated"))
            if earlier.status is Status.LIMIT:
                return earlier
        if rules.duplicates == "closed-when-generated":
            skipping = self._outcome(_with(variant, duplicates="skip-if-in-frontier"))
            if not skipping.stats.reopened:
                return skipping
        if rules.duplicates == "skip-if-in-frontier":
            full = self._outcome(_with(variant, duplicates="full"))
            if full.stats.stored + 1 == full.stats.peak_stored:  # the root is held as well
                return full
        return None

    def _too_many(self, variant: RuleVariant, ancestors: int) -> bool:
        """Whether A* on the tree of paths will be stopped, whatever its order and ties."""
        stop = self._stop
        is_astar = build_algorithm(variant.algorithm).frontier.weights == (1, 1)
        if not is_astar or stop.optimal is None or stop.counter == "max_frontier":
            return False
        steps_back = ancestors == 1
        surely = surely_expanded(
            self._board,
            self._goal,
            variant.heuristic,
            variant.blank,
            steps_back,
            stop,
            self._budget,
        )
        return surely > stop.most


@lru_cache(maxsize=64)
def surely_expanded(
    board: Board,
    goal: Goal,
    heuristic: str | None,
    blank: bool,
    steps_back: bool,
    stop: CountLimit,
    budget: Budget,
) -> int:
    """Paths whose nodes all have f below the optimal cost: A* expands them before any goal.

    That holds for a goal tested when generated as well, if no neighbour of the goal has an
    estimate of 0. The count ends when it is past the limit.
    """
    states, optimal = numbered_states(goal), stop.optimal or 0
    h = states.estimates(heuristic, blank)
    start = states.number(board.tiles)
    if not all(h[number] for _, number in states.steps(states.number(goal.board.tiles))):
        return 0
    paths = [(start, -1, 0)] if h[start] < optimal else []
    count = 0
    while paths and count <= stop.most:
        number, before, g = paths.pop()
        count += 1
        if count % CHECK_EVERY == 0:
            budget.check(states.held)
        for _, child in states.steps(number):
            if g + 1 + h[child] < optimal and (steps_back or child != before):
                paths.append((child, number, g + 1))
    return count


def _known_by(variant: RuleVariant, counts: Counts) -> Counts:
    """The counts without those that a course's program does not have.

    All of them count the nodes they generate, and what they generate is stored.
    """
    if variant.profile is None:
        return counts
    course = COURSES[variant.profile]
    return counts._replace(
        expanded=counts.expanded if course.has("expanded") else None,
        max_frontier=counts.max_frontier if course.has("max_frontier") else None,
    )


def _with(variant: RuleVariant, **knobs: str) -> RuleVariant:
    return replace(variant, rules=replace(variant.rules, **knobs))  # type: ignore[arg-type]
