"""What a limit of nodes does: how many boards are solved below it, and how long solutions are."""

from __future__ import annotations

from collections.abc import Sequence

from tilewise.core.limits import Limits
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Boards, Experiment, Part, Scramble
from tilewise.lab.builtin.efficiency import series_name
from tilewise.lab.builtin.printed_figures import (
    H1_NODES_ON_HARD_BOARD,
    HARD_BOARD,
    SERIES,
    SUCCESS_AT_250,
)
from tilewise.lab.builtin.verdicts import success_at_250
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.reports.summary import Group, group_by, missing_note
from tilewise.lab.row import Row

PROFILE = "eecs391-table"
LIMITS = (100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000)
WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
WALKS = (50, 60, 75, 100, 250, 1000)
WALK_BOARDS, WALK_LIMIT = 500, 250
BOARDS = Scramble("3x3", count=100, seed=1)
NO_LIMIT = 1_000_000
"""More nodes than any of these searches can make on 3x3."""
SOURCE = "printed: Saifudeen's second version."


def _parts(
    name: str,
    source: Scramble | Boards,
    limits: Sequence[int],
    widths: Sequence[int] = (10, 100),
) -> list[Part]:
    beams = tuple(f"beam(width={width})" for width in widths)
    searches = ((("astar",), ("h1", "h2")), (beams, ()))
    return [
        Part(
            name=name,
            instances=(source,),
            profile=PROFILE,
            algorithms=algorithms,
            heuristics=heuristics,
            limits=tuple(Limits(generated=nodes) for nodes in limits),
        )
        for algorithms, heuristics in searches
    ]


EXPERIMENT = Experiment(
    name="limits",
    title="boards solved below a limit of nodes, and the price of a narrow beam",
    parts=(
        *_parts("solved", BOARDS, LIMITS),
        *_parts("lengths", BOARDS, (NO_LIMIT,), WIDTHS),
        Part(
            name="walks",
            instances=(Scramble("3x3", walk=WALKS, count=WALK_BOARDS, seed=1),),
            profile=PROFILE,
            heuristics=("h1", "h2"),
            limits=(Limits(generated=WALK_LIMIT),),
        ),
        *_parts("hard board", Boards((HARD_BOARD,)), (1000, 10_000, 50_000)),
    ),
    report="limits",
)


def report(rows: Sequence[Row]) -> list[Section]:
    """A section for each question; beside our figures those of Saifudeen's second version."""
    parts = {part: group.rows for (part,), group in group_by(rows, "part").items()}
    makers = {
        "solved": _solved,
        "lengths": _lengths,
        "walks": _walks,
        "hard board": _hard_board,
    }
    return [make(parts[part]) for part, make in makers.items() if part in parts]


def _named(rows: Sequence[Row]) -> list[Row]:
    return [row.with_labels(series=series_name(row)) for row in rows]


def _share(group: Group) -> float:
    return len(group.solved) / group.runs


def _solved(rows: Sequence[Row]) -> Section:
    groups = group_by(_named(rows), "max_nodes", "series")
    limits = sorted({limit for limit, _ in groups})
    table = Table.of(
        "solved",
        "Boards solved in at most maxNodes nodes (100 boards, all equally likely), per cent",
        ["maxNodes", *SERIES],
        [
            [limit, *(Cell(100 * _share(groups[limit, series]), 0) for series in SERIES)]
            for limit in limits
        ],
    )
    plot = Plot(
        "solved",
        "Boards solved below a limit of nodes",
        "maxNodes (log scale)",
        "boards solved",
        tuple(
            Series(series, tuple(Point(limit, _share(groups[limit, series])) for limit in limits))
            for series in SERIES
        ),
        log_x=True,
        percent=True,
    )
    text = (
        "A beam keeps few nodes a layer, so it reaches any depth within a small budget: below a "
        "limit a narrow beam solves what A* cannot. What it finds is long, as the next section "
        "shows. Of the two heuristics h2 is never worse."
    )
    return Section("How many boards a limit leaves unsolved", (text,), (table,), (plot,))


