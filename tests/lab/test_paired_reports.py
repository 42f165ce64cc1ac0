"""Figures that can be quoted: spread, intervals, ratios, scatter and cactus plots, LaTeX."""

from __future__ import annotations

import random
import statistics
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tests.conftest import Run as Tilewise
from tilewise.core.limits import Limits
from tilewise.drawing import plots
from tilewise.errors import SpecError
from tilewise.lab import Experiment, Part, Scramble, run_experiment
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.reports.general import sections
from tilewise.lab.reports.latex import escaped, latex_table
from tilewise.lab.reports.report import Cell, Table
from tilewise.lab.reports.spread import Spread, bootstrapped, geometric_mean, quartiles
from tilewise.lab.row import Row
from tilewise.lab.run import Run


def row(board: int, heuristic: str, status: str = "solved", **values: Any) -> Row:
    run = Run(f"board {board}", "first", "astar", heuristic)
    outcome = RunOutcome.from_values({"status": status, **values})
    labels = {"depth": 4 + board % 2}
    return Row("all", f"b{board}", run.key, "3x3", labels, run, outcome)


def table_of(rows: list[Row], name: str, baseline: str | None = None) -> Table:
    (section,) = sections(rows, counters=["generated"], baseline=baseline)
    return next(table for table in section.tables if table.name == name)


def test_quartiles_geometric_means_and_intervals_are_the_textbooks() -> None:
    values = [1.0, 2.0, 4.0, 8.0, 16.0]
    assert quartiles(values) == (2, 4, 8)
    assert geometric_mean(values) == pytest.approx(4)
    assert geometric_mean([0.0, 1.0]) is None
    spread = Spread.of([7])
    assert (spread.median, spread.interval) == (7, None)


def test_an_interval_covers_the_true_mean_about_as_often_as_it_says() -> None:
    draw = random.Random(1)
    covered = 0
    for _ in range(60):
        found = bootstrapped([draw.gauss(10, 3) for _ in range(40)])
        assert found is not None and found.low < found.high
        covered += found.low <= 10 <= found.high
    assert 50 <= covered < 60
    assert bootstrapped([1, 2, 3]) == bootstrapped([1, 2, 3])


def test_figures_are_those_of_the_boards_that_all_searches_solved() -> None:
    rows = [row(n, "a", generated=10 * n) for n in range(1, 6)]
    rows += [row(n, "b", generated=20 * n) for n in range(1, 4)]
    rows += [row(n, "b", "limit", generated=999) for n in (4, 5)]
    table = table_of(rows, "generated-spread")
    assert "Over the 3 of 5 boards that all of these searches solved." in table.notes
    by_search = {line[0].value: [cell.value for cell in line[1:]] for line in table.rows}
    assert by_search["astar, a"][:2] == [3, 20] and by_search["astar, b"][:2] == [3, 40]
    assert by_search["astar, a"][5] == 20
    low, high = by_search["astar, a"][2:4]
    assert isinstance(low, float) and isinstance(high, float) and 10 <= low < 20 < high <= 30


def test_a_search_that_solved_nothing_is_named_and_does_not_empty_the_table() -> None:
    rows = [row(n, "a", generated=n) for n in (1, 2)] + [row(n, "b", "limit") for n in (1, 2)]
    table = table_of(rows, "generated-spread")
    assert table.notes[0].endswith("Not in it, since nothing was solved: astar, b.")
    assert [line[0].value for line in table.rows] == ["astar, a"]


def test_ratios_are_to_the_baseline_board_by_board() -> None:
    rows = [row(n, "a", generated=n * n) for n in (1, 2, 3)]
    rows += [row(n, "b", generated=2 * n * n) for n in (1, 2)] + [row(3, "b", generated=9)]
    table = table_of(rows, "ratios")
    (line,) = table.rows
    assert line[1].value == "astar, b" and line[2].value == pytest.approx(4 ** (1 / 3))
    assert [cell.value for cell in line[5:]] == [0, 1, 2]
    other = table_of(rows, "ratios", baseline="b")
    assert other.title == "Ratios to astar, b"
    assert other.rows[0][2].value == pytest.approx(4 ** (-1 / 3))
    with pytest.raises(SpecError, match="expected one search of astar, a; astar, b as baseline"):
        sections(rows, baseline="c")


def test_plots_of_many_searches_show_the_best_and_the_worst_and_say_so() -> None:
    rows = [row(n, f"h{h}", generated=10 * n + h) for h in range(9) for n in range(1, 5)]
    (section,) = sections(rows, counters=["generated"])
    plot = next(plot for plot in section.plots if plot.name == "generated")
    assert plot.note.splitlines() == [
        "bars: bootstrapped 95 % interval of the mean",
        "8 of 9 searches: the best and the worst",
    ]
    cactus = next(plot for plot in section.plots if plot.name == "cactus-generated")
    assert cactus.note == "8 of 9 searches: the best and the worst"
    shown = [series.label for series in plot.series]
    assert len(shown) == 8 and "astar, h4" not in shown
    scatters = [plot for plot in section.plots if plot.kind == "scatter"]
    assert [plot.series[0].label for plot in scatters] == ["astar, h1", "astar, h2", "astar, h8"]
    assert "3 of 8 searches: the best and the worst" in scatters[0].note
    looks = {(each.label, each.look) for plot in section.plots for each in plot.series}
    assert len(looks) == len({label for label, _ in looks}) == 8  # one look a search
    assert ("astar, h8", 8) in looks


