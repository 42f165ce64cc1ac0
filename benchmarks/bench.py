"""Measure the figures of docs/performance.md: counters, seconds, machine, as JSON.

    python benchmarks/bench.py                     all cases, a table on the screen
    python benchmarks/bench.py --out mine.json     ... and a file for compare.py
    python benchmarks/bench.py --only astar        cases whose name contains a word
    python benchmarks/bench.py --full              the long cases as well (minutes)

A case returns counters, which must not change from run to run, and is timed as a whole; the
best of several runs counts. Times are for comparing two programs on one machine in one run.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import tilewise as tw
from tilewise import native, suites

Counters = dict[str, int]
BASELINE = "import rich, numpy"
BUILD_AND_SOLVE = """
import os, time, numpy, tilewise as tw
from tilewise import suites
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
boards = [each.board for each in suites.load("korf100").instances]
began = time.perf_counter()
for board in boards:
    tw.solve(board, goal="first", algorithm="idastar", heuristic="pdb(6-6-3)")
print(time.perf_counter() - began)
"""


class Timed(NamedTuple):
    """What a run says that measures a part of itself only."""

    seconds: float
    counters: Counters


@dataclass(frozen=True)
class Case:
    """Something to measure: `unit` says which counter its rate is in."""

    name: str
    run: Callable[[], Counters | Timed]
    unit: str | None = None
    repeat: int = 3
    full: bool = False


@cache
def random_boards(count: int, seed: int = 1) -> list[tw.Board]:
    """Uniform random 8-puzzles that reach blank first."""
    rng, goal = random.Random(seed), tw.Goal.blank_first(3, 3)
    boards: list[tw.Board] = []
    while len(boards) < count:
        tiles = list(range(9))
        rng.shuffle(tiles)
        board = tw.Board(3, 3, tuple(tiles))
        if goal.reachable_from(board):
            boards.append(board)
    return boards


def solved(boards: list[tw.Board], **how: Any) -> Counters:
    """Solve boards one after the other and add their counters up."""
    total = {"boards": 0, "cost": 0, "expanded": 0, "generated": 0}
    for board in boards:
        result = tw.solve(board, **how)
        total["boards"] += 1
        total["cost"] += result.cost or 0
        total["expanded"] += result.stats.expanded
        total["generated"] += result.stats.generated
    return total


def korf(*numbers: int) -> list[tw.Board]:
    """Instances of Korf's suite; all of them without numbers."""
    chosen = {str(number) for number in numbers}
    instances = suites.load("korf100").instances
    return [each.board for each in instances if not chosen or each.number in chosen]


def process(*command: str) -> Callable[[], Counters]:
    """A whole process."""

    def run() -> Counters:
        subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
        return {"processes": 1}

    return run


def solve_file() -> Counters:
    """`solve --file` of 10,000 random 8-puzzles."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "boards.txt"
        path.write_text("".join(f"{board}\n" for board in random_boards(10_000)))
        process("-m", "tilewise", "solve", "--file", str(path), "--threads", "2")()
    return {"boards": 10_000}


def cold(code: str) -> Callable[[], Counters]:
    """A process with an empty cache of tables."""

    def run() -> Counters:
        said_with_an_empty_cache(*code.split("|"))
        return {"processes": 1}

    return run


def build_and_solve() -> Timed:
    """Tables of 6-6-3 and all of Korf's 100, on one core, in a process that has imported all."""
    return Timed(float(said_with_an_empty_cache("-c", BUILD_AND_SOLVE)), {"boards": 100})


def said_with_an_empty_cache(*command: str) -> str:
    """What a Python process prints that finds no table."""
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            [sys.executable, *command],
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "TILEWISE_CACHE": folder},
        ).stdout


def built(rows: int, columns: int, *patterns: tuple[int, ...]) -> Callable[[], Counters]:
    """Build tables in memory, with two threads; the sum of some entries is a counter."""

    def run() -> Counters:
        import numpy as np

        total = 0
        for cells in patterns:
            tiles = len(cells)
            entries = math.comb(rows * columns, tiles) * math.factorial(tiles)
            table = np.empty(entries, np.uint8)
            native.build_pattern(rows, columns, cells, 0, table, threads=2)
            total += int(table[::997].sum(dtype=np.int64))
        return {"sum": total}

    return run


def whole_space() -> Counters:
    """All states of 3x4 by depth, with two threads."""
    levels = native.build_distances(3, 4, 0, threads=2)
    return {"states": sum(levels), "depth": len(levels) - 1, "last": levels[-1]}


def korf24(number: int) -> list[tw.Board]:
    """One of Korf and Felner's 24-puzzles."""
    instances = suites.load("korf24").instances
    return [each.board for each in instances if each.number == str(number)]


