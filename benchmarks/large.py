"""How good the solutions of large boards are after a few seconds, against what is known.

    python benchmarks/large.py --instances FILE --rows 0-19 --goal last --seconds 5 20 60
    python benchmarks/large.py --suite korf24 --seconds 5
    python benchmarks/large.py --scramble 6x6 --count 10 --seconds 5
    python benchmarks/large.py --table FOLDER --results benchmarks/results/large.csv

FILE is a CSV file with a column `tiles` and, where they are known, `optimal` and `best_known`;
rows are counted from 0. Each time is a run of its own, since the beams are sized to it. Every
solution is replayed. With --results each run is appended to a file, and what is in the file is not
run again: a table that was stopped goes on where it was. --table runs the whole table of
docs/performance.md from a folder with deepcubea24.csv, deepcubea35.csv and deepcubea48.csv; it
takes about four hours.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import tilewise as tw
from tilewise import suites
from tilewise.scrambling import scramble


@dataclass(frozen=True)
class Case:
    """A board with its goal and the shortest length that is known, if any."""

    name: str
    position: tw.Position
    best_known: int | None


def from_file(path: Path, rows: str, goal: str) -> Iterator[Case]:
    """The rows of a CSV file, counted from 0."""
    first, _, last = rows.partition("-")
    with path.open(newline="") as file:
        for number, row in enumerate(csv.DictReader(file)):
            if int(first) <= number <= int(last or first):
                known = row.get("optimal") or row.get("best_known")
                position = tw.read_position(row["tiles"], goal)
                yield Case(f"row {number}", position, int(known) if known else None)


def from_suite(name: str) -> Iterator[Case]:
    """The boards of a suite with their optimal lengths."""
    suite = suites.load(name)
    for instance in suite.instances:
        position = tw.read_position(instance.board, suite.goal)
        yield Case(f"{name}:{instance.number}", position, instance.optimal)


def drawn(shape: str, count: int) -> Iterator[Case]:
    """The boards that `tilewise scramble SHAPE --seed 1` draws."""
    for number, board in enumerate(scramble(shape, count=count, seed=1), start=1):
        yield Case(f"{shape} {number}", tw.read_position(board), None)


@dataclass(frozen=True)
class Run:
    """What one run of a board gave."""

    boards: str
    board: str
    seconds: float
    cost: int
    bound: int
    known: str
    first_after: float
    date: str


class Results:
    """Runs, kept in a file if there is one."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.runs: list[Run] = []
        if path is not None and path.exists():
            with path.open(newline="") as file:
                self.runs = [_read(row) for row in csv.DictReader(file)]

    def find(self, boards: str, board: str, seconds: float) -> Run | None:
        """The run of a board, if it was made before."""
        return next(
            (
                run
                for run in self.runs
                if (run.boards, run.board, run.seconds) == (boards, board, seconds)
            ),
            None,
        )

    def add(self, run: Run) -> None:
        """Keep a run."""
        self.runs.append(run)
        if self.path is None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        new = not self.path.exists()
        with self.path.open("a", newline="") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(Run)])
            if new:
                writer.writeheader()
            writer.writerow(asdict(run))


def _read(row: dict[str, str]) -> Run:
    return Run(
        row["boards"],
        row["board"],
        float(row["seconds"]),
        int(row["cost"]),
        int(row["bound"]),
        row["known"],
        float(row["first_after"]),
        row["date"],
    )


def solved(boards: str, case: Case, seconds: float) -> Run:
    """Solve a board within a time."""
    seen: list[tw.Incumbent] = []
    result = tw.solve(
        case.position,
        algorithm="anytime",
        limits=tw.Limits(seconds=seconds),
        improved=seen.append,
    )
    assert result.moves is not None and result.bound is not None
    assert case.position.board.after(result.moves) == case.position.goal.board
    first = next(each.seconds for each in seen if each.cost is not None)
    known = "" if case.best_known is None else str(case.best_known)
    today = time.strftime("%Y-%m-%d")
    return Run(
        boards, case.name, seconds, len(result.moves), result.bound, known, round(first, 3), today
    )


def measure(boards: str, cases: Iterator[Case], seconds: list[float], results: Results) -> bool:
    """Run what is missing, and print a row for each board and their means."""
    print(boards, *(f"{s:g} s" for s in seconds), "bound", "known", "first after", sep="\t")
    table: list[list[Run]] = []
    for case in cases:
        row = []
        for each in seconds:
            run = results.find(boards, case.name, each)
            if run is None:
                run = solved(boards, case, each)
                results.add(run)
            row.append(run)
        table.append(row)
        last = row[-1]
        costs = (run.cost for run in row)
        first = f"{max(run.first_after for run in row):.2f} s"
        print(case.name, *costs, last.bound, last.known, first, sep="\t", flush=True)
    if not table:
        print("no boards", file=sys.stderr)
        return False
    columns = [[run.cost for run in column] for column in zip(*table, strict=True)]
    known = [int(row[0].known) for row in table if row[0].known]
    mean_known = f"{statistics.mean(known):.2f}" if len(known) == len(table) else ""
    print(
        "mean", *(f"{statistics.mean(column):.2f}" for column in columns), "", mean_known, sep="\t"
    )
    if len(known) == len(table):
        equal = [
            sum(cost <= best for cost, best in zip(column, known, strict=True))
            for column in columns
        ]
        print("as short as known", *equal, f"of {len(table)}", sep="\t")
    return True


def whole_table(folder: Path, results: Results) -> bool:
    """All boards of the table in docs/performance.md."""
    times = [5.0, 20.0, 60.0]
    sets: list[tuple[str, Iterator[Case], list[float]]] = [
        (name, from_file(folder / f"{name}.csv", rows, "last"), times)
        for name, rows in (("deepcubea24", "0-49"), ("deepcubea35", "0-19"), ("deepcubea48", "0-9"))
    ]
    sets.append(("korf24", from_suite("korf24"), times))
    sets += [(shape, drawn(shape, 10), times) for shape in ("6x6", "7x7", "8x8")]
    sets += [("10x10", drawn("10x10", 3), times)]
    sets += [(shape, drawn(shape, 3), times[2:]) for shape in ("12x12", "16x16")]
    return all(measure(name, cases, seconds, results) for name, cases, seconds in sets)


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print a row for each board."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--instances", type=Path, metavar="FILE")
    source.add_argument("--suite", metavar="NAME")
    source.add_argument("--scramble", metavar="SHAPE")
    source.add_argument("--table", type=Path, metavar="FOLDER")
    parser.add_argument("--rows", default="0-9", metavar="A-B")
    parser.add_argument("--goal", default="last")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seconds", type=float, nargs="+", default=[5.0])
    parser.add_argument("--results", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    results, seconds = Results(options.results), sorted(options.seconds)
    if options.table:
        good = whole_table(options.table, results)
    elif options.instances:
        cases = from_file(options.instances, options.rows, options.goal)
        good = measure(options.instances.stem, cases, seconds, results)
    elif options.suite:
        good = measure(options.suite, from_suite(options.suite), seconds, results)
    else:
        cases = drawn(options.scramble, options.count)
        good = measure(options.scramble, cases, seconds, results)
    return 0 if good else 2


if __name__ == "__main__":
    sys.exit(main())
