"""The 8-puzzle table of Russell and Norvig: search costs and branching factors by depth.

The searches are those of the course `aima`; the book's printed values stand beside ours, those of
the fourth edition and those of the second and third, which differ from each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tilewise.core.stats import effective_branching_factor
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Experiment, Part, Scramble
from tilewise.lab.builtin.printed_figures import (
    BOOK_DEPTHS,
    BOOK_FACTORS,
    BOOK_NODES,
    EARLIER_NODES,
)
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.reports.summary import Group, group_by, missing_note
from tilewise.lab.row import Row

BOARDS, SEED = 100, 1000
DEEPEST_DEEPENING = 14
COURSE = "aima"
FOURTH = "printed: fourth edition (2020), Figure 3.26, page 117."
EARLIER = "printed: second edition (2003), Figure 4.8; third edition (2010), Figure 3.29."
METHODS = {
    "bfs": "BFS",
    "ids": "IDS",
    "astar misplaced": "A* h1",
    "astar manhattan": "A* h2",
    "astar-h2 manhattan": "A* h2",  # the course has a tree search with this heuristic as well
}
"""The book's names, by algorithm and heuristic."""
Groups = dict[tuple[Any, ...], Group]
Printed = Mapping[str, Mapping[int, int | float]]
NO_RUNS = Group(())


def _boards(deepest: int) -> tuple[Scramble, ...]:
    depths = tuple(depth for depth in BOOK_DEPTHS if depth <= deepest)
    return (Scramble("3x3", depth=depths, count=BOARDS, seed=SEED),)


EXPERIMENT = Experiment(
    name="aima",
    title="the 8-puzzle table of Russell and Norvig: BFS, IDS, A* h1 and A* h2 by depth",
    parts=(
        Part(
            name="oldest",
            instances=_boards(BOOK_DEPTHS[-1]),
            profile=COURSE,
            algorithms=("breadth-first", "astar-h1", "astar-h2"),
        ),
        Part(
            name="smaller-h",
            instances=_boards(max(EARLIER_NODES["A* h1"])),
            algorithms=("astar",),
            heuristics=("misplaced", "manhattan"),
        ),
        Part(
            name="smaller-h",
            instances=_boards(DEEPEST_DEEPENING),
            profile=COURSE,
            algorithms=("iterative-deepening",),
        ),
    ),
    report="aima",
)


def report(rows: Sequence[Row]) -> list[Section]:
    """A section for the table of the fourth edition, one for that of the editions before it."""
    named = [row.with_labels(series=_series(row)) for row in rows]
    parts = {
        part: group_by([row for row in named if row["part"] == part], "depth", "series")
        for part in ("oldest", "smaller-h")
    }
    sections = []
    if parts["oldest"]:
        sections.append(_fourth(parts["oldest"]))
    if parts["smaller-h"]:
        sections.append(_earlier(parts["smaller-h"]))
    return sections


def _series(row: Row) -> str:
    return METHODS[" ".join(filter(None, (row["algorithm"], row["heuristic"])))]


def _fourth(groups: Groups) -> Section:
    text = (
        "The searches of the course `aima`: graph search, breadth-first search with an early goal "
        "test, ties to the oldest node. The boards are of exact depth d; all successors count as "
        "generated, also those that are thrown away. The book does not say which boards it drew, "
        "in which order successors are made, or how ties are broken."
    )
    factors: Printed = BOOK_FACTORS
    columns = list(BOOK_NODES)
    return Section(
        "Fourth edition, Figure 3.26",
        (text,),
        (
            _table("fourth-nodes", "Mean nodes generated", groups, BOOK_NODES, FOURTH),
            _table("fourth-factors", "b* of the mean", groups, factors, FOURTH, factor=True),
        ),
        (_plot("fourth", "ties to the oldest node", groups, BOOK_NODES, columns),),
    )


def _earlier(groups: Groups) -> Section:
    text = (
        "The same boards, ties to the smaller h, then to the newest node (the default rules). "
        "Nothing else differs from the section before, so what A* saves here it saves by ties "
        "alone. Iterative deepening is that of the course: it never steps straight back, so it "
        "generates far fewer nodes than a tree-like search that does; successors beyond the "
        "depth limit count as generated. The printed numbers are quoted from course material; "
        "depths of IDS that it leaves out are empty."
    )
    columns = list(EARLIER_NODES)
    return Section(
        "Second and third edition, Figures 4.8 and 3.29",
        (text,),
        (_table("earlier-nodes", "Mean nodes generated", groups, EARLIER_NODES, EARLIER),),
        (_plot("earlier", "ties to the smaller h", groups, EARLIER_NODES, columns),),
    )


def _table(
    name: str, title: str, groups: Groups, printed: Printed, source: str, factor: bool = False
) -> Table:
    """Ours beside the printed values, depth by depth."""
    lines: list[list[Cell | Value]] = []
    for depth in sorted({depth for depth, _ in groups}):
        boards = max(group.runs for (d, _), group in groups.items() if d == depth)
        line: list[Cell | Value] = [depth, boards]
        for series, values in printed.items():
            group = groups.get((depth, series), NO_RUNS)
            mean = group.value("generated")
            ours = effective_branching_factor(mean, depth) if factor and mean else mean
            line += [Cell(ours, 2 if factor else 1, group.mark), values.get(depth)]
        lines.append(line)
    columns = [column for series in printed for column in (series, f"{series} printed")]
    notes = [source, *missing_note(groups.values())]
    return Table.of(name, title, ["d", "boards", *columns], lines, notes)


def _plot(name: str, title: str, groups: Groups, printed: Printed, columns: Sequence[str]) -> Plot:
    return Plot(
        name,
        f"Nodes generated by depth: {title}",
        "depth d (moves)",
        "nodes generated (mean, log scale)",
        tuple(_curves(groups, printed, columns)),
        log_y=True,
        note="crosses: printed in the book",
    )


def _curves(groups: Groups, printed: Printed, columns: Sequence[str]) -> Iterator[Series]:
    depths = sorted({depth for depth, _ in groups})
    for series in columns:
        found = [(depth, groups.get((depth, series), NO_RUNS)) for depth in depths]
        means = [(depth, group.value("generated"), group.partial) for depth, group in found]
        yield Series(series, tuple(Point(d, mean, part) for d, mean, part in means if mean))
        theirs = printed[series].items()
        points = tuple(Point(depth, float(value)) for depth, value in theirs)
        yield Series(f"{series}, printed", points, like=series, printed=True)
