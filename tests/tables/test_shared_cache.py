"""A cache folder that others can write to: what is no plain file there is refused at once."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

HARD = "8b6 547 231"
FULL = pytest.mark.full


def put(kind: str, path: Path) -> None:
    """Put something else in the place of a file."""
    path.unlink()
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()
    elif kind == "a link":
        path.symlink_to("/dev/zero")
    else:
        here = Path.cwd()
        os.chdir(path.parent)  # the name of a socket must be short
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
        os.chdir(here)


@pytest.mark.parametrize(
    "kind", ["a pipe", "a folder", "a link", pytest.param("a socket", marks=FULL)]
)
def test_what_is_no_table_is_refused_without_a_wait(
    tilewise: Run, tmp_path: Path, kind: str
) -> None:
    env = {"TILEWISE_CACHE": str(tmp_path / "cache")}
    assert tilewise("pdb", "build", "3x3", env=env).returncode == 0
    table = sorted((tmp_path / "cache").glob("*.table"))[0]
    put(kind, table)
    listed = tilewise("pdb", "list", env=env)
    assert (listed.returncode, kind in listed.stdout) == (0, True)
    assert tilewise("pdb", "verify", env=env).returncode == 1
    solved = tilewise("solve", HARD, "-H", "pdb", env=env)
    assert solved.returncode == 0 and "31 moves, optimal" in solved.stdout
    assert f"is {kind} and is not opened; it is built again" in solved.stderr
    built = tilewise("pdb", "build", "3x3", env=env)
    assert built.returncode == (2 if kind == "a folder" else 0)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param("a pipe", marks=FULL),
        "a folder",
        "a link",
        pytest.param("a socket", marks=FULL),
    ],
)
def test_a_lock_that_is_no_plain_file_is_refused_and_the_exit_code_says_so(
    tilewise: Run, tmp_path: Path, kind: str
) -> None:
    env = {"TILEWISE_CACHE": str(tmp_path / "cache")}
    assert tilewise("pdb", "build", "3x3", env=env).returncode == 0
    table = sorted((tmp_path / "cache").glob("*.table"))[0]
    table.unlink()
    put(kind, table.parent / "locks" / table.name)
    built = tilewise("pdb", "build", "3x3", env=env)
    assert built.returncode == 2 and "built, not kept" in built.stdout
    assert "got 1 that could not be" in built.stderr
    assert tilewise("pdb", "list", "--json", env=env).returncode == 0


def test_the_notes_of_a_lock_may_be_anything(tilewise: Run, tmp_path: Path) -> None:
    env = {"TILEWISE_CACHE": str(tmp_path / "cache")}
    assert tilewise("pdb", "build", "3x3", env=env).returncode == 0
    lock = sorted((tmp_path / "cache" / "locks").iterdir())[0]
    lock.write_bytes(b"\xff\n" + b"[" * 100_000 + b"\n3\n")
    assert tilewise("pdb", "list", "--json", env=env).returncode == 0
