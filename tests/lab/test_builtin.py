"""The built-in experiments: the figures that must come out, and verdicts that follow from rows."""

from __future__ import annotations

import math
import random
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.oracles import puzzle
from tilewise.core.limits import Limits
from tilewise.core.stats import effective_branching_factor
from tilewise.lab import Boards, Experiment, FromSuite, Part, Scramble, Source, load, run_experiment
from tilewise.lab.builtin import BUILT_IN, printed_figures, verdicts
from tilewise.lab.builtin.admissible_heuristics import admissible
from tilewise.lab.builtin.claim_list import CLAIMS, Claim
from tilewise.lab.builtin.efficiency import EXACT, EXPERIMENT, follows
from tilewise.lab.builtin.measurements import membership, work_with_lists
from tilewise.lab.builtin.scaling import fit
from tilewise.lab.instances import Instance
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.reports.html import html
from tilewise.lab.reports.store_report import make_report
from tilewise.lab.row import Row
from tilewise.lab.run import Run as LabRun
from tilewise.puzzle.board import Board

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = DOCS / "experiments"
sys.path.insert(0, str(DOCS))
result_files: Any = import_module("results")
sys.path.pop(0)


def test_the_sample_of_exact_depth_is_the_one_that_is_defined() -> None:
    table = puzzle.distances(puzzle.FIRST_OF_8, 12)
    drawn = list(replace(EXACT, depth=(2, 6, 12)).draw(0))
    for depth, size in ((2, 4), (6, 39), (12, 100)):
        states = sorted(state for state, distance in table.items() if distance == depth)
        expected = set(states)
        if len(states) > 100:
            expected = set(random.Random(1000 + depth).sample(states, 100))
        found = [instance.board.tiles for instance in drawn if instance.labels["depth"] == depth]
        assert len(found) == size
        assert set(found) == expected


