"""Doubts about results that rest on what a user declares: that a heuristic is admissible, say."""

from __future__ import annotations

from collections.abc import Callable

from tilewise.core.entries import Estimate
from tilewise.core.limits import Limits
from tilewise.core.problem import Problem, State
from tilewise.core.registry import ConfiguredAlgorithm, Heuristic
from tilewise.core.result import Result
from tilewise.native import NATIVE
from tilewise.puzzle.position import board_text

LEAST_NODES = 100_000
"""Nodes, at least, of the search that looks for a shorter solution: milliseconds. A search that
made more of them is checked with as many, which takes a fraction of its own time."""
SLOW_CELLS = 10
"""Without the native engine, boards of this many cells or more are not searched again."""


def reason_to_doubt(
    result: Result,
    problem: Problem,
    configured: ConfiguredAlgorithm,
    h: Heuristic | None,
    search_again: Callable[[Limits], Result],
) -> str | None:
    """Why a solution that is claimed to be optimal may not be; None where nothing speaks for that.

    An admissible heuristic says on no board of the solution more than the moves that are left.
    A second search, with the parts that tilewise has proved, may besides find fewer moves.
    """
    wrong = overestimate(problem, h.estimate, result.moves or "") if h else None
    if h and wrong:
        state, value, left = wrong
        where = board_text(problem.board(state), result.goal)
        return f"{h.spec} is not admissible: it is {value} on {where}, {_moves_away(left)}"
    if not NATIVE and len(result.board.tiles) >= SLOW_CELLS:
        return None
    second = search_again(Limits(generated=max(LEAST_NODES, result.stats.generated)))
    if second.cost is None or second.cost >= len(result.moves or ""):
        return None
    suspects = [] if h is None or h.built_in else [f"{h.spec} is not admissible"]
    suspects += [] if configured.entry.built_in else [f"{configured.spec} is not optimal"]
    return f"{' or '.join(suspects)}: {second.cost} moves are enough"


def overestimate(problem: Problem, h: Estimate, moves: str) -> tuple[State, int, int] | None:
    """The first state of a solution on which h is more than the moves that are left.

    With it, its h and the moves that are left. None: the solution does not show that h is not
    admissible, which does not prove that it is.
    """
    for number, state in enumerate(problem.states(moves)):
        value, left = h(state), len(moves) - number
        if not value <= left:  # so that it holds for what is not a number, too
            return state, value, left
    return None


def _moves_away(number: int) -> str:
    if not number:
        return "which is the goal"
    return f"at most {number} move{'s' * (number > 1)} from the goal"
