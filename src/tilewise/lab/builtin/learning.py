"""Learned heuristics: how far they are off, what searches make of them, what training is worth."""

from __future__ import annotations

from collections.abc import Sequence

from tilewise.core.limits import Limits
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Boards, Experiment, Part, Scramble
from tilewise.lab.builtin.training_runs import TRAINED_BOARDS, TRAINED_DEPTH, TRAINING_STEPS
from tilewise.lab.measurement_names import BUILT_IN
from tilewise.lab.reports.general import series_names
from tilewise.lab.reports.paired import Paired, spread_table
from tilewise.lab.reports.report import Cell, Section, Table, Value
from tilewise.lab.reports.summary import group_by
from tilewise.lab.row import Row
from tilewise.puzzle.board import Goal

USUAL = ("manhattan", "linear_conflict")
MODELS = (
    "learned",
    "learned(linear)",
    "learned(network)",
    "learned(network, lowered=yes)",
    "learned(policy)",
)
LARGE_MODELS = ("learned", "learned(linear)", "learned(network)")
SEARCHES = ("wastar", "beam(width=100)")
NODES, BOARDS, DEPTHS = 20_000, 5, (24, 32)
SIZES = (1_000, 5_000, 25_000, 125_000)
VALUES, SMALL, LARGE, TRAINED = "values", "3x3", "4x4", "training"


def EXPERIMENT() -> Experiment:  # noqa: N802  (the table of experiments names it so)
    """The experiment with the models that come with the package, or those in the cache."""
    goal = (Boards((str(Goal.blank_first(3, 3).board),), goal="first"),)
    return Experiment(
        name="learning",
        title="heuristics that were learned: error, nodes, seconds, length, size of training",
        parts=(
            Part(VALUES, goal, heuristics=(*USUAL, *MODELS), measure=f"{BUILT_IN}:estimates"),
            Part(
                SMALL,
                (Scramble("3x3", depth=DEPTHS[:1], count=2 * BOARDS, seed=1000),),
                SEARCHES,
                (*USUAL, "pdb(4-4)", *MODELS),
                limits=(Limits(generated=NODES),),
            ),
            Part(
                LARGE,
                (Scramble("4x4", depth=DEPTHS, count=BOARDS, seed=1000),),
                SEARCHES,
                (*USUAL, "pdb(6-6-3)", *LARGE_MODELS),
                limits=(Limits(generated=NODES),),
            ),
            Part(
                TRAINED,
                goal,
                measure=f"{BUILT_IN}:training_size",
                limits=tuple(Limits(generated=size) for size in SIZES),
            ),
        ),
        report="learning",
    )


def report(rows: Sequence[Row]) -> list[Section]:
    """Errors on every state of 3x3, searches on Korf's boards, and the size of the training."""
    parts = {part: group.rows for (part,), group in group_by(rows, "part").items()}
    make = {VALUES: _values, SMALL: _searched, LARGE: _searched, TRAINED: _trained}
    return [make[name](parts[name]) for name in make if name in parts]


def _measured(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row["status"] == "measured"]


def _values(rows: Sequence[Row]) -> Section:
    lines: list[list[Cell | Value]] = []
    curves = []
    for row in _measured(rows):
        found = row["measured"]
        lines.append(
            [
                row["heuristic"],
                Cell(found["mean_error"]),
                Cell(100 * found["too_large_share"], 1),
                found["largest_excess"],
            ]
        )
        points = tuple(Point(depth, error) for depth, error in enumerate(found["by_depth"]))
        curves.append(Series(row["heuristic"], points))
    table = Table.of(
        "values",
        "Errors on 3x3 (goal first): all depths, each by up to 200 states",
        ["heuristic", "mean error", "too large %", "largest excess"],
        lines,
    )
    plot = Plot(
        "error-by-depth",
        "Mean error of each heuristic by true distance, 3x3",
        "true distance (moves)",
        "mean error (moves)",
        tuple(curves),
    )
    text = (
        "The error is what a value differs by from the true distance, above or below. Too large: "
        "the share of states on which it exceeds the distance, so that it is not admissible; the "
        "largest excess is the most that it does so by."
    )
    return Section("How far they are off", (text,), (table,), (plot,))


def _searched(rows: Sequence[Row]) -> Section:
    tables, shape = [], str(rows[0]["shape"])
    for (algorithm,), group in group_by(rows, "algorithm").items():
        names = series_names(group.rows, "algorithm")
        named = [r.with_labels(search=n) for r, n in zip(group.rows, names, strict=True)]
        paired = Paired.of(named)
        word = f"{shape}-{str(algorithm).partition('(')[0]}"
        solved = Table.of(
            f"{word}-solved",
            f"{algorithm}, {shape}: boards solved of {paired.boards}",
            ["search", "solved"],
            [[name, len(found)] for name, found in paired.solved.items()],
        )
        digits = {"generated": 0, "cost": 1, "seconds": 4}
        made = (
            spread_table(paired, name, f"{word}-", f", {algorithm}", places)
            for name, places in digits.items()
        )
        tables += [solved, *(table for table in made if table is not None)]
    text = (
        f"Boards of exact depth, at most {NODES:,} nodes each. A learned value proves nothing: no "
        "solution is called optimal. All run on the native engine but learned(linear), which "
        "weighs heuristics in Python: compare its nodes, and its seconds with care."
    )
    return Section(f"What searches make of them on {shape}", (text,), tuple(tables))


def _trained(rows: Sequence[Row]) -> Section:
    found = sorted(
        (row["measured"]["states"], row["seed"], row["measured"]) for row in _measured(rows)
    )
    lines: list[list[Cell | Value]] = [
        [states, seed, Cell(m["mean_error"]), Cell(m["nodes"], 1), Cell(m["moves"], 1)]
        for states, seed, m in found
    ]
    table = Table.of(
        "training",
        "A network by the size of its training, 3x3",
        ["states", "seed", "mean error", "nodes of wastar", "moves"],
        lines,
        ["The error is that on states that were held out."],
    )

    def plot(name: str, word: str, unit: str, log_y: bool = False) -> Plot:
        seeds = sorted({seed for _, seed, _ in found})
        series = (
            Series(f"seed {seed}", tuple(Point(n, m[word]) for n, s, m in found if s == seed))
            for seed in seeds
        )
        title = f"{name} against the states trained on, 3x3"
        return Plot(
            f"training-{word.replace('_', '-')}",
            title,
            "states trained on (log scale)",
            f"{name} ({unit})",
            tuple(series),
            log_x=True,
            log_y=log_y,
        )

    plots = (
        plot("mean error", "mean_error", "moves"),
        plot("nodes", "nodes", "mean, log scale", log_y=True),
    )
    text = (
        f"Every network sees {TRAINING_STEPS:,} states, small trainings the same ones again and "
        f"again. Nodes and moves are means of {TRAINED_BOARDS} boards of depth {TRAINED_DEPTH}."
    )
    return Section("What training is worth", (text,), (table,), plots)