@pytest.fixture(scope="module")
def efficiency(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The rows of the table of nodes in rule set fifo, at two depths."""
    folder = tmp_path_factory.mktemp("efficiency")
    parts = [
        replace(part, instances=(replace(EXACT, depth=(8, 12)),))
        for part in EXPERIMENT.parts
        if part.name == "fifo"
    ]
    run_experiment(replace(EXPERIMENT, parts=tuple(parts)), folder)
    table = next(table for table in make_report(folder).tables if table.name == "fifo-nodes")
    return {row[0].text(): [cell.text() for cell in row] for row in table.rows}


def test_efficiency_has_the_exact_means_in_rule_set_fifo(efficiency: dict[str, list[str]]) -> None:
    # d, boards, then ours and the printed figure for A* h1, A* h2, beam 100, beam 10
    assert efficiency["8"][:6] == ["8", "100", "46.26", "44", "30.57", "29"]
    assert efficiency["12"][:6] == ["12", "100", "272.18", "238", "92.17", "80"]


def test_the_table_of_the_book_stands_beside_ours(tmp_path: Path) -> None:
    book: Experiment = load("aima")
    parts = [
        replace(part, instances=(Scramble("3x3", depth=(6,), count=100, seed=1000),))
        for part in book.parts
    ]
    run_experiment(replace(book, parts=tuple(parts)), tmp_path)
    tables = {table.name: table for table in make_report(tmp_path).tables}
    rows = {name: [cell.text() for cell in table.rows[0]] for name, table in tables.items()}
    assert rows["fourth-nodes"] == ["6", "39", "125.0", "128", "23.5", "24", "19.4", "19"]
    assert rows["fourth-factors"][2:4] == ["2.00", "2.01"]
    assert rows["earlier-nodes"] == ["6", "39", "311.2", "", "21.5", "20", "17.9", "18"]
    for search, nodes in printed_figures.BOOK_NODES.items():
        for depth, count in nodes.items():  # a slip in copying would show here
            factor = printed_figures.BOOK_FACTORS[search][depth]
            assert effective_branching_factor(count, depth) == pytest.approx(factor, abs=0.006)


def test_the_page_of_efficiency_shows_the_exact_means_at_all_depths() -> None:
    page = (PAGES / "efficiency.md").read_text(encoding="utf-8")
    fifo = page.partition("Mean nodes generated, rule set fifo")[2].partition("**")[2]
    rows = {int(m[1]): m[0] for m in re.finditer(r"^\| (\d+) \|.*$", fifo.split("\n\n")[1], re.M)}
    for depth, h1, h2 in (
        (8, "46.26", "30.57"),
        (12, "272.18", "92.17"),
        (16, "1,572.71", "306.55"),
        (20, "9,266.38", "1,216.10"),
    ):
        assert f"| {h1} |" in rows[depth] and f"| {h2} |" in rows[depth]


def test_three_printed_branching_factors_do_not_follow_from_their_nodes() -> None:
    wrong = {
        (series, depth, f"{effective_branching_factor(nodes, depth):.2f}")
        for series in printed_figures.SERIES
        for depth, nodes in zip(printed_figures.DEPTHS, printed_figures.NODES[series], strict=False)
        if not follows(series, depth)
    }
    assert wrong == {("beam 10", 6, "1.78"), ("A* h2", 22, "1.28"), ("A* h2", 24, "1.27")}
    assert all(
        len(printed_figures.NODES[name]) == len(printed_figures.FACTORS[name])
        for name in printed_figures.SERIES
    )


def test_the_branching_factor_of_a_mean_is_a_root_to_nine_digits() -> None:
    for nodes, depth in ((30.57, 8), (1216.10, 20), (50555.16, 24), (5249.86, 24)):
        b = effective_branching_factor(nodes, depth)
        assert b is not None
        low, high = (
            math.fsum((b + step) ** i for i in range(1, depth + 1)) for step in (-1e-9, 1e-9)
        )
        assert low < nodes < high


EIGHTS = [Board.parse("8b6 547 231"), Board.parse("64b 857 231")]


def smaller(experiment: Experiment) -> Experiment:
    """The same experiment with a few boards, few nodes and few rules."""

    def few(source: Source) -> Source:
        if isinstance(source, Scramble):
            return replace(source, count=2, depth=source.depth[:2], walk=source.walk[:2])
        if isinstance(source, FromSuite):
            return replace(source, first=2)
        return Boards(source.boards[:3], source.goal) if isinstance(source, Boards) else source

    def cheap(part: Part) -> Part:
        limits = [
            replace(each, generated=min(each.generated or 5_000, 5_000)) for each in part.limits
        ]
        keep = [Limits(generated=n) for n in dict.fromkeys(each.generated for each in limits)]
        return replace(
            part,
            instances=[few(source) for source in part.instances],
            limits=part.limits if experiment.name in ("limits", "claims") else keep,
            rules=part.rules[:7],
            heuristics=part.heuristics[:3] if part.measure else part.heuristics,
        )

    return replace(experiment, parts=[cheap(part) for part in experiment.parts if not trains(part)])


def trains(part: Part) -> bool:
    """Whether the runs of a part train networks, which takes long."""
    return part.measure.endswith(":training_size")


@pytest.mark.full
def test_networks_are_trained_by_the_size_of_their_training(tmp_path: Path) -> None:
    learning = load("learning")
    (part,) = filter(trains, learning.parts)
    run_experiment(replace(learning, parts=[replace(part, limits=part.limits[:2])]), tmp_path)
    tables = make_report(tmp_path).tables
    assert [len(table.rows) for table in tables if table.name == "training"] == [2]


IN_THE_FULL_RUN = ("learning", "limits", "scaling")
"""What they measure is tested by itself, and how they report by the others."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.full if n in IN_THE_FULL_RUN else ()) for n in BUILT_IN],
)
def test_every_built_in_experiment_runs_and_reports(name: str, tmp_path: Path) -> None:
    if name == "space":
        experiment = replace(load(name), parts=load(name).parts[:4])
    elif name == "korf24":  # boards that are proved at once, under numbers of the suite
        boards = tuple(Instance(board, "first", f"korf24:{n}") for n, board in enumerate(EIGHTS, 1))
        (part,) = load(name).parts
        part = replace(part, instances=(Boards(boards),), heuristics=("pdb(4-4)",))
        experiment = replace(load(name), parts=(part,))
    else:
        experiment = smaller(load(name))
    summary = run_experiment(experiment, tmp_path)
    report = make_report(tmp_path)
    assert summary.failed == 0
    assert report.tables and all(table.rows for table in report.tables)
    assert all(len(row) == len(t.columns) for t in report.tables for row in t.rows)
    assert len({table.name for table in report.tables}) == len(report.tables)
    assert report.title.startswith(f"{name}: ")
    kept = result_files.from_json(result_files.to_json(report))
    assert result_files.markdown(kept) == result_files.markdown(report)
    if name == "scaling":
        assert "data:image/svg+xml" in html(report)


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_built_in_experiment_has_a_page_with_its_result(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    marker = f"<!-- generated: benchmarks/results/{name}.json -->"
    result = page.partition(marker)[2].partition("<!-- end of generated -->")[0]
    assert f"`tilewise experiment run {name} --out {name}" in result
    assert "|---" in result
    assert "## What it teaches" in page


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.name)
def test_the_command_of_a_claim_can_be_run(claim: Claim, tilewise: Run) -> None:
    command = claim.command.partition(" | ")[0]
    words = shlex.split(command)
    assert words[0] == "tilewise"
    if words[1:3] == ["experiment", "run"]:
        assert words[3] in BUILT_IN
    else:
        result = tilewise(*words[1:])
        assert result.returncode in (0, 20), result.stderr


