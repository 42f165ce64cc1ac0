"""Real Dask clusters on this machine, whose workers are killed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.laboratory import (
    DEADLY,
    DEADLY_TOML,
    HANG_GUARD,
    PLANNED,
    SLOW,
    WITH_TABLES,
    WITH_TABLES_TOML,
    finished,
    stable,
    started,
    until,
    wait_for_rows,
)
from tilewise.lab import from_toml, run_experiment
from tilewise.tables import cache

StartWorker = Callable[[], "subprocess.Popen[bytes]"]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, StartWorker]]:
    """The address of a scheduler, and how to start a worker for it."""
    file = tmp_path / "scheduler.json"
    with ExitStack() as stack:

        def process(*args: str) -> subprocess.Popen[bytes]:
            started = subprocess.Popen(
                [sys.executable, "-m", "dask", *args],
                cwd=tmp_path,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            stack.callback(started.wait, HANG_GUARD)
            stack.callback(started.kill)
            return started

        process(
            "scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(file),
        )
        until(lambda: file.exists() and file.stat().st_size > 0)
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        yield (
            address,
            lambda: process("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard"),
        )


def test_workers_that_are_killed_lose_no_run(
    cluster: tuple[str, StartWorker], tmp_path: Path
) -> None:
    address, start_worker = cluster
    (tmp_path / "slow.toml").write_text(SLOW, encoding="utf-8")
    out = tmp_path / "out"
    workers = [start_worker(), start_worker()]
    with started("run", "slow.toml", "--out", "out", "--cluster", address, cwd=tmp_path) as process:
        for number, moment in enumerate((5, 25)):
            wait_for_rows(out, moment)
            workers[number].kill()
            workers.append(start_worker())
        text, errors = process.communicate(timeout=HANG_GUARD)
    assert process.returncode == 0, errors
    assert f"{PLANNED} runs in out, {PLANNED} of them done now" in text
    assert "failed" not in text
    run_experiment(from_toml(SLOW), tmp_path / "here")
    assert stable(out) == stable(tmp_path / "here")


@pytest.mark.full
def test_a_run_that_ends_its_worker_is_found_among_the_others(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(DEADLY, encoding="utf-8")
    (tmp_path / "deadly.toml").write_text(DEADLY_TOML, encoding="utf-8")
    code, text, errors = finished(
        "run",
        "deadly.toml",
        "--allow-code",
        "--out",
        "out",
        "--cluster",
        "local",
        "--workers",
        "1",
        cwd=tmp_path,
    )
    assert code == 20, errors
    assert "7 runs in out, 7 of them done now" in text
    assert "1 failed" in text
    rows = {row["instance"]: row for row in stable(tmp_path / "out")}
    assert rows.pop("312 645 78b")["reason"] == (
        "its worker died twice with nothing else to do: the cluster lost it"
    )
    assert {row["status"] for row in rows.values()} == {"solved"}


def test_workers_of_one_host_build_each_table_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "cache"))
    (tmp_path / "noted.py").write_text(WITH_TABLES, encoding="utf-8")
    (tmp_path / "tables.toml").write_text(WITH_TABLES_TOML, encoding="utf-8")
    code, text, errors = finished(
        "run",
        "tables.toml",
        "--allow-code",
        "--out",
        "out",
        "--cluster",
        "local",
        "--workers",
        "2",
        cwd=tmp_path,
    )
    assert code == 0, errors
    assert "40 runs in out, 40 of them done now" in text
    assert {row["status"] for row in stable(tmp_path / "out")} == {"solved"}
    asked = {int(file.name) for file in (tmp_path / "asked").iterdir()}
    assert len(asked) == 2
    built = [cache.builds(path) for path in cache.files()]
    assert [len(builds) for builds in built] == [1, 1, 1]
    assert {builds[0]["pid"] for builds in built} <= asked
