"""Doubts about results that rest on what a user declares: that a heuristic is admissible, say."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tilewise.core.configured_algorithm import ConfiguredAlgorithm
from tilewise.core.entries import Estimate
from tilewise.core.limits import Limits
from tilewise.core.made_heuristic import Heuristic, estimate_from_start
from tilewise.core.problem import Problem, State
from tilewise.core.result import Result
from tilewise.native import NATIVE
from tilewise.puzzle.board import Goal
from tilewise.puzzle.position import board_text

MOST_SEEN = 200_000
"""States whose values are kept while searching."""
LEAST_NODES = 100_000
"""Nodes, at least, of the search that looks for a shorter solution: milliseconds. A search that
made more of them is checked with as many, which takes a fraction of its own time."""
SLOW_CELLS = 10
"""Without the native engine, boards of this many cells or more are not searched again."""


class SeenValues:
    """A heuristic that keeps the largest value of each state which a search asks it for."""

    def __init__(self, estimate: Estimate) -> None:
        self._estimate = estimate
        self._values: dict[State, int] = {}

    def __call__(self, state: State) -> int:
        value, values = self._estimate(state), self._values
        known = values.get(state)
        if known is None:
            if len(values) < MOST_SEEN:
                values[state] = value
        elif value > known:
            values[state] = value
        return value

    def too_large(self, problem: Problem, moves: str) -> TooLarge | None:
        """A state with a value above the moves of a way to the goal, by states that were seen.

        Moves can be taken back, so from every state that was seen there is a way to the solution.
        """
        largest = max(self._values.values(), default=0)
        on_the_way = list(problem.states(moves))
        nearer, left, known = on_the_way[::-1], 0, set(on_the_way)
        layer = [nearer[0]]
        while left < largest:
            for state in layer:
                if self._values.get(state, 0) > left:
                    return TooLarge(state, self._values[state], left)
            made = [child for state in layer for _, child in problem.successors(state)]
            layer = nearer[left + 1 : left + 2]
            for child in made:
                if child in self._values and child not in known:
                    known.add(child)
                    layer.append(child)
            left += 1
            if not layer:
                return None
        return None


class TooLarge(NamedTuple):
    """A state, its value, and the moves that are enough from there to the goal."""

    state: State
    value: float
    moves: int


def reason_to_doubt(
    result: Result,
    problem: Problem,
    configured: ConfiguredAlgorithm,
    h: Heuristic | None,
    seen: SeenValues | None,
    search_again: Callable[[Limits], Result],
) -> str | None:
    """Why a solution that is claimed to be optimal may not be; None where nothing speaks for that.

    An admissible heuristic says on no board of the solution more than the moves that are left, and
    on no other board that was seen more than a way from there to the goal shows. A search from both
    ends needs the same of its other side. A second search, with the parts that tilewise has proved,
    may besides find fewer moves.
    """
    moves = result.moves or ""
    if h is not None:
        wrong = overestimate(problem, h.estimate, moves)
        wrong = wrong or (seen.too_large(problem, moves) if seen else None)
        if wrong:
            return f"{h.spec} is not admissible: {_where(wrong, problem, result)} the goal"
        wrong = _wrong_from_start(configured, problem, h, moves)
        if wrong:
            where = _where(wrong, problem, result)
            return f"{h.spec}, made for the start, is not admissible: {where} the start"
    if not NATIVE and len(result.board.tiles) >= SLOW_CELLS:
        return None
    second = search_again(Limits(generated=max(LEAST_NODES, result.stats.generated)))
    if second.cost is None or second.cost >= len(result.moves or ""):
        return None
    suspects = [] if h is None or h.built_in else [f"{h.spec} is not admissible"]
    suspects += [] if configured.entry.built_in else [f"{configured.spec} is not optimal"]
    return f"{' or '.join(suspects)}: {second.cost} moves are enough"


def _wrong_from_start(
    configured: ConfiguredAlgorithm, problem: Problem, h: Heuristic, moves: str
) -> TooLarge | None:
    """A state of a solution whose estimate of the moves from the start is too large."""
    if not configured.entry.backward:
        return None
    otherwise = str(configured.entry.default_heuristic)
    estimate = estimate_from_start(h, Goal(problem.board(problem.start)), otherwise)
    for number, state in enumerate(problem.states(moves)):
        value = estimate(state)
        if not value <= number:
            return TooLarge(state, value, number)
    return None


def overestimate(problem: Problem, h: Estimate, moves: str) -> TooLarge | None:
    """The first state of a solution on which h is more than the moves that are left.

    With it, its h and the moves that are left. None: the solution does not show that h is not
    admissible, which does not prove that it is.
    """
    for number, state in enumerate(problem.states(moves)):
        value, left = h(state), len(moves) - number
        if not value <= left:  # so that it holds for what is not a number, too
            return TooLarge(state, value, left)
    return None


def _where(wrong: TooLarge, problem: Problem, result: Result) -> str:
    board = board_text(problem.board(wrong.state), result.goal)
    number = wrong.moves
    away = f"at most {number} move{'s' * (number > 1)} from" if number else "which is"
    return f"it is {wrong.value} on {board}, {away}"
