"""A store that version 0.1 wrote opens, reports and resumes; `version_0_1/` has it as text.

It was made by version 0.1 from the experiment below; then three rows were taken out, as if it had
been interrupted.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tilewise.core.limits import Limits
from tilewise.lab import Boards, Experiment, Part, Scramble, Store, run_experiment
from tilewise.lab.measurement_names import BUILT_IN
from tilewise.lab.reports.markdown import markdown
from tilewise.lab.reports.store_report import make_report
from tilewise.lab.row import VOLATILE

HERE = Path(__file__).with_name("version_0_1")
BOARDS = Boards(("1b2 345 678", "312 b45 678", "142 35b 678"))
SMALL = Experiment(
    "small",
    [
        Part(
            "searches",
            [BOARDS],
            ["astar", "bfs"],
            ["manhattan", "zero"],
            labels={"series": "plain"},
        ),
        Part(
            "limited",
            [Scramble("3x3", depth=(12, 16), count=2, seed=1)],
            ["astar", "beam(2)"],
            limits=[Limits(generated=60)],
        ),
        Part("table", [Boards(("125 348 67b",))], ["beam(10)"], profile="eecs391-table"),
        Part("menu", [Boards(("012 453 786",))], ["ucs", "astar"], ["misplaced"], profile="cs170"),
        Part("driver", [Boards(("4,6,2,7,1,5,3,0,8",))], profile="columbia"),
        Part("measured", [BOARDS], [""], ["manhattan"], measure=f"{BUILT_IN}:value"),
    ],
    title="a store of version 0.1",
)
LEFT = 3
"""The runs that the store does not have."""

ADDED = {"bound", "stopped_by"}
"""Columns that 0.1 did not have."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    connection = sqlite3.connect(tmp_path / "store.sqlite")
    connection.executescript((HERE / "store.sql").read_text(encoding="utf-8"))
    connection.close()
    return tmp_path


def test_its_report_has_all_that_version_0_1_wrote_in_the_same_order(folder: Path) -> None:
    lines = iter(markdown(make_report(folder)).splitlines())  # newer tables stand between them
    written = (HERE / "report.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in written if line not in lines] == []


def test_only_the_missing_runs_are_done_and_the_others_keep_their_rows(folder: Path) -> None:
    with Store.open(folder) as store:
        before = {row.key: row for row in store.rows()}
    summary = run_experiment(SMALL, folder)
    assert (summary.planned, summary.done_now, summary.failed) == (24, LEFT, 0)
    with Store.open(folder) as store:
        after = {row.key: row for row in store.rows()}
        assert store.progress().complete
    assert {key: after[key] for key in before} == before
    assert [row["cost"] for key, row in after.items() if key not in before] == [1, 15, None]


def test_a_store_made_today_has_the_same_rows(folder: Path, tmp_path: Path) -> None:
    run_experiment(SMALL, folder)
    run_experiment(SMALL, tmp_path / "new")
    found = []
    for each in (folder, tmp_path / "new"):
        with Store.open(each) as store:
            found.append(store.rows())
    for old, new in zip(*found, strict=True):
        # 0.1 called no answer of a course's own search optimal, though some are
        truer = {"optimal"} if new["profile"] and new["optimal"] else set()
        differ = {name for name in old if old[name] != new[name]}
        assert differ <= {*VOLATILE, "version", *ADDED, *truer}
