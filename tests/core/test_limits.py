"""Limits and cancellation: every registered search stops at its limit."""

from __future__ import annotations

import threading
from functools import partial
from itertools import pairwise

import pytest

import tilewise as tw
from tests.conftest import SEARCHES
from tests.oracles.puzzle import FIRST_OF_8, replayed, sample, shuffled
from tilewise import Board, Goal, Limits, Result, Stats, Status, TilewiseError
from tilewise.core.incumbent import Incumbent
from tilewise.core.limits import CHECK_EVERY, bytes_per_state
from tilewise.core.registry import ALGORITHMS

solve = partial(tw.solve, engine="python")
PATIENCE = 60
"""Seconds after which a test that hangs fails instead."""


def demanding(algorithm: str) -> Board:
    """A board whose search takes a few times as many nodes as lie between two checks."""
    if algorithm == "human":
        return shuffled(Goal.blank_first(10, 10), 5)
    if algorithm == "hill_climbing":
        return shuffled(Goal.blank_first(4, 4), 45)
    if algorithm == "dfs":
        return Board.parse("864 213 57b")
    if algorithm == "depth_limited":
        return sample(FIRST_OF_8, 15, 4)[1]
    if algorithm == "epeastar":
        return sample(FIRST_OF_8, 28, 1)[0]
    return sample(FIRST_OF_8, 13 if algorithm in BLIND else 22, 1)[0]


BLIND = {"ids", "iterative_lengthening", "frontier_search", "bfs", "ucs"}
BY_A_BETTER_HEURISTIC = {"beam", "hill_climbing", "climbing", "annealing"}
SPECS = {"climbing": "climbing(climbs=10000, seed=4)", "annealing": "annealing(seed=2)"}
"""Searches whose options at their defaults are too easily stuck."""
ANYTIME = {name for name in SEARCHES if ALGORITHMS[name].anytime}


def heuristic_of(algorithm: str) -> str | None:
    weak = ALGORITHMS[algorithm].needs_heuristic and algorithm not in BY_A_BETTER_HEURISTIC
    return "misplaced" if weak else None


def limited(algorithm: str, board: Board, limits: Limits) -> Result:
    return solve(
        board,
        goal="first",
        algorithm=SPECS.get(algorithm, algorithm),
        heuristic=heuristic_of(algorithm),
        limits=limits,
    )


def check_ended(result: Result) -> None:
    """No solution at a limit; of an anytime search perhaps one that is not proved optimal."""
    if result.algorithm.partition("(")[0] in ANYTIME and result.moves is not None:
        assert result.status is Status.SOLVED and result.stop is not None
        assert replayed(result.board, result.moves) == result.goal.board.tiles
    else:
        assert result.status is Status.LIMIT and result.moves is None


def counted(result: Result) -> dict[str, float | None]:
    """All counters that do not depend on the machine."""
    names = {counter.name for counter in tw.COUNTERS} - {"seconds", "peak_memory"}
    return {name: getattr(result.stats, name) for name in names}


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_a_search_stops_exactly_at_its_limit_of_generated_nodes(algorithm: str) -> None:
    board = demanding(algorithm)
    free = limited(algorithm, board, Limits())
    needed = free.stats.generated
    assert free.solved and needed > 2 * CHECK_EVERY
    near_checks = (CHECK_EVERY - 1, CHECK_EVERY, CHECK_EVERY + 1)
    for limit in (1, 2, 100, *near_checks, needed - 1):
        result = limited(algorithm, board, Limits(generated=limit))
        check_ended(result)
        assert result.stats.generated == limit and result.stopped_by == "nodes"
        assert not result.optimal and result.stats.expanded_below_cost is None
    enough = limited(algorithm, board, Limits(generated=needed))
    assert (enough.status, enough.moves) == (Status.SOLVED, free.moves)
    assert counted(enough) == counted(free)


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_a_start_on_the_goal_needs_no_node(algorithm: str) -> None:
    result = limited(algorithm, FIRST_OF_8.board, Limits(generated=1))
    assert (result.status, result.moves) == (Status.SOLVED, "")
    assert (result.stats.expanded, result.stats.generated, result.stats.stored) == (0, 0, 0)


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_a_search_stops_at_its_limit_of_time(algorithm: str) -> None:
    result = limited(algorithm, demanding(algorithm), Limits(seconds=1e-9))
    assert result.status is Status.LIMIT and result.moves is None
    assert result.stats.generated <= CHECK_EVERY and result.stats.seconds > 0


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_a_search_stops_at_its_limit_of_memory(algorithm: str) -> None:
    result = limited(algorithm, demanding(algorithm), Limits(memory=1))
    check_ended(result)
    assert result.stats.generated <= 2 * CHECK_EVERY


