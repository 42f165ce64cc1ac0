"""Hints: who follows them comes home, and no plan gets longer on the way."""

from __future__ import annotations

import pytest

from tilewise.core.limits import Limits
from tilewise.hints import LEVELS, Guide, find_route, hint
from tilewise.puzzle.board import Board, Goal
from tilewise.scrambling import scramble

QUICK = Limits(generated=100)
CYCLE = (
    "1,2,3,4,5,6,20,21,22,23,24,7,19,33,34,0,25,8,30,32,31,28,35,9,18,14,29,17,26,27,16,13,15,12,"
    "11,10"
)
"""A plan anew at every board comes back to a board of before after 28 moves; the goal is snail."""
LONGER = "1,2,3,4,5,16,20,18,0,6,15,17,23,19,8,11,13,14,7,21,12,22,24,10,9"
"""A plan anew after seven moves is longer than the one before; the goal is snail."""


def lengths_on_the_way(guide: Guide, board: Board, goal: Goal) -> list[int]:
    """The length of the plan at each board, by the hints of the last level."""
    lengths: list[int] = []
    while board != goal.board:
        route = guide.route(board, goal, QUICK)
        given = hint(board, route, LEVELS)
        assert given.move is not None and given.moves is not None
        assert not lengths or len(given.moves) < lengths[-1], "a plan got longer"
        lengths.append(len(given.moves))
        board = board.move(given.move)
    return lengths


@pytest.mark.parametrize("text", [CYCLE, LONGER])
def test_following_hints_leads_home_within_the_first_plan(text: str) -> None:
    board = Board.parse(text)
    lengths = lengths_on_the_way(Guide(), board, Goal.snail(board.rows, board.columns))
    assert len(lengths) <= lengths[0]


@pytest.mark.full
@pytest.mark.parametrize("shape", ["5x5", "6x6", "8x8", "4x7"])
def test_following_hints_leads_home_from_any_board(shape: str) -> None:
    for goal_name in ("first", "last", "snail"):
        for board in scramble(shape, goal=goal_name, seed=1, walk=150, count=2):
            goal = Goal.named(goal_name, board.rows, board.columns)
            lengths = lengths_on_the_way(Guide(), board, goal)
            assert len(lengths) <= lengths[0]


def test_a_step_aside_makes_the_plan_longer_by_one_move_at_most() -> None:
    board, goal, guide = Board.parse(CYCLE), Goal.snail(6, 6), Guide()
    before = guide.route(board, goal, QUICK)
    for move in board.legal_moves():
        aside = guide.route(board.move(move), goal, QUICK)
        assert aside.moves is not None and before.moves is not None
        assert board.move(move).after(aside.moves) == goal.board
        assert len(aside.moves) <= len(before.moves) + 1


def test_a_shortest_solution_is_kept_without_another_search() -> None:
    board, guide = Board.parse("4 1 2 3/5 0 6 7/8 9 10 11/12 13 14 15"), Guide()
    goal = Goal.blank_first(4, 4)
    route = guide.route(board, goal, Limits())
    assert route.distance == 2 and route.moves is not None
    after = guide.route(board.move(route.moves[0]), goal, Limits(generated=1))
    assert (after.distance, after.moves) == (1, route.moves[1:])


def test_a_better_plan_replaces_the_one_that_was_kept() -> None:
    board, guide = Board.parse("1 2 3 4/5 6 7 8/9 10 11 12/0 13 14 15"), Guide()
    goal = Goal.blank_last(4, 4)
    rough = guide.route(board, goal, Limits(generated=1))
    best = guide.route(board, goal, Limits())
    assert best.distance == 3 and len(rough.moves or "") >= 3
    assert (
        guide.route(board, goal, Limits(generated=1)) == best == find_route(board, goal, Limits())
    )
