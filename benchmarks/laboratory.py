"""What the laboratory adds to the time of short runs, through a Dask cluster above all.

`python benchmarks/laboratory.py` does runs of about a millisecond in two ways, each on the same
number of processes: in a bare loop that keeps nothing, and as an experiment through a Dask cluster
on this machine, whose rows are committed to a store. It shows the seconds by the clock and the CPU
seconds of all processes together: of the loops, or of the client with its scheduler and of the
workers. The last column is the client alone, and its share of what the workers take: it holds on a
busy machine, too. Starting the processes is in none of the figures. `--processes N` sets their
number (default: one for each core), `--pool` adds the processes that the laboratory starts without
Dask.

The ways are taken in turn, several times; the least of each is shown. By the clock that needs a
machine with nothing else to do; CPU seconds hardly change when there is other work.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partialmethod
from multiprocessing.connection import Connection
from typing import Any

import psutil  # type: ignore[import-untyped]

from tilewise.lab import Experiment, Part, Scramble, run_experiment
from tilewise.lab.executors.cluster import ClusterExecutor
from tilewise.lab.executors.machine import MachineExecutor
from tilewise.lab.executors.worker import WorkerSetup, execute_in_turn
from tilewise.lab.run import Run
from tilewise.lab.work_loop import Moment

DEPTHS, RUNS_EACH, ROUNDS = (17, 18, 19), 5000, 5
"""The depths of the boards; runs of each process; how often each way is taken."""

Spent = tuple[float, float, float]
"""Seconds by the clock, CPU seconds of all processes, CPU seconds of this one among them."""


def experiment(runs: int) -> Experiment:
    """A* in Python on boards of about one depth: about a millisecond each."""
    boards = Scramble("3x3", depth=DEPTHS, count=runs // len(DEPTHS), seed=1)
    return Experiment("overhead", [Part("all", [boards], heuristics=["manhattan"], rules=["fifo"])])


def bare(runs: list[Run]) -> None:
    """The runs one after the other, nothing kept."""
    left = runs
    while left:  # a budget ends each turn
        left = left[len(list(execute_in_turn(left, WorkerSetup(), 1))) :]


def loop(pipe: Connection, runs: list[Run]) -> None:
    """A process with its share of the runs: it warms up, waits for the sign, tells its CPU time."""
    bare(runs[:100])
    pipe.send("ready")
    pipe.recv()
    began = time.process_time()
    bare(runs)
    pipe.send(time.process_time() - began)


def bare_loops(runs: list[Run], processes: int) -> Spent:
    """Equal shares of the runs in processes that know nothing of each other."""
    context = multiprocessing.get_context("spawn")
    pipes, started = [], []
    for number in range(processes):
        ours, theirs = context.Pipe()
        share = runs[number::processes]
        started.append(context.Process(target=loop, args=(theirs, share)))
        started[-1].start()
        pipes.append(ours)
    for pipe in pipes:
        pipe.recv()
    began = time.perf_counter()
    for pipe in pipes:
        pipe.send("go")
    cpu = sum(pipe.recv() for pipe in pipes)
    seconds = time.perf_counter() - began
    for process in started:
        process.join()
    return seconds, cpu, 0.0


def cpu_so_far() -> tuple[float, float]:
    """The CPU seconds of this process with those that it has started, and of this one alone."""
    here = psutil.Process()
    times = [each.cpu_times() for each in (here, *here.children(recursive=True))]
    spent = [each.user + each.system for each in times]
    return sum(spent), spent[0]


def laboratory(wanted: Experiment, **how: Any) -> Spent:
    """A whole experiment in a new folder, from the first batch to the last row.

    CPU time is looked at when the loop has begun, and before the workers are sent home.
    """
    looks: list[tuple[float, float]] = []

    def watch(moment: Moment) -> None:
        if not looks:
            looks.append(cpu_so_far())

    def send_home(executor: Any, close: Callable[[Any], None]) -> None:
        looks.append(cpu_so_far())
        close(executor)

    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        for kind in (ClusterExecutor, MachineExecutor):
            before = kind.close
            stack.callback(setattr, kind, "close", before)
            kind.close = partialmethod(send_home, before)  # type: ignore[assignment]
        summary = run_experiment(wanted, folder, watch=watch, **how)
    (all_before, here_before), (all_after, here_after) = looks
    return summary.seconds, all_after - all_before, here_after - here_before


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="What the laboratory adds to short runs.")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--pool", action="store_true", help="also processes without Dask")
    asked = parser.parse_args()
    wanted = experiment(RUNS_EACH * asked.processes)
    runs = wanted.shuffled(wanted.planned_runs())
    ways: dict[str, Callable[[], Spent]] = {
        "bare loops": lambda: bare_loops(runs, asked.processes),
        "Dask": lambda: laboratory(wanted, workers=asked.processes, cluster="local"),
    }
    if asked.pool:
        ways["processes"] = lambda: laboratory(wanted, workers=asked.processes)
    spent: dict[str, list[Spent]] = {name: [] for name in ways}
    for _ in range(asked.rounds):
        for name, way in ways.items():
            spent[name].append(way())
    show(spent, len(runs), asked.processes)


def show(spent: dict[str, list[Spent]], runs: int, processes: int) -> None:
    """The least of each way, and how much it is above the bare loops."""
    least = {
        name: [min(each) for each in zip(*rounds, strict=True)] for name, rounds in spent.items()
    }
    base = least["bare loops"]
    print(
        f"{runs:,} runs of {1000 * base[1] / runs:.2f} ms, {processes} processes, "
        f"least of {len(spent['bare loops'])}"
    )
    print(f"{'':<12}{'by the clock':>20}{'CPU':>20}{'CPU of the client':>20}")
    for name, (seconds, cpu, client) in least.items():
        cells = [
            f"{seconds:.2f} s {100 * (seconds / base[0] - 1):+6.1f} %",
            f"{cpu:.2f} s {100 * (cpu / base[1] - 1):+6.1f} %",
            f"{client:.2f} s {100 * client / (cpu - client):+6.1f} %",
        ]
        print(f"{name:<12}" + "".join(f"{cell:>20}" for cell in cells))


if __name__ == "__main__":
    main()
