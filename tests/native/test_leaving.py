"""A program may end while threads of it still search: no crash, no message."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.conftest import HANG_GUARD

FAR = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
PROGRAM = """
import sys, threading
import tilewise as tw
began = threading.Event()
def search():
    tw.solve({board!r}, algorithm={algorithm!r}, heuristic={heuristic!r}, progress=told)
def told(stats):
    began.set()
for _ in range({threads}):
    threading.Thread(target=search, daemon=True).start()
began.wait()
{ending}
"""


LOOPS = [
    ("idastar", "manhattan"),
    ("idastar(prune=8,threads=2)", "manhattan"),
    ("astar", "manhattan"),
    ("beam(width=1000000,threads=2)", "learned"),
]


@pytest.mark.parametrize(
    ("ending", "code", "algorithm", "heuristic"),
    [
        *(("", 0, *each) for each in LOOPS),
        ("sys.exit(3)", 3, *LOOPS[0]),
        *(pytest.param("sys.exit(3)", 3, *each, marks=pytest.mark.full) for each in LOOPS[1:]),
    ],
)
def test_a_daemon_thread_that_searches_does_not_crash_the_end(
    algorithm: str, heuristic: str, ending: str, code: int
) -> None:
    program = PROGRAM.format(
        board=FAR, algorithm=algorithm, heuristic=heuristic, threads=3, ending=ending
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, timeout=HANG_GUARD, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, b"", b"")


def test_a_function_that_runs_at_the_end_may_wait_for_a_search() -> None:
    program = """
import atexit, threading
started, cancel = threading.Event(), threading.Event()
@atexit.register  # registered first, so it runs last
def finish():
    cancel.set()
    search.join()
import tilewise as tw
def run():
    result = tw.solve(FAR, algorithm="idastar", heuristic="manhattan", cancel=cancel,
                      progress=lambda stats: started.set())
    print(result.status.name)
search = threading.Thread(target=run, daemon=True)
search.start()
started.wait()
"""
    done = subprocess.run(
        [sys.executable, "-c", program.replace("FAR", repr(FAR))],
        capture_output=True,
        timeout=HANG_GUARD,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"CANCELLED\n", b"")
