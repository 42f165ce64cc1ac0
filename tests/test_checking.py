"""What is said of boards and paths agrees with an independent search."""

from __future__ import annotations

import itertools

import pytest

from tests.oracles.puzzle import by_depth, distances, replayed, small_goals
from tilewise import Board, Goal, Limits, Status, TilewiseError, heuristic
from tilewise.checking import check_board, check_path
from tilewise.comparing import USUAL, Pairing, compare, pairings, ranked
from tilewise.core.registry import HEURISTICS
from tilewise.optimal_paths import optimal_paths
from tilewise.puzzle.formats import write_moves

GOAL = Goal.blank_first(3, 3)
HARDEST = Board.parse("8b6 547 231")
FIFTEEN = Board.parse("14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3")


def test_solvable_and_distance_are_right_on_all_small_boards() -> None:
    for goal in small_goals():
        reachable = distances(goal)
        for tiles in itertools.permutations(range(len(goal.board.tiles))):
            checked = check_board(Board(goal.board.rows, goal.board.columns, tiles), goal)
            assert checked.solvable == (tiles in reachable)
            assert checked.distance == reachable.get(tiles)


def test_every_heuristic_gets_a_line_even_where_it_has_no_value() -> None:
    names = [name for name, entry in HEURISTICS.items() if not entry.combines]
    checked = check_board(HARDEST, GOAL)
    values = {each.name: each.value for each in checked.heuristics}
    assert list(values) == names
    assert (values["zero"], values["misplaced"], values["manhattan"]) == (0, 7, 21)
    assert values["perfect"] == checked.distance == checked.lower_bound == 31
    larger = {each.name: each for each in check_board(FIFTEEN, Goal.blank_first(4, 4)).heuristics}
    assert list(larger) == names
    assert larger["manhattan"].value == 41 and larger["manhattan"].why_not is None
    assert larger["perfect"].value is None and "4x4" in str(larger["perfect"].why_not)


def test_a_board_that_reaches_another_goal_only_is_unsolvable() -> None:
    swapped = Board.parse("1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0")
    checked = check_board(swapped, Goal.blank_last(4, 4))
    assert not checked.solvable
    assert not [each for each in checked.heuristics if each.value is None and not each.why_not]


def test_every_optimal_path_counts_as_optimal() -> None:
    paths = list(optimal_paths(HARDEST, GOAL, 31))
    assert len(set(paths)) == 40
    for path in paths:
        checked = check_path(HARDEST, GOAL, path)
        assert checked.legal and checked.reaches_goal and checked.optimal
        assert checked.too_long == 0


def test_a_detour_is_counted_in_moves() -> None:
    for depth, level in enumerate(by_depth(Goal.blank_first(2, 3))):
        board = level[0]
        shortest = next(iter(optimal_paths(board, Goal.blank_first(2, 3), depth)))
        checked = check_path(board, Goal.blank_first(2, 3), shortest + "RLDU")
        assert checked.reaches_goal and checked.optimum == depth
        assert checked.too_long == 4 and checked.optimal is False
        assert checked.passes_goal_at == depth


@pytest.mark.parametrize("length", [1, 2, 3])
def test_legal_paths_lead_where_an_independent_simulator_says(length: int) -> None:
    board = Board.parse("312 4b5 678")
    for letters in itertools.product("UDLR", repeat=length):
        moves = "".join(letters)
        checked = check_path(board, GOAL, moves)
        end = replayed(board, moves)
        assert checked.legal == (end is not None)
        if checked.illegal_at is None:
            assert checked.end.tiles == end
            assert checked.reaches_goal == (end == GOAL.board.tiles)
        else:
            before = moves[: checked.illegal_at - 1]
            assert checked.end.tiles == replayed(board, before)
            assert replayed(board, moves[: checked.illegal_at]) is None
            assert checked.optimal is None and checked.too_long is None


