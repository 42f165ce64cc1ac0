"""Nodes generated and effective branching factor against depth, under three sets of rules.

The same boards and searches as Koehrsen's EECS 391 report (2017): in its own dialect on walks
without repeats, and in the rule sets `fifo` and `default` on boards of exact depth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.limits import Limits
from tilewise.core.stats import effective_branching_factor
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Experiment, Part, Scramble
from tilewise.lab.builtin.printed_figures import DEPTHS, FACTORS, NODES, SERIES
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.reports.summary import Group, group_by, missing_note
from tilewise.lab.row import Row

BOARDS, SEED, COURSE_SEED = 100, 1000, 42
BEAMS = ("beam(width=100)", "beam(width=10)")
HEURISTICS = {"h1": "h1", "h2": "h2", "misplaced": "h1", "manhattan": "h2"}
Groups = dict[tuple[Any, ...], Group]
Number = int | float
NO_RUNS = Group(())
WRONG = "(!)"
SOURCE = "printed: Koehrsen's EECS 391 report (2017)."
PLOT_NOTE = "crosses: printed in Koehrsen's EECS 391 report (2017)"

WALKS = Scramble("3x3", walk=DEPTHS, repeats=False, count=BOARDS, seed=SEED)
EXACT = Scramble("3x3", depth=DEPTHS, count=BOARDS, seed=SEED)


def _profile(algorithms: tuple[str, ...], heuristics: tuple[str, ...]) -> Part:
    return Part(
        name="eecs391",
        instances=(WALKS,),
        profile="eecs391",
        algorithms=algorithms,
        heuristics=heuristics,
        limits=(Limits(generated=1_000_000),),
        seeds=(COURSE_SEED,),
    )


EXPERIMENT = Experiment(
    name="efficiency",
    title="nodes and branching factors of A* h1, A* h2 and beams at depths 2 to 24",
    parts=(
        _profile(("astar",), ("h1", "h2")),
        _profile(BEAMS, ()),
        *(
            Part(
                name=rules,
                instances=(EXACT,),
                algorithms=algorithms,
                heuristics=heuristics,
                rules=(rules,),
            )
            for rules in ("fifo", "default")
            for algorithms, heuristics in (
                (("astar",), ("misplaced", "manhattan")),
                (BEAMS, ()),
            )
        ),
    ),
    report="efficiency",
)

PARTS = {
    "eecs391": (
        "profile eecs391, walks without repeats",
        "walk",
        "Koehrsen's program on boards made as his report makes them: by a random walk "
        "of d moves from the goal that enters no state twice. Such a walk need not be d deep: the "
        "column `really d deep` counts. The longer the walk, the more of the figure is a mean "
        "over shallower boards.",
    ),
    "fifo": (
        "rule set fifo, boards of exact depth",
        "depth",
        "All boards of depth d, 100 of them drawn without repeats; ties by f alone, oldest first. "
        "Misplaced tiles leave out the blank here, so h1 is admissible.",
    ),
    "default": (
        "default rules, boards of exact depth",
        "depth",
        "The same boards; ties go to the smaller h, then the newest node. Whatever differs "
        "from the section before is the order of ties alone.",
    ),
}


def report(rows: Sequence[Row]) -> list[Section]:
    """A section for each of the three parts, and one about the printed branching factors."""
    sections = []
    for part, (title, label, text) in PARTS.items():
        mine = [row for row in rows if row["part"] == part]
        if mine:
            sections.append(_section(part, title, label, text, mine))
    return [*sections, _printed_section()]


def series_name(row: Row) -> str:
    """The name that the reports have for a search."""
    if row["algorithm"].startswith("beam"):
        return f"beam {build_algorithm(row['algorithm']).options['width']}"
    return f"A* {HEURISTICS[row['heuristic']]}"


def _section(part: str, title: str, label: str, text: str, rows: Sequence[Row]) -> Section:
    groups = group_by((row.with_labels(series=series_name(row)) for row in rows), label, "series")
    depths = sorted({depth for depth, _ in groups})
    tables = (
        _nodes_table(part, title, groups, depths, label),
        _factors_table(part, title, groups, depths),
    )
    plots = (
        Plot(
            f"{part}-nodes",
            f"Mean nodes generated: {title}",
            f"{label} d (moves)",
            "nodes generated (mean, log scale)",
            tuple(_curves(groups, depths, lambda group, _: group.value("generated"), NODES)),
            log_y=True,
            note=PLOT_NOTE,
        ),
        Plot(
            f"{part}-factors",
            f"Effective branching factor: {title}",
            f"{label} d (moves)",
            "effective branching factor",
            tuple(_curves(groups, depths, _factor, FACTORS)),
            note=PLOT_NOTE,
        ),
    )
    return Section(f"{title[0].upper()}{title[1:]}", (text,), tables, plots)


def _nodes_table(part: str, title: str, groups: Groups, depths: Sequence[int], label: str) -> Table:
    rows = []
    for depth in depths:
        any_series = next(group for (d, _), group in groups.items() if d == depth)
        row: list[Cell | Value] = [depth, any_series.runs]
        if label == "walk":
            deep = sum(run["depth"] == depth for run in any_series.rows)
            row.append(Cell(100 * deep / any_series.runs, 0))
        for series in SERIES:
            row += [
                groups.get((depth, series), NO_RUNS).cell("generated"),
                _at(NODES, series, depth),
            ]
        rows.append(row)
    deep_column = ["really d deep, %"] if label == "walk" else []
    return Table.of(
        f"{part}-nodes",
        f"Mean nodes generated, {title}",
        ["d", "boards", *deep_column, *_columns()],
        rows,
        [SOURCE, *missing_note(groups.values())],
    )


def _factors_table(part: str, title: str, groups: Groups, depths: Sequence[int]) -> Table:
    rows = []
    for depth in depths:
        row: list[Cell | Value] = [depth]
        for series in SERIES:
            group = groups.get((depth, series), NO_RUNS)
            row += [Cell(_factor(group, depth), mark=group.mark), _printed_factor(series, depth)]
        rows.append(row)
    return Table.of(
        f"{part}-factors",
        f"Effective branching factor b of mean nodes N = b + b^2 + ... + b^d, {title}",
        ["d", *_columns()],
        rows,
        [SOURCE, f"{WRONG} does not follow from the N printed for it."],
    )


def _columns() -> list[str]:
    return [column for series in SERIES for column in (series, f"printed {series}")]


def _at(table: Mapping[str, tuple[Number, ...]], series: str, depth: int) -> Number | None:
    place = DEPTHS.index(depth) if depth in DEPTHS else len(DEPTHS)
    return table[series][place] if place < len(table[series]) else None


def _factor(group: Group, depth: int) -> float | None:
    mean = group.value("generated")
    return None if mean is None else effective_branching_factor(mean, depth)


def follows(series: str, depth: int) -> bool:
    """Whether a printed branching factor is the one of the nodes printed for it."""
    nodes, factor = _at(NODES, series, depth), _at(FACTORS, series, depth)
    if nodes is None or factor is None:
        return True
    return f"{effective_branching_factor(nodes, depth):.2f}" == f"{factor:.2f}"


def _printed_factor(series: str, depth: int) -> Cell:
    factor = _at(FACTORS, series, depth)
    if factor is None:
        return Cell(None)
    return Cell(float(factor), mark="" if follows(series, depth) else WRONG)


def _curves(
    groups: Groups,
    depths: Sequence[int],
    value: Callable[[Group, int], float | None],
    printed: Mapping[str, tuple[Number, ...]],
) -> Iterator[Series]:
    for series in SERIES:
        points = []
        for depth in depths:
            group = groups.get((depth, series), NO_RUNS)
            y = value(group, depth)
            if y is not None:
                points.append(Point(depth, y, group.partial))
        yield Series(series, tuple(points))
        theirs = zip(DEPTHS, printed[series], strict=False)
        yield Series(
            f"{series}, printed",
            tuple(Point(depth, float(y)) for depth, y in theirs),
            like=series,
            printed=True,
        )


def _printed_section() -> Section:
    cells = [
        (series, depth) for series in SERIES for depth in DEPTHS if _at(FACTORS, series, depth)
    ]
    rows: list[list[Value]] = []
    for series, depth in cells:
        nodes = _at(NODES, series, depth)
        if not follows(series, depth) and nodes is not None:
            ours = effective_branching_factor(nodes, depth)
            rows.append([series, depth, nodes, _at(FACTORS, series, depth), ours])
    text = (
        f"Koehrsen's EECS 391 report (2017) prints N and b for {len(cells)} cells. In {len(rows)} "
        "of them the b printed is not the root of N = b + b^2 + ... + b^d, to two digits."
    )
    columns = ["search", "d", "printed N", "printed b", "b of that N"]
    table = Table.of("printed-factors", "Printed b that do not follow from N", columns, rows)
    return Section("The printed branching factors", (text,), (table,))
