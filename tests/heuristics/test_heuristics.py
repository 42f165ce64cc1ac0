"""What every heuristic declares is proved: on all states of small shapes, on states of known
distance of larger ones. Two wrong linear conflicts show that the proof would find them."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from _pytest.mark.structures import ParameterSet

import tilewise as tw
from tests.oracles.heuristics import PLAINLY, conflicts, each_pair, running_maximum
from tests.oracles.puzzle import FIRST_OF_8, distances, neighbours, sample, shuffled
from tests.oracles.samples import Sample, ball, goal_of, whole
from tilewise import Board, Goal, TilewiseError
from tilewise.core.made_heuristic import Heuristic, build_heuristic
from tilewise.core.registry import HEURISTICS
from tilewise.suites import load

PLAIN = [
    entry.name
    for entry in HEURISTICS.values()
    if entry.admissible and not entry.combines and not entry.options
]
"""The heuristics that are one thing; test_tables.py is about pattern databases."""
PROVED = [*PLAIN, "max(misplaced, manhattan)"]
WHOLE_SHAPES = [
    (shape, name) for shape in ("2x2", "2x3", "3x2", "2x4") for name in ("first", "last", "snail")
]
WHOLE_SHAPES += [("3x3", "first"), ("3x3", "snail"), ("2x5", "first")]
FARTHEST = {"2x2": 6, "2x3": 21, "3x2": 21, "3x3": 31, "2x4": 36, "2x5": 55}
"""The greatest distance from the goal in a corner, from the literature."""
BALLS = [("4x4", "first", 14), ("4x4", "last", 14), ("3x4", "first", 16), ("4x3", "snail", 16)]
"""Shape, goal and depth of the larger boards: about 50,000 states each."""
SMALLER = [("4x4", "last", 13), ("4x3", "snail", 14)]
"""The same with fewer states; the trap is one of them."""
TRAP = Board(4, 4, (1, 2, 3, 4, 9, 7, 5, 6, 10, 0, 12, 8, 13, 14, 11, 15))


def prove(known: Sample, heuristic: Heuristic) -> None:
    values = known.values(heuristic.estimate)
    assert heuristic.admissible and heuristic.consistent
    assert known.overestimated(values) == []
    assert known.broken_edges(values) == 0
    if heuristic.changes_by_one:
        here, there = known.edges
        assert (abs(values[here] - values[there]) == 1).all()
        assert not ((known.distance - values) % 2).any()
    if heuristic.spec == "perfect":
        assert (values == known.distance).all()


def case(shape: str, name: str, *before: str) -> ParameterSet:
    """A case of a test; some of 2x4 and 3x3 and the many states of 2x5 only in the full run."""
    full = shape == "2x5" or (shape == "2x4" and name != "first")
    full |= shape == "3x3" and before in (("zero",), ("max(misplaced, manhattan)",))
    full |= before == ("linear_conflict",) and (shape, name) == ("3x3", "snail")
    return pytest.param(*before, shape, name, marks=pytest.mark.full if full else ())


@pytest.mark.parametrize(("shape", "name"), [case(*at) for at in WHOLE_SHAPES])
def test_the_distances_of_whole_shapes_are_distances(shape: str, name: str) -> None:
    known = whole(shape, name)
    here, there = known.edges
    assert (abs(known.distance[here] - known.distance[there]) == 1).all()
    nearer = np.zeros(len(known.tiles), dtype=bool)
    nearer[here[known.distance[here] > known.distance[there]]] = True
    nearer[there[known.distance[here] < known.distance[there]]] = True
    at_goal = np.flatnonzero(~nearer)
    assert [tuple(known.tiles[one].tolist()) for one in at_goal] == [known.goal.board.tiles]
    assert known.distance[at_goal].tolist() == [0]
    assert len(known.tiles) == np.prod(range(1, known.tiles.shape[1] + 1)) // 2
    if name != "snail":
        assert known.distance.max() == FARTHEST[shape]


@pytest.mark.parametrize(
    ("heuristic", "shape", "name"),
    # other goals of 3x3 and the ten times more states of 2x5: for what looks at whole lines
    [
        case(*at, h)
        for h in PROVED
        for at in WHOLE_SHAPES
        if at not in (("2x5", "first"), ("3x3", "snail")) or h == "linear_conflict"
    ],
)
def test_a_heuristic_is_what_it_declares_on_every_state(
    heuristic: str, shape: str, name: str
) -> None:
    prove(whole(shape, name), build_heuristic(heuristic, goal_of(shape, name)))


def test_a_table_of_all_distances_ends_at_12_cells() -> None:
    with pytest.raises(TilewiseError, match=r"at most 12 cells .* got 4x4"):
        build_heuristic("perfect", Goal.blank_first(4, 4))


@pytest.mark.parametrize(
    ("shape", "name", "depth"),
    [*SMALLER, *(pytest.param(*each, marks=pytest.mark.full) for each in BALLS)],
)
@pytest.mark.parametrize("heuristic", [name for name in PROVED if name != "perfect"])
def test_a_heuristic_is_what_it_declares_on_larger_boards(
    heuristic: str, shape: str, name: str, depth: int
) -> None:
    known = ball(shape, name, depth)
    assert 10_000 < len(known.tiles) < 80_000
    prove(known, build_heuristic(heuristic, known.goal))


@pytest.mark.parametrize("heuristic", [name for name in PROVED if name != "perfect"])
def test_a_heuristic_is_below_the_known_costs_of_korfs_15_puzzles(heuristic: str) -> None:
    suite = load("korf100")
    assert len(suite.instances) == 100
    h = build_heuristic(heuristic, Goal.blank_first(4, 4))
    for instance in suite.instances:
        assert 0 <= h(instance.board) <= instance.best
        if h.changes_by_one:
            assert (instance.best - h(instance.board)) % 2 == 0


@pytest.mark.parametrize("heuristic", [name for name in PROVED if name != "perfect"])
def test_a_heuristic_is_consistent_on_long_walks_of_15_puzzles(heuristic: str) -> None:
    goal = Goal.blank_last(4, 4)
    h = build_heuristic(heuristic, goal).estimate
    for seed in range(20):
        tiles, before = shuffled(goal, seed).tiles, h(shuffled(goal, seed).tiles)
        for step in range(100):
            moves = neighbours(tiles, 4)
            values = [h(made) for _, made in moves]
            assert all(abs(value - before) <= 1 for value in values)
            tiles, before = (
                moves[(step * 7 + seed) % len(moves)][1],
                values[(step * 7 + seed) % len(moves)],
            )


@pytest.mark.parametrize("heuristic", sorted(PLAINLY))
def test_a_heuristic_has_the_values_of_its_definition(heuristic: str) -> None:
    plainly = PLAINLY[heuristic]
    goals = [
        goal_of("2x3", "first"),
        goal_of("3x3", "snail"),
        goal_of("4x4", "last"),
        goal_of("3x4", "first"),
    ]
    for goal in goals:
        h = build_heuristic(heuristic, goal)
        for seed in range(150):
            board = shuffled(goal, seed)
            assert h(board) == plainly(board.tiles, goal), board
        assert h(goal.board) == 0


@pytest.mark.parametrize("shape", ["4x4", "5x5", "2x6"])
def test_linear_conflict_is_right_on_every_arrangement_of_one_line(shape: str) -> None:
    goal = goal_of(shape, "last")
    columns, tiles = goal.board.columns, goal.board.tiles
    h = build_heuristic("linear_conflict", goal).estimate
    for line in permutations(tiles[:columns]):
        board = line + tiles[columns:]
        assert h(board) == PLAINLY["linear_conflict"](board, goal), line


def test_every_plain_heuristic_has_a_definition_to_compare_with() -> None:
    built_in = {name for name in PLAIN if HEURISTICS[name].built_in}
    assert built_in == set(PLAINLY) | {"perfect"}


@pytest.mark.full
def test_the_proof_finds_the_conflict_of_every_pair_wrong_on_7_states_of_3x3() -> None:
    known = whole("3x3", "first")
    assert len(known.overestimated(known.values(conflicts(FIRST_OF_8, each_pair)))) == 7


@pytest.mark.full
def test_the_proof_finds_the_running_maximum_right_on_all_of_3x3() -> None:
    small = whole("3x3", "first")
    assert small.overestimated(small.values(conflicts(FIRST_OF_8, running_maximum))) == []


def test_the_proof_finds_the_running_maximum_wrong_beyond_3x3() -> None:
    large = ball("4x4", "last", 13)
    for rule in (running_maximum, each_pair):
        wrong = large.overestimated(large.values(conflicts(large.goal, rule)))
        assert len(wrong) >= 2 and TRAP.tiles in wrong


def test_the_trap_board_is_not_overestimated() -> None:
    goal = Goal.blank_last(4, 4)
    assert distances(goal, 15)[TRAP.tiles] == 13
    assert conflicts(goal, running_maximum)(TRAP.tiles) > 13
    assert build_heuristic("linear_conflict", goal)(TRAP) <= 13


def test_the_proof_finds_a_heuristic_that_is_admissible_but_not_consistent() -> None:
    known = whole("2x3", "first")
    values = np.where(known.tiles[:, 0] == 1, known.distance, 0)
    assert known.overestimated(values) == [] and known.broken_edges(values) > 0


def test_misplaced_tiles_never_counts_the_blank() -> None:
    for goal in (FIRST_OF_8, Goal.blank_last(3, 4), Goal.snail(4, 4)):
        h = build_heuristic("misplaced", goal)
        for _, tiles in neighbours(goal.board.tiles, goal.board.columns):
            assert h(Board(goal.board.rows, goal.board.columns, tiles)) == 1


def test_better_heuristics_are_never_smaller() -> None:
    for goal in (goal_of("3x3", "first"), goal_of("4x4", "first")):
        h = {name: build_heuristic(name, goal) for name in PLAIN if name != "perfect"}
        for board in (shuffled(goal, seed) for seed in range(200)):
            assert h["zero"](board) <= h["misplaced"](board) <= h["gaschnig"](board)
            assert h["misplaced"](board) <= h["manhattan"](board) <= h["linear_conflict"](board)
            assert h["manhattan"](board) <= h["walking_distance"](board)


@pytest.mark.parametrize(("alias", "name"), [("h1", "misplaced"), ("h2", "manhattan")])
def test_h1_and_h2_are_misplaced_and_manhattan(alias: str, name: str) -> None:
    made = build_heuristic(alias, FIRST_OF_8)
    assert made.spec == name
    for board in sample(FIRST_OF_8, 20, 50):
        assert made(board) == build_heuristic(name, FIRST_OF_8)(board)


def test_a_combined_heuristic_is_what_its_parts_allow() -> None:
    largest = build_heuristic("max(manhattan, gaschnig, h1)", FIRST_OF_8)
    added = build_heuristic("sum(manhattan, h1)", FIRST_OF_8)
    assert (largest.admissible, largest.consistent) == (True, True)
    assert (added.admissible, added.consistent) == (False, False)
    mixed = build_heuristic("max(manhattan, sum(manhattan, zero))", FIRST_OF_8)
    assert (mixed.admissible, mixed.consistent) == (False, False)
    manhattan, gaschnig = build_heuristic("h2", FIRST_OF_8), build_heuristic("gaschnig", FIRST_OF_8)
    misplaced = build_heuristic("h1", FIRST_OF_8)
    for board in sample(FIRST_OF_8, 17, 100):
        assert largest(board) == max(manhattan(board), gaschnig(board), misplaced(board))
        assert added(board) == manhattan(board) + misplaced(board)


def test_the_sum_of_two_heuristics_does_overestimate() -> None:
    known = whole("2x2", "first")
    h = build_heuristic("sum(misplaced, manhattan)", known.goal)
    assert known.overestimated(known.values(h.estimate))


@pytest.mark.parametrize("shape", ["5x5", "4x5", "5x4", "2x7", "7x2", "4x7", "16x16"])
def test_walking_distance_refuses_shapes_with_too_large_a_table(shape: str) -> None:
    with pytest.raises(TilewiseError, match=r"walking distance table of at most 1,000,000 states"):
        build_heuristic("walking_distance", goal_of(shape, "first"))


@pytest.mark.parametrize("shape", ["4x4", "3x5", "5x3", "2x5", "3x4"])
def test_walking_distance_serves_shapes_with_a_table_of_at_most_a_million_states(
    shape: str,
) -> None:
    goal = goal_of(shape, "first")
    assert build_heuristic("walking_distance", goal)(shuffled(goal, 1)) > 0


@pytest.mark.parametrize("shape", ["4x4", "2x7", "16x16"])
def test_the_perfect_heuristic_refuses_shapes_with_too_many_states(shape: str) -> None:
    with pytest.raises(TilewiseError, match=rf"table of all distances, got {shape}"):
        build_heuristic("perfect", goal_of(shape, "first"))


def test_a_heuristic_refuses_a_board_of_another_shape() -> None:
    with pytest.raises(TilewiseError, match="expected a 3x3 board, got 4x4"):
        build_heuristic("manhattan", FIRST_OF_8)(TRAP)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "manhatan",
        "max",
        "max()",
        "sum()",
        "manhattan(zero)",
        "max(manhattan, 7)",
        "max(h1, weight=2)",
    ],
)
def test_a_heuristic_that_is_not_known_or_not_complete_is_refused(text: str) -> None:
    with pytest.raises(TilewiseError, match="expected"):
        tw.make_heuristic(text, FIRST_OF_8)
