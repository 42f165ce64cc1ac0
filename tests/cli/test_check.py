"""`tilewise check` says what it understood and whether a path solves the board."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tilewise.cli.app import run

Run = Callable[..., subprocess.CompletedProcess[str]]

EASY = "312 475 68b"

PAGE = """\
3x3 board in eecs391 notation, goal first

board   goal
8 . 6   . 1 2
5 4 7   3 4 5
2 3 1   6 7 8

solvable: the shortest solutions have 31 moves

heuristic         value
zero                  0
misplaced             7
gaschnig              9
manhattan            21
linear_conflict      23
walking_distance     25
pdb                  27
learned              30  may overestimate
perfect              31
"""


def last_lines(done: subprocess.CompletedProcess[str], count: int) -> list[str]:
    return done.stdout.splitlines()[-count:]


def test_a_board_without_a_path(tilewise: Run) -> None:
    done = tilewise("check", "8b6 547 231")
    assert (done.returncode, done.stdout, done.stderr) == (0, PAGE, "")


@pytest.mark.parametrize(
    ("path", "code", "verdict"),
    [
        ("LULU", 0, "optimal: a solution of 4 moves, and none is shorter"),
        ("['Left', 'Up', 'Left', 'Up', 'Down', 'Up']", 0, "2 moves too long"),
        ("left up left", 2, "no solution: legal, but 3 moves lead to 312 b45 678"),
        ("LULULL", 2, "illegal: move 5 is L, but on b12 345 678 it can be D or R"),
        ("LUX", 2, "tilewise: error: expected moves U, D, L, R"),
    ],
)
def test_the_verdict_on_a_path(
    capsys: pytest.CaptureFixture[str], path: str, code: int, verdict: str
) -> None:
    assert run(["check", EASY, "--path", path]) == code
    assert verdict in "".join(capsys.readouterr())


def test_paths_of_the_tiles(tilewise: Run) -> None:
    right = tilewise("check", EASY, "--path", "RDRD", "--moves", "tile")
    assert right.returncode == 0
    assert last_lines(right, 2) == [
        "path (moves of the tiles): RDRD",
        "optimal: a solution of 4 moves, and none is shorter",
    ]
    wrong = tilewise("check", EASY, "--path", "RDRD")
    assert wrong.returncode == 2
    assert last_lines(wrong, 1) == ["as moves of the tiles it is a solution: --moves tile"]


def test_only_the_goal_named_counts_and_with_none_named_that_of_solve(tilewise: Run) -> None:
    swapped = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0"
    named = tilewise("check", swapped, "--goal", "last")
    assert named.returncode == 10
    assert "goal last" in named.stdout.splitlines()[0]
    assert "unsolvable: no moves lead from 1 2 3 4/" in named.stdout
    assert "odd number of swaps" in named.stdout and "first" not in named.stdout
    note = "goal: first (the goal last cannot be reached from this board)"
    left_open = tilewise("check", swapped)
    assert left_open.returncode == 0 and "\nsolvable\n" in left_open.stdout
    assert left_open.stdout.splitlines()[:2] == [note, "4x4 board in slidysim notation, goal first"]
    as_json = json.loads(tilewise("check", swapped, "--json").stdout)
    assert (as_json["note"], as_json["goal"], as_json["solvable"]) == (note, "first", True)


def test_an_unsolvable_board_of_ten_cells_is_explained(tilewise: Run) -> None:
    done = tilewise("check", "2x5:0,2,1,3,4,5,6,7,8,9")
    assert (done.returncode, done.stderr) == (10, "")
    assert "unsolvable: no moves lead from 2x5:0,2,1,3,4,5,6,7,8,9 to" in done.stdout
    assert done.stdout.endswith("perfect               -\n    the goal cannot be reached\n")


def test_a_heuristic_that_cannot_serve_the_board_says_why(tilewise: Run) -> None:
    done = tilewise("check", "4,1,2,3,0,5,6,7,8,9,10,11,12,13,14,15", "--path", "U")
    assert done.returncode == 0 and last_lines(done, 1)[0].startswith("optimal: a solution of 1")
    assert "perfect               -\n    expected a shape of at most" in done.stdout


def test_a_heuristic_of_the_users_that_overestimates_is_found_out(
    tilewise: Run, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(
        "import tilewise as tw\n"
        "@tw.heuristic('mine', admissible=True)\n"
        "def mine(goal):\n"
        "    return lambda board: 5\n"
        "@tw.heuristic('broken')\n"
        "def broken(goal):\n"
        "    return lambda board: board.nothing\n"
    )
    done = tilewise("check", EASY, "--load", "mine.py")
    assert done.returncode == 0
    assert "\nmine                  5  overestimates here, so it is not admissible\n" in done.stdout
    assert "\nbroken                -\n    heuristic broken failed on 312 475 68b" in done.stdout


def test_json_for_a_path_that_was_not_proved_optimal(tilewise: Run) -> None:
    board = "14,13,15,7,11,12,9,5,6,0,2,1,4,8,10,3"
    solved = json.loads(tilewise("solve", board, "-a", "human", "--json").stdout)
    done = tilewise("check", board, "--path", solved["moves"], "--json", "--max-nodes", "10")
    answer = json.loads(done.stdout)
    assert done.returncode == 0
    assert answer["path"]["legal"] and answer["path"]["reaches_goal"]
    assert answer["path"]["optimal"] is None and answer["path"]["too_long"] is None
    assert answer["heuristics"]["perfect"] is None and answer["heuristics"]["manhattan"] > 20
    assert answer["notation"] == "columbia" and answer["solvable"] and answer["reason"] is None


CSV = """\
student,board,path
one,312 475 68b,LULU
two,312 475 68b,"['Left', 'Up', 'Left', 'Up', 'Right', 'Left']"
three,"1,2,5,3,4,0,6,7,8","up, left, left"
four,312 475 68b,LR
five,b12 345 678,
six,"1 2 3
4 5 6
7 0 8",R
"""

VERDICTS = """\
answers.csv:2: optimal: a solution of 4 moves, and none is shorter
answers.csv:3: 2 moves too long: a solution of 6 moves, but 4 are enough
answers.csv:4: optimal: a solution of 3 moves, and none is shorter
answers.csv:5: no solution: legal, but 2 moves lead to 312 475 68b, not to b12 345 678
answers.csv:6: optimal: a solution of 0 moves, and none is shorter
answers.csv:7: optimal: a solution of 1 move, and none is shorter
"""


def test_many_at_once_from_a_csv_file(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text(CSV)
    done = tilewise("check", "--file", "answers.csv")
    assert (done.stdout, done.stderr, done.returncode) == (VERDICTS, "", 2)
    as_json = tilewise("check", "--file", "answers.csv", "--json")
    answers = [json.loads(line) for line in as_json.stdout.splitlines()]
    assert [answer["path"]["too_long"] for answer in answers] == [0, 2, 0, None, 0, 0]
    assert answers[0]["place"] == "answers.csv:2"


def test_bad_rows_are_reported_and_the_rest_goes_on(tilewise: Run) -> None:
    rows = "Board;Moves\n1b2 345 678;L\n1b2 34;L\n1b2 345 678;Q\n21b 345 678;L\n1b2 345 678\n"
    done = tilewise("check", "--file", "-", input=f"# from Excel\n\n{rows}")
    assert done.returncode == 10
    first, second = done.stdout.splitlines()
    assert first.startswith("-:4: optimal: a solution of 1 move")
    assert second.startswith("-:7: unsolvable: no moves lead from 21b 345 678")
    places = [line.split(": ")[2] for line in done.stderr.splitlines()]
    assert places == ["-:5", "-:6", "-:8"]


def test_a_file_of_boards_alone_gets_a_line_for_each(tilewise: Run) -> None:
    done = tilewise("check", "--file", "-", input="1 2 3/4 5 6/7 0 8\n\n1 2 3/4 5 6/8 7 0\n")
    first, second = done.stdout.splitlines()
    assert first == "-:1: solvable: the shortest solutions have 1 move"
    assert second.startswith("-:3: unsolvable") and done.returncode == 10


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        [EASY, "--file", "x.csv"],
        ["--file", "x.csv", "--path", "L"],
        ["--file", "nowhere.csv"],
        ["--file", os.devnull],
        [EASY, "--moves", "both"],
        ["312 475 68"],
        [EASY, "--goal", "1 2 3 0"],
    ],
)
def test_bad_requests_are_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert run(["check", *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.startswith("tilewise: error: expected") and error.count("\n") == 1


def test_a_narrow_terminal_gets_narrow_lines(tilewise: Run) -> None:
    done = tilewise("check", "1 2 3/4 5 6/8 7 0", "--path", "LLU", env={"COLUMNS": "40"})
    assert max(map(len, done.stdout.splitlines())) <= 41
