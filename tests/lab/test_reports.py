"""Reports: aggregates that leave nothing out in silence, and files that anybody can open."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import Run as Tilewise
from tilewise.core.limits import Limits
from tilewise.drawing import plots
from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.lab import Experiment, Moment, Part, Scramble, run_experiment
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.reports.csv_tables import csv_text
from tilewise.lab.reports.general import sections
from tilewise.lab.reports.html import html
from tilewise.lab.reports.markdown import markdown
from tilewise.lab.reports.report import Cell, Report, Table
from tilewise.lab.reports.report_files import write_files
from tilewise.lab.reports.store_report import make_report
from tilewise.lab.reports.summary import Group, best_marked, group_by, missing_note
from tilewise.lab.row import COLUMNS, Row
from tilewise.lab.run import Run

VOID = {"meta", "img", "br", "hr", "link", "input"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished experiment in which some runs reach their limit."""
    place = tmp_path_factory.mktemp("reports") / "results"
    boards = Scramble("3x3", depth=(4, 12, 20), count=6, seed=1)
    part = Part("all", [boards], ["astar"], ["misplaced", "manhattan"], limits=[Limits(1000)])
    run_experiment(Experiment("small", [part], title="a <small> one"), place, command="tilewise x")
    return place


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return make_report(folder)


def row(status: str = "solved", **values: Any) -> Row:
    run = Run("1b2 345 678", "first", "astar", values.get("heuristic", ""))
    outcome = RunOutcome.from_values({"status": status, **values})
    labels = {name: value for name, value in values.items() if name not in COLUMNS}
    return Row("all", "a", run.key, "3x3", labels, run, outcome)


def test_a_run_that_reached_a_limit_is_in_no_mean_and_is_counted() -> None:
    group = Group((row(generated=10), row(generated=20), row("limit", generated=1000)))
    assert group.value("generated") == 15
    assert group.cell("generated").text() == "15.00 (2/3)"
    point = group.point(4, "generated")
    assert point is not None and point.partial
    assert missing_note([group])[0].startswith("Of 3 runs 1 reached a limit")


def test_a_group_without_a_solution_shows_how_its_runs_ended() -> None:
    group = Group((row("limit", generated=5), row("limit", generated=5)))
    assert group.cell("generated").text() == "limit"
    assert group.point(1, "generated") is None
    assert Group((row("limit"), row("stuck"))).outcome() == "1 limit, 1 stuck"


def test_counters_are_aggregated_as_their_table_says() -> None:
    group = Group((row(generated=1, max_frontier=7), row(generated=4, max_frontier=3)))
    assert group.value("generated") == 2.5
    assert group.value("max_frontier") == 7


def test_the_best_cell_follows_what_is_better_and_leaves_out_marked_ones() -> None:
    cells = [Cell(3.0), Cell(1.0, mark="(1/2)"), Cell(2.0)]
    assert [cell.best for cell in best_marked(cells, "less")] == [False, False, True]
    assert [cell.best for cell in best_marked(cells, "more")] == [True, False, False]
    assert not any(cell.best for cell in best_marked([Cell(1.0), Cell(1.0)], "less"))


def test_the_means_of_a_report_are_those_of_the_solved_rows(folder: Path, report: Report) -> None:
    from tilewise.lab import Store

    with Store.open(folder) as store:
        rows = store.rows()
    solved = [
        r["generated"]
        for r in rows
        if r["depth"] == 12 and r["heuristic"] == "misplaced" and r["status"] == "solved"
    ]
    table = next(table for table in report.tables if table.name == "generated")
    line = next(line for line in table.rows if line[0].value == 12)
    assert line[1].value == sum(solved) / len(solved)
    limited = [r for r in rows if r["status"] == "limit"]
    assert limited
    assert f"{len(limited)} reached a limit" in table.notes[0]


