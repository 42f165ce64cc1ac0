"""`tilewise experiment`: what people see, and what happens to bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import Run as RunProgram
from tests.laboratory import PLANNED, SLOW, stable
from tilewise.cli.app import run
from tilewise.cli.experiment_progress import duration, line
from tilewise.lab import Moment, from_toml, run_experiment

SMALL = 'heuristics = ["manhattan", "zero"]\nboards = ["1b2 345 678", "312 b45 678"]\n'


@pytest.fixture(autouse=True)
def in_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(SMALL, encoding="utf-8")


def test_run_status_and_export(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment", "run", "small.toml", "--out", "d", "--workers", "1"]) == 0
    assert capsys.readouterr().out.startswith("small: 4 runs in d, 4 of them done now in ")
    assert run(["experiment", "run", "small.toml", "--out", "d", "--workers", "1"]) == 0
    again = "small: 4 runs in d, 0 of them done now\nreport: tilewise experiment report d\n"
    assert capsys.readouterr() == (again, "")
    assert run(["experiment", "status", "d"]) == 0
    assert capsys.readouterr().out == "small: 4 of 4 runs done (100 %)\n          4  solved\n"
    assert run(["experiment", "status", "d", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["planned"], facts["done"], facts["complete"]) == (4, 4, True)
    assert run(["experiment", "export", "d", "rows.csv"]) == 0
    assert capsys.readouterr().out == "4 rows in rows.csv\n"
    assert run(["experiment", "export", "d", "-"]) == 0
    assert capsys.readouterr().out == Path("rows.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize("option", ["--load", "--load-files"])
def test_a_file_of_your_own_is_loaded_by_either_name(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["experiment", "run", "small.toml", "--out", "d", option, "nowhere.py"]
    assert run(arguments) == 2
    assert "nowhere.py" in capsys.readouterr().err


def test_a_definition_that_has_become_bad_leaves_the_store_as_it_was(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run(["experiment", "run", "small.toml", "--out", "d", "--workers", "1"])
    before = stable(Path("d"))
    Path("small.toml").write_text(SMALL.replace("zero", "broken"), encoding="utf-8")
    assert run(["experiment", "run", "small.toml", "--out", "d"]) == 2
    assert "'broken'" in capsys.readouterr().err
    assert stable(Path("d")) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('suite = "korf"', "expected the name of a suite (depths8, "),
        (SMALL.replace("manhattan", "max(manhattan"), "expected"),
        (SMALL.replace("manhattan", "manhatan"), "did you mean manhattan?"),
        (SMALL + 'algorithms = "astr"', "did you mean astar?"),
        (SMALL + 'rules = "fif"', "did you mean fifo?"),
        ("boards = []", "expected at least one run, got none in experiment bad"),
        ('boards = ["1b2"]', "expected"),
        ('boards = ["1b2 345 678"]\nheuristics = "perfect"\ngoal = "4x4"', "goal"),
        ('suite = "korf100"\nheuristics = "perfect"', "table of all distances"),
        ('file = "nowhere.txt"', "nowhere.txt"),
        ('scramble = "3x3"\ndepth = 99', "at most 31"),
        ("seeds = 1 2", "expected TOML"),
        (SMALL + 'load = "nowhere.py"', "nowhere.py"),
    ],
)
def test_a_bad_definition_is_one_line_and_no_store(
    text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.toml").write_text(text, encoding="utf-8")
    options = ["--allow-code", "--out", "d", "--workers", "1"]
    assert run(["experiment", "run", "bad.toml", *options]) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith("tilewise: error: ")
    assert message in errors
    assert errors.count("\n") == 1
    assert not Path("d").exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["run", "efficency", "--out", "d"], "did you mean efficiency?"),
        (["run", "nowhere.toml", "--out", "d"], "No such file"),
        (["run", ".", "--out", "d"], "expected an experiment or a TOML file"),
        (["run", "small.toml"], "--out"),
        (["run", "small.toml", "--out", "", "--workers", "1"], "name of a folder"),
        (["run", "small.toml", "--out", "d", "--workers", "0"], "--workers"),
        (["run", "small.toml", "--out", "d", "--workers", "many"], "--workers"),
        (["run", "small.toml", "--out", "d", "--workers", "1000"], "1 to 256 workers"),
        (["run", "small.toml", "--out", "d", "--engine", "native"], "auto or python"),
        (["run", "small.toml", "--out", "d", "--cluster", "nonsense"], "Dask scheduler"),
        (["run", "small.toml", "--out", "d", "--cluster", "tcp://127.0.0.1:9"], "no answer"),
        (["run", "small.toml", "--out", "small.toml"], "got a file"),
        (["run", "small.toml", "--out", "small.toml/d"], "folder that can be written"),
        (["status", "d"], "expected the folder of an experiment"),
        (["status", "small.toml"], "expected the folder of an experiment"),
        (["export", "d", "rows.csv"], "expected the folder of an experiment"),
    ],
)
def test_a_bad_request_is_one_line_and_no_store(
    args: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert run(["experiment", *args]) == 2
    out, errors = capsys.readouterr()
    assert (out, errors.count("\n")) == ("", 1)
    assert message in errors
    assert [path.name for path in Path().iterdir()] == ["small.toml"]


@contextmanager
def as_nobody() -> Iterator[None]:
    """As a user who may write nowhere; an administrator may write everywhere."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_a_folder_that_cannot_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    run(["experiment", "run", "small.toml", "--out", "d", "--workers", "1"])  # imports everything
    capsys.readouterr()
    Path("locked").mkdir(mode=0o500)
    with as_nobody():
        code = run(["experiment", "run", "small.toml", "--out", "locked", "--workers", "1"])
    assert code == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert list(Path("locked").iterdir()) == []


