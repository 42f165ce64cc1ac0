"""`tilewise driver` writes the course's file of statistics, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import subprocess
from ast import literal_eval
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tilewise.puzzle.board import Board

Run = Callable[..., subprocess.CompletedProcess[str]]

GOLDEN = Path(__file__).parents[1] / "golden" / "cases.json"
CASES = [case for case in json.loads(GOLDEN.read_text())["cases"] if case["system"] == "C"]
METHOD = {
    "bfs": ("bfs",),
    "dfs": ("dfs",),
    "ast": ("ast", "--rules", "fifo"),
    "ast_course": ("ast",),
}
EASY = "1,2,5,3,4,0,6,7,8"
UNSOLVABLE = "2,1,0,3,4,5,6,7,8"

TRANSCRIPT = """\
path_to_goal: ['Up', 'Left', 'Left']
cost_of_path: 3
nodes_expanded: 10
search_depth: 3
max_search_depth: 4
running_time: #
max_ram_usage: #
"""


def masked(text: str) -> str:
    """The text with the two measured figures, which need eight decimals, masked."""
    return re.sub(r"^(running_time|max_ram_usage): \d+\.\d{8}$", r"\1: #", text, flags=re.M)


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


def fields(text: str) -> dict[str, Any]:
    return {name: literal_eval(value) for name, value in re.findall(r"^(\w+): (.*)$", text, re.M)}


def test_the_transcript_is_printed(tilewise: Run) -> None:
    done = tilewise("driver", "bfs", EASY, "--output", "-")
    assert masked(done.stdout) == TRANSCRIPT
    assert (done.returncode, done.stderr) == (0, "")


def test_the_statistics_go_to_output_txt_in_the_current_folder(
    tilewise: Run, tmp_path: Path
) -> None:
    done = tilewise("driver", "bfs", EASY, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("Statistics written to output.txt\n", "")
    assert masked((tmp_path / "output.txt").read_text()) == TRANSCRIPT
    assert names(tmp_path) == ["output.txt"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_figures_are_those_of_the_course(tilewise: Run, case: dict[str, Any]) -> None:
    method, *rules = METHOD[case["algorithm"]]
    done = tilewise("driver", method, case["board"], *rules, "--output", "-")
    printed = fields(done.stdout)
    path = printed["path_to_goal"]
    printed["path_sha256"] = hashlib.sha256(",".join(path).encode()).hexdigest()
    expected = {name: value for name, value in case["expect"].items() if value is not None}
    assert {name: printed[name] for name in expected} == expected
    end = Board.parse(case["board"]).after(word[0] for word in path)
    assert end == Board.parse(case["goal"])
    assert done.returncode == 0


def test_time_and_memory_are_measured(tilewise: Run) -> None:
    done = tilewise("driver", "bfs", "8,6,4,2,1,3,5,7,0", "-o", "-")
    printed = fields(done.stdout)
    assert printed["running_time"] > 0.01
    assert printed["max_ram_usage"] > 20  # 166,786 states and the interpreter, in megabytes


def test_ida_finds_a_shortest_path(tilewise: Run) -> None:
    printed = fields(tilewise("driver", "ida", "8,6,4,2,1,3,5,7,0", "-o", "-").stdout)
    assert (printed["cost_of_path"], printed["max_search_depth"]) == (26, 26)


def test_a_path_that_the_courses_rule_makes_too_long_is_reported(tilewise: Run) -> None:
    done = tilewise("driver", "ast", "4,6,2,7,1,5,3,0,8", "-o", "-")
    assert fields(done.stdout)["cost_of_path"] == 15
    assert len(done.stderr.splitlines()) == 1
    assert "15 moves, but 13 are enough" in done.stderr
    sound = tilewise("driver", "ast", "4,6,2,7,1,5,3,0,8", "-o", "-", "--rules", "fifo")
    assert fields(sound.stdout)["cost_of_path"] == 13
    assert sound.stderr == ""


@pytest.mark.parametrize("method", ["bfs", "dfs", "ast", "ida"])
def test_a_board_on_its_goal_has_an_empty_path(tilewise: Run, method: str) -> None:
    done = tilewise("driver", method, "0,1,2,3,4,5,6,7,8", "-o", "-")
    expected = re.sub(r"(?<=: )\S*\d$", "0", TRANSCRIPT, flags=re.M)
    assert masked(done.stdout) == expected.replace("['Up', 'Left', 'Left']", "[]")


@pytest.mark.parametrize(
    ("method", "board", "path"),
    [
        ("dfs", "1,0,2,3", ["Left"]),
        ("ast", "4,1,2,3,5,0,6,7,8,9,10,11,12,13,14,15", ["Left", "Up"]),
        ("ida", ",".join(map(str, [5, *range(1, 5), 0, *range(6, 25)])), ["Up"]),
        ("bfs", "2x3:1,0,2,3,4,5", ["Left"]),
        ("bfs", "1b2 345 678", ["Left"]),
    ],
)
def test_boards_of_any_shape_and_notation_are_solved(
    tilewise: Run, method: str, board: str, path: list[str]
) -> None:
    done = tilewise("driver", method, board, "-o", "-")
    assert fields(done.stdout)["path_to_goal"] == path
    assert (done.returncode, done.stderr) == (0, "")


def test_a_board_too_large_to_check_gets_a_warning_about_the_courses_rule(tilewise: Run) -> None:
    board = "8,1,5,2,4,0,7,3,9,10,6,11,12,13,14,15"
    done = tilewise("driver", "ast", board, "-o", "-")
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 1
    assert "can miss the shortest path" in done.stderr


@pytest.mark.parametrize(
    ("method", "board"),
    [
        ("bfs", UNSOLVABLE),
        ("dfs", UNSOLVABLE),
        ("ast", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0"),
        ("ida", "0,2,1,3"),
    ],
)
def test_an_unsolvable_board_is_explained_and_writes_no_file(
    tilewise: Run, tmp_path: Path, method: str, board: str
) -> None:
    done = tilewise("driver", method, board, cwd=tmp_path)
    assert done.returncode == 10
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert "unsolvable" in done.stderr and "parities" in done.stderr
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("astar", EASY), "expected a method bfs, dfs, ast, ida, got 'astar'"),
        (("bfs", "1,2,5,3,4,0,6,7"), "got 8"),
        (("bfs", "1,2,5,3,4,0,6,7,7"), "got 7 at positions 8 and 9"),
        (("bfs", ""), "empty text"),
        (("ast", EASY, "--rules", "nonsense"), "expected a rule set"),
        (("ast", EASY, "--rules", "ties=maybe"), "expected ties"),
        (("ida", EASY, "--rules", "ties=fifo"), "expected rules for idastar"),
    ],
)
def test_bad_arguments_are_one_clear_line_and_change_nothing(
    tilewise: Run, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = tilewise("driver", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert names(tmp_path) == []


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("missing/output.txt", "No such file or directory"),
        ("folder", "got a folder"),
        ("folder/", "got a folder"),
        ("newfolder/", "got a folder"),
        ("file/output.txt", "Not a directory"),
        ("x" * 300, "File name too long"),
        ("", "got ''"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_search(
    tilewise: Run, tmp_path: Path, output: str, message: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("kept")
    done = tilewise("driver", "bfs", UNSOLVABLE, "--output", output, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")  # a search would have made it 10
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert names(tmp_path) == ["file", "folder"]
    assert (tmp_path / "file").read_text() == "kept"


def test_an_older_file_is_replaced_and_keeps_its_permissions(tilewise: Run, tmp_path: Path) -> None:
    older = tmp_path / "output.txt"
    older.write_text("old\n" * 1000)
    older.chmod(0o640)
    assert tilewise("driver", "bfs", EASY, cwd=tmp_path).returncode == 0
    assert masked(older.read_text()) == TRANSCRIPT
    assert stat.S_IMODE(older.stat().st_mode) == 0o640


def test_a_new_file_has_the_permissions_of_any_new_file(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    tilewise("driver", "bfs", EASY, "--output", "new", cwd=tmp_path)
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_an_older_file_is_kept_when_there_is_no_solution(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "output.txt").write_text("old")
    assert tilewise("driver", "bfs", UNSOLVABLE, cwd=tmp_path).returncode == 10
    assert (tmp_path / "output.txt").read_text() == "old"


def test_a_link_to_a_file_stays_a_link(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link.txt").symlink_to(tmp_path / "real" / "file.txt")
    tilewise("driver", "bfs", EASY, "--output", "link.txt", cwd=tmp_path)
    assert (tmp_path / "link.txt").is_symlink()
    assert masked((tmp_path / "real" / "file.txt").read_text()) == TRANSCRIPT


def test_a_named_pipe_is_written_to_and_not_replaced(tilewise: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    done = tilewise("driver", "bfs", EASY, "--output", "pipe", cwd=tmp_path)
    assert done.returncode == 0
    assert masked(os.read(reader, 4096).decode()) == TRANSCRIPT
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()