def _lengths(rows: Sequence[Row]) -> Section:
    groups = group_by(_named(rows), "series")
    names = ["A* h1", "A* h2", *(f"beam {width}" for width in WIDTHS)]
    lines: list[list[Cell | Value]] = []
    points = []
    for name in names:
        group = groups[(name,)]
        optimal = sum(row["cost"] == row["depth"] for row in group.solved)
        depth = sum(row["depth"] for row in group.solved) / max(1, len(group.solved))
        cost = group.value("cost")
        lines.append(
            [
                name,
                Cell(100 * _share(group), 0),
                Cell(cost, 2, group.mark),
                Cell(None if cost is None else cost - depth, 2, group.mark),
                Cell(100 * optimal / max(1, len(group.solved)), 0),
                group.cell("generated", 0),
            ]
        )
        if name.startswith("beam") and cost is not None:
            points.append(Point(int(name.split()[1]), cost, group.partial))
    best = groups["A* h2",].value("cost") or 0.0
    table = Table.of(
        "lengths",
        "Solutions without a limit of nodes (100 boards)",
        ["search", "solved %", "mean moves", "above optimum", "optimal %", "mean nodes"],
        lines,
        missing_note(groups.values()),
    )
    plot = Plot(
        "lengths",
        "Mean length of the solutions of a beam",
        "width of the beam (log scale)",
        "moves (mean of the boards solved)",
        (
            Series("beam", tuple(points)),
            Series("A*", (Point(WIDTHS[0], best), Point(WIDTHS[-1], best)), dashed=True),
        ),
        log_x=True,
        note="dotted: A*",
    )
    return Section("What a narrow beam costs: longer solutions", (), (table,), (plot,))


def _walks(rows: Sequence[Row]) -> Section:
    groups = group_by(_named(rows), "walk", "series")
    walks = sorted({walk for walk, _ in groups})
    lines: list[list[Cell | Value]] = [
        [walk, *(Cell(100 * _share(groups[walk, series]), 1) for series in SUCCESS_AT_250)]
        for walk in walks
    ]
    found = success_at_250(rows).finding
    claimed = " and ".join(
        f"{100 * share:.0f} % ({name})" for name, share in SUCCESS_AT_250.items()
    )
    table = Table.of(
        "walks",
        f"Boards solved at maxNodes {WALK_LIMIT} after a random walk, % ({WALK_BOARDS} each)",
        ["moves of the walk", *SUCCESS_AT_250],
        lines,
        [f"Saifudeen's second version claims {claimed}: {found}."],
    )
    plot = Plot(
        "walks",
        f"Boards solved at maxNodes {WALK_LIMIT} after a random walk",
        "moves of the walk (log scale)",
        "boards solved",
        tuple(
            Series(name, tuple(Point(walk, _share(groups[walk, name])) for walk in walks))
            for name in SUCCESS_AT_250
        ),
        log_x=True,
        percent=True,
    )
    return Section(f"Success at maxNodes {WALK_LIMIT}", (), (table,), (plot,))


def _hard_board(rows: Sequence[Row]) -> Section:
    groups = group_by(_named(rows), "max_nodes", "series")
    limits = sorted({limit for limit, _ in groups})
    lines = [
        [limit, *(_nodes_or_outcome(groups[limit, series]) for series in SERIES)]
        for limit in limits
    ]
    at_1000 = [s for s in SERIES if groups.get((1000, s), Group(())).solved]
    needed = groups[limits[-1], "A* h1"].value("generated")
    needs = "more than the largest limit" if needed is None else f"{needed:,.0f} nodes"
    table = Table.of(
        "hard-board",
        f"Nodes generated on {HARD_BOARD} (randomised 10,000 times)",
        ["maxNodes", *SERIES],
        lines,
        [
            'Saifudeen\'s second version: at 1000 "none solves"; here '
            f"{_listed(at_1000)} solves it.",
            f"It also says that A* h1 solves it with {H1_NODES_ON_HARD_BOARD:,} nodes at 10,000; "
            f"here it needs {needs}.",
        ],
    )
    return Section("The board of Saifudeen's report", (), (table,))


def _nodes_or_outcome(group: Group) -> Cell:
    value = group.value("generated")
    return Cell(group.outcome()) if value is None else Cell(int(value))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "none"
