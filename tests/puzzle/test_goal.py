"""Goal: parity against the goal given, the automatic choice, and why a board has no solution."""

from __future__ import annotations

import itertools
import random

import pytest

import tilewise as tw
from tests.oracles.puzzle import (
    FIRST_OF_8,
    SMALL_SHAPES,
    blank_steps,
    distances,
    inversions,
    neighbours,
    shuffled,
)
from tilewise import Board, Goal, TilewiseError
from tilewise.puzzle.parity import explain, nearest_solvable, why_unsolvable
from tilewise.puzzle.position import read_position

NOTATION = {"first": "columbia", "last": "slidysim"}
"""A notation that implies the goal."""
ALL_SHAPES = list(itertools.product(range(2, 17), repeat=2))
NAMES = ["first", "last", "snail"]


def swapped(board: Board, one: int, two: int) -> Board:
    other = {one: two, two: one}
    return Board(board.rows, board.columns, tuple(other.get(tile, tile) for tile in board.tiles))


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        (Goal.blank_first(3, 3), "0 1 2/3 4 5/6 7 8"),
        (Goal.blank_last(3, 3), "1 2 3/4 5 6/7 8 0"),
        (Goal.blank_last(2, 4), "1 2 3 4/5 6 7 0"),
        (Goal.snail(2, 2), "1 2/0 3"),
        (Goal.snail(3, 3), "1 2 3/8 0 4/7 6 5"),
        (Goal.snail(4, 4), "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7"),
        (Goal.snail(3, 4), "1 2 3 4/10 11 0 5/9 8 7 6"),
        (Goal.snail(4, 3), "1 2 3/10 11 4/9 0 5/8 7 6"),
        (Goal.snail(2, 5), "1 2 3 4 5/0 9 8 7 6"),
        (Goal.snail(5, 2), "1 2/0 3/9 4/8 5/7 6"),
    ],
)
def test_the_named_goals_look_as_they_should(goal: Goal, text: str) -> None:
    assert goal.board == Board.parse(text)


@pytest.mark.parametrize("shape", ALL_SHAPES[::11], ids=lambda shape: f"{shape[0]}x{shape[1]}")
def test_the_snail_turns_right_whenever_it_meets_a_wall_or_itself(shape: tuple[int, int]) -> None:
    rows, columns = shape
    rank = dict(zip(Goal.snail(rows, columns).board.tiles, range(rows * columns), strict=True))
    row, column, step, seen = 0, 0, (0, 1), set()
    for tile in range(1, rows * columns + 1):
        assert rank[tile % (rows * columns)] == row * columns + column
        seen.add((row, column))
        ahead = row + step[0], column + step[1]
        if ahead in seen or not (0 <= ahead[0] < rows and 0 <= ahead[1] < columns):
            step = step[1], -step[0]
        row, column = row + step[0], column + step[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_goal_is_found_by_its_name_and_knows_it(name: str) -> None:
    for shape in [(3, 3), (4, 4), (2, 7)]:
        goal = Goal.named(name, *shape)
        assert goal.name == name
        assert Goal.named(str(goal.board), *shape) == goal
    assert Goal(Board.parse("281 b43 765")).name == "281 b43 765"


@pytest.mark.parametrize("name", ["", "middle", "b12 345 67", "b12 345", "1 2/3 0", "auto"])
def test_a_goal_that_is_no_board_of_the_shape_is_refused(name: str) -> None:
    with pytest.raises(TilewiseError, match="expected a"):
        Goal.named(name, 3, 3)


def test_a_board_of_another_shape_is_not_measured_against_a_goal() -> None:
    with pytest.raises(TilewiseError, match=r"3x3.*4x4"):
        FIRST_OF_8.reachable_from(Goal.blank_first(4, 4).board)
    with pytest.raises(TilewiseError, match=r"4x4.*3x3"):
        tw.solve(Goal.blank_first(4, 4).board, goal=FIRST_OF_8)
    with pytest.raises(TilewiseError, match="2x3"):
        tw.solve("b12 345 678", goal="b12 345")


def goals_to_try(shape: tuple[int, int]) -> list[Goal]:
    named = [Goal.named(name, *shape) for name in NAMES]
    return named + [Goal(shuffled(named[seed], seed)) for seed in range(3)]


@pytest.mark.parametrize("shape", SMALL_SHAPES)
def test_parity_agrees_with_a_search_on_every_state_of_small_shapes(shape: tuple[int, int]) -> None:
    for goal in goals_to_try(shape):
        reachable = distances(goal)
        for tiles in itertools.permutations(range(shape[0] * shape[1])):
            assert goal.reachable_from(Board(*shape, tiles)) == (tiles in reachable)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.full if n == "last" else ()) for n in NAMES]
)
def test_parity_agrees_with_a_search_on_8_puzzles(name: str) -> None:
    goal, rng, tiles = Goal.named(name, 3, 3), random.Random(8), list(range(9))
    reachable = distances(goal)
    assert len(reachable) == 181_440
    for _ in range(3000):
        rng.shuffle(tiles)
        assert goal.reachable_from(Board(3, 3, tuple(tiles))) == (tuple(tiles) in reachable)


