"""Tables of proofs and surveys, from what `benchmarks/proofs.py` kept."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

from markdown_parts import code, table

from tilewise import suites
from tilewise.cli.render import rough_time

RESULTS = Path(__file__).resolve().parents[1] / "benchmarks" / "results"
PROOFS, SURVEYS = "proofs.csv", "surveys.csv"
MACHINE = "2 virtual cores of an AMD EPYC with AVX-512"
SUITE = "korf24"
OPTIMA = {each.number: each.optimal for each in suites.load(SUITE).instances}


def _rows(name: str) -> dict[str, dict[str, str]]:
    """The rows of the suite in a file of results, by the number of the board."""
    with (RESULTS / name).open(newline="", encoding="utf-8") as file:
        rows = {row["board"]: row for row in csv.DictReader(file)}
    return {
        board.removeprefix(f"{SUITE}:"): row
        for board, row in rows.items()
        if board.startswith(f"{SUITE}:")
    }


def _made_on(rows: dict[str, dict[str, str]]) -> str:
    return f"on {max(row['date'] for row in rows.values())}, on {MACHINE}"


def _left(row: dict[str, str]) -> float:
    return float(row["nodes_left"])


def korf24_proofs() -> str:
    """The boards that are proved, each checked against its published length."""
    within_surveys = {n: row for n, row in _rows(SURVEYS).items() if not _left(row)}
    proved, published = {**_rows(PROOFS), **within_surveys}, suites.published_nodes(SUITE)
    found = []
    for number, row in proved.items():
        if not int(row["cost"]) == int(row["bound"]) == OPTIMA[number]:
            raise ValueError(f"expected {OPTIMA[number]} moves for board {number}, got {row}")
        nodes, theirs = int(row["nodes"]), published[number]["korf_felner"]
        found.append(
            (
                number,
                row["cost"],
                code(row["heuristic"]),
                row["seconds"],
                row["cpu_seconds"],
                f"{nodes:,}",
                f"{theirs:,}",
                f"{theirs / nodes:.0f}",
            )
        )
    names = ("board", "moves", "last pass by", "seconds", "CPU s", "nodes", "published", "ratio")
    seconds = sum(float(row["seconds"]) for row in proved.values())
    return (
        f"{len(found)} boards in {seconds / 60:.1f} minutes, {_made_on(proved)}.\n\n"
        f"{table(names, found)}"
    )


def korf24_surveys() -> str:
    """What proofs of the other boards would take: estimates, marked as such."""
    surveys = {number: row for number, row in _rows(SURVEYS).items() if _left(row)}
    found = [
        (
            number,
            row["cost"],
            row["bound"],
            f"{_left(row):.1e}",
            f"{100 * float(row['error']) / _left(row):.0f} %" if float(row["error"]) else "growth",
            rough_time(float(row["seconds_left"])),
        )
        for number, row in surveys.items()
    ]
    names = ("board", "best solution", "proved so far", "nodes left, about", "error", "time, about")
    hours = sum(float(row["seconds_left"]) for row in surveys.values()) / 3600
    return (
        f"All of them: about {hours:.1f} hours, by estimates {_made_on(surveys)}.\n\n"
        f"{table(names, found)}"
    )


TABLES: dict[str, Callable[[], str]] = {PROOFS: korf24_proofs, SURVEYS: korf24_surveys}