HARD = "8b6 547 231"
KORF_1 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
SEVEN, EIGHT = (1, 4, 5, 8, 9, 12, 13), (2, 3, 6, 7, 10, 11, 14, 15)
SIX_OF_24 = (1, 2, 5, 6, 7, 12)
SOME = tuple(range(1, 13))
EASY = (79, 12, 42, 55, 97, 19, 94, 47, 93, 9)
IDA = {"algorithm": "idastar", "heuristic": "manhattan", "rules": "order=ULRD"}
CASES = [
    Case("process: imports alone", process("-c", BASELINE), repeat=5),
    Case("process: solve an 8-puzzle", process("-m", "tilewise", "solve", HARD), repeat=5),
    Case(
        "python: astar manhattan 3x3, 100 random",
        lambda: solved(
            random_boards(100), algorithm="astar", heuristic="manhattan", engine="python"
        ),
        unit="expanded",
    ),
    *(
        [
            Case(
                "native: astar manhattan 3x3, 1000 random",
                lambda: solved(random_boards(1000), algorithm="astar", heuristic="manhattan"),
                unit="boards",
            ),
            Case(
                "native: bfs of all 3x3 states",
                lambda: solved([tw.Board.parse(HARD)], algorithm="bfs"),
                unit="expanded",
            ),
            Case(
                "native: astar linear_conflict 4x4, Korf 1-12",
                lambda: solved(korf(*SOME), algorithm="astar", heuristic="linear_conflict"),
                unit="expanded",
                repeat=2,
            ),
            Case(
                "native: idastar manhattan 4x4, order ULRD, 10 of Korf",
                lambda: solved(korf(*EASY), **IDA),
                unit="generated",
            ),
            Case(
                "native: astar(batch=32) linear_conflict 4x4, Korf 1-12",
                lambda: solved(
                    korf(*SOME), algorithm="astar(batch=32)", heuristic="linear_conflict"
                ),
                unit="expanded",
                repeat=2,
            ),
            Case("tables: 7-8 of 4x4, two threads", built(4, 4, SEVEN, EIGHT), repeat=1),
            Case("tables: 6 tiles of 5x5, two threads", built(5, 5, SIX_OF_24), repeat=2),
            Case("tables: space 3x4, two threads", whole_space, unit="states"),
            Case("tables: 6-6-3 built and korf100 solved, one core", build_and_solve),
            Case(
                "process: korf100 with pdb(6-6-3), one thread, nothing cached",
                cold("-m|tilewise|solve|--suite|korf100|-a|idastar|-H|pdb(6-6-3)|--threads|1"),
            ),
            Case(
                "tables: korf100 with pdb(6-6-3), warm",
                lambda: solved(
                    korf(),
                    algorithm="idastar",
                    heuristic="pdb(6-6-3)",
                    rules="order=ULRD",
                    goal="first",
                ),
                unit="generated",
            ),
            Case(
                "tables: korf100 with pdb(7-8), warm",
                lambda: solved(
                    korf(),
                    algorithm="idastar",
                    heuristic="pdb(7-8)",
                    rules="order=ULRD",
                    goal="first",
                ),
                unit="generated",
            ),
            Case(
                "tables: 24-puzzle 40 with pdb(6-6-6-6), two threads",
                lambda: (
                    solved(korf24(40), algorithm="idastar(threads=2)", heuristic="pdb(6-6-6-6)")
                    and {"boards": 1}
                ),
            ),
            Case(
                "tables: 24-puzzles 38 and 40 with pdb(6-6-6-6), order ULRD",
                lambda: solved(
                    korf24(38) + korf24(40),
                    algorithm="idastar",
                    heuristic="pdb(6-6-6-6)",
                    rules="order=ULRD",
                ),
                unit="generated",
            ),
            Case(
                "process: solve one of Korf's boards, nothing cached",
                cold(f"-m|tilewise|solve|{KORF_1}"),
                repeat=5,
            ),
            Case("process: solve --file, 10,000 random 8-puzzles", solve_file, unit="boards"),
            Case(
                "native: idastar manhattan 4x4, order ULRD, Korf 100",
                lambda: solved(korf(), **IDA),
                unit="generated",
                repeat=1,
                full=True,
            ),
        ]
        if native.NATIVE
        else []
    ),
]


def measure(case: Case) -> dict[str, Any]:
    """The best time of several runs and the counters, which must be the same in all of them."""
    best, counters = float("inf"), None
    for _ in range(case.repeat):
        began = time.perf_counter()
        found = case.run()
        took = time.perf_counter() - began
        if isinstance(found, Timed):
            took, found = found
        best = min(best, took)
        if counters is not None and counters != found:
            raise SystemExit(f"{case.name}: counters differ between runs: {counters}, {found}")
        counters = found
    assert counters is not None
    rate = counters[case.unit] / best if case.unit else None
    return {"seconds": best, "counters": counters, "unit": case.unit, "rate": rate}


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    model = platform.processor()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = lines[0].partition(":")[2].strip() if lines else model
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        "tilewise": tw.__version__,
        "date": time.strftime("%Y-%m-%d"),
    }


def main() -> None:
    """Measure, print, and write the file if one is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", help="write the results to this JSON file")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--full", action="store_true", help="the long cases as well")
    options = parser.parse_args()
    results = {}
    for case in CASES:
        if options.only in case.name and (options.full or not case.full):
            results[case.name] = found = measure(case)
            rate = f"{found['rate']:>16,.0f} {found['unit']}/s" if found["rate"] else ""
            print(f"{case.name:<52} {found['seconds']:>9.4f} s{rate}", flush=True)
    if options.out:
        document = {"machine": machine(), "results": results}
        Path(options.out).write_text(json.dumps(document, indent=2) + "\n")


if __name__ == "__main__":
    main()
