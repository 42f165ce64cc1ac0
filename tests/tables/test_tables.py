"""What tables say of boards: never more than the distance, with its parity, on all states of known
distance; whole spaces against plain breadth-first search; the default for larger boards."""

from __future__ import annotations

from functools import cache as remembered
from math import comb, factorial

import numpy as np
import pytest
from numpy.typing import NDArray

import tilewise as tw
from tests.oracles.puzzle import distances, neighbours, shuffled
from tests.oracles.samples import Ints, Sample, ball, goal_of, whole
from tilewise import Goal
from tilewise.core.made_heuristic import Heuristic, build_heuristic, heuristic_name
from tilewise.core.pattern_sum import PatternLookup, PatternSum
from tilewise.defaults import default_heuristic
from tilewise.scrambling import scramble
from tilewise.solving import solve
from tilewise.suites import load
from tilewise.tables.distances import distance_table
from tilewise.tables.distances.small import small_table
from tilewise.tables.distances.spaces import space
from tilewise.tables.distances.whole import CanonicalGoal, WholeTable

ON_WHOLE_SHAPES = [
    ("2x2", "first", "pdb(2-1)"),
    ("2x3", "last", "pdb(3-2)"),
    ("2x3", "snail", "pdb(1-1-3)"),
    ("2x4", "snail", "pdb(4-3)"),
    ("3x3", "first", "pdb(4-4)"),
    ("3x3", "last", "pdb(3-3-2)"),
    ("3x3", "snail", "pdb(5-3)"),
    ("3x3", "first", "pdb(.AB/ABA/BAB)"),
    ("3x3", "first", "pdb(.A*/AAB/*BB, mirror=no)"),
    ("3x3", "first", "pdb(4-4, 3-5, .AB/ABA/BAB)"),
    ("3x3", "snail", "pdb(4-4, 3-3-2, 5-3)"),
    ("2x4", "last", "pdb(4-3, 3-4)"),
]
ON_BALLS = [
    pytest.param("4x4", "first", 15, "pdb(5-5-5)", marks=pytest.mark.full),
    pytest.param("4x4", "first", 15, "pdb(6-6-3)", marks=pytest.mark.full),
    ("4x4", "last", 14, "pdb(6-6-3)"),
    pytest.param("3x4", "first", 17, "pdb(6-5)", marks=pytest.mark.full),
    ("3x4", "first", 14, "pdb(6-5)"),
    ("4x3", "snail", 14, "pdb(4-4-3)"),
]


def estimate_of(heuristic: Heuristic) -> PatternSum:
    assert isinstance(heuristic.estimate, PatternSum)
    return heuristic.estimate


def values_of(known: Sample, heuristic: Heuristic) -> Ints:
    """The heuristic on every state at once, from the definition of the index."""
    return values_on(known.tiles, heuristic)


def values_on(boards: NDArray[np.uint8], heuristic: Heuristic) -> Ints:
    best = np.zeros(len(boards), dtype=np.int64)
    for view in estimate_of(heuristic).views:
        total = np.zeros(len(boards), dtype=np.int64)
        for lookup in view:
            total += looked_up(boards, lookup)
        np.maximum(best, total, out=best)
    return best


def looked_up(boards: NDArray[np.uint8], lookup: PatternLookup) -> Ints:
    area = boards.shape[1]
    order = sum(tile != 255 for tile in lookup.tiles)
    board_cell = sorted(range(area), key=lambda cell: lookup.cells[cell])
    number = np.array(lookup.tiles)[boards[:, board_cell]]
    row, cell = np.nonzero(number != 255)
    cells = cell.reshape(-1, order)
    tiles = number[row, cell].reshape(-1, order)
    index = np.zeros(len(boards), dtype=np.int64)
    for place in range(order):
        binomial = np.array([comb(c, place + 1) for c in range(area)])
        index += binomial[cells[:, place]] * factorial(order)
        smaller_later = (tiles[:, place + 1 :] < tiles[:, [place]]).sum(axis=1)
        index += smaller_later * factorial(order - 1 - place)
    return np.asarray(lookup.table)[index].astype(np.int64)


