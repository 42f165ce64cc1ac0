"""The contracts: every registered search, with every admissible heuristic, against distances."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from zlib import crc32

import pytest
from _pytest.mark import ParameterSet

import tilewise as tw
from tests.oracles.puzzle import (
    FIRST_OF_8,
    Tiles,
    by_depth,
    distances,
    neighbours,
    replayed,
    sample,
    shuffled,
    small_goals,
)
from tilewise import Board, Goal, Heuristic, Result, Rules, Stats, Status
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.registry import ALGORITHMS, HEURISTICS
from tilewise.errors import SpecError
from tilewise.tables.distances import distance_table

ADMISSIBLE = [
    entry.name for entry in HEURISTICS.values() if entry.admissible and not entry.combines
]
ADMISSIBLE.append("max(manhattan, gaschnig, misplaced)")
WEAK = {None, "zero", "misplaced", "gaschnig"}
OPTIMAL = [
    (entry.name, heuristic)
    for entry in ALGORITHMS.values()
    if entry.optimal
    for heuristic in (ADMISSIBLE if entry.needs_heuristic else [None])
]
WITHOUT_PROOF = [entry.name for entry in ALGORITHMS.values() if not entry.optimal]
QUICK = {None, "manhattan", "pdb"}
"""The heuristics of searches without a native twin, where breadth is left to the full tests."""
IN_BREADTH = {name for name, e in ALGORITHMS.items() if e.native} - {"iterative_lengthening"}
"""Tried on more states; iterative lengthening does what `ids` does, event by event."""
ALL_STATES = {"bfs", "astar", "idastar"}
"""Tried on all states with some heuristics."""
FEW = 20
"""The step between the states of a layer that are tried with those searches."""
SOME = 4
"""The same for searches with a native twin."""


def in_breadth(pairs: list[tuple[str, str | None]]) -> list[ParameterSet]:
    """Algorithm, heuristic, and the step between the states that are tried."""
    chosen = []
    for algorithm, heuristic in pairs:
        if algorithm in ALL_STATES and heuristic in QUICK:
            chosen.append(pytest.param(algorithm, heuristic, 1))
            continue
        if algorithm in IN_BREADTH:
            chosen.append(pytest.param(algorithm, heuristic, SOME))
        elif heuristic in QUICK:
            chosen.append(pytest.param(algorithm, heuristic, FEW))
        chosen.append(pytest.param(algorithm, heuristic, 1, marks=pytest.mark.full))
    return chosen


def step_of(algorithm: str) -> int:
    return SOME if ALGORITHMS[algorithm].native else FEW


solve = partial(tw.solve, engine="python")
"""The Python searches are the specification: these tests are about them."""
ORDERS = ["".join(letters) for letters in itertools.permutations("UDLR")]


def made_for(heuristic: str | None, goal: Goal) -> Heuristic | None:
    return None if heuristic is None else build_heuristic(heuristic, goal)


def check_optimal(result: Result, depth: int) -> None:
    assert result.status is Status.SOLVED
    assert result.cost == depth, result.board
    assert replayed(result.board, result.moves) == result.goal.board.tiles
    assert result.optimal


def check_solved(result: Result) -> None:
    assert result.status is Status.SOLVED
    assert replayed(result.board, result.moves) == result.goal.board.tiles


def called(goal: Goal) -> str:
    return f"{goal.board.shape}-{goal.name}"


@pytest.mark.parametrize("goal", small_goals(), ids=called)
def test_the_distance_table_holds_the_distances_of_a_plain_breadth_first_search(goal: Goal) -> None:
    table = distance_table(goal)
    held = {tiles: depth for depth in range(len(table.levels)) for tiles in table.states(depth)}
    assert held == distances(goal)
    assert all(table.distance(tiles) == depth for tiles, depth in distances(goal).items())


@pytest.mark.parametrize(("algorithm", "heuristic", "step"), in_breadth(OPTIMAL))
def test_an_optimal_search_finds_the_distance_of_every_small_state(
    algorithm: str, heuristic: str | None, step: int
) -> None:
    goals = small_goals()
    if ALGORITHMS[algorithm].tree and heuristic not in {"manhattan", "linear_conflict"}:
        # slow: each shape with one goal
        goals = [Goal.blank_last(2, 2), Goal.blank_first(2, 3), Goal.blank_last(3, 2)]
    for goal in goals:
        h = made_for(heuristic, goal)
        for depth, layer in enumerate(by_depth(goal)):
            for board in layer[depth % step :: step]:
                check_optimal(solve(board, goal=goal, algorithm=algorithm, heuristic=h), depth)


def test_bidirectional_search_finds_the_distance_of_every_state_of_3x2() -> None:
    # a meeting that is overlooked is mostly made up for: of all small states, two here show it
    goal = Goal.blank_last(3, 2)
    for depth, layer in enumerate(by_depth(goal)):
        for board in layer:
            check_optimal(solve(board, goal=goal, algorithm="bidirectional"), depth)


def test_recursive_best_first_search_leaves_a_branch_that_another_is_better_than() -> None:
    # one that stays in a branch goes round in it for ever, so there is a limit of nodes
    goal, limits = Goal.blank_first(2, 3), tw.Limits(generated=20_000)
    for depth, layer in enumerate(by_depth(goal)):
        for board in layer[::4]:
            found = solve(board, goal=goal, algorithm="rbfs", heuristic="manhattan", limits=limits)
            check_optimal(found, depth)


def depths_and_counts(
    algorithm: str, heuristic: str | None, step: int
) -> Iterator[tuple[int, int]]:
    """How many boards of each depth of 3x3 a search can be asked for in reasonable time."""
    if step == FEW:
        yield from ((depth, 1) for depth in range(0, 15 if heuristic in WEAK else 24, 4))
    elif step == SOME:
        yield from ((depth, 1) for depth in range(15 if heuristic in WEAK else 25))
    elif ALGORITHMS[algorithm].tree:
        yield from ((depth, 3) for depth in range(15 if heuristic in WEAK else 25))
    elif heuristic in {None, "zero"} and algorithm != "bidirectional":
        yield from ((depth, 2) for depth in range(18))
        yield from ((depth, 1) for depth in ((19, 26, 31) if algorithm == "bfs" else (19,)))
    elif heuristic in WEAK:
        yield from ((depth, 3) for depth in range(16))
        yield from ((depth, 1) for depth in (17, 20, 24, 31))
    else:
        yield from ((depth, 5 if depth < 25 else 2) for depth in range(32))


@pytest.mark.parametrize(("algorithm", "heuristic", "step"), in_breadth(OPTIMAL))
def test_an_optimal_search_finds_the_distance_of_8_puzzles_of_every_depth(
    algorithm: str, heuristic: str | None, step: int
) -> None:
    h = made_for(heuristic, FIRST_OF_8)
    for depth, count in depths_and_counts(algorithm, heuristic, step):
        for board in sample(FIRST_OF_8, depth, count):
            result = solve(board, goal=FIRST_OF_8, algorithm=algorithm, heuristic=h)
            check_optimal(result, depth)


@pytest.mark.parametrize("goal_name", ["last", "snail", "281 b43 765"])
@pytest.mark.parametrize(("algorithm", "heuristic", "step"), in_breadth(OPTIMAL))
def test_an_optimal_search_finds_the_distance_to_other_goals(
    algorithm: str, heuristic: str | None, goal_name: str, step: int
) -> None:
    goal = Goal.named(goal_name, 3, 3)
    h = made_for(heuristic, goal)
    depths = (1, 7, 12) if step == FEW else (0, 1, 4, 7, 10, 12)
    if algorithm == "beam_stack" and heuristic == "zero":
        depths = depths[:3]  # its first solution may be so long that all the rest takes minutes
    for depth in depths:
        for board in sample(goal, depth, 3 if step == 1 else 1, deepest=12):
            check_optimal(solve(board, goal=goal, algorithm=algorithm, heuristic=h), depth)


def jumpy(goal: Goal) -> Heuristic:
    """The distance on some states and 0 on the others: admissible, far from consistent."""
    distance = distances(goal)

    def estimate(tiles: Tiles) -> int:
        return 0 if crc32(bytes(tiles)) % 8 else distance[tiles]

    return Heuristic("jumpy", goal, estimate, admissible=True, consistent=False)


@pytest.mark.parametrize("algorithm", [e.name for e in ALGORITHMS.values() if e.needs_heuristic])
def test_a_heuristic_need_not_be_consistent(algorithm: str) -> None:
    goal, reopened = Goal.blank_first(2, 3), 0
    for depth, layer in enumerate(by_depth(goal)):
        for board in layer[:: 3 if ALGORITHMS[algorithm].native else 9]:
            result = solve(board, goal=goal, algorithm=algorithm, heuristic=jumpy(goal))
            if ALGORITHMS[algorithm].optimal:
                check_optimal(result, depth)
            elif ALGORITHMS[algorithm].complete:
                check_solved(result)
            reopened += result.stats.reopened
    assert (reopened > 0) == ALGORITHMS[algorithm].frontier.finds_cheaper_paths


@pytest.mark.parametrize("algorithm", WITHOUT_PROOF)
def test_a_search_that_is_not_optimal_still_leads_to_the_goal(algorithm: str) -> None:
    for goal in small_goals():
        for depth, layer in enumerate(by_depth(goal)):
            for board in layer[:: step_of(algorithm)]:
                result = solve(board, goal=goal, algorithm=algorithm)
                if ALGORITHMS[algorithm].complete or result.solved:
                    check_solved(result)
                else:
                    assert result.status is Status.STUCK and result.moves is None
                assert result.bound is not None and result.bound <= depth
                assert result.optimal == (result.cost == result.bound)
                assert result.stats.expanded_below_cost is None


@pytest.mark.parametrize("algorithm", sorted(set(WITHOUT_PROOF) - {"dfs"}))
def test_a_search_that_is_not_optimal_solves_8_puzzles_of_every_depth(algorithm: str) -> None:
    native = ALGORITHMS[algorithm].native
    for depth in range(0, 32, 1 if native else 5):
        for board in sample(FIRST_OF_8, depth, 1):
            result = solve(board, goal=FIRST_OF_8, algorithm=algorithm)
            if ALGORITHMS[algorithm].complete or result.solved:
                check_solved(result)
                assert len(result.moves or "") >= depth
            else:
                assert result.status is Status.STUCK


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
def test_states_that_cannot_reach_the_goal_are_unsolvable_without_a_search(algorithm: str) -> None:
    for goal in small_goals():
        reachable = distances(goal)
        for tiles in itertools.islice(
            itertools.permutations(range(len(goal.board.tiles))), 0, None, 5
        ):
            if tiles not in reachable:
                board = Board(goal.board.rows, goal.board.columns, tiles)
                result = solve(board, goal=goal, algorithm=algorithm)
                assert result.status is Status.UNSOLVABLE and result.moves is None
                assert result.stats == Stats() and result.note


@pytest.mark.parametrize(
    "weight",
    [
        "1",
        "1.5",
        "5/3",
        "10",
        "0.5",
        *(pytest.param(w, marks=pytest.mark.full) for w in ("1.1", "2")),
    ],
)
@pytest.mark.parametrize("algorithm", [e.name for e in ALGORITHMS.values() if e.bounded])
def test_a_bounded_search_is_at_most_its_weight_too_long(algorithm: str, weight: str) -> None:
    bound, too_long = max(Fraction(1), Fraction(weight)), 0
    spec = f"{algorithm}({ALGORITHMS[algorithm].bounded}={weight})"
    if bound != Fraction(weight) and algorithm != "wastar":
        with pytest.raises(SpecError, match=r"at least 1 .*got 1/2"):
            solve("1b2 345 678", algorithm=spec)
        return
    for goal in (Goal.blank_first(2, 3), Goal.blank_last(3, 2), FIRST_OF_8):
        for heuristic in ("manhattan", "linear_conflict"):
            h = made_for(heuristic, goal)
            for depth in range(0, len(by_depth(goal)), 3):
                for board in sample(goal, depth, 3 if depth < 15 else 1):
                    result = solve(board, algorithm=spec, goal=goal, heuristic=h)
                    check_solved(result)
                    assert depth <= len(result.moves or "") <= bound * depth
                    assert result.bound is not None and result.bound <= depth
                    too_long += len(result.moves or "") > depth
    assert bound < 1.5 or too_long
    assert bound > 1 or not too_long


def test_every_search_declares_what_its_solutions_are_worth() -> None:
    for entry in ALGORITHMS.values():
        claims = {"OPTIMAL": entry.optimal, "BOUNDED": entry.bounded, "VALID": True, "EXACT": True}
        assert claims[entry.contract], entry.name
        assert (entry.contract == "EXACT") == bool(entry.native)
        assert entry.optimal == entry.guarantee.startswith("shortest")
        assert entry.about.endswith(".") and entry.pseudo_code.lines


@pytest.mark.parametrize("algorithm", ["astar", "idastar", "rbfs"])
def test_nothing_is_called_optimal_with_a_heuristic_that_may_overestimate(algorithm: str) -> None:
    result = solve("158 342 67b", algorithm=algorithm, heuristic="sum(misplaced, manhattan)")
    assert result.solved and not result.optimal
    assert result.stats.expanded_below_cost is None


def test_hill_climbing_is_the_beam_of_width_1() -> None:
    for board in sample(FIRST_OF_8, 12, 20):
        climbed = solve(board, algorithm="hill_climbing")
        beam = solve(board, algorithm="beam(width=1)")
        assert (climbed.status, climbed.moves) == (beam.status, beam.moves)
        assert climbed.stats.generated == beam.stats.generated


def states_below(start: Board, goal: Goal, heuristic: str | None, cost: int) -> int:
    """States with g + h < cost, g being the true distance from the start."""
    h = build_heuristic(heuristic or "zero", goal).estimate
    from_start = distances(Goal(start), cost)
    return sum(g + h(tiles) < cost for tiles, g in from_start.items())


@pytest.mark.parametrize(
    # with a heuristic that is not consistent, states may be expanded again
    ("algorithm", "heuristic"),
    [(a, h) for a, h in OPTIMAL if a in {"astar", "bfs", "ucs"} and h != "pdb"],
)
def test_expansions_below_the_optimal_cost_do_not_depend_on_ties_or_order(
    algorithm: str, heuristic: str | None
) -> None:
    ties = ("newest", "oldest", "h-newest", "h-oldest", "largeh-newest", "largeh-oldest")
    for goal, depths in ((Goal.blank_last(2, 3), (1, 6, 15, 21)), (FIRST_OF_8, (0, 2, 9, 14))):
        h = made_for(heuristic, goal)
        for depth in depths:
            board = sample(goal, depth, 1)[0]
            count = states_below(board, goal, heuristic, depth)
            for number, order in enumerate(ORDERS if heuristic in QUICK else ORDERS[::5]):
                rules = Rules(order=order, ties=ties[number % 6])
                result = solve(board, goal=goal, algorithm=algorithm, heuristic=h, rules=rules)
                assert result.stats.expanded_below_cost == count
                assert result.stats.expanded >= max(count, depth)


def walks_below(start: Board, goal: Goal, heuristic: str | None, cost: int) -> int:
    """Walks with f within a bound, for all bounds before the optimal cost, never straight back."""
    h = build_heuristic(heuristic or "zero", goal).estimate
    back = {"U": "D", "D": "U", "L": "R", "R": "L", "": ""}
    bound, count = h(start.tiles), 0
    while bound < cost:
        above, stack = cost, [(start.tiles, "", 0)]
        while stack:
            tiles, last, g = stack.pop()
            f = g + h(tiles)
            if f > bound:
                above = min(above, f)
                continue
            count += 1
            steps = neighbours(tiles, start.columns)
            stack += [(made, move, g + 1) for move, made in steps if move != back[last]]
        bound = above
    return count


@pytest.mark.parametrize(
    ("algorithm", "heuristic"), [(a, h) for a, h in OPTIMAL if a in {"ids", "idastar"}]
)
def test_expansions_of_the_passes_before_the_last_do_not_depend_on_the_order(
    algorithm: str, heuristic: str | None
) -> None:
    for goal, depths in ((Goal.blank_last(2, 3), (1, 6, 13)), (FIRST_OF_8, (0, 2, 8))):
        h = made_for(heuristic, goal)
        for depth in depths:
            board = sample(goal, depth, 1)[0]
            count = walks_below(board, goal, heuristic, depth)
            for order in ORDERS[::5]:
                result = solve(
                    board, goal=goal, algorithm=algorithm, heuristic=h, rules=Rules(order=order)
                )
                assert result.stats.expanded_below_cost == count


def test_depth_first_goes_66125_deep_without_touching_the_recursion_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(limit: int) -> None:
        raise AssertionError(f"the recursion limit was set to {limit}")

    before = sys.getrecursionlimit()
    monkeypatch.setattr(sys, "setrecursionlimit", refuse)
    result = solve(Board(3, 3, (1, 2, 5, 3, 4, 0, 6, 7, 8)), goal="first", algorithm="dfs")
    assert (result.stats.expanded, result.stats.max_depth) == (181437, 66125)
    assert (result.moves, result.bound) == ("ULL", 3)
    assert sys.getrecursionlimit() == before


SHAPES = [(2, 2), (2, 3), (3, 2), (2, 16), (16, 2), (3, 3), (3, 4), (4, 3), (4, 4), (5, 5), (3, 7)]
SHAPES += [(7, 3), (6, 6), (8, 9), (11, 10), (16, 5), (5, 16), (16, 16)]


@pytest.mark.parametrize("goal_name", ["first", "last", "snail"])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: f"{shape[0]}x{shape[1]}")
def test_human_solves_random_boards_of_every_shape(shape: tuple[int, int], goal_name: str) -> None:
    goal = Goal.named(goal_name, *shape)
    for seed in range(1 + 100 // (shape[0] * shape[1])):
        result = solve(shuffled(goal, seed), goal=goal, algorithm="human")
        check_solved(result)
        assert result.optimal == (result.gap == 0)


@pytest.mark.parametrize("shape", [(3, 3), (4, 5), (6, 4), (9, 9)])
def test_human_solves_towards_a_goal_that_is_itself_a_random_board(shape: tuple[int, int]) -> None:
    for seed in range(10):
        goal = Goal(shuffled(Goal.blank_first(*shape), seed))
        check_solved(solve(shuffled(goal, seed + 100), goal=goal, algorithm="human"))


def test_human_solves_the_goal_with_no_moves() -> None:
    for goal in (Goal.blank_first(4, 4), Goal.blank_last(2, 5), Goal.snail(5, 5)):
        assert solve(goal.board, goal=goal, algorithm="human").moves == ""