def test_a_cactus_plot_counts_the_boards_that_are_solved() -> None:
    rows = [row(n, "a", generated=n * n) for n in range(1, 6)]
    rows += [row(n, "b", generated=7) for n in (1, 2)] + [row(3, "b", "limit", generated=1)]
    (section,) = sections(rows, counters=["generated"])
    plot = next(plot for plot in section.plots if plot.name == "cactus-generated")
    curves = {series.label: [(p.x, p.y) for p in series.points] for series in plot.series}
    assert curves["astar, a"] == [(1, 1), (4, 2), (9, 3), (16, 4), (25, 5)]
    assert curves["astar, b"] == [(7, 1), (7, 2)]


def test_statistics_by_depth_have_intervals() -> None:
    rows = [row(n, "a", generated=n) for n in range(1, 9)]
    (section,) = sections(rows, by="depth", counters=["generated"])
    table = next(table for table in section.tables if table.name == "generated-by-depth")
    assert [line[0].value for line in table.rows] == [4, 5]
    for line, values in zip(table.rows, ([2, 4, 6, 8], [1, 3, 5, 7]), strict=True):
        mean, low, high = (cell.value for cell in line[3:6])
        assert mean == statistics.fmean(values)
        assert isinstance(low, float) and isinstance(high, float) and low < mean < high
    plot = next(plot for plot in section.plots if plot.name == "generated")
    assert all(p.low is not None and p.low < p.y for p in plot.series[0].points)


@pytest.mark.parametrize("kind", ["scatter", "cactus"])
def test_the_new_plots_can_be_drawn(kind: str) -> None:
    rows = [row(n, h, generated=k * n**3) for k, h in ((1, "a"), (3, "b")) for n in range(1, 9)]
    (section,) = sections(rows, counters=["generated"])
    plot = next(plot for plot in section.plots if kind in plot.name)
    assert ElementTree.fromstring(plots.picture(plot, "svg")).tag.endswith("svg")


def test_names_of_a_cactus_plot_are_inside_the_picture_and_not_upon_each_other() -> None:
    rows = [row(n, f"h{h}", generated=2**h * n) for h in range(8) for n in range(1, 9)]
    (section,) = sections(rows, counters=["generated"])
    plot = next(plot for plot in section.plots if plot.name == "cactus-generated")
    with matplotlib.rc_context(plots.STYLE):
        figure = Figure(figsize=(plots.WIDTH, plots.HEIGHT))
        canvas: Any = FigureCanvasAgg(figure)
        axes: Any = figure.add_subplot()
        plots._draw(figure, axes, plot)
        canvas.draw()
    texts = axes.get_legend().get_texts()
    boxes = [text.get_window_extent(canvas.get_renderer()) for text in texts]
    assert len(boxes) == 8
    for number, box in enumerate(boxes):
        assert box.x0 > axes.get_window_extent().x1 and box.x1 <= figure.bbox.x1
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])


def test_latex_tables_escape_what_means_something_to_latex() -> None:
    table = Table.of(
        "a_b", "100 % & more", ["h_1", "$n$"], [[Cell("pdb{7-8}"), Cell(1234.5, best=True)]], ["#1"]
    )
    text = "\n".join(latex_table(table))
    assert r"\caption{100 \% \& more}" in text and r"h\_1 & \$n\$ \\" in text
    assert r"pdb\{7-8\} & \textbf{1,234.50} \\" in text and r"\begin{tabular}{lr}" in text
    assert r"\#1" in text and escaped("a\\b~c^d") == (
        r"a\textbackslash{}b\textasciitilde{}c\textasciicircum{}d"
    )


def test_a_report_of_a_store_has_them_all(tmp_path: Path, tilewise: Tilewise) -> None:
    boards = Scramble("3x3", depth=(4, 12), count=6, seed=1)
    part = Part("all", [boards], ["astar"], ["misplaced", "manhattan"], limits=[Limits(1000)])
    run_experiment(Experiment("small", [part]), tmp_path / "r")
    text = tilewise("experiment", "report", "r", "--format", "latex", "--baseline", "manhattan")
    assert text.returncode == 0, text.stderr
    assert r"\caption{Ratios to astar, manhattan}" in text.stdout
    assert text.stdout.count(r"\begin{table}") == text.stdout.count(r"\end{table}") > 5
    made = tilewise("experiment", "report", "r", "--counter", "generated", "--out", "pages")
    assert made.returncode == 0, made.stderr
    written = {path.name for path in (tmp_path / "pages").iterdir()}
    assert {"tables.tex", "ratios.csv", "cactus-seconds.svg", "generated-scatter-1.png"} <= written
