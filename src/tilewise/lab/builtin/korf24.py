"""Korf and Felner's fifty 24-puzzles, proved: the easiest first, as far as there is time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tilewise import suites
from tilewise.lab import Experiment, FromSuite, Part
from tilewise.lab.instances import Instance
from tilewise.lab.measurement_names import PROOF
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.row import Row

SUITE, TABLES = "korf24", "pdb(6-6-6-6x4)"


class EasiestFirst:
    """The boards in the order of the nodes that Korf and Felner needed."""

    def draw(self, seed: int) -> Iterator[Instance]:
        """The instances; a campaign that is stopped has done the easy ones."""
        by_name = {each.name: each for each in FromSuite(SUITE).draw(seed)}
        for number in in_order():
            yield by_name[f"{SUITE}:{number}"]

    def describe(self) -> dict[str, Any]:
        return {"suite": SUITE, "order": "easiest first"}


def in_order() -> list[str]:
    """The numbers of the boards, those with the fewest published nodes first."""
    published = suites.published_nodes(SUITE)
    return sorted(published, key=lambda number: published[number]["korf_felner"])


EXPERIMENT = Experiment(
    name="korf24",
    title="Korf and Felner's fifty 24-puzzles, proved with four partitions, the easiest first",
    parts=(
        Part(
            SUITE,
            (EasiestFirst(),),
            algorithms=("idastar(prune=12)",),
            heuristics=(TABLES,),
            measure=PROOF,
        ),
    ),
    report="korf24",
    order_seed=None,
)


def report(rows: Sequence[Row]) -> list[Section]:
    """A line for each board: what was proved, beside the published counts; the rest is not run."""
    done = {str(row["instance"]).rpartition(":")[2]: row for row in rows}
    published = suites.published_nodes(SUITE)
    proved = [number for number in in_order() if number in done and done[number]["optimal"]]
    table = Table.of(
        "proofs",
        "The boards that are proved, fewest published nodes first",
        [
            "board",
            "moves",
            "first solution",
            "after (s)",
            "passes (s)",
            "nodes of the passes",
            "further nodes",
            "Korf, Felner 2002",
            "times fewer",
            "Döbbelin et al. 2013",
        ],
        [_line(number, done[number], published[number]) for number in proved],
        [
            "Nodes of the passes: those below the optimum, which are the proof; exact on every "
            "machine, with any number of threads. Further nodes: what the pass at the optimum "
            "made before it came to a solution, and probes for one; that depends on threads and "
            "on time.",
            "Published: nodes to the end of the last pass, with 6-6-6-6 and its mirror image "
            "(Korf, Felner), and with the largest of three partitions of up to 9 tiles (Döbbelin, "
            "Schütt, Reinefeld).",
            "Seconds are by the clock, of a machine that may have had other work.",
        ],
    )
    left = [number for number in in_order() if number not in proved]
    text = [f"{len(proved)} of {len(published)} boards are proved, all as short as published."]
    if any(done[number]["cost"] != done[number]["depth"] for number in proved):
        text = ["A length differs from the published one."]
    if left:
        text.append(
            f"Not yet run to the end: {', '.join(left)}. Nothing is estimated in their place."
        )
    return [Section("Proved", tuple(text), (table,))]


def _line(number: str, row: Row, published: dict[str, int]) -> list[Cell | Value]:
    measured = row["measured"]
    nodes = measured["nodes"]
    return [
        number,
        row["cost"],
        measured["first_cost"],
        Cell(measured["found_after"], 1),
        Cell(measured["proof_seconds"], 1),
        nodes,
        measured["further_nodes"] + measured["probed_nodes"],
        published["korf_felner"],
        Cell(published["korf_felner"] / nodes, 1),
        published["doebbelin"],
    ]
