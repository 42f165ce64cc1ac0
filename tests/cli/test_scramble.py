"""`tilewise scramble` prints boards that other commands read, and says when it cannot."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest

from tests.oracles.puzzle import FIRST_OF_8, by_depth, distances
from tilewise import Board, Goal
from tilewise.cli.app import run

Run = Callable[..., subprocess.CompletedProcess[str]]


def boards(done: subprocess.CompletedProcess[str]) -> list[Board]:
    assert (done.returncode, done.stderr) == (0, "")
    return [Board.parse(line) for line in done.stdout.splitlines()]


def test_the_distinct_boards_of_a_whole_level(tilewise: Run) -> None:
    done = tilewise(
        "scramble", "3x3", "--depth", "20", "--count", "16993", "--seed", "1", "--distinct"
    )
    assert set(boards(done)) == set(by_depth(FIRST_OF_8)[20])


def test_a_seed_repeats_and_no_seed_does_not(tilewise: Run) -> None:
    seeded = [tilewise("scramble", "4", "--seed", "7", "-n", "3").stdout for _ in range(2)]
    assert seeded[0] == seeded[1] and seeded[0].count("\n") == 3
    fresh = {tilewise("scramble", "5x5").stdout for _ in range(2)}
    assert len(fresh) == 2


def test_the_goal_last_is_written_in_a_notation_that_implies_it(tilewise: Run) -> None:
    done = tilewise("scramble", "3x3", "--goal", "last", "--depth", "9", "--seed", "1", "-n", "4")
    reached = distances(Goal.blank_last(3, 3))
    assert [reached[board.tiles] for board in boards(done)] == [9] * 4
    again = tilewise("solve", *done.stdout.splitlines())
    assert again.stdout.count(": 9 moves, optimal") == 4


def test_json_tells_the_seed_and_whether_the_draw_was_uniform(tilewise: Run) -> None:
    walk = tilewise("scramble", "3x3", "--walk", "9", "--no-repeats", "--json", "--to", "slidysim")
    answer = json.loads(walk.stdout)
    assert answer["walk"] == 9 and answer["depth"] is None and answer["uniform"] is False
    again = tilewise("scramble", "3x3", "--walk", "9", "--no-repeats", "--to", "slidysim",
                     "--seed", str(answer["seed"]))  # fmt: skip
    assert again.stdout.strip() == f"{answer['board']} --goal first"
    depth = json.loads(tilewise("scramble", "2x4", "--depth", "9", "--json").stdout)
    assert depth["depth"] == 9 and depth["uniform"] is True
    board = Board.parse(depth["board"])
    assert distances(Goal.blank_first(2, 4))[board.tiles] == 9


def test_boards_of_several_lines_have_an_empty_line_between(tilewise: Run) -> None:
    done = tilewise("scramble", "3x3", "--seed", "1", "-n", "3", "--to", "42")
    blocks = done.stdout.rstrip("\n").split("\n\n")
    assert [len(block.splitlines()) for block in blocks] == [4, 4, 4]
    assert all(Board.parse(block).shape == "3x3" for block in blocks)


def test_what_takes_too_long_is_given_up_with_exit_code_20(tilewise: Run) -> None:
    done = tilewise("scramble", "4x4", "--depth", "70", "--seconds", "0.2", "--count", "2")
    assert done.returncode == 20 and done.stdout == ""
    assert "gave up after 0 of 2 boards" in done.stderr and "0.2 s" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("3x3 --depth 32", "a depth of at most 31 for 3x3"),
        ("4x4 --depth 81", "a depth of at most 80 for 4x4"),
        ("2x2 --distinct --count 13", "at most 12 distinct boards"),
        ("3x3 --depth 3 --walk 3", "one of --uniform, --depth D and --walk N"),
        ("3x3 --repeats", "together with --walk"),
        ("3by3", "a shape such as 3x3"),
        ("3x3 --count 0", "at least 1 for --count"),
        ("3x3 --seed -1", "at least 0 for --seed"),
        ("4x4 --to eecs391", "at most 3x3 for the notation eecs391"),
    ],
)
def test_what_cannot_be_is_one_clear_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    assert run(["scramble", *arguments.split()]) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.startswith("tilewise: error: expected") and message in error
    assert error.count("\n") == 1