def rows(costs: Sequence[int]) -> list[Row]:
    run = LabRun("b12 345 678", "first", "bfs")
    return [
        Row("all", "a", run.key, "3x3", {"depth": 10}, run, RunOutcome("solved", cost=cost))
        for cost in costs
    ]


def test_a_verdict_follows_from_the_rows() -> None:
    assert verdicts.always_optimal(rows([10, 10])).word == verdicts.HOLDS
    verdict = verdicts.always_optimal(rows([10, 12]))
    assert verdict.word == verdicts.FAILS
    assert "b12 345 678 takes 12 moves instead of 10" in verdict.finding


def measured(*values: dict[str, Any]) -> list[Row]:
    run = LabRun("b12 345 678", "first", "astar")
    return [
        Row("all", "a", run.key, "3x3", {"depth": 10}, run, RunOutcome("measured", measured=each))
        for each in values
    ]


def test_growth_is_judged_by_the_power_that_fits_it() -> None:
    assert verdicts.power([(n, 7 * n**1.5) for n in (10, 20, 40)]) == pytest.approx(1.5)
    steady = measured(*({"nodes": n, "steps": 9 * n} for n in (10, 20, 40)))
    assert verdicts.linear_time(steady).word == verdicts.HOLDS
    growing = measured(*({"nodes": n, "steps": n * n} for n in (10, 20, 40)))
    assert verdicts.linear_time(growing).word == verdicts.FAILS


def test_lists_are_scanned_and_sets_are_not() -> None:
    found = membership(LabRun("312 475 68b", "first", "bfs"))
    assert found["set"] <= found["looked_up"] < found["list"]
    few = work_with_lists(LabRun("1b2 345 678", "first", "astar", "manhattan"))
    many = work_with_lists(LabRun("312 475 68b", "first", "astar", "manhattan"))
    assert few == {"nodes": 3, "steps": 1 + (1 + 2 + 3) + 3}
    assert many["nodes"] == 12 and many["steps"] / 12 > few["steps"] / 3
    assert verdicts.set_membership(measured(found)).word == verdicts.HOLDS
    assert verdicts.set_membership(measured({**found, "set": 9**9})).word == verdicts.FAILS


def test_a_share_is_read_off_between_two_neighbours() -> None:
    assert verdicts.crossing([(0.8, 0.5), (0.4, 0.1)], 0.6) == pytest.approx(0.3)
    assert verdicts.crossing([(0.8, 0.5), (0.7, 0.1)], 0.6) is None


def test_growth_is_fitted_and_needs_three_points() -> None:
    found = fit([(d, 5 * 1.5**d) for d in range(10, 20)])
    assert found is not None
    assert found.growth == pytest.approx(1.5) and found.factor == pytest.approx(5)
    assert found.at(12) == pytest.approx(5 * 1.5**12)
    assert fit([(1, 2), (2, 4)]) is None


def test_the_heuristics_taken_are_admissible_and_can_be_made() -> None:
    from tilewise import Goal

    small, large = Goal.blank_first(3, 3), Goal.blank_first(4, 4)
    assert {"misplaced", "manhattan", "gaschnig", "perfect"} <= set(admissible(small))
    native = admissible(large, native=True)
    assert "linear_conflict" in native
    assert "perfect" not in native and "gaschnig" not in native
