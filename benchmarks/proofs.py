"""Measure proofs of 24-puzzles: by the clock and in CPU seconds, with the load of the machine.

    python benchmarks/proofs.py            all cases (minutes)
    python benchmarks/proofs.py warm       only one of: nothing, first, warm
    python benchmarks/proofs.py --instances FILE --rows 0-49 --goal last --seconds 600 --results CSV
    python benchmarks/proofs.py --suite korf24 --rows 0-49 --seconds 600 --results CSV
    python benchmarks/proofs.py --suite korf24 --rows 33-49 --seconds 120 --survey --results CSV

`nothing`: four boards with nothing on the disk, tables built on the way. `first`: 38 and 40 by
IDA* with one partition, tables on the disk, in a new process and then again in it. `warm`: three
boards with a solution given, four partitions, tables ready. Nodes are exact; times are worth
comparing on an idle machine only.

With --instances or --suite, boards of a file or of a suite are proved one after the other, each for
at most so many seconds, no solution given; rows are counted from 0. --results keeps a line for each
board, and boards that are in it are not proved again. A suite's boards come easiest first. With
--survey, boards are not proved: how many nodes a proof takes is estimated by samples.
"""

from __future__ import annotations

import argparse
import csv
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from itertools import islice
from pathlib import Path
from typing import Any

import tilewise as tw
from tilewise import suites
from tilewise.lab.builtin.korf24 import in_order
from tilewise.proofs.proving import prove
from tilewise.proofs.survey import survey
from tilewise.puzzle.board_files import entries, lines_of_file

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
        self._load = os.getloadavg()[0]

    def spent(self) -> dict[str, Any]:
        """The fields of a `Proof` that say how long it took, and when."""
        return {
            "seconds": round(time.perf_counter() - self._clock, 1),
            "cpu_seconds": round(time.process_time() - self._cpu, 1),
            "load": round(self._load, 1),
            "date": time.strftime("%Y-%m-%d"),
        }

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


TYPES: dict[str, Callable[[str], Any]] = {"str": str, "int": int, "float": float}
CASES = {"nothing": nothing, "first": first, "warm": warm}


@dataclass(frozen=True)
class Proof:
    """How far a board came."""

    board: str
    cost: int
    bound: int
    seconds: float
    cpu_seconds: float
    nodes: int
    heuristic: str
    load: float
    date: str

    nodes_left: float = 0.0
    """By a survey, and its standard error."""
    error: float = 0.0
    seconds_left: float = 0.0

    @property
    def proved(self) -> bool:
        return self.cost == self.bound

    def __str__(self) -> str:
        what = f"{self.cost} moves" if self.proved else f"{self.cost}, at least {self.bound}"
        text = (
            f"{self.board:22} {what:22} {self.seconds:8.1f} s {self.cpu_seconds:8.1f} CPU s "
            f"{self.nodes:>15,} nodes"
        )
        if not self.nodes_left:
            return text
        left = f"about {self.nodes_left:.3g} +/- {self.error:.1g} nodes"
        return f"{text}; {left} and {self.seconds_left:,.0f} s left"


def wanted_boards(options: argparse.Namespace) -> Iterator[tuple[str, tw.Position]]:
    """The rows of a file or of a suite, each with a name."""
    first, _, last = options.rows.partition("-")
    rows = slice(int(first), int(last or first) + 1)
    if options.instances is None:
        for number in in_order()[rows]:
            yield f"{options.suite}:{number}", tw.read_position(BOARDS[number], "first")
        return
    with lines_of_file(str(options.instances)) as lines:
        found = entries(options.instances.name, lines)
        for row, entry in enumerate(islice(found, rows.stop)):
            if row >= rows.start:
                position = tw.read_position(entry.text, options.goal)
                yield f"{options.instances.stem} row {row}", position


def proof_of(name: str, position: tw.Position, seconds: float) -> Proof:
    """Prove a board, or come as far as the seconds allow."""
    watch = Stopwatch()
    result = prove(position, limits=tw.Limits(seconds=seconds))
    assert result.cost is not None and result.bound is not None
    return Proof(
        board=name,
        cost=result.cost,
        bound=result.bound,
        nodes=result.stats.generated,
        heuristic=result.heuristic or "",
        **watch.spent(),
    )


def survey_of(name: str, position: tw.Position, seconds: float) -> Proof:
    """How far a board comes in a part of the time, and about how much is left."""
    watch = Stopwatch()
    found = survey(position, limits=tw.Limits(seconds=seconds))
    assert found.cost is not None
    return Proof(
        board=name,
        cost=found.cost,
        bound=found.bound,
        nodes=found.nodes_done,
        heuristic=found.heuristic,
        nodes_left=round(found.nodes),
        error=round(found.error or 0),
        seconds_left=round(found.seconds, 1),
        **watch.spent(),
    )


def kept(path: Path | None) -> dict[str, Proof]:
    """What is in a file of results."""
    if path is None or not path.exists():
        return {}
    with path.open(newline="") as file:
        found = [_read(row) for row in csv.DictReader(file)]
    return {each.board: each for each in found}


def _read(row: dict[str, str]) -> Proof:
    texts = {each.name: row.get(each.name) for each in fields(Proof)}
    types = {each.name: TYPES[str(each.type)] for each in fields(Proof)}
    return Proof(**{name: types[name](text) for name, text in texts.items() if text is not None})


def prove_all(options: argparse.Namespace) -> None:
    """A line for each board, and what they come to together."""
    known = kept(options.results)
    proofs = []
    for name, position in wanted_boards(options):
        proof = known.get(name)
        if proof is None:
            proof = (survey_of if options.survey else proof_of)(name, position, options.seconds)
            if options.results is not None:
                new = not options.results.exists()
                with options.results.open("a", newline="") as file:
                    names = [field.name for field in fields(Proof)]
                    writer = csv.DictWriter(file, names, lineterminator="\n")
                    if new:
                        writer.writeheader()
                    writer.writerow(asdict(proof))
        proofs.append(proof)
        print(proof, flush=True)
    proved = sum(proof.proved for proof in proofs)
    times = [proof.seconds for proof in proofs]
    cpu = sum(proof.cpu_seconds for proof in proofs)
    print(
        f"{proved} of {len(proofs)} proved; median {statistics.median(times):.1f} s, "
        f"{sum(times):,.0f} s in all, {cpu:,.0f} CPU s"
    )


def main() -> None:
    """Each case in a process of its own; the one from nothing with an empty cache."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=", ".join(CASES))
    parser.add_argument("--here", choices=CASES, help=argparse.SUPPRESS)
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--instances", type=Path, metavar="FILE")
    source.add_argument("--suite", choices=["korf24"])
    parser.add_argument("--rows", default="0-49", metavar="A-B")
    parser.add_argument("--goal", default="last")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--survey", action="store_true", help="estimate what proofs would take")
    parser.add_argument("--results", type=Path, metavar="CSV")
    options = parser.parse_args()
    if options.instances or options.suite:
        prove_all(options)
        return
    if options.here:
        CASES[options.here]()
        return
    for name in options.cases or CASES:
        if name not in CASES:
            raise SystemExit(f"expected {', '.join(CASES)}, got {name}")
        with tempfile.TemporaryDirectory() as folder:
            cache = {"TILEWISE_CACHE": folder} if name == "nothing" else {}
            command = [sys.executable, __file__, "--here", name]
            subprocess.run(command, check=True, env={**os.environ, **cache})


if __name__ == "__main__":
    main()