def check(known: Sample, heuristic: Heuristic) -> None:
    values = values_of(known, heuristic)
    assert heuristic.admissible and not heuristic.consistent
    assert known.overestimated(values) == []
    assert "*" in heuristic.spec or not ((known.distance - values) % 2).any()
    assert values[known.distance == 0].tolist() == [0]
    assert values.max() < 255
    for one in range(0, len(values), len(values) // 500 + 1):
        assert heuristic.estimate(tuple(known.tiles[one].tolist())) == values[one]


@pytest.mark.parametrize(("shape", "name", "spec"), ON_WHOLE_SHAPES)
def test_tables_never_say_too_much_and_keep_parity_on_every_state(
    shape: str, name: str, spec: str
) -> None:
    check(whole(shape, name), build_heuristic(spec, goal_of(shape, name)))


def test_a_tile_of_no_pattern_can_break_the_parity() -> None:
    known = whole("3x3", "first")
    values = values_of(known, build_heuristic("pdb(.AA/AA*/AA*)", known.goal))
    assert ((known.distance - values) % 2).any()


@pytest.mark.parametrize(("shape", "name", "depth", "spec"), ON_BALLS)
def test_tables_never_say_too_much_on_larger_boards(
    shape: str, name: str, depth: int, spec: str
) -> None:
    check(ball(shape, name, depth), build_heuristic(spec, goal_of(shape, name)))


@pytest.mark.parametrize(
    "spec",
    ["pdb", "pdb(5-5-5)", pytest.param("pdb(7-7-1, mirror=no)", marks=pytest.mark.full)],
)
def test_tables_stay_below_the_known_costs_of_korfs_15_puzzles(spec: str) -> None:
    h = build_heuristic(spec, Goal.blank_first(4, 4))
    manhattan = build_heuristic("manhattan", Goal.blank_first(4, 4))
    for instance in load("korf100").instances:
        assert manhattan(instance.board) <= h(instance.board) <= instance.best
        assert (instance.best - h(instance.board)) % 2 == 0


def test_the_larger_sum_of_both_views_counts() -> None:
    goal = Goal.blank_first(4, 4)
    both, one = (build_heuristic(f"pdb(5-5-5, mirror={m})", goal) for m in ("yes", "no"))
    pairs = [(both(shuffled(goal, seed)), one(shuffled(goal, seed))) for seed in range(100)]
    assert all(larger >= smaller for larger, smaller in pairs)
    assert any(larger > smaller for larger, smaller in pairs)


def test_the_table_of_all_tiles_is_the_distance() -> None:
    known = whole("3x3", "snail")
    assert (values_of(known, build_heuristic("pdb(8)", known.goal)) == known.distance).all()


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("pdb", "pdb"),
        ("pdb(auto)", "pdb"),
        ("pdb(4-4, mirror=yes)", "pdb(4-4)"),
        ("pdb(partition=4-4, mirror=false)", "pdb(4-4, mirror=no)"),
        ("pdb(mirror=no)", "pdb(mirror=no)"),
        ("pdb(4-4,3-5)", "pdb(4-4, 3-5)"),
        ("pdb( auto,3-5, mirror=no )", "pdb(auto, 3-5, mirror=no)"),
        ("max(h2,pdb( 4-4 ))", "max(manhattan, pdb(4-4))"),
    ],
)
def test_a_spec_has_one_normal_form(text: str, spec: str) -> None:
    made = build_heuristic(text, Goal.blank_first(3, 3))
    assert made.spec == spec == heuristic_name(text)
    assert [part.spec for part in made.parts] == (
        ["manhattan", "pdb(4-4)"] if spec.startswith("max") else []
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pdb(4-4, mirror=3)", "expected yes or no for mirror of pdb, got '3'"),
        ("pdb(4-4, 3)", "expected sizes that add up to 8"),
        ("pdb(4-4, 4-4x2)", "expected a collection among 6-6-6-6x2 to 6-6-6-6x7 for 5x5"),
        ("pdb(4-4, size=3)", "expected pdb with partition, mirror, got option 'size'"),
        ("pdb(4-4, partition=3-5)", "expected option partition once"),
        ("manhattan(3)", "expected manhattan with no options"),
        ("pdb(max(1, 2))", "letters, digits, . for the blank"),
    ],
)
def test_a_spec_that_makes_no_sense_is_explained(text: str, message: str) -> None:
    with pytest.raises(tw.TilewiseError, match=message):
        build_heuristic(text, Goal.blank_first(3, 3))


@remembered
def levels_of(shape: str, name: str) -> list[int]:
    found = np.array(list(distances(goal_of(shape, name), 80).values()))
    return [int((found == depth).sum()) for depth in range(found.max() + 1)]


@pytest.mark.parametrize("name", ["first", "last", "snail"])
def test_a_whole_space_has_the_distances_of_a_plain_search(name: str) -> None:
    for shape in ("2x2", "2x3", "3x2", "4x2" if name == "last" else "2x4"):
        goal = goal_of(shape, name)
        table = WholeTable(goal)
        assert table.levels == levels_of(shape, name)
        for state, depth in distances(goal, 80).items():
            assert table.distance(state) == depth
        depth = len(table.levels) // 2
        assert table.states(depth) == sorted(
            state for state, far in distances(goal, 80).items() if far == depth
        )


