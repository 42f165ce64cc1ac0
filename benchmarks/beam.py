"""How many children a wide beam makes in a second, once its tables or models are open.

    python benchmarks/beam.py
    python benchmarks/beam.py --threads 1 --boards 5 --shape 5x5
    python benchmarks/beam.py --threads 0 --boards 20 --shape 4x4 --width 10000

For each case the first board is searched once before, which opens what the heuristic needs, and
is not counted. A row has the children, the CPU seconds of all threads together, and the millions
of children in a second of CPU and in one by the clock. On a machine with other work only the first
of the two means something, and it is too low there, since the other work empties the caches.
--threads 0 measures the plain beam, whose counters are those of the Python engine.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import islice

import tilewise as tw
from tilewise import suites
from tilewise.scrambling import scramble

CASES = {
    "4x4": "manhattan",
    "5x5": "pdb(6-6-6-6)",
    "6x6": "learned",
    "7x7": "learned",
    "8x8": "learned",
}
SUITES = {"4x4": "korf100", "5x5": "korf24"}


def positions(shape: str, count: int) -> list[tw.Position]:
    """Korf's boards for 4x4 and 5x5, those of `tilewise scramble SHAPE --seed 1` for others."""
    if shape in SUITES:
        suite = suites.load(SUITES[shape])
        boards = islice(suite.instances, count)
        return [tw.read_position(each.board, suite.goal) for each in boards]
    return [tw.read_position(board) for board in scramble(shape, count=count, seed=1)]


def measure(shape: str, width: int, threads: int, count: int) -> None:
    """Print a row for the boards of a shape together."""
    algorithm, heuristic = f"beam(width={width}, threads={threads})", CASES[shape]
    boards = positions(shape, count)
    tw.solve(boards[0], algorithm=algorithm, heuristic=heuristic)
    children, cpu, clock = 0, time.process_time(), time.perf_counter()
    for position in boards:
        result = tw.solve(position, algorithm=algorithm, heuristic=heuristic)
        children += result.stats.generated
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    rates = (f"{children / seconds / 1e6:.1f}" for seconds in (cpu, clock))
    print(shape, heuristic, f"{children:,}", f"{cpu:.2f}", *rates, sep="\t", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print a row for each shape."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--shape", choices=CASES, action="append")
    parser.add_argument("--width", type=int, default=50_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--boards", type=int, default=3)
    options = parser.parse_args(arguments)
    print("shape", "heuristic", "children", "CPU s", "M/CPU s", "M/s", sep="\t")
    for shape in options.shape or CASES:
        measure(shape, options.width, options.threads, options.boards)
    return 0


if __name__ == "__main__":
    sys.exit(main())
