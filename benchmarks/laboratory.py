"""What it costs to hand runs to workers: the same runs in a bare loop and by every kind of crew.

`python benchmarks/laboratory.py [BOARDS]` prints, for runs of about a millisecond, the seconds of
each way and how much it is above the bare loop. Each way has one worker; starting it is not
counted, since it happens once. The least of several rounds is taken: whatever else the machine
does can only make a round longer.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable

from tilewise.experiments import Experiment, Part, Scramble, run_experiment
from tilewise.experiments.crews import Setting, perform_in_turn
from tilewise.experiments.model import Run

ROUNDS = 5
DEPTH = 18


def experiment(runs: int) -> Experiment:
    """A* in Python on boards of one depth: about a millisecond each."""
    boards = Scramble("3x3", depth=(DEPTH,), count=runs, distinct=False, seed=1)
    return Experiment("overhead", [Part("all", [boards], heuristics=["manhattan"], rules=["fifo"])])


def bare(runs: list[Run]) -> float:
    """Seconds of the runs one after the other, nothing kept."""
    began = time.perf_counter()
    left = runs
    while left:  # a budget ends each turn
        left = left[len(list(perform_in_turn(left, Setting(), 1))) :]
    return time.perf_counter() - began


def crew(wanted: Experiment, **how: object) -> float:
    """Seconds from the first batch to the last row on the disk."""
    with tempfile.TemporaryDirectory() as folder:
        return run_experiment(wanted, folder, **how).seconds  # type: ignore[arg-type]


def main() -> None:
    """Time every way in turn, several times, and print the least."""
    wanted = experiment(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
    runs = wanted.shuffled(wanted.cells())
    ways: dict[str, Callable[[], float]] = {
        "bare loop": lambda: bare(runs),
        "this process, with store": lambda: crew(wanted),
        "Dask cluster of 1 worker": lambda: crew(wanted, workers=1, cluster="local"),
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            seconds[name].append(way())
    base = min(seconds["bare loop"])
    print(f"{len(runs):,} different runs, {1000 * base / len(runs):.2f} ms each; least of {ROUNDS}")
    for name, times in seconds.items():
        least = min(times)
        print(f"{name:<26} {least:6.2f} s  {100 * (least / base - 1):+5.1f} %")


if __name__ == "__main__":
    main()
