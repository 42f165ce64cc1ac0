"""Real runs that are killed, interrupted and shared, and what is in the store afterwards."""

from __future__ import annotations

import os
import random
import signal
from pathlib import Path

import pytest

from tests.laboratory import (
    DEADLY,
    DEADLY_TOML,
    HANG_GUARD,
    PLANNED,
    SLOW,
    done,
    finished,
    seconds_of_rows,
    stable,
    started,
    wait_for_rows,
)
from tilewise.lab import Store, from_toml, run_experiment


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("uninterrupted")
    run_experiment(from_toml(SLOW), folder)
    return folder


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.full), "2"])
def test_a_run_that_is_killed_goes_on_where_it_was(
    workers: str, uninterrupted: Path, tmp_path: Path
) -> None:
    (tmp_path / "slow.toml").write_text(SLOW, encoding="utf-8")
    out = tmp_path / "out"
    run = ("run", "slow.toml", "--out", "out", "--workers", workers)
    known: dict[str, float] = {}
    moments = sorted(random.sample(range(1, PLANNED - 20), 2))
    for moment in moments:
        with started(*run, cwd=tmp_path) as process:
            wait_for_rows(out, moment)
            process.kill()
        now = seconds_of_rows(out)
        assert known.items() <= now.items(), moments
        known = now
    code, text, errors = finished(*run, cwd=tmp_path)
    assert (code, errors) == (0, "")
    assert f"{PLANNED} runs in out, {PLANNED - len(known)} of them done now" in text, moments
    assert known.items() <= seconds_of_rows(out).items()
    assert stable(out) == stable(uninterrupted)
    assert list(out.glob("*.lock*")) == []


def test_ctrl_c_leaves_a_store_that_can_go_on(uninterrupted: Path, tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(SLOW, encoding="utf-8")
    with started("run", "slow.toml", "--out", "out", "--workers", "2", cwd=tmp_path) as process:
        wait_for_rows(tmp_path / "out", 5)
        process.send_signal(signal.SIGINT)
        text, errors = process.communicate(timeout=HANG_GUARD)
    assert (process.returncode, text) == (130, "")
    there = done(tmp_path / "out")
    message = (
        f"tilewise: interrupted: {there} of {PLANNED} runs are in out; the same command goes on"
    )
    assert errors in (f"{message}\n", "")  # on a busy machine it is not waited for
    _, text, _ = finished("status", "out", cwd=tmp_path)
    assert text.startswith(f"slow: {there} of {PLANNED} runs done")
    assert "No process works on it. To go on: tilewise experiment run slow.toml --out out" in text
    run_experiment(from_toml(SLOW), tmp_path / "out")
    assert stable(tmp_path / "out") == stable(uninterrupted)


def test_two_processes_share_a_store_and_status_sees_them(
    uninterrupted: Path, tmp_path: Path
) -> None:
    (tmp_path / "slow.toml").write_text(SLOW, encoding="utf-8")
    run = ("run", "slow.toml", "--out", "out", "--workers", "1")
    with started(*run, cwd=tmp_path) as one, started(*run, cwd=tmp_path) as other:
        wait_for_rows(tmp_path / "out", 1)
        with Store.open(tmp_path / "out") as store:
            working = {session.pid for session in store.progress().sessions}
        assert working <= {one.pid, other.pid}
        texts = [process.communicate(timeout=HANG_GUARD) for process in (one, other)]
    assert (one.returncode, other.returncode) == (0, 0), texts
    now = [int(text.split(", ")[1].split()[0]) for text, _ in texts]
    assert sum(now) == PLANNED
    assert stable(tmp_path / "out") == stable(uninterrupted)


def test_a_run_that_ends_its_worker_is_blamed_and_the_rest_goes_on(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(DEADLY, encoding="utf-8")
    (tmp_path / "deadly.toml").write_text(DEADLY_TOML, encoding="utf-8")
    code, text, errors = finished(
        "run", "deadly.toml", "--allow-code", "--out", "out", "--workers", "2", cwd=tmp_path
    )
    assert code == 20
    assert "1 failed" in text
    assert "Traceback" not in errors
    rows = {row["instance"]: row for row in stable(tmp_path / "out")}
    assert len(rows) == 7
    assert {name for name, row in rows.items() if row["status"] == "failed"} == {"312 645 78b"}
    cause = "killed by signal SIGABRT" if os.name == "posix" else "ended with code"
    reason = rows["312 645 78b"]["reason"]
    assert reason.startswith(f"its worker died twice with nothing else to do: {cause}")
