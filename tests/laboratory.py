"""What the tests of the laboratory share: an experiment that takes a while, and its rows."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tilewise.lab import Store, StoreError
from tilewise.lab.row import VOLATILE

HANG_GUARD = 120

SLOW = """
name = "slow"
heuristics = ["misplaced", "manhattan"]
rules = "fifo"
scramble = "3x3"
depth = [14, 16, 18]
count = 10
seed = 1
"""
PLANNED = 60
"""The runs of SLOW."""
"""120 runs of some milliseconds each, on the Python engine."""

DEADLY = '''
import os

import tilewise as tw

@tw.heuristic("deadly", admissible=True)
def deadly(goal):
    """Manhattan distance, but on one board it ends the process."""
    manhattan = tw.make_heuristic("manhattan", goal)

    def h(board):
        if str(board) == "312 645 78b":
            os.abort()
        return manhattan(board)

    return h
'''
DEADLY_TOML = """
name = "deadly"
load = ["deadly.py"]
heuristics = ["deadly"]
boards = [
  "1b2 345 678", "312 b45 678", "312 645 78b", "142 375 68b", "312 4b5 678", "3b2 415 678",
  "142 35b 678",
]
"""

WITH_TABLES = '''
import os
from pathlib import Path

import tilewise as tw

@tw.heuristic("noted", admissible=True)
def noted(goal):
    """A pattern database; each process that asks for it leaves its number."""
    Path(__file__).with_name("asked").mkdir(exist_ok=True)
    Path(__file__).with_name("asked").joinpath(str(os.getpid())).touch()
    return tw.make_heuristic("pdb(6-6-3)", goal)
'''
WITH_TABLES_TOML = """
name = "tables"
load = ["noted.py"]
heuristics = ["noted"]
scramble = "4x4"
walk = 20
count = 40
distinct = true
"""
"""Runs on both workers that ask for the same tables at once, when nobody has them."""


def stable(folder: Path) -> list[dict[str, Any]]:
    """The rows of a store without the columns that may differ."""
    with Store.open(folder) as store:
        return [
            {name: value for name, value in row.items() if name not in VOLATILE}
            for row in store.rows()
        ]


def seconds_of_rows(folder: Path) -> dict[str, float]:
    """The seconds of each run: two runs of the same search never take exactly the same."""
    with Store.open(folder) as store:
        return {row["key"]: row["seconds"] for row in store.rows()}


def done(folder: Path) -> int:
    """How many rows are there, at this moment."""
    try:
        with Store.open(folder) as store:
            return store.progress().done
    except (StoreError, sqlite3.Error):  # it is being made
        return 0


def until(condition: Callable[[], bool]) -> None:
    """Come back when the condition holds."""
    end = time.monotonic() + HANG_GUARD
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def wait_for_rows(folder: Path, number: int) -> None:
    """Come back when the store has so many rows."""
    until(lambda: done(folder) >= number)


@contextmanager
def started(*args: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """`tilewise experiment ARGS` as a process that goes on; at the end there is none."""
    with subprocess.Popen(
        [sys.executable, "-m", "tilewise", "experiment", *args],
        cwd=cwd,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def finished(*args: str, cwd: Path) -> tuple[int, str, str]:
    """The exit code, output and errors of `tilewise experiment ARGS`."""
    with started(*args, cwd=cwd) as process:
        text, errors = process.communicate(timeout=HANG_GUARD)
        return process.returncode, text, errors
