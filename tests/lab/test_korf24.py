"""The campaign on Korf and Felner's 24-puzzles: easiest first, and it goes on where it stopped."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from tilewise import suites
from tilewise.core.limits import Limits
from tilewise.core.result import Status
from tilewise.lab import Boards, Experiment, load, proof_runs, run_experiment
from tilewise.lab.builtin.korf24 import in_order
from tilewise.lab.experiment import PlannedRun
from tilewise.lab.instances import Instance
from tilewise.lab.plan import PendingRuns, Plan
from tilewise.lab.proof_runs import ProofSetting, proved
from tilewise.lab.reports.store_report import make_report
from tilewise.lab.store import Store
from tilewise.proofs import checkpoint

EASY = ("38", "40", "25", "32")
"""The boards with the fewest published nodes."""


@pytest.fixture
def campaign(monkeypatch: pytest.MonkeyPatch) -> Experiment:
    """The campaign on 15-puzzles, under the numbers of 24-puzzles, with small tables."""
    monkeypatch.setattr(proof_runs, "LOOKING", 1.0)
    korf100 = suites.load("korf100").instances
    boards = tuple(
        Instance(korf100[at].board, "first", f"korf24:{number}", {"depth": korf100[at].best})
        for number, at in zip(EASY, (11, 16, 41, 54), strict=True)
    )
    (part,) = load("korf24").parts
    part = replace(part, instances=(Boards(boards),), heuristics=("pdb(5-5-5)",))
    return replace(load("korf24"), parts=(part,))


def planned(experiment: Experiment) -> list[PlannedRun]:
    return experiment.planned_runs()


class SetAfter(Event):
    """A flag that is set after it was looked at a number of times."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._left = looks

    def is_set(self) -> bool:
        self._left -= 1
        return self._left < 0


def test_the_easiest_boards_come_first() -> None:
    runs = planned(load("korf24"))
    assert [each.instance.partition(":")[2] for each in runs[:4]] == list(EASY)
    assert len(runs) == 50 and sorted(map(int, in_order())) == list(range(1, 51))
    with Plan() as plan:
        pending = PendingRuns(plan.fill(runs), range(50), load("korf24").order_seed)
        assert [run.key for run in pending.take(50)] == [each.run.key for each in runs]


def test_the_published_counts_are_those_of_the_boards() -> None:
    published = suites.published_nodes("korf24")
    assert published["38"]["korf_felner"] == 38_173_507
    assert published["40"]["korf_felner"] == 65_099_578
    assert sum(each["korf_felner"] for each in published.values()) == 18_044_623_983_548
    assert suites.published_nodes("korf100") == {}


def test_a_campaign_proves_its_boards_and_reports_them(
    campaign: Experiment, tmp_path: Path
) -> None:
    summary = run_experiment(campaign, tmp_path)
    assert (summary.done_now, summary.failed) == (4, 0)
    (table,) = make_report(tmp_path).tables
    assert [row[0].value for row in table.rows] == list(EASY)
    with Store.open(tmp_path) as store:
        rows = store.rows()
    assert all(row["optimal"] and row["cost"] == row["depth"] == row["bound"] for row in rows)
    assert [row[5].value for row in table.rows] == [row["measured"]["nodes"] for row in rows]
    assert len(list((tmp_path / proof_runs.FOLDER).glob("*.proof"))) == 4
    text = " ".join(make_report(tmp_path).sections[0].text)
    assert "4 of 50 boards are proved" in text and "Not yet run to the end: 44, " in text


def test_a_board_that_was_stopped_goes_on_from_its_checkpoint(
    campaign: Experiment, tmp_path: Path
) -> None:
    run = planned(campaign)[1].run
    whole = proved(run, Limits(), None, ProofSetting())
    setting = ProofSetting(str(tmp_path), 1)
    for looks in (4, 6, 8):
        stopped = proved(run, Limits(), SetAfter(looks), setting)
        assert stopped.status == Status.CANCELLED.value
    outcome = proved(run, Limits(), None, setting)
    assert outcome.optimal and outcome.cost == whole.cost
    assert outcome.measured is not None and whole.measured is not None
    for name in ("nodes", "passes"):
        assert outcome.measured[name] == whole.measured[name]
    (path,) = (tmp_path / proof_runs.FOLDER).iterdir()
    assert checkpoint.read(path).proved
