"""The depth that an experiment records of a board, held against what its searches prove."""

from __future__ import annotations

from typing import Any

from tilewise.errors import SpecError, shortened
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.run import Run
from tilewise.puzzle.position import read_position

DEPTH = "depth"
"""The label that says how many moves a board needs."""


class ContradictionError(SpecError):
    """A recorded depth is not what a table or a search proves."""


def check_depth(name: str, value: Any) -> None:
    """Refuse a depth that is no number of moves."""
    if type(value) is not int or value < 0:
        raise SpecError(
            f"{name}: expected a whole number of at least 0 as label {DEPTH}, "
            f"got {shortened(value)}"
        )


def contradiction(depth: Any, run: Run, outcome: RunOutcome) -> str | None:
    """How an outcome contradicts the recorded depth, in words; None where it does not.

    A solution that is shorter does, and so does a bound above the depth, which a proved optimum
    is as well.
    """
    if type(depth) is not int:
        return None
    if outcome.cost is not None and outcome.cost < depth:
        found = f"found a solution of {outcome.cost}"
    elif outcome.bound is not None and outcome.bound > depth:
        found = f"proved that {outcome.bound} are needed"
    else:
        return None
    search = " with ".join(filter(None, (run.algorithm, run.heuristic)))
    return (
        f"expected {depth} moves, the recorded depth of {read_position(run.board, run.goal)}; "
        f"{search} {found}"
    )
