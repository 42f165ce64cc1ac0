"""How far the order of successors and of ties moves the counts of A*, and which count stays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from operator import itemgetter
from statistics import fmean

from tilewise.core.problem import DEFAULT_ORDER
from tilewise.core.rules import TIES, Rules
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Experiment, Part, Scramble
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.reports.summary import Group, group_by
from tilewise.lab.row import Row

ORDERS = tuple("".join(order) for order in permutations(DEFAULT_ORDER))
DEPTH, COUNT = 20, 25

EXPERIMENT = Experiment(
    name="ties",
    title="A* under every order of successors and of ties: what moves and what does not",
    parts=(
        Part(
            name="ties",
            instances=(Scramble("3x3", depth=(DEPTH,), count=COUNT, seed=1000),),
            heuristics=("manhattan",),
            rules=tuple(f"order={order},ties={ties}" for order in ORDERS for ties in TIES),
        ),
    ),
    report="ties",
)


def report(rows: Sequence[Row]) -> list[Section]:
    """Means over the boards for each rule set; then board by board."""
    named = [row.with_labels(**_knobs(row["rules"])) for row in rows]
    groups = group_by(named, "ties", "order")
    return [_by_ties(groups), _board_by_board(named)]


def _knobs(text: str) -> dict[str, str]:
    rules = Rules.parse(text)
    return {"ties": rules.ties, "order": rules.order}


def _by_ties(groups: dict[tuple[str, ...], Group]) -> Section:
    lines: list[list[Cell | Value]] = []
    points, below, missing = [], [], []
    for place, ties in enumerate(TIES):
        found = {order: group for (t, order), group in groups.items() if t == ties}
        means = {order: group.value("expanded") or 0.0 for order, group in found.items()}
        if not means:
            missing.append(ties)
            continue
        fixed = {group.value("expanded_below_cost") for group in found.values()}
        low, high = min(means, key=means.__getitem__), max(means, key=means.__getitem__)
        lines.append(
            [
                ties,
                Cell(fmean(means.values()), 1),
                Cell(means[low], 1),
                low if means[low] < means[high] else "all",
                Cell(means[high], 1),
                high if means[low] < means[high] else "all",
                Cell(min(value or 0.0 for value in fixed), 1, "" if len(fixed) == 1 else "varies"),
            ]
        )
        points += [Point(place, mean) for mean in means.values()]
        below += [Point(place, value) for value in fixed if value is not None]
    table = Table.of(
        "ties",
        f"A* with Manhattan: mean nodes expanded on {COUNT} boards {DEPTH} deep, over 24 orders",
        ["ties", "mean", "least", "order", "most", "order ", "expanded_below_cost"],
        lines,
        [f"Left out, because no run of it is done: {', '.join(missing)}."] if missing else (),
    )
    plot = Plot(
        "ties",
        "Nodes expanded: a point for each order of successors",
        "which of equal f is taken first",
        "nodes expanded (mean)",
        (
            Series("expanded", tuple(points), line=False),
            Series("below cost", tuple(below), line=False),
        ),
        x_names=tuple(ties.replace("-", "\n") for ties in TIES),
    )
    text = (
        "Nothing but the order of successors and the choice among equal f differs between these "
        "runs: same boards, same heuristic, same algorithm. `expanded` moves by a factor; "
        "`expanded_below_cost`, the expansions with f below the optimal cost, does not move at "
        "all, because every A* with a consistent heuristic must make exactly those."
    )
    return Section("Six ways to break ties, 24 orders", (text,), (table,), (plot,))


def _board_by_board(rows: Sequence[Row]) -> Section:
    ratios, moved = [], 0
    boards: list[tuple[float, list[Cell | Value]]] = []
    for group in group_by(rows, "instance").values():
        counts = [row["expanded"] for row in group.solved]
        fixed = {row["expanded_below_cost"] for row in group.solved}
        moved += len(fixed) > 1
        ratios.append(max(counts) / min(counts))
        board = group.rows[0]["board"]
        line = [board, min(counts), max(counts), Cell(ratios[-1]), *sorted(fixed)[:1]]
        boards.append((ratios[-1], line))
    table = Table.of(
        "boards",
        "Board by board, over 144 rule sets",
        ["board", "least expanded", "most expanded", "ratio", "expanded_below_cost"],
        [line for _, line in sorted(boards, key=itemgetter(0), reverse=True)],
        [
            f"expanded_below_cost differs between rule sets on {moved} of {len(ratios)} boards; "
            f"expanded by a factor of {fmean(ratios):.2f} on average, {max(ratios):.2f} at most."
        ],
    )
    return Section("One board, 144 answers", (), (table,))