@pytest.mark.parametrize("shape", ALL_SHAPES, ids=lambda shape: f"{shape[0]}x{shape[1]}")
def test_moves_keep_the_parity_of_every_shape_and_a_swap_breaks_it(shape: tuple[int, int]) -> None:
    rng = random.Random(shape[0] * 17 + shape[1])
    goal = Goal.named(rng.choice(NAMES), *shape)
    tiles = goal.board.tiles
    for _ in range(60):
        tiles = rng.choice(neighbours(tiles, shape[1]))[1]
        board = Board(*shape, tiles)
        assert goal.reachable_from(board)
    one, two = rng.sample(range(1, shape[0] * shape[1]), 2)
    assert not goal.reachable_from(swapped(board, one, two))


@pytest.mark.parametrize("shape", ALL_SHAPES, ids=lambda shape: f"{shape[0]}x{shape[1]}")
def test_exactly_one_of_first_and_last_is_reachable_if_both_sides_are_even(
    shape: tuple[int, int],
) -> None:
    first, last = Goal.blank_first(*shape), Goal.blank_last(*shape)
    solvable = shuffled(first, 7)
    for board in (solvable, swapped(solvable, 2, 3)):
        both_even = shape[0] % 2 == 0 and shape[1] % 2 == 0
        assert (first.reachable_from(board) != last.reachable_from(board)) == both_even


@pytest.mark.parametrize("shape", [(2, 4), (4, 4), (2, 6), (16, 16)])
@pytest.mark.parametrize(("preferred", "other"), [("first", "last"), ("last", "first")])
def test_with_no_goal_named_the_other_corner_is_taken_and_said(
    shape: tuple[int, int], preferred: str, other: str
) -> None:
    wanted = Goal.named(preferred, *shape)
    board = shuffled(wanted, 3)
    for asked in (None, "auto"):
        position = read_position(board.to(NOTATION[preferred]), asked)
        assert (position.board, position.goal, position.note) == (board, wanted, None)
        position = read_position(swapped(board, 2, 3).to(NOTATION[preferred]), asked)
        assert position.goal == Goal.named(other, *shape)
        assert position.note == (
            f"goal: {other} (the goal {preferred} cannot be reached from this board)"
        )


@pytest.mark.parametrize("shape", [(3, 3), (3, 4), (2, 3), (5, 5)])
@pytest.mark.parametrize("preferred", ["first", "last"])
def test_where_neither_corner_can_be_reached_the_preferred_one_stays(
    shape: tuple[int, int], preferred: str
) -> None:
    wanted = Goal.named(preferred, *shape)
    board = swapped(shuffled(wanted, 3), 2, 3)
    position = read_position(board.to(NOTATION[preferred]))
    assert (position.goal, position.note, position.solvable) == (wanted, None, False)


def test_a_goal_that_was_asked_for_is_never_exchanged() -> None:
    board = swapped(Goal.blank_first(4, 4).board, 2, 3)
    for asked in ("first", Goal.blank_first(4, 4)):
        position = read_position(board, asked)
        assert (position.goal, position.note) == (Goal.blank_first(4, 4), None)
        assert tw.solve(board, goal=asked).status is tw.Status.UNSOLVABLE


def test_solving_says_that_it_took_the_other_goal() -> None:
    board = Board(4, 4, (*range(1, 15), 0, 15))
    result = tw.solve(board)
    assert (result.goal.name, result.moves) == ("last", "R")
    assert result.note is not None and "last" in result.note


def test_the_swaps_and_steps_of_the_argument_have_the_parities_of_a_count() -> None:
    for shape in [(2, 2), (3, 3), (4, 4), (3, 5), (16, 16)]:
        for goal in goals_to_try(shape):
            for seed in range(5):
                board = swapped(shuffled(goal, seed), 1, 2 + seed % 2)
                assert goal.swaps_from(board) % 2 == inversions(board.tiles, goal) % 2
                assert goal.blank_steps_from(board) == blank_steps(board.tiles, goal)


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 3), (4, 4), (5, 4)])
def test_the_nearest_solvable_boards_are_solvable_and_one_swap_away(shape: tuple[int, int]) -> None:
    for goal in goals_to_try(shape):
        for seed in range(10):
            board = swapped(shuffled(goal, seed), 1, 2)
            found = nearest_solvable(board, goal)
            assert len(found) == 3
            for one, two, mended in found:
                assert mended == swapped(board, one, two) and 0 not in (one, two)
                assert goal.reachable_from(mended)
                parity = inversions(mended.tiles, goal) + blank_steps(mended.tiles, goal)
                assert parity % 2 == 0


def test_an_unsolvable_board_is_explained_on_that_very_board() -> None:
    board, goal = Board.parse("b12 345 687"), FIRST_OF_8
    short, long = why_unsolvable(board, goal), explain(board, goal)
    assert "b12 345 687" in short and "b12 345 678" in short and "\n" not in short
    assert "odd number of swaps away (1)" in short and "even number of steps (0)" in short
    assert "(7 8)" in long or "(8 7)" in long
    assert "b12 345 678   (swap 7 and 8)" in long
    assert short in str(tw.solve(board, goal=goal).note)