def test_a_path_of_the_tiles_is_recognised() -> None:
    board = Board.parse("312 475 68b")
    assert check_path(board, GOAL, "LULU").solves_as_tile_moves is False
    mistaken = check_path(board, GOAL, "RDRD")
    assert mistaken.illegal_at == 1 and mistaken.solves_as_tile_moves


def test_a_long_path_on_a_large_board_is_judged_within_the_limits() -> None:
    goal = Goal.blank_first(4, 4)
    forth_and_back = "RL" * 30
    on_the_goal = check_path(goal.board, goal, forth_and_back)
    assert on_the_goal.optimum == 0 and on_the_goal.too_long == 60
    far = Board.parse("1 5 2 3/4 6 7 0/8 9 10 11/12 13 14 15")
    assert check_path(far, goal, "LLUL").optimal
    walk = "DRDRDRUUULDLDRDLLURRULDRULDRURULDDL"
    hard, back = goal.board.after(walk), write_moves(walk[::-1], "letters", "tile")
    unproved = check_path(hard, goal, back, Limits(generated=1))
    assert unproved.reaches_goal and unproved.optimal is None
    assert 0 < unproved.lower_bound <= len(back)


def test_what_a_user_declares_is_no_lower_bound_and_proves_no_path_optimal() -> None:
    heuristic("six", admissible=True)(lambda goal: lambda board: 6)
    goal = Goal.blank_first(4, 4)
    near = Board.parse("1 5 2 3/4 6 7 0/8 9 10 11/12 13 14 15")
    assert check_board(near, goal).lower_bound == 4
    played = check_path(near, goal, "LRLLUL")
    assert (played.optimum, played.optimal, played.too_long) == (4, False, 2)


def test_pairings_combine_what_is_named() -> None:
    assert pairings(HARDEST) == list(USUAL)
    assert pairings(HARDEST, ["bfs", "astar"]) == [Pairing("bfs", None), Pairing("astar", None)]
    assert pairings(HARDEST, [], ["zero"]) == [Pairing("astar", "zero")]
    assert pairings(FIFTEEN, [], ["zero"]) == [Pairing("idastar", "zero")]
    assert pairings(HARDEST, ["bfs", "astar", "astar"], ["zero", "h1"]) == [
        Pairing("bfs", None),
        Pairing("astar", "zero"),
        Pairing("astar", "h1"),
    ]
    with pytest.raises(TilewiseError, match="expected an algorithm that uses a heuristic"):
        pairings(HARDEST, ["bfs", "ids"], ["zero"])


def test_a_comparison_has_the_results_of_the_single_searches_in_order() -> None:
    results = list(compare(HARDEST, GOAL, USUAL, limits=Limits(generated=30_000)))
    assert [result.algorithm.split("(")[0] for result in results] == [p.algorithm for p in USUAL]
    assert {result.cost for result in results if result.optimal} == {31}
    limited = [result for result in results if result.status is Status.LIMIT]
    assert limited and all(result.stats.generated == 30_000 for result in limited)
    by_work = ranked(results, "generated")
    solved = [result.stats.generated for result in by_work if result.solved]
    assert solved == sorted(solved)
    assert [result.solved for result in by_work] == [True] * len(solved) + [False] * len(limited)
    assert ranked(results, "cost")[0].cost == 31


def test_a_wrong_spec_is_refused_before_anything_runs() -> None:
    for pairing in (Pairing("astat", None), Pairing("astar", "manhatan")):
        with pytest.raises(TilewiseError, match="did you mean"):
            compare(HARDEST, GOAL, [Pairing("bfs", None), pairing])
    with pytest.raises(TilewiseError, match="to sort by"):
        ranked([], "beauty")


def test_rules_that_an_algorithm_has_no_use_for_do_not_stop_a_comparison() -> None:
    both = [Pairing("astar", "manhattan"), Pairing("ids", None)]
    easy = Board.parse("125 348 67b")
    default = list(compare(easy, GOAL, both))
    fifo = list(compare(easy, GOAL, both, rules="ties=fifo"))
    assert default[1].stats.generated == fifo[1].stats.generated
    assert fifo[0].rules == "fifo" and fifo[0].cost == 4
