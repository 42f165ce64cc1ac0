"""`tilewise convert` writes what it reads in every other notation."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable

import pytest

from tilewise import Board
from tilewise.cli.app import run
from tilewise.puzzle.formats import NOTATIONS

Run = Callable[..., subprocess.CompletedProcess[str]]

HARD = "8b6 547 231"


@pytest.mark.parametrize("notation", [each.name for each in NOTATIONS])
def test_every_notation_is_written_and_read_back(
    capsys: pytest.CaptureFixture[str], notation: str
) -> None:
    assert run(["convert", HARD, "--to", notation]) == 0
    written = capsys.readouterr().out
    assert written == Board.parse(HARD).to(notation) + "\n"
    assert run(["convert", written, "--from", notation, "--to", "eecs391"]) == 0
    assert capsys.readouterr() == (f"{HARD}\n", "")


def test_several_boards_and_boards_of_several_lines(tilewise: Run) -> None:
    done = tilewise("convert", HARD, "1 2 3/4 5 6/7 8 0", "--to", "grid")
    assert done.stdout == "8 0 6\n5 4 7\n2 3 1\n\n1 2 3\n4 5 6\n7 8 0\n"
    from_input = tilewise("convert", "--file", "-", "--to", "columbia", input=done.stdout)
    assert from_input.stdout == "8,0,6,5,4,7,2,3,1\n1,2,3,4,5,6,7,8,0\n"


def test_a_file_with_a_bad_board_is_converted_all_the_same(tilewise: Run) -> None:
    done = tilewise("convert", "--file", "-", "--to", "json", input=f"{HARD}\n\nx y z\n\n0,1,2,3\n")
    assert done.returncode == 2
    assert done.stdout == "[[8,0,6],[5,4,7],[2,3,1]]\n[[0,1],[2,3]]\n"
    assert done.stderr.startswith("tilewise: error: -:3: expected")


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (["['Up', 'Left', 'Left']", "--moves", "--to", "runs"], "UL2"),
        (["U3LD2R", "--to", "words"], "up up up left down down right"),
        (["ULL", "--moves", "--to", "columbia"], "['Up', 'Left', 'Left']"),
        (["U3LD2R", "--from-moves", "tile", "--to", "runs"], "D3RU2L"),
        (["ULL", "--to-moves", "tile"], "DRR"),
        (["start up goal", "--from-moves", "tile", "--to-moves", "tile"], "U"),
    ],
)
def test_moves_change_style_and_perspective(
    capsys: pytest.CaptureFixture[str], arguments: list[str], written: str
) -> None:
    assert run(["convert", *arguments]) == 0
    assert capsys.readouterr() == (f"{written}\n", "")


def test_paths_come_from_a_file_line_by_line(tilewise: Run) -> None:
    done = tilewise("convert", "--moves", "--file", "-", input="up up\n# a comment\n\nQ\nL2\n")
    assert done.stdout == "UU\nLL\n" and done.returncode == 2
    assert done.stderr.startswith("tilewise: error: -:4: expected moves")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([HARD], "expected --to FORMAT"),
        ([HARD, "--to", "jason"], "did you mean json?"),
        ([HARD, "--to", "json", "--from", "slidysim"], "expected"),
        (["ULDR", "--to", "json"], "--moves converts them"),
        (["1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0", "--to", "eecs391"], "at most 3x3"),
        (["2x3:1,2,3,4,5,0", "--to", "42"], "a square board"),
        (["UL", "--to-moves", "thumb"], "blank or tile"),
        (["UL", "--moves", "--to", "json"], "a style letters, runs, words or columbia"),
        (["UL", "--moves", "--from", "json"], "got --from"),
        (["--to", "json"], "one of the two"),
        (["--to", "json", "--file", os.devnull], "got none"),
        (["--to", "runs", "--file", "nowhere.txt"], "nowhere.txt"),
    ],
)
def test_what_cannot_be_converted_is_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(["convert", *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == "" and message in error and error.count("\n") == 1
