"""`tilewise learn`: models trained, listed, shown and removed by real processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def tilewise(cache: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tilewise", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "TILEWISE_CACHE": str(cache)},
        check=False,
    )


def test_a_model_is_trained_listed_shown_used_and_removed(tmp_path: Path) -> None:
    made = tilewise(tmp_path, "learn", "train", "5x3", "--rounds", "3", "--begin", "shared")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("learned-3x5.model: 3x5, 3 rounds in ")
    first = (tmp_path / "learned-3x5.model").read_bytes().partition(b"\n")[2]
    listed = json.loads(tilewise(tmp_path, "learn", "list", "--json").stdout)
    assert [one["shape"] for one in listed if one["source"] == "cache"] == ["3x5"]
    shown = tilewise(tmp_path, "learn", "show", "3x5").stdout
    again = shown.splitlines()[-1].removeprefix("again: tilewise ").split()
    assert tilewise(tmp_path, *again).returncode == 0
    assert (tmp_path / "learned-3x5.model").read_bytes().partition(b"\n")[2] == first
    board = "3x5:1,2,3,0,4,5,6,7,8,9,10,11,12,13,14"
    solved = tilewise(tmp_path, "solve", board, "-a", "beam(width=50)", "-H", "learned")
    assert solved.returncode == 0 and "3 moves" in solved.stdout
    assert tilewise(tmp_path, "learn", "remove", "3x5").stdout == "removed 1 model\n"
    assert not list(tmp_path.glob("*.model"))
    shared = tilewise(tmp_path, "learn", "show", "3x5").stdout
    assert "no model of its own" in shared


@pytest.mark.parametrize(
    "words",
    [
        ("train", "9x9"),
        ("train", "banana"),
        ("train", "3x4", "--rounds", "0"),
        ("train", "3x4", "--rounds", "1,2,3"),
        ("train", "3x4", "--rounds", "3", "--seconds", "3"),
        ("train", "3x4", "--seconds", "-1"),
        ("train", "3x4", "--begin", "banana"),
        ("remove",),
        ("remove", "3x4"),
        ("remove", "3x4", "--all"),
        ("show", "17x17"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(tmp_path: Path, words: tuple[str, ...]) -> None:
    refused = tilewise(tmp_path, "learn", *words)
    assert refused.returncode == 2
    assert len(refused.stderr.splitlines()) == 1 and "expected" in refused.stderr


def test_a_foreign_file_in_place_of_a_model_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "learned-3x4.model").write_bytes(b"not a model")
    for words in (("show", "3x4"), ("train", "3x4", "--rounds", "1")):
        refused = tilewise(tmp_path, "learn", *words)
        assert refused.returncode == 2
        assert "is not a model of learned values" in refused.stderr
    listed = tilewise(tmp_path, "learn", "list").stdout
    assert "is not a model of learned values" in listed
