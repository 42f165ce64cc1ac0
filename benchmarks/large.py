"""How good the solutions of large boards are after a few seconds, against what is known.

    python benchmarks/large.py --instances FILE --rows 0-19 --goal last --seconds 5 20 60
    python benchmarks/large.py --suite korf24 --seconds 5
    python benchmarks/large.py --scramble 6x6 --count 10 --seconds 5

FILE is a CSV file with a column `tiles` and, where they are known, `optimal` and `best_known`;
rows are counted from 0. One run of the longest time gives the figures for all shorter ones: the
incumbent is looked up at each of them. Every solution is replayed.
"""

from __future__ import annotations

import argparse
import csv
import statistics
import sys
from collections.abc import Iterator
from dataclasses import dataclass
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


def lengths(case: Case, seconds: list[float]) -> tuple[list[int], tw.Result, float]:
    """The incumbent's length at each time, the result, and when the first answer came."""
    seen: list[tw.Incumbent] = []
    result = tw.solve(
        case.position,
        algorithm="anytime",
        limits=tw.Limits(seconds=max(seconds)),
        improved=seen.append,
    )
    assert result.moves is not None
    assert case.position.board.after(result.moves) == case.position.goal.board
    found = [each for each in seen if each.cost is not None]
    at = []
    for moment in seconds:
        costs = [each.cost for each in found if each.cost is not None and each.seconds <= moment]
        at.append(min(costs) if costs else found[0].cost or 0)
    return at, result, found[0].seconds


def main(arguments: list[str] | None = None) -> int:
    """Measure, and print a row for each board."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--instances", type=Path, metavar="FILE")
    source.add_argument("--suite", metavar="NAME")
    source.add_argument("--scramble", metavar="SHAPE")
    parser.add_argument("--rows", default="0-9", metavar="A-B")
    parser.add_argument("--goal", default="last")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seconds", type=float, nargs="+", default=[5.0])
    options = parser.parse_args(arguments)
    if options.instances:
        cases = from_file(options.instances, options.rows, options.goal)
    elif options.suite:
        cases = from_suite(options.suite)
    else:
        cases = drawn(options.scramble, options.count)
    seconds = sorted(options.seconds)
    print("board", *(f"{s:g} s" for s in seconds), "bound", "known", "first after", sep="\t")
    table: list[list[int]] = []
    known: list[int] = []
    for case in cases:
        at, result, first = lengths(case, seconds)
        table.append(at)
        best = "" if case.best_known is None else case.best_known
        known += [] if case.best_known is None else [case.best_known]
        print(case.name, *at, result.bound, best, f"{first:.2f} s", sep="\t", flush=True)
    if not table:
        print("no boards", file=sys.stderr)
        return 2
    means = [f"{statistics.mean(column):.2f}" for column in zip(*table, strict=True)]
    mean_known = f"{statistics.mean(known):.2f}" if len(known) == len(table) else ""
    print("mean", *means, "", mean_known, sep="\t")
    if len(known) == len(table):
        equal = [
            sum(cost <= best for cost, best in zip(column, known, strict=True))
            for column in zip(*table, strict=True)
        ]
        print("as short as known", *equal, f"of {len(table)}", sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main())
