"""What it costs to hand runs to workers: the same runs in a bare loop and in batches.

`python benchmarks/laboratory.py` compares runs of about a millisecond in a bare loop with the
same runs as a cluster's worker does them, the journey of the batch and of its rows included. It
takes CPU seconds, which other programs on the machine hardly change. With `--wall` it times whole
experiments, a Dask cluster of one worker among them; that needs a machine with nothing else to do.
The least of several rounds is taken.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
import time
from collections.abc import Callable

from tilewise.experiments import Experiment, Part, Scramble, run_experiment
from tilewise.experiments.cluster import perform_batch
from tilewise.experiments.crews import Setting, packed, perform_in_turn
from tilewise.experiments.model import Run

ROUNDS, BOARDS, DEPTH = 7, 2000, 18
BATCH = 900
"""Runs in a batch: those of about a second."""


def experiment() -> Experiment:
    """A* in Python on boards of one depth: about a millisecond each."""
    boards = Scramble("3x3", depth=(DEPTH,), count=BOARDS, seed=1)
    return Experiment("overhead", [Part("all", [boards], heuristics=["manhattan"], rules=["fifo"])])


def bare(runs: list[Run]) -> None:
    """The runs one after the other, nothing kept."""
    left = runs
    while left:  # a budget ends each turn
        left = left[len(list(perform_in_turn(left, Setting(), 1))) :]


def in_batches(runs: list[Run]) -> None:
    """The runs as a worker does them: packed, sent, done, sent back."""
    left = runs
    while left:
        sent = pickle.loads(pickle.dumps([packed(run) for run in left[:BATCH]]))
        rows, _ = perform_batch(sent, Setting(), 1)
        left = left[len(pickle.loads(pickle.dumps(rows))) :]


def crew(wanted: Experiment, **how: object) -> Callable[[], object]:
    """A whole experiment in a new folder."""

    def run() -> object:
        with tempfile.TemporaryDirectory() as folder:
            return run_experiment(wanted, folder, **how)  # type: ignore[arg-type]

    return run


def show(ways: dict[str, Callable[[], float]], runs: int, unit: str) -> None:
    """The least of each way, taken in turn, and how much it is above the first."""
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            seconds[name].append(way())
    least = {name: min(times) for name, times in seconds.items()}
    base = next(iter(least.values()))
    print(f"{runs:,} runs of {1000 * base / runs:.2f} ms, {unit} seconds, least of {ROUNDS}")
    for name, time_taken in least.items():
        print(f"{name:<28} {time_taken:6.3f}  {100 * (time_taken / base - 1):+5.1f} %")


def main() -> None:
    """Measure in CPU seconds, or with `--wall` in seconds."""
    wanted = experiment()
    runs = wanted.shuffled(wanted.cells())
    bare(runs[:100])

    def cpu(way: Callable[[list[Run]], None]) -> float:
        began = time.process_time()
        way(runs)
        return time.process_time() - began

    def wall(way: Callable[[], object]) -> float:
        began = time.perf_counter()
        summary = way()
        return getattr(summary, "seconds", time.perf_counter() - began)

    if "--wall" not in sys.argv:
        ways: dict[str, Callable[[], float]] = {
            "bare loop": lambda: cpu(bare),
            "in batches of a cluster": lambda: cpu(in_batches),
        }
    else:
        ways = {
            "bare loop": lambda: wall(lambda: bare(runs)),
            "this process, with store": lambda: wall(crew(wanted)),
            "Dask cluster of 1 worker": lambda: wall(crew(wanted, workers=1, cluster="local")),
        }
    show(ways, len(runs), "wall" if "--wall" in sys.argv else "CPU")


if __name__ == "__main__":
    main()
