"""Measure proofs of 24-puzzles: by the clock and in CPU seconds, with the load of the machine.

    python benchmarks/proofs.py            all cases (minutes)
    python benchmarks/proofs.py warm       only one of: nothing, first, warm

`nothing`: four boards with nothing on the disk, tables built on the way. `first`: 38 and 40 by
IDA* with one partition, tables on the disk, in a new process and then again in it. `warm`: three
boards with a solution given, four partitions, tables ready. Nodes are exact; times are worth
comparing on an idle machine only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import tilewise as tw
from tilewise import suites
from tilewise.proofs.proving import prove

FROM_NOTHING = ("38", "40", "44", "25")
FIRST = ("38", "40")
SOLUTIONS = {
    "28": "LULLDRRULURULURDRDDLLUURRULLDLLURRDRULDLDDRDLLURRDRRULULDRDLLLUUUURDDLURURDDLDRURURULL"
    "DDRDDLLULUUU",
    "22": "LDDRUULDLULLDRURRURDDLUULDDLULURRDRRDLDDRULLUULLDRRRRDLLLDLUURDRDRRULUULLDDDRURDLULLDR"
    "ULUUURDLU",
    "13": "LURURRDLLDDRUULURRDDLLLUURRDDLLDRDRURURDLURUULLDLDDRURDDRUUULLLDRRDDLURRUUULLLDDLURDRD"
    "LLURDLDRURUUULL",
}
BOARDS = {each.number: each.board for each in suites.load("korf24").instances}


class Stopwatch:
    """Prints what was done since the last time."""

    def __init__(self) -> None:
        self._clock, self._cpu = time.perf_counter(), time.process_time()

    def tell(self, what: str, nodes: int) -> None:
        """A line: seconds, CPU seconds, nodes, nodes a CPU second, load."""
        seconds, cpu = time.perf_counter() - self._clock, time.process_time() - self._cpu
        rate = nodes / cpu / 1e6
        print(
            f"{what:44} {seconds:7.2f} s {cpu:7.2f} CPU s {nodes:>13,} nodes "
            f"{rate:5.1f} M/CPU s, load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
        self._clock, self._cpu = time.perf_counter(), time.process_time()


def nothing() -> None:
    """Four proofs in one process, tables built on the way; no solution is given."""
    whole, each = Stopwatch(), Stopwatch()
    total = 0
    for number in FROM_NOTHING:
        result = prove(BOARDS[number], goal="first")
        each.tell(f"{number}: {result.summary}", result.stats.generated)
        total += result.stats.generated
    whole.tell("from nothing to four proofs", total)


def first() -> None:
    """IDA* with one partition, twice."""
    for what in ("first time in a process", "warm"):
        watch, nodes = Stopwatch(), 0
        for number in FIRST:
            found = tw.solve(
                BOARDS[number],
                goal="first",
                algorithm=f"idastar(threads={os.cpu_count()})",
                heuristic="pdb(6-6-6-6)",
                rules="order=ULRD",
            )
            nodes += found.stats.generated
        watch.tell(f"38 and 40, pdb(6-6-6-6): {what}", nodes)


def warm() -> None:
    """Proofs with a solution given; the first one makes the tables ready and is repeated."""
    for number in ("28", *SOLUTIONS):
        watch = Stopwatch()
        result = prove(
            BOARDS[number],
            goal="first",
            incumbent=SOLUTIONS[number],
            heuristic="pdb(6-6-6-6x4)",
        )
        watch.tell(f"{number}: {result.summary}", result.stats.generated)


CASES = {"nothing": nothing, "first": first, "warm": warm}


def main() -> None:
    """Each case in a process of its own; the one from nothing with an empty cache."""
    wanted = sys.argv[1:] or list(CASES)
    if len(wanted) == 2 and wanted[0] == "--here":
        CASES[wanted[1]]()
        return
    for name in wanted:
        if name not in CASES:
            raise SystemExit(f"expected {', '.join(CASES)}, got {name}")
        with tempfile.TemporaryDirectory() as folder:
            cache = {"TILEWISE_CACHE": folder} if name == "nothing" else {}
            command = [sys.executable, __file__, "--here", name]
            subprocess.run(command, check=True, env={**os.environ, **cache})


if __name__ == "__main__":
    main()