@pytest.mark.parametrize("step", [40, pytest.param(1, marks=pytest.mark.full)])
def test_tables_never_say_too_much_on_the_states_of_2x5(step: int) -> None:
    goal = Goal.blank_first(2, 5)
    layers = small_table(goal, 2_000_000).packed_layers
    shifts = np.arange(36, -1, -4, dtype=np.uint64)
    tables = [build_heuristic(spec, goal) for spec in ("pdb(5-4)", "pdb(3-6, mirror=no)")]
    perfect = build_heuristic("perfect", goal).estimate
    for depth, layer in enumerate(layers):
        boards = (layer[::step, None] >> shifts & np.uint64(15)).astype(np.uint8)
        for heuristic in tables:
            values = values_on(boards, heuristic)
            assert values.max() <= depth and not ((depth - values) % 2).any()
        for one in range(0, len(boards), 211 // step):
            assert perfect(tuple(boards[one].tolist())) == depth
    assert sum(map(len, layers)) == 1_814_400


def test_the_space_of_3x4_has_the_figures_of_the_literature() -> None:
    found = space(Goal.blank_first(3, 4))
    assert (found.states, found.maximum, len(found.hardest)) == (239_500_800, 53, 18)
    assert found.levels[:6] == (1, 2, 4, 9, 20, 37)
    table = distance_table(Goal.blank_first(3, 4))
    for board in found.hardest:
        assert table.distance(board.tiles) == 53
        around = [table.distance(tiles) for _, tiles in neighbours(board.tiles, 4)]
        assert set(around) == {52}


def test_goals_that_are_turned_or_relabelled_share_the_table_of_a_space() -> None:
    names = {
        CanonicalGoal(goal).name
        for goal in (
            Goal.blank_first(3, 4),
            Goal.blank_last(3, 4),
            Goal.blank_first(4, 3),
            Goal.blank_last(4, 3),
            Goal.named("3x4:0,11,10,9,8,7,6,5,4,3,2,1", 3, 4),
        )
    }
    assert names == {"3x4-space-b0"}
    assert CanonicalGoal(Goal.snail(3, 4)).name == "3x4-space-b5"


@pytest.mark.full
def test_boards_of_an_exact_depth_of_3x4_are_drawn_from_all_of_them() -> None:
    for goal in ("first", "last"):
        drawn = scramble("3x4", goal=goal, depth=37, count=12, distinct=True, seed=3)
        boards = list(drawn)
        assert drawn.uniform and len(set(boards)) == 12
        table = distance_table(Goal.named(goal, 3, 4))
        assert {table.distance(board.tiles) for board in boards} == {37}
    again = scramble("3x4", goal="last", depth=37, count=12, distinct=True, seed=3)
    assert list(again) == boards
    assert list(scramble("3x4", depth=37, count=4, seed=4)) != boards[:4]
    hardest = set(scramble("3x4", depth=53, count=18, distinct=True, seed=1))
    assert hardest == set(space(Goal.blank_first(3, 4)).hardest)
    with pytest.raises(tw.TilewiseError, match="at most 18 distinct boards"):
        scramble("3x4", depth=53, count=19, distinct=True)


def test_by_default_small_boards_are_solved_without_tables_and_larger_ones_with() -> None:
    chosen = {}
    for shape in ("3x3", "2x5", "3x4", "4x3", "2x6", "3x5", "4x4", "4x5", "5x5", "6x6"):
        goal = goal_of(shape, "last")
        chosen[shape] = default_heuristic(goal.board, goal, tw.Limits())
    assert chosen == {
        "3x3": None,
        "2x5": None,
        "3x4": "pdb(9-2)",
        "4x3": "pdb(9-2)",
        "2x6": "pdb(9-2)",
        "3x5": "pdb(7-7)",
        "4x4": "pdb(6-3-6)",
        "4x5": "pdb(6-6-6-1)",
        "5x5": "pdb(5-5-5-5-4)",
        "6x6": None,
    }


def test_the_default_solution_of_a_15_puzzle_is_optimal_and_names_its_tables() -> None:
    (near_last,) = scramble("4x4", goal="last", walk=60, repeats=False, seed=3)
    for goal, start in (("first", "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"), ("last", near_last)):
        result = solve(start, goal=goal)
        plain = solve(start, goal=goal, algorithm="idastar", heuristic="linear_conflict")
        assert result.heuristic == "pdb(6-3-6)" and result.optimal
        assert result.cost == plain.cost


def test_an_unsolvable_board_needs_no_tables() -> None:
    goal = Goal.blank_first(4, 4)
    board = tw.Board(4, 4, (0, 2, 1, *range(3, 16)))
    assert default_heuristic(board, goal, tw.Limits()) is None


def test_the_suite_korf24_has_the_published_figures() -> None:
    suite = load("korf24")
    assert len(suite.instances) == 50 and suite.goal == "first"
    assert sum(instance.best for instance in suite.instances) == 5039
    goal, h = Goal.blank_first(5, 5), build_heuristic("pdb(5-5-5-5-4)", Goal.blank_first(5, 5))
    for instance in suite.instances:
        assert goal.reachable_from(instance.board)
        assert h(instance.board) <= instance.best
        assert (instance.best - h(instance.board)) % 2 == 0
