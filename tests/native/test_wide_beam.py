"""The beam for speed, `beam(threads=N)`: any native heuristic, any shape, limits that hold."""

from __future__ import annotations

import pytest

from tests.oracles.puzzle import shuffled
from tilewise import Goal, Limits, Status
from tilewise.core.algorithm_facts import Contract
from tilewise.core.registry import build_algorithm
from tilewise.errors import EngineError
from tilewise.solving import solve

HEURISTICS = ["manhattan", "linear_conflict", "sum(misplaced, manhattan)", "learned"]


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("shape", [(3, 3), (4, 4), (5, 5), (4, 6)])
def test_any_number_of_threads_finds_the_same_solution(
    shape: tuple[int, int], heuristic: str
) -> None:
    goal = Goal.blank_last(*shape)
    results = [
        solve(
            shuffled(goal, 1),
            goal=goal,
            algorithm=f"beam(width=4500, threads={threads})",
            heuristic=heuristic,
        )
        for threads in (1, 3)
    ]
    assert [result.status for result in results] == [Status.SOLVED] * 2
    assert results[0].moves == results[1].moves
    assert results[0].stats.generated == results[1].stats.generated
    assert results[0].engine == "native"


def test_a_limit_of_nodes_is_never_exceeded() -> None:
    goal = Goal.blank_first(6, 6)
    result = solve(
        shuffled(goal, 1),
        goal=goal,
        algorithm="beam(width=1000, threads=2)",
        heuristic="learned",
        limits=Limits(generated=20_000),
    )
    assert result.status is Status.LIMIT and result.stats.generated <= 20_000


def test_it_is_valid_not_exact_and_native_only() -> None:
    assert build_algorithm("beam(threads=2)").contract is Contract.VALID
    assert build_algorithm("beam(width=7)").contract is Contract.EXACT
    with pytest.raises(EngineError, match="threads"):
        solve("125 348 67b", algorithm="beam(threads=2)", engine="python")
