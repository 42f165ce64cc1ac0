"""How good the solutions of large boards are after a few seconds, against what is known.

    python benchmarks/large.py --instances FILE --rows 0-19 --goal last --seconds 5 20 60
    python benchmarks/large.py --suite korf24 --seconds 5
    python benchmarks/large.py --scramble 6x6 --count 10 --seconds 5
    python benchmarks/large.py --table FOLDER --results benchmarks/results/large.csv
    python benchmarks/large.py --table FOLDER --count 2 --seconds 5 20 60 --one-run
    python benchmarks/large.py --instances FILE --rows 0-9 --widths 2000 20000
    python benchmarks/large.py --scramble 8x8 --count 1 --seconds 60 --picture FILE.svg

FILE is a CSV file with a column `tiles` and, where they are known, `optimal` and `best_known`;
rows are counted from 0. Each time is a run of its own, since the last beam is sized to it. With
--one-run the longest time is run alone and the shorter ones are what it had by then, which is at
most as good as runs of their own, and takes a third less time. Every solution is replayed. With
--results each run is appended to a file, and what is in the file is not run again: a table that was
stopped goes on where it was. A board whose optimal length is known is solved when that is found:
more time cannot shorten it. --table runs the table of docs/performance.md from a folder with
deepcubea24.csv, deepcubea35.csv and deepcubea48.csv: the whole of it in less than two hours, 70
minutes with --one-run, or --count boards of each kind. --widths measures something that does not
depend on the machine: the shorter of two beams by learned values, from the board to the goal and
from the goal to the board. --picture draws solution and bound of the last board over time.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from itertools import islice
from pathlib import Path

import tilewise as tw
from tilewise import suites
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.drawing.plots import picture
from tilewise.learning.learned_beam import learned_beam
from tilewise.scrambling import scramble

FIRST_SHOWN = 0.01
"""Seconds at which pictures begin."""


@dataclass(frozen=True)
class Case:
    """A board with its goal and the shortest length that is known, if any."""

    name: str
    position: tw.Position
    best_known: int | None
    optimal: int | None = None


def from_file(path: Path, rows: str, goal: str) -> Iterator[Case]:
    """The rows of a CSV file, counted from 0."""
    first, _, last = rows.partition("-")
    with path.open(newline="") as file:
        for number, row in enumerate(csv.DictReader(file)):
            if int(first) <= number <= int(last or first):
                optimal, best = (
                    int(row[each]) if row.get(each) else None for each in ("optimal", "best_known")
                )
                position = tw.read_position(row["tiles"], goal)
                yield Case(f"row {number}", position, optimal or best, optimal)


def from_suite(name: str) -> Iterator[Case]:
    """The boards of a suite with their optimal lengths."""
    suite = suites.load(name)
    for instance in suite.instances:
        position = tw.read_position(instance.board, suite.goal)
        yield Case(f"{name}:{instance.number}", position, instance.optimal, instance.optimal)


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
    within: float
    """The length of the run, of which these seconds may be the beginning."""
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

    def find(self, boards: str, board: str, seconds: float, within: float) -> Run | None:
        """The run of a board, if it was made before."""
        wanted = (boards, board, seconds, within)
        return next(
            (
                run
                for run in self.runs
                if (run.boards, run.board, run.seconds, run.within) == wanted
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
        float(row["within"]),
        int(row["cost"]),
        int(row["bound"]),
        row["known"],
        float(row["first_after"]),
        row["date"],
    )


def improvements(case: Case, seconds: float, *, to_optimum: bool = True) -> list[tw.Incumbent]:
    """Solve a board within a time, or until a length that is known to be optimal."""
    seen: list[tw.Incumbent] = []
    found = threading.Event()

    def improved(incumbent: tw.Incumbent) -> None:
        seen.append(incumbent)
        if to_optimum and incumbent.cost is not None and incumbent.cost == case.optimal:
            found.set()

    result = tw.solve(
        case.position,
        algorithm="anytime",
        limits=tw.Limits(seconds=seconds),
        improved=improved,
        cancel=found,
    )
    assert result.moves is not None and result.bound is not None
    assert case.position.board.after(result.moves) == case.position.goal.board
    return seen


def solved(boards: str, case: Case, times: list[float]) -> list[Run]:
    """Solve a board within the last of the times; what it had after each of them."""
    seen = improvements(case, times[-1])
    costs = [(each.seconds, each.cost) for each in seen if each.cost is not None]
    runs = []
    for seconds in times:
        by_then = [each for each in seen if each.seconds <= seconds or seconds == times[-1]]
        cost = min((each.cost for each in by_then if each.cost is not None), default=costs[0][1])
        bound = max((each.bound for each in by_then), default=0)
        known = "" if case.best_known is None else str(case.best_known)
        first, today = round(costs[0][0], 3), time.strftime("%Y-%m-%d")
        runs.append(Run(boards, case.name, seconds, times[-1], cost, bound, known, first, today))
    return runs


def measured(
    boards: str, case: Case, times: list[float], results: Results, *, one_run: bool
) -> list[Run]:
    """What a board had after each of the times; only what is missing is run."""
    runs = []
    for together in [times] if one_run else [[each] for each in times]:
        found = [results.find(boards, case.name, each, together[-1]) for each in together]
        known = [run for run in found if run is not None]
        if len(known) < len(together):
            known = solved(boards, case, together)
            for run in known:
                results.add(run)
        runs += known
    return runs


def measure(
    boards: str, cases: Iterator[Case], times: list[float], results: Results, *, one_run: bool
) -> bool:
    """Run what is missing, and print a row for each board and their means."""
    print(boards, *(f"{s:g} s" for s in times), "bound", "known", "first after", sep="\t")
    table: list[list[Run]] = []
    for case in cases:
        row = measured(boards, case, times, results, one_run=one_run)
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


def measure_widths(boards: str, cases: Iterator[Case], widths: list[int]) -> bool:
    """Print the shorter of two beams from both sides for each board and width, and the means."""
    print(boards, *(f"width {width:,}" for width in widths), "known", sep="\t")
    table: list[list[int]] = []
    for case in cases:
        board, goal = case.position.board, case.position.goal
        row = []
        for width in widths:
            found = [
                learned_beam(board, goal, width=width, backwards=backwards).moves
                for backwards in (False, True)
            ]
            row.append(min(len(moves) for moves in found if moves is not None))
        table.append(row)
        print(case.name, *row, case.best_known or "", sep="\t", flush=True)
    if table:
        print("mean", *(f"{statistics.mean(column):.2f}" for column in zip(*table, strict=True)))
    return bool(table)


def draw(case: Case, seconds: float, path: Path) -> None:
    """A picture of solution and bound of a board over time, on logarithmic axes."""
    seen = improvements(case, seconds, to_optimum=False)
    proved = seen[-1].gap == 0
    end, known = (seen[-1].seconds, "proved") if proved else (seconds, f"at least {seen[-1].bound}")

    def series(label: str, values: list[tuple[float, int]]) -> Series:
        points = [Point(max(FIRST_SHOWN, each), value) for each, value in values]
        return Series(label, (*points, Point(end, values[-1][1])))

    plot = Plot(
        path.stem,
        f"{case.name}: {seen[-1].cost} moves, {known} after {end:.0f} s",
        "seconds",
        "moves",
        (
            series("solution", [(e.seconds, e.cost) for e in seen if e.cost is not None]),
            series("bound", [(each.seconds, each.bound) for each in seen]),
        ),
        log_x=True,
        log_y=True,
        kind="steps",
    )
    path.write_bytes(picture(plot, path.suffix.removeprefix(".")))


def kinds(folder: Path) -> Iterator[tuple[str, Iterator[Case], int]]:
    """The boards of the table in docs/performance.md, and the seconds that they need at least."""
    for name, rows in (("deepcubea24", "0-49"), ("deepcubea35", "0-19"), ("deepcubea48", "0-9")):
        yield name, from_file(folder / f"{name}.csv", rows, "last"), 0
    yield "korf24", from_suite("korf24"), 0
    for shape, count in (("6x6", 10), ("7x7", 10), ("8x8", 10), ("10x10", 3)):
        yield shape, drawn(shape, count), 0
    for shape in ("12x12", "16x16"):
        yield shape, drawn(shape, 3), 60


def whole_table(
    folder: Path, times: list[float], count: int | None, results: Results, *, one_run: bool
) -> bool:
    """The table in docs/performance.md, or the first boards of each kind."""
    good = True
    for name, cases, least in kinds(folder):
        chosen = [each for each in times if each >= least]
        if chosen:
            first = islice(cases, count)
            good = measure(name, first, chosen, results, one_run=one_run) and good
    return good


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
    parser.add_argument("--count", type=int)
    parser.add_argument("--seconds", type=float, nargs="+")
    parser.add_argument("--one-run", action="store_true")
    parser.add_argument("--widths", type=int, nargs="+", metavar="N")
    parser.add_argument("--picture", type=Path, metavar="FILE")
    parser.add_argument("--results", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    results, one_run = Results(options.results), options.one_run
    times = sorted(options.seconds or ([5.0, 20.0, 60.0] if options.table else [5.0]))
    if options.table:
        good = whole_table(options.table, times, options.count, results, one_run=one_run)
        return 0 if good else 2
    if options.instances:
        name, cases = (
            options.instances.stem,
            from_file(options.instances, options.rows, options.goal),
        )
    elif options.suite:
        name, cases = options.suite, islice(from_suite(options.suite), options.count)
    else:
        name, cases = options.scramble, drawn(options.scramble, options.count or 10)
    if options.picture:
        draw(list(cases)[-1], times[-1], options.picture)
        return 0
    if options.widths:
        good = measure_widths(name, cases, options.widths)
    else:
        good = measure(name, cases, times, results, one_run=one_run)
    return 0 if good else 2


if __name__ == "__main__":
    sys.exit(main())
