"""The depth that an experiment records of a board is what its searches find, or the run stops."""

from __future__ import annotations

import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tilewise.lab import Store, from_toml, run_experiment
from tilewise.lab.recorded_depth import ContradictionError
from tilewise.lab.reports.store_report import make_report

NEAR = "1,2,6,3,4,5,10,7,8,0,9,11,12,13,14,15"
"""Five moves from blank first."""


def definition(depth: int, algorithm: str = "idastar") -> str:
    return (
        f'name = "near"\nalgorithms = ["{algorithm}"]\n'
        f'heuristics = "manhattan"\nboards = ["{NEAR}"]\nlabels = {{ depth = {depth} }}'
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_a_longer_optimum_than_the_recorded_depth_stops_the_run(
    tmp_path: Path, workers: int
) -> None:
    experiment = from_toml(definition(depth=3))
    with pytest.raises(ContradictionError) as caught:
        run_experiment(experiment, tmp_path / "store", workers=workers)
    message = str(caught.value)
    assert message.startswith("expected 3 moves, the recorded depth of 1,2,6,3,4")
    assert message.endswith("idastar with manhattan proved that 5 are needed")
    with Store.open(tmp_path / "store") as store:
        assert store.rows() == []


def test_a_shorter_solution_than_the_recorded_depth_stops_the_run(tmp_path: Path) -> None:
    with pytest.raises(ContradictionError, match=r"greedy with manhattan found a solution of 5$"):
        run_experiment(from_toml(definition(depth=7, algorithm="greedy")), tmp_path / "store")


def test_a_true_depth_and_a_longer_solution_that_claims_nothing_are_kept(tmp_path: Path) -> None:
    for number, algorithm in enumerate(("idastar", "human")):
        folder = tmp_path / str(number)
        assert run_experiment(from_toml(definition(5, algorithm)), folder).done_now == 1
        assert not any("Contradiction" in line for line in make_report(folder).summary)


def test_what_was_done_before_stays_and_the_rest_can_go_on(tmp_path: Path) -> None:
    near = "\n".join(
        f'[[part]]\nname = "p{depth}"\nlabels = {{depth = {depth}}}\n[[part.instances]]\n'
        f'boards = ["{board}"]'
        for depth, board in ((1, "1,0,2,3,4,5,6,7,8,9,10,11,12,13,14,15"), (4, NEAR))
    )
    text = f'name = "two"\nalgorithms = ["idastar"]\nheuristics = "manhattan"\n{near}'
    folder = tmp_path / "store"
    with pytest.raises(ContradictionError):
        run_experiment(from_toml(text), folder)
    with pytest.raises(ContradictionError):  # it is no better the second time
        run_experiment(from_toml(text), folder)
    summary = run_experiment(from_toml(text.replace("depth = 4", "depth = 5")), folder)
    assert (summary.planned, summary.failed) == (2, 0)


def test_a_report_names_contradictions_of_a_store_that_has_them(tmp_path: Path) -> None:
    run_experiment(from_toml(definition(depth=5)), tmp_path)
    (file,) = tmp_path.glob("*.sqlite*")
    with sqlite3.connect(file) as base:
        changed = base.execute("UPDATE cells SET labels = replace(labels, '5', '9')")
        assert changed.rowcount == 1
    base.close()
    (line,) = (line for line in make_report(tmp_path).summary if "Contradiction" in line)
    assert "1. The first one: expected 9 moves" in line


def test_the_command_ends_with_2_and_one_line(
    tmp_path: Path, tilewise: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    (tmp_path / "near.toml").write_text(definition(depth=3), encoding="utf-8")
    found = tilewise("experiment", "run", str(tmp_path / "near.toml"), "--out", str(tmp_path / "s"))
    assert found.returncode == 2
    assert (
        found.stderr.strip()
        .splitlines()[-1]
        .startswith("tilewise: error: expected 3 moves, the recorded")
    )
