"""`tilewise space` counts the boards of each depth."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable

import pytest

from tilewise.cli.app import run

Run = Callable[..., subprocess.CompletedProcess[str]]

LEVELS_OF_3X3 = [
    1, 2, 4, 8, 16, 20, 39, 62, 116, 152, 286, 396, 748, 1024, 1893, 2512, 4485, 5638, 9529,
    10878, 16993, 17110, 23952, 20224, 24047, 15578, 14560, 6274, 3910, 760, 221, 2,
]  # fmt: skip


def test_the_8_puzzle(tilewise: Run) -> None:
    done = tilewise("space", "3x3", env={"COLUMNS": "80"})
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[:2] == [
        "3x3, goal first: 181,440 boards",
        "depth: at most 31, 21.97 on average",
    ]
    rows = re.findall(r"^ +(\d+) +([\d,]+) ", done.stdout, re.MULTILINE)
    assert [int(count.replace(",", "")) for _, count in rows] == LEVELS_OF_3X3
    assert [int(depth) for depth, _ in rows] == list(range(32))
    assert lines[-3:] == [
        "the hardest boards (31 moves):",
        "  8b6 547 231",
        "  876 b41 253",
    ]
    assert f"   24  24,047  {'█' * 60}" in lines and max(map(len, lines)) <= 80


def test_json_has_everything(tilewise: Run) -> None:
    answer = json.loads(tilewise("space", "3x3", "--json").stdout)
    assert answer["levels"] == LEVELS_OF_3X3 and answer["states"] == 181_440
    assert answer["hardest"] == ["8b6 547 231", "876 b41 253"]
    assert answer["maximum"] == 31 and 21.97 < answer["mean"] < 21.98


def test_another_goal_and_many_hardest_boards(tilewise: Run) -> None:
    done = tilewise(
        "space", "3", "--goal", "123 8b4 765", env={"COLUMNS": "40", "PYTHONIOENCODING": "ascii"}
    )
    assert done.returncode == 0 and done.stdout.isascii()
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 51 and "the first 10 of 148" in done.stdout
    assert len(lines) == 4 + 31 + 2 + 10


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["2x7"], "at most 12 cells"),
        (["16x16"], "at most 12 cells"),
        (["1x4"], "2 to 16 rows"),
        (["big"], "a shape such as 3x3"),
        (["2x2", "--goal", "123 456 78b"], "expected a 2x2 goal"),
    ],
)
def test_what_is_too_large_or_no_shape_is_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(["space", *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == "" and message in error and error.count("\n") == 1