def test_every_table_and_plot_of_a_report_has_its_file(report: Report, tmp_path: Path) -> None:
    few = [replace(each, plots=each.plots[:2]) for each in report.sections]  # drawing takes long
    some = replace(report, sections=tuple(few))
    written = {path.name for path in write_files(some, tmp_path / "new" / "pages")}
    assert {"report.html", "report.md"} < written
    assert {f"{table.name}.csv" for table in report.tables} < written
    for plot in some.plots:
        svg = (tmp_path / "new" / "pages" / f"{plot.name}.svg").read_bytes()
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        png = (tmp_path / "new" / "pages" / f"{plot.name}.png").read_bytes()
        assert png.startswith(b"\x89PNG")


def test_a_plot_is_the_same_file_whenever_it_is_made(report: Report) -> None:
    assert plots.picture(report.plots[0], "svg") == plots.picture(report.plots[0], "svg")


class Tags(HTMLParser):
    """Checks that tags are closed in order and collects what the page would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.fetched += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_html_report_is_one_well_formed_file_that_fetches_nothing(report: Report) -> None:
    page = html(report)
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert tags.fetched
    assert all(target.startswith(("data:", "#")) for target in tags.fetched)
    assert "@import" not in page and "url(" not in page


def test_the_html_report_says_how_it_was_made_and_escapes_what_it_quotes(report: Report) -> None:
    page = html(report)
    assert "<code>tilewise x</code>" in page
    assert f"<code>{report.facts['version']}</code>" in page
    assert "&quot;heuristics&quot;" in page
    assert "a &lt;small&gt; one" in page and "<small>" not in page


def test_csv_has_full_precision_and_the_marks_beside() -> None:
    table = Table.of("t", "t", ["d", "n"], [[1, Cell(1 / 3, mark="(1/2)")], [2, Cell(None)]])
    lines = list(csv.reader(io.StringIO(csv_text(table))))
    assert lines == [["d", "n", "n: mark"], ["1", str(1 / 3), "(1/2)"], ["2", "", ""]]


def test_markdown_tables_keep_bars_and_name_the_best() -> None:
    report = Report("r", "r", tuple(sections([row(generated=1, optimal=1, heuristic="a|b")])))
    assert "a\\|b" not in markdown(report)  # one heuristic alone is not part of a name
    rows = [
        row(generated=n, cost=n, seconds=1.0, optimal=1, heuristic=h)
        for n, h in ((1, "a|b"), (2, "c"))
    ]
    text = markdown(Report("r", "r", tuple(sections(rows))))
    assert "a\\|b" in text and "**1.00**" in text


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(0, 400), min_size=1, max_size=12))
def test_labels_keep_their_order_and_never_overlap(wanted: list[float]) -> None:
    heights = plots._spread(wanted, 15.0, 0.0, 400.0)
    placed = sorted(zip(wanted, heights, strict=True))
    for (low, a), (high, b) in pairwise(placed):
        assert abs(b - a) >= 15.0 - 1e-6
        assert low == high or b > a


def test_a_plot_with_one_point_or_equal_values_can_be_drawn() -> None:
    for points in ((Point(1, 5),), (Point(1, 5), Point(2, 5, partial=True))):
        plot = Plot("p", "p", "x", "y", (Series("a", points), Series("b", points)), log_y=True)
        assert plots.picture(plot, "png").startswith(b"\x89PNG")


def test_rows_are_grouped_in_the_order_of_their_first_appearance() -> None:
    rows = [row(depth=9), row(depth=3), row(depth=9)]
    assert [(key, group.runs) for key, group in group_by(rows, "depth").items()] == [
        ((9,), 2),
        ((3,), 1),
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--table", "nothing"], "expected a table among outcomes, generated"),
        (["--format", "pdf"], "expected --format text, markdown, csv, latex, html; got 'pdf'"),
        (["--counter", "nothing"], "expected one of cost, expanded"),
        (["--by", "nothing"], "expected --by with one of part"),
    ],
)
def test_a_wrong_option_of_report_is_one_line(
    tilewise: Tilewise, folder: Path, arguments: list[str], words: str
) -> None:
    result = tilewise("experiment", "report", str(folder), *arguments)
    assert result.returncode == 2
    assert words in result.stderr
    assert result.stderr.count("\n") == 1 and not result.stdout


def test_report_of_a_folder_that_is_none_is_one_line(tilewise: Tilewise, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "missing"):
        result = tilewise("experiment", "report", str(place))
        assert result.returncode == 2
        assert result.stderr.count("\n") == 1


def test_report_prints_the_same_figures_in_every_format(tilewise: Tilewise, folder: Path) -> None:
    text, marks, table = (
        tilewise("experiment", "report", str(folder), "-t", "generated", "-f", kind).stdout
        for kind in ("text", "markdown", "csv")
    )
    figure = f"{float(next(csv.DictReader(io.StringIO(table)))['astar, manhattan']):.2f}"
    assert figure in text and figure in marks
    page = tilewise("experiment", "report", str(folder), "--format", "html").stdout
    assert page.startswith("<!doctype html>") and figure in page


def test_plots_without_matplotlib_name_the_extra(folder: Path, tmp_path: Path) -> None:
    arguments = ["experiment", "report", str(folder), "-o", str(tmp_path / "p")]
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from tilewise.cli.app import run\n"
        f"sys.exit(run({json.dumps(arguments)}))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert result.returncode == 2
    assert "pip install 'tilewise[lab]'" in result.stderr
    assert not (tmp_path / "p").exists()


def test_many_searches_stand_in_rows_and_measurements_in_a_table_of_their_own() -> None:
    searches = [row(generated=n, cost=n, optimal=1, heuristic=f"h{n}", depth=4) for n in range(12)]
    measurement = row("measured", heuristic="h", measured={"mean": 1.5, "list": [1]})
    section = sections([*searches, measurement], counters=["generated"])[0]
    tables = {table.name: table for table in section.tables}
    assert tables["measured"].columns == ("instance", "heuristic", "mean")
    assert tables["generated"].columns[0] == "search"
    assert len(tables["generated"].rows) == 12
    assert tables["outcomes"].columns == ("search", "runs", "solved", "proved optimal")


@pytest.mark.parametrize("width", [20, 60, 100])
def test_a_table_on_the_terminal_loses_no_figure_in_any_width(width: int) -> None:
    from tilewise.cli.experiment_report import table_text

    prose = "a text of many words that may be folded"
    line: list[Cell | str | int] = [1234567, prose, Cell(98765.4321, mark="(7/10)")]
    text = table_text(Table.of("t", "a title", ["count", "words", "mean nodes"], [line]), width)
    assert "1,234,567" in text and "98,765.43 (7/10)" in text
    assert all(word in text for word in prose.split())


def test_the_report_of_an_unfinished_experiment_says_so(tmp_path: Path) -> None:
    part = Part("all", [Scramble("3x3", depth=(4,), count=3, seed=1)], heuristics=["manhattan"])
    first = Experiment("half", [part])
    run_experiment(first, tmp_path)
    assert not any("Unfinished" in line for line in make_report(tmp_path).summary)
    more = Experiment("half", [replace(part, heuristics=["manhattan", "misplaced"])])

    def stop(moment: Moment) -> None:
        if moment.planned:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiment(more, tmp_path, watch=stop)
    assert any("Unfinished" in line for line in make_report(tmp_path).summary)


def test_a_plot_that_is_left_out_is_explained() -> None:
    one = sections([row(generated=1, depth=2)], by="depth")[0].tables[1]
    assert "No plot: depth has one value only." in one.notes


def test_rows_that_are_folded_are_counted_and_stand_in_the_csv_file() -> None:
    rows = [row(generated=n, depth=n) for n in range(50)]
    table = next(each for each in sections(rows)[0].tables if each.name == "generated")
    assert "10 more rows are in the CSV file (`--format csv`)." in table.notes
    assert len(table.visible) == 41 and table.visible[-1][0].value == "all"
    assert len(csv_text(table).splitlines()) == 1 + 51


def test_points_that_are_missing_in_a_plot_are_counted_below_it() -> None:
    rows = [row(generated=1, depth=1), row(generated=2, depth=2), row("limit", depth=3)]
    plot = next(each for each in sections(rows)[0].plots if each.name == "generated")
    assert plot.note == "left out, since no run was solved: 1 points"