def test_a_full_disk_keeps_what_is_there(tmp_path: Path) -> None:
    Path("slow.toml").write_text(SLOW, encoding="utf-8")
    command = "experiment run slow.toml --out d --workers 1"
    full = subprocess.run(
        ["sh", "-c", f'ulimit -f 100; exec "{sys.executable}" -m tilewise {command}'],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (full.returncode, full.stdout) == (2, "")
    assert full.stderr.startswith("tilewise: error: expected room on the disk for 'd/store.sqlite'")
    assert full.stderr.count("\n") == 1
    summary = run_experiment(from_toml(SLOW), "d")
    assert 0 < summary.done_now <= summary.planned == PLANNED
    assert len(stable(Path("d"))) == PLANNED


@pytest.mark.parametrize(
    ("missing", "args", "message"),
    [
        ("distributed", "run small.toml --out d --cluster local", "'tilewise[cluster]'"),
        ("polars", "export d rows.csv", "'tilewise[lab]'"),
    ],
)
def test_a_missing_extra_is_named(
    missing: str, args: str, message: str, tilewise: RunProgram, tmp_path: Path
) -> None:
    run_experiment(from_toml(SMALL, name="small"), tmp_path / "d")
    (tmp_path / f"{missing}.py").write_text("raise ImportError", encoding="utf-8")
    done = tilewise("experiment", *args.split(), env={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"pip install {message}" in done.stderr


def test_the_group_alone_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["experiment"]) == 0
    assert "tilewise experiment run efficiency --out results" in capsys.readouterr().out


def test_the_bar_says_how_far_how_fast_and_what_came_last() -> None:
    moment = Moment(planned=200, done=50, done_now=40, seconds=10.0, last="b12 astar: 4 moves")
    assert line(moment, 99) == (
        "[######..................] 50 of 200, 4.0/s, 38 s left, b12 astar: 4 moves"
    )
    assert line(moment, 39) == "[#.....] 50 of 200, 4.0/s, 38 s left, b"
    assert [duration(seconds) for seconds in (42, 400, 20_000)] == ["42 s", "7 min", "5.6 h"]
