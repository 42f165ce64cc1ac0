"""Where the system gives no more threads or memory: an error or a limit, never a crash."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import pytest

import tilewise as tw
from tilewise import Limits, Status
from tilewise.core.result import StoppedBy

BOARD = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
HANG_GUARD = 120
STACK = 2 << 30
"""Addresses for the stack of each thread, where there is to be room for one or two only."""
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) << 20,) * 2)
"""


def limited(
    megabytes: int, program: str, *words: str, stack: int = 8 << 20
) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process that gets no more addresses than this."""
    _, most = resource.getrlimit(resource.RLIMIT_STACK)
    return subprocess.run(
        [sys.executable, "-c", LIMITED + program, str(megabytes), *words],
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=False,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (stack, most)),
    )


@pytest.mark.parametrize(
    "search",
    [
        f"tw.solve({BOARD!r}, algorithm='beam(width=10, threads=1024)', heuristic='manhattan')",
        f"tw.solve({BOARD!r}, algorithm='idastar(threads=1024)', heuristic='manhattan')",
        "Training(4, 4, 1).round('rest', 1.0, 1024)",
        "shorten_path(Problem(start, Goal.blank_first(3, 3)), 'RLRLRL', length=4, nodes=9, "
        "offset=0, threads=1024, seconds=0.0, stopped=lambda: False)",
        "compiled.solve_lines(4, 4, tiles, tiles[1::-1] + tiles[2:], core_row=0, core_column=0, "
        "core_rows=2, core_columns=2, width=1, threads=1024, seconds=0.0, poll=None)",
    ],
    ids=["beam", "idastar", "training", "windows", "lines"],
)
def test_too_few_threads_are_an_error_that_says_so(search: str) -> None:
    program = f"""
import tilewise as tw
from tilewise import Goal
from tilewise.errors import EngineError
from tilewise.core.problem import Problem
from tilewise.native import Training, shorten_path
from tilewise.native.compiled import compiled
tiles = bytes(range(16))
start = Goal.blank_first(3, 3).board
try:
    {search}
except EngineError as error:
    print(error)
"""
    done = limited(3000, program, stack=STACK)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("expected more threads than the system gives")


def test_a_beam_that_does_not_fit_in_its_memory_takes_none() -> None:
    for heuristic in ("manhattan", "learned"):
        result = tw.solve(
            BOARD,
            algorithm="beam(width=500000000, threads=2)",
            heuristic=heuristic,
            limits=Limits(memory=64 << 20),
        )
        assert result.status is Status.LIMIT and result.stopped_by is StoppedBy.MEMORY
        assert result.stats.peak_memory == 0


def test_a_search_that_gets_no_memory_ends_with_the_code_of_a_limit() -> None:
    program = "from tilewise.cli.app import run; sys.exit(run(sys.argv[2:]))"
    words = ("solve", BOARD, "-a", "beam(width=8000000,threads=1)", "-H", "manhattan")
    done = limited(1500, program, *words, "--memory", "100GB")
    assert done.returncode == 20, done.stderr
    assert done.stderr.startswith("tilewise: error: expected more memory than the system gives")