@pytest.mark.parametrize("algorithm", ["astar", "bfs", "bidirectional", "beam", "ucs", "dfs"])
def test_a_limit_of_memory_is_noticed_before_the_next_check(algorithm: str) -> None:
    memory = 500_000
    board = sample(FIRST_OF_8, 31, 1)[0]
    result = limited(algorithm, board, Limits(memory=memory))
    assert result.status is Status.LIMIT
    assert memory < result.stats.peak_memory <= memory + CHECK_EVERY * bytes_per_state(9)


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_a_flag_that_another_thread_sets_cancels_a_search(algorithm: str) -> None:
    flag = threading.Event()
    seen: list[int] = []

    def set_it_elsewhere(stats: Stats) -> None:
        seen.append(stats.generated)
        if stats.generated:
            thread = threading.Thread(target=flag.set)
            thread.start()
            thread.join()

    result = solve(
        demanding(algorithm),
        goal="first",
        algorithm=SPECS.get(algorithm, algorithm),
        heuristic=heuristic_of(algorithm),
        cancel=flag,
        progress=set_it_elsewhere,
    )
    assert result.status is Status.CANCELLED
    assert result.moves is None or algorithm in ANYTIME
    assert seen == [0, CHECK_EVERY]
    assert result.stats.generated == 2 * CHECK_EVERY


@pytest.mark.parametrize("algorithm", [None, *sorted(SEARCHES)])
def test_a_search_that_is_cancelled_before_it_begins_generates_nothing(
    algorithm: str | None,
) -> None:
    flag = threading.Event()
    flag.set()
    result = solve("8b6 547 231", algorithm=algorithm, cancel=flag)
    assert result.status is Status.CANCELLED and result.stats.generated == 0


def test_a_search_in_a_thread_ends_when_it_is_cancelled_from_outside() -> None:
    flag, under_way = threading.Event(), threading.Event()
    results: list[Result] = []
    board = shuffled(Goal.blank_first(5, 5), 1)

    def search() -> None:
        result = solve(
            board, goal="first", algorithm="ids", cancel=flag, progress=lambda _: under_way.set()
        )
        results.append(result)

    thread = threading.Thread(target=search, daemon=True)
    thread.start()
    assert under_way.wait(PATIENCE)
    flag.set()
    thread.join(PATIENCE)
    assert [result.status for result in results] == [Status.CANCELLED]


def test_only_a_search_that_nobody_named_hands_over_to_human_at_its_limit() -> None:
    board = shuffled(Goal.blank_first(4, 4), 3)
    for limits in (Limits(generated=50), Limits(seconds=1e-9), Limits(memory=1)):
        unnamed = solve(board, goal="first", limits=limits)
        assert unnamed.status is Status.SOLVED and unnamed.algorithm == "human"
        assert not unnamed.optimal and "not optimal" in str(unnamed.note)
        assert replayed(board, unnamed.moves) == unnamed.goal.board.tiles
        named = solve(board, goal="first", algorithm="idastar", limits=limits)
        assert named.status is Status.LIMIT and named.moves is None


@pytest.mark.parametrize("algorithm", sorted(ANYTIME))
def test_an_anytime_search_reports_and_keeps_its_best_solution(algorithm: str) -> None:
    board, seen = demanding(algorithm), list[Incumbent]()
    run = partial(solve, board, goal="first", algorithm=algorithm, heuristic="misplaced")
    whole = run(improved=seen.append)
    assert whole.optimal and whole.cost == 22 and whole.stop is None
    assert seen[-1].moves == whole.moves and seen[-1].bound == 22
    for before, after in pairwise(seen):
        assert after.bound >= before.bound and (after.cost or 99) <= (before.cost or 99)
    assert all(each.moves is None or each.bound <= 22 <= len(each.moves) for each in seen)
    costs = set()
    for limit in range(100, whole.stats.generated, 1500):
        part = run(limits=Limits(generated=limit))
        check_ended(part)
        assert part.bound is not None and part.bound <= 22 and part.stats.generated == limit
        costs.add(part.cost)
    assert None in costs and len(costs) > 1


@pytest.mark.parametrize("algorithm", sorted(ANYTIME))
def test_an_anytime_search_ends_at_the_gap_that_is_wanted(algorithm: str) -> None:
    board = sample(FIRST_OF_8, 28, 1)[0]
    run = partial(solve, board, goal="first", algorithm=algorithm, heuristic="misplaced")
    result = run(limits=Limits(gap=24))
    assert result.solved and result.gap is not None and 0 < result.gap <= 24
    assert result.stopped_by == "gap" and not result.optimal


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "5"])
@pytest.mark.parametrize("limit", ["generated", "memory"])
def test_a_limit_that_is_not_a_positive_whole_number_is_refused(limit: str, wrong: object) -> None:
    with pytest.raises(TilewiseError, match=limit):
        Limits(**{limit: wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [0, -1, float("inf"), float("nan"), "5"])
def test_a_limit_of_time_that_is_not_positive_is_refused(wrong: object) -> None:
    with pytest.raises(TilewiseError, match="seconds"):
        Limits(seconds=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("limits", "name"),
    [
        (Limits(generated=50), "nodes"),
        (Limits(seconds=1e-9), "seconds"),
        (Limits(memory=1), "memory"),
    ],
)
@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_search_names_the_limit_that_ended_it(limits: Limits, name: str, engine: str) -> None:
    result = solve("8b6 547 231", algorithm="astar", limits=limits, engine=engine)
    assert (result.status, result.stopped_by) == (Status.LIMIT, name)
