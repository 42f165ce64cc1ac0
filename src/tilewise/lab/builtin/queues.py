"""Nodes expanded and size of the queue: one program, and what duplicate detection would save."""

from __future__ import annotations

from collections.abc import Sequence

from tilewise.core.limits import Limits
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Boards, Experiment, Part
from tilewise.lab.builtin.printed_figures import QUEUE_BOARDS, QUEUES
from tilewise.lab.reports.report import Section, Table
from tilewise.lab.reports.summary import Group, group_by
from tilewise.lab.row import Row

EASY, HARDEST = tuple(QUEUE_BOARDS)[:-1], tuple(QUEUE_BOARDS)[-1:]
ALL = (*EASY, *HARDEST)
LIMIT, FULL_LIMIT = 2_000_000, 20_000_000
INFORMED = ("misplaced", "manhattan")
DETECTION = {
    "cs170": "Grigsby's program: heap order decides ties",
    "ancestors(1)": "compares with the parent only: plain tree search",
    "ancestors(2)": "leaves out the step straight back, as cs170 does",
    "ancestors(4)": "compares with four ancestors: the same, see below",
    "graph": "remembers every state: no state is expanded twice",
}


def _boards(texts: tuple[str, ...]) -> tuple[Boards, ...]:
    return (Boards(texts, goal="last"),)


def _course(boards: tuple[str, ...], algorithm: str, full: bool = False) -> Part:
    return Part(
        name="cs170",
        instances=_boards(boards),
        profile="cs170",
        algorithms=(algorithm,),
        heuristics=INFORMED if algorithm == "astar" else (),
        limits=(Limits(generated=FULL_LIMIT if full else LIMIT),),
        full=full,
    )


EXPERIMENT = Experiment(
    name="queues",
    title="nodes expanded and queue sizes with less and more duplicate detection",
    parts=(
        _course(ALL, "astar"),
        _course(EASY, "ucs"),
        _course(HARDEST, "ucs", full=True),
        *(
            Part(
                name=variant,
                instances=_boards(ALL),
                algorithms=("ucs", "astar"),
                heuristics=INFORMED,
                rules=("fifo" if variant == "graph" else f"fifo,duplicates={variant}",),
                limits=(Limits(generated=LIMIT),),
            )
            for variant in list(DETECTION)[1:]
        ),
    ),
    report="queues",
)
NO_RUNS = Group(())
WHY = (
    "Without memory every path is a node of its own, so the same state is expanded again and "
    "again: the number of nodes grows with the paths, 2.83 times a move (1.73 without the step "
    "back), where the states of "
    "the whole puzzle are only 181,440. Leaving out the step straight back (cs170, ancestors(2)) "
    "takes away the commonest repeat, graph search all of them, at the price of a table of all "
    "states met.",
    "ancestors(4) saves nothing more: blank and tiles come back to where they were after two moves "
    "(there and back) or after twelve (three times round a square of four cells), and nothing "
    "between. Only ancestors(12) would see the next cycle.",
    "cs170 and ancestors(2) are the same tree; they differ in ties alone: a C++ heap takes equal f "
    "in an order of its own, ancestors(2) takes the oldest first. A good heuristic makes all of "
    "this matter less, since few paths are followed at all.",
)


def report(rows: Sequence[Row]) -> list[Section]:
    """A table and a plot for each search, with the printed figures in front."""
    named = [row.with_labels(search=_search(row)) for row in rows]
    groups = group_by(named, "part", "search", "depth")
    return [
        Section("Why the figures differ", WHY, (_detection_table(),)),
        *(
            Section(search.capitalize(), (), (_table(search, groups),), (_plot(search, groups),))
            for search in QUEUES
        ),
    ]


def _search(row: Row) -> str:
    return "uniform cost" if row["algorithm"] == "ucs" else str(row["heuristic"])


def _detection_table() -> Table:
    return Table.of(
        "ways",
        "Ways to detect duplicates",
        ["way", "what it is"],
        [[*item] for item in DETECTION.items()],
    )


def _table(search: str, groups: dict[tuple[object, ...], Group]) -> Table:
    lines: list[list[str | int]] = []
    for place, (board, steps) in enumerate(QUEUE_BOARDS.items()):
        expanded, queue = QUEUES[search][place]
        ours = [_pair(groups.get((variant, search, steps), NO_RUNS)) for variant in DETECTION]
        lines.append([steps, board, f"{expanded:,}/{queue:,}", *ours])
    return Table.of(
        f"queues-{search.replace(' ', '-')}",
        f"{search}: nodes expanded/maximum size of the queue",
        ["steps", "board", "printed", *DETECTION],
        lines,
        [
            "printed: Grigsby's CS170 report. limit: not solved below "
            f"{LIMIT:,} nodes generated; not run: only with --full.",
        ],
    )


def _pair(group: Group) -> str:
    if not group.rows:
        return "not run"
    row = group.rows[0]
    if row["status"] != "solved":
        return str(row["status"])
    return f"{row['expanded']:,}/{row['max_frontier']:,}"


def _plot(search: str, groups: dict[tuple[object, ...], Group]) -> Plot:
    curves = []
    for variant in DETECTION:
        points = []
        for steps in QUEUE_BOARDS.values():
            value = groups.get((variant, search, steps), NO_RUNS).value("expanded")
            if value:
                points.append(Point(steps, value))
        curves.append(Series(variant, tuple(points)))
    theirs = zip(QUEUE_BOARDS.values(), QUEUES[search], strict=True)
    printed = tuple(Point(steps, expanded) for steps, (expanded, _) in theirs)
    return Plot(
        f"queues-{search.replace(' ', '-')}",
        f"Nodes expanded: {search}",
        "steps to the goal",
        "nodes expanded (log scale)",
        (*curves, Series("printed", printed, like="cs170", printed=True)),
        log_y=True,
        note="crosses: printed in Grigsby's CS170 report; a curve ends where the limit was reached",
    )
