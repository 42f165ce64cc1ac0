"""What every heuristic declares is proved: on all states of small shapes, on states of known
distance of larger ones. Two wrong linear conflicts show that the proof would find them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

import tilewise as tw
from tests.oracle import FIRST_OF_8, Tiles, distances, neighbours, sample, shuffled
from tests.plain_heuristics import PLAINLY, conflicts, each_pair, running_maximum
from tilewise import Board, Goal, TilewiseError
from tilewise.core.registry import HEURISTICS, Heuristic, build_heuristic
from tilewise.suites import load
from tilewise.tables.distances.small import distance_table

Estimate = Callable[[Tiles], int]
Ints = NDArray[np.int64]

PLAIN = [entry.name for entry in HEURISTICS.values() if not entry.combines and not entry.options]
"""The heuristics that are one thing; test_tables.py is about pattern databases."""
PROVED = [*PLAIN, "max(misplaced, manhattan)"]
KEEPS_PARITY = {"manhattan", "linear_conflict", "walking_distance"}
WHOLE_SHAPES = [
    (shape, name) for shape in ("2x2", "2x3", "3x2", "2x4") for name in ("first", "last", "snail")
]
WHOLE_SHAPES += [("3x3", "first"), ("3x3", "snail"), ("2x5", "first")]
FARTHEST = {"2x2": 6, "2x3": 21, "3x2": 21, "3x3": 31, "2x4": 36, "2x5": 55}
"""The greatest distance from the goal in a corner, from the literature."""
BALLS = [("4x4", "first", 15), ("4x4", "last", 15), ("3x4", "first", 17), ("4x3", "snail", 17)]
"""Shape, goal and depth of the larger boards: about 100,000 states each."""
TRAP = Board(4, 4, (1, 2, 3, 4, 9, 7, 5, 6, 10, 0, 12, 8, 13, 14, 11, 15))


def goal_of(shape: str, name: str) -> Goal:
    rows, columns = map(int, shape.split("x"))
    return Goal.named(name, rows, columns)


class World:
    """Many states of one shape with their true distances, and the edges between them."""

    def __init__(self, goal: Goal, tiles: NDArray[np.uint8], distance: Ints) -> None:
        self.goal = goal
        shifts = np.arange(tiles.shape[1], dtype=np.uint64) * np.uint64(4)
        packed = (tiles.astype(np.uint64) << shifts).sum(axis=1, dtype=np.uint64)
        order = np.argsort(packed)
        self.tiles, self.distance, self._packed = tiles[order], distance[order], packed[order]
        self.edges = [np.concatenate(ends) for ends in zip(*self._steps(), strict=True)]

    def _steps(self) -> Iterator[tuple[Ints, Ints]]:
        """Pairs of states that one move of the blank to the right or down connects."""
        rows, columns = self.goal.board.rows, self.goal.board.columns
        for cell in range(rows * columns):
            here = np.flatnonzero(self.tiles[:, cell] == 0)
            for other in [cell + 1] * (cell % columns < columns - 1) + [cell + columns] * (
                cell < (rows - 1) * columns
            ):
                moved = self.tiles[here, other].astype(np.uint64)
                lift = np.uint64(4 * other), np.uint64(4 * cell)
                wanted = self._packed[here] - (moved << lift[0]) + (moved << lift[1])
                there = np.searchsorted(self._packed, wanted)
                there[there == len(self._packed)] = 0
                known = self._packed[there] == wanted
                yield here[known], there[known]

    def values(self, estimate: Estimate) -> Ints:
        """The heuristic on every state."""
        made: list[int] = []
        for start in range(0, len(self.tiles), 100_000):
            made += map(estimate, map(tuple, self.tiles[start : start + 100_000].tolist()))
        return np.array(made)

    def overestimated(self, values: Ints) -> list[Tiles]:
        """The states where a heuristic is larger than the distance, or negative."""
        wrong = np.flatnonzero((values > self.distance) | (values < 0))
        return [tuple(tiles) for tiles in self.tiles[wrong].tolist()]

    def broken_edges(self, values: Ints) -> int:
        """The moves along which a heuristic changes by more than the one move costs."""
        here, there = self.edges
        return int((abs(values[here] - values[there]) > 1).sum())


@cache
def whole(shape: str, name: str) -> World:
    """All states of a shape from which the goal can be reached."""
    table = distance_table(goal_of(shape, name), max_states=2_000_000)
    layers = [
        np.array(list(table.states(depth)), dtype=np.uint8) for depth in range(len(table.levels))
    ]
    return World(
        table.goal, np.concatenate(layers), np.repeat(np.arange(len(layers)), table.levels)
    )


@cache
def ball(shape: str, name: str, depth: int) -> World:
    """All states within a depth, by the breadth-first search of the tests."""
    found = distances(goal_of(shape, name), depth)
    return World(
        goal_of(shape, name), np.array(list(found), dtype=np.uint8), np.array([*found.values()])
    )


def prove(world: World, heuristic: Heuristic) -> None:
    values = world.values(heuristic.estimate)
    assert heuristic.admissible and heuristic.consistent
    assert world.overestimated(values) == []
    assert world.broken_edges(values) == 0
    if heuristic.spec in KEEPS_PARITY:
        assert not ((world.distance - values) % 2).any()
    if heuristic.spec == "perfect":
        assert (values == world.distance).all()


@pytest.mark.parametrize(("shape", "name"), WHOLE_SHAPES)
def test_the_distances_of_whole_shapes_are_distances(shape: str, name: str) -> None:
    world = whole(shape, name)
    here, there = world.edges
    assert (abs(world.distance[here] - world.distance[there]) == 1).all()
    nearer = np.zeros(len(world.tiles), dtype=bool)
    nearer[here[world.distance[here] > world.distance[there]]] = True
    nearer[there[world.distance[here] < world.distance[there]]] = True
    at_goal = np.flatnonzero(~nearer)
    assert [tuple(world.tiles[one].tolist()) for one in at_goal] == [world.goal.board.tiles]
    assert world.distance[at_goal].tolist() == [0]
    assert len(world.tiles) == np.prod(range(1, world.tiles.shape[1] + 1)) // 2
    if name != "snail":
        assert world.distance.max() == FARTHEST[shape]


@pytest.mark.parametrize(
    ("heuristic", "shape", "name"),
    # other goals of 3x3 and the ten times more states of 2x5: for what looks at whole lines
    [
        (h, *at)
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


@pytest.mark.parametrize(("shape", "name", "depth"), BALLS)
@pytest.mark.parametrize("heuristic", [name for name in PROVED if name != "perfect"])
def test_a_heuristic_is_what_it_declares_on_larger_boards(
    heuristic: str, shape: str, name: str, depth: int
) -> None:
    world = ball(shape, name, depth)
    assert 80_000 < len(world.tiles) < 150_000
    prove(world, build_heuristic(heuristic, world.goal))


@pytest.mark.parametrize("heuristic", [name for name in PROVED if name != "perfect"])
def test_a_heuristic_is_below_the_known_costs_of_korfs_15_puzzles(heuristic: str) -> None:
    suite = load("korf100")
    assert len(suite.instances) == 100
    h = build_heuristic(heuristic, Goal.blank_first(4, 4))
    for instance in suite.instances:
        assert 0 <= h(instance.board) <= instance.optimal
        if heuristic in KEEPS_PARITY:
            assert (instance.optimal - h(instance.board)) % 2 == 0


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


def test_the_proof_finds_the_conflict_of_every_pair_wrong_on_7_states_of_3x3() -> None:
    world = whole("3x3", "first")
    assert len(world.overestimated(world.values(conflicts(FIRST_OF_8, each_pair)))) == 7


def test_the_proof_finds_the_running_maximum_wrong_beyond_3x3_only() -> None:
    small = whole("3x3", "first")
    assert small.overestimated(small.values(conflicts(FIRST_OF_8, running_maximum))) == []
    large = ball("4x4", "last", 15)
    for rule in (running_maximum, each_pair):
        wrong = large.overestimated(large.values(conflicts(large.goal, rule)))
        assert len(wrong) > 30 and TRAP.tiles in wrong


def test_the_trap_board_is_not_overestimated() -> None:
    goal = Goal.blank_last(4, 4)
    assert distances(goal, 15)[TRAP.tiles] == 13
    assert conflicts(goal, running_maximum)(TRAP.tiles) > 13
    assert build_heuristic("linear_conflict", goal)(TRAP) <= 13


def test_the_proof_finds_a_heuristic_that_is_admissible_but_not_consistent() -> None:
    world = whole("2x3", "first")
    values = np.where(world.tiles[:, 0] == 1, world.distance, 0)
    assert world.overestimated(values) == [] and world.broken_edges(values) > 0


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
    world = whole("2x2", "first")
    h = build_heuristic("sum(misplaced, manhattan)", world.goal)
    assert world.overestimated(world.values(h.estimate))


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
        tw.heuristic(text, goal=FIRST_OF_8)
