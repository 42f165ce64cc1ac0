"""Suites: what a file claims of its boards holds, as far as it can be checked here."""

from __future__ import annotations

import json

import pytest

import tilewise as tw
from tests.conftest import Run
from tilewise import suites
from tilewise.lab import FromSuite
from tilewise.suites import Suite
from tilewise.tables.distances import distance_table

NAMES = suites.names()


def test_the_suites_that_are_promised_are_there() -> None:
    promised = {"korf100", "korf24", "korftaylor24", "hardest8", "hardest15", "depths8"}
    assert promised | {"random3x4", "random4x5", "random5x5"} <= set(NAMES)


@pytest.fixture(params=NAMES)
def suite(request: pytest.FixtureRequest) -> Suite:
    return suites.load(request.param)


def test_boards_are_different_reach_their_goal_and_have_numbers_in_order(suite: Suite) -> None:
    boards = [each.board for each in suite.instances]
    goal = tw.Goal.named(suite.goal, boards[0].rows, boards[0].columns)
    assert len(set(boards)) == len(boards)
    assert all(goal.reachable_from(board) for board in boards)
    numbers = [each.number for each in suite.instances]
    counted = [str(n + 1) for n in range(len(boards))]
    assert numbers in (counted, [f"puzzle{n:02}" for n in range(len(boards))])
    assert suite.title and suite.source


def test_costs_have_the_parity_and_the_bound_of_manhattan_distance(suite: Suite) -> None:
    board = suite.instances[0].board
    h = tw.make_heuristic("manhattan", tw.Goal.named(suite.goal, board.rows, board.columns))
    for each in suite.instances:
        assert h(each.board) <= each.bound <= each.best
        assert (each.best - h(each.board)) % 2 == 0
        assert (each.optimal is None) == (each.bound < each.best)


@pytest.mark.parametrize("name", ["hardest8", "depths8"])
def test_depths_of_8_puzzles_are_those_of_the_table(name: str) -> None:
    suite = suites.load(name)
    table = distance_table(tw.Goal.blank_first(3, 3))
    for each in suite.instances:
        assert each.optimal == table.distance(each.board.tiles)
    if name == "hardest8":
        assert {each.board.tiles for each in suite.instances} == set(table.states(31))


@pytest.mark.full
def test_depths_of_3x4_are_those_of_the_table() -> None:
    table = distance_table(tw.Goal.blank_first(3, 4))
    for each in suites.load("random3x4").instances:
        assert each.optimal == table.distance(each.board.tiles)


def test_the_hardest_15_puzzles_are_17_and_mirror_images_of_each_other() -> None:
    def mirrored(tiles: tuple[int, ...]) -> tuple[int, ...]:
        name = {0: 0} | {tile: (tile - 1) % 4 * 4 + (tile - 1) // 4 + 1 for tile in range(1, 16)}
        return tuple(name[tiles[cell % 4 * 4 + cell // 4]] for cell in range(16))

    boards = {each.board.tiles for each in suites.load("hardest15").instances}
    assert len(boards) == 17 and {mirrored(tiles) for tiles in boards} == boards
    assert {each.optimal for each in suites.load("hardest15").instances} == {80}


def test_korf_and_taylors_boards_are_the_first_ten_of_korf24() -> None:
    assert suites.load("korftaylor24").instances == suites.load("korf24").instances[:10]


def test_an_unknown_depth_is_no_label() -> None:
    drawn = list(FromSuite("random5x5").draw(0))
    assert len(drawn) == 10 and all("depth" not in instance.labels for instance in drawn)


def test_the_list_says_source_and_size(tilewise: Run) -> None:
    rows = json.loads(tilewise("list", "suites", "--json").stdout)
    by_name = {row["suite"]: row for row in rows}
    assert by_name["hardest15"]["boards"] == 17 and "(1999)" in by_name["hardest15"]["source"]
    assert by_name["random5x5"]["moves"].endswith("not proved")
