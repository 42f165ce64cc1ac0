"""Boards drawn at random are what was asked for, and as often as chance would have it."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.oracles.puzzle import Tiles, by_depth, distances, neighbours, small_goals
from tilewise import Board, Goal, TilewiseError
from tilewise.puzzle.shapes import FARTHEST, depth_bound, read_shape, solvable_states
from tilewise.scrambling import scramble
from tilewise.solving import solve
from tilewise.tables.distances.spaces import space

# Where a sum of squares with that many degrees of freedom is exceeded once in 1000 times
# (tables of the chi-squared distribution, e.g. Abramowitz and Stegun 1964, table 26.8).
CRITICAL = {8: 26.125, 11: 31.264, 38: 70.703}


def drawn(shape: str, count: int, **how: object) -> list[Tiles]:
    return [board.tiles for board in scramble(shape, count=count, **how)]  # type: ignore[arg-type]


def chi_squared(found: list[Tiles], possible: list[Tiles]) -> float:
    """How far the frequencies are from equal ones; anything else than the possible is an error."""
    times = Counter(found)
    assert set(times) <= set(possible)
    expected = len(found) / len(possible)
    return sum((times[tiles] - expected) ** 2 / expected for tiles in possible)


def test_20_000_draws_of_depth_6_are_uniform() -> None:
    level = [board.tiles for board in by_depth(Goal.blank_first(3, 3))[6]]
    assert len(level) == 39
    assert chi_squared(drawn("3x3", 20_000, depth=6, seed=1), level) < CRITICAL[38]


def test_the_chi_squared_test_notices_a_bias() -> None:
    level = [board.tiles for board in by_depth(Goal.blank_first(3, 3))[6]]
    biased = drawn("3x3", 19_000, depth=6, seed=1) + level[:5] * 200
    assert chi_squared(biased, level) > CRITICAL[38]


@pytest.mark.parametrize("goal", ["first", "last", "13 b2"])
def test_draws_from_all_boards_are_uniform(goal: str) -> None:
    possible = list(distances(Goal.named(goal, 2, 2)))
    assert len(possible) == 12
    assert chi_squared(drawn("2x2", 12_000, goal=goal, seed=3), possible) < CRITICAL[11]


def test_each_step_of_a_walk_is_uniform() -> None:
    """Two moves from a middle cell: the chance of an end is the sum over the ways to it."""
    goal = Goal(Board.parse("123 4b5 678"))
    chance: Counter[Tiles] = Counter()
    for _, first in neighbours(goal.board.tiles, 3):
        ways = neighbours(first, 3)
        for _, second in ways:
            chance[second] += 1 / 4 / len(ways)  # type: ignore[assignment]
    ends = Counter(drawn("3x3", 12_000, goal=goal, walk=2, seed=5))
    assert set(ends) == set(chance)
    far = sum((ends[end] - 12_000 * p) ** 2 / (12_000 * p) for end, p in chance.items())
    assert len(chance) == 9 and far < CRITICAL[8]


@pytest.mark.parametrize("goal", small_goals(), ids=lambda goal: f"{goal.board.shape}-{goal.name}")
def test_all_distinct_boards_are_the_whole_space(goal: Goal) -> None:
    everything = drawn(goal.board.shape, len(distances(goal)), goal=goal, distinct=True, seed=1)
    assert sorted(everything) == sorted(distances(goal))


def test_all_distinct_boards_of_a_depth_are_the_whole_level() -> None:
    level = by_depth(Goal.blank_first(3, 3))[20]
    found = drawn("3x3", 16_993, depth=20, seed=1, distinct=True)
    assert sorted(found) == sorted(board.tiles for board in level)
    assert found != sorted(found)


@pytest.mark.parametrize(
    ("shape", "how", "exist"),
    [
        ("2x2", {}, 12),
        ("3x3", {"depth": 31}, 2),
        ("4x4", {"depth": 3}, 10),
        ("2x2", {"walk": 1}, 2),
        ("4x4", {"walk": 2}, 5),
        ("4x4", {"walk": 0}, 1),
    ],
)
def test_no_more_distinct_boards_are_promised_than_exist(
    shape: str, how: dict[str, int], exist: int
) -> None:
    assert len(set(drawn(shape, exist, distinct=True, seed=2, **how))) == exist
    with pytest.raises(TilewiseError, match=f"at most {exist} distinct boards"):
        scramble(shape, count=exist + 1, distinct=True, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("shape", ["4x4", "3x5", "16x16"])
def test_boards_of_large_shapes_are_solvable_and_different(shape: str) -> None:
    goal = Goal.snail(*read_shape(shape))
    boards = list(scramble(shape, goal=goal, count=50, distinct=True, seed=4))
    assert len(set(boards)) == 50
    for board in boards:
        assert Board(board.rows, board.columns, board.tiles).shape == shape
        assert goal.reachable_from(board)


def test_the_same_seed_gives_the_same_boards_whatever_the_platform() -> None:
    assert [str(board) for board in scramble("3x3", count=2, seed=1)] == [
        "7b8 561 423",
        "641 825 7b3",
    ]
    assert [str(board) for board in scramble("3x3", walk=30, seed=1)] == ["b72 463 185"]
    assert [str(board) for board in scramble("3x3", walk=30, repeats=False, seed=1)] == [
        "38b 416 572"
    ]
    assert [str(board) for board in scramble("4x4", depth=24, seed=1)] == [
        "1,2,3,7,9,5,10,6,8,4,0,15,12,11,13,14"
    ]


def test_without_a_seed_boards_differ_and_the_seed_can_be_asked_for() -> None:
    one, two = scramble("5x5"), scramble("5x5")
    assert one.seed != two.seed
    assert list(one) == list(scramble("5x5", seed=one.seed))


@pytest.mark.parametrize("length", [0, 1, 2, 5, 11])
def test_a_walk_without_repeats_on_the_ring_of_2x2_goes_round_in_one_direction(length: int) -> None:
    goal = Goal.blank_first(2, 2)
    depth = min(length, 12 - length)
    ends = set(drawn("2x2", 40, walk=length, repeats=False, seed=1))
    assert ends == {board.tiles for board in by_depth(goal)[depth]}


def test_a_trapped_walk_starts_again() -> None:
    goal = Goal.blank_first(2, 3)
    ends = drawn("2x3", 200, walk=60, repeats=False, seed=1)
    assert len(ends) == 200
    assert {distances(goal)[end] % 2 for end in ends} == {0}


def test_a_walk_that_cannot_be_made_gives_up() -> None:
    boards = scramble("2x3", walk=358, repeats=False, seed=1, seconds=0.05)
    assert list(boards) == [] and boards.gave_up


@pytest.mark.parametrize("depth", [0, 1, 9, 13])
def test_small_depths_of_large_shapes_are_uniform_over_all_boards(depth: int) -> None:
    goal = Goal.blank_last(4, 4)
    level = by_depth(goal, 13)[depth]
    boards = scramble("4x4", goal=goal, depth=depth, count=len(level), distinct=True, seed=1)
    assert set(boards) == set(level) and boards.uniform


def test_deep_boards_of_large_shapes_have_their_depth_proved() -> None:
    boards = scramble("4x4", depth=23, count=4, distinct=True, seed=2)
    found = list(boards)
    assert not boards.uniform and len(set(found)) == 4
    for board in found:
        assert solve(board, goal="first", algorithm="idastar").cost == 23


def test_a_depth_that_takes_too_long_gives_up() -> None:
    boards = scramble("5x5", depth=100, seed=1, seconds=0.05)
    assert list(boards) == [] and boards.gave_up


@pytest.mark.parametrize(
    ("shape", "goal", "depth", "most"),
    [
        ("2x2", "first", 7, 6),
        ("3x3", "last", 32, 31),
        ("3x3", "123 8b4 765", 31, 30),
        ("4x4", "first", 81, 80),
        ("4x4", "snail", 83, 82),
        ("3x4", "last", 54, 53),
    ],
)
def test_a_depth_that_no_board_has_is_an_error(
    shape: str, goal: str, depth: int, most: int
) -> None:
    with pytest.raises(TilewiseError, match=f"a depth of at most {most} for {shape}.* got {depth}"):
        scramble(shape, goal=goal, depth=depth)


@pytest.mark.parametrize("shape", ["2x2", "2x3", "2x4", "3x3"])
def test_the_known_farthest_depths_are_those_of_the_tables(shape: str) -> None:
    rows, columns = read_shape(shape)
    for cell in range(rows * columns):
        tiles = list(range(1, rows * columns))
        tiles.insert(cell, 0)
        found = space(Goal(Board(rows, columns, tuple(tiles))))
        bound = depth_bound(found.goal)
        corner = cell in (0, columns - 1, rows * columns - columns, rows * columns - 1)
        assert found.maximum <= bound
        assert not corner or found.maximum == bound == FARTHEST[rows, columns]
        assert found.states == solvable_states(rows, columns)


@pytest.mark.parametrize(
    "how",
    [
        {"depth": 3, "walk": 3},
        {"depth": -1},
        {"walk": -1},
        {"count": -1},
        {"seed": -1},
        {"seconds": 0},
        {"walk": 181_440, "repeats": False},
        {"goal": Goal.blank_first(4, 4)},
        {"goal": "middle"},
    ],
)
def test_what_makes_no_sense_is_an_error(how: dict[str, object]) -> None:
    with pytest.raises(TilewiseError, match="expected"):
        scramble("3x3", **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "3x", "x3", "3x3x3", "1x5", "17", "-3x3", "a board", "3.0"])
def test_what_is_no_shape_is_an_error(text: str) -> None:
    with pytest.raises(TilewiseError, match="expected"):
        read_shape(text)


def test_a_space_is_counted_level_by_level() -> None:
    for goal in small_goals():
        found = space(goal)
        assert list(found.levels) == [len(level) for level in by_depth(goal)]
        assert set(found.hardest) == set(by_depth(goal)[-1])
        depths = list(distances(goal).values())
        assert found.mean == pytest.approx(sum(depths) / len(depths))
        assert found.states == len(depths)
