"""Files of strangers, odd names and broken streams: the documented exit codes, no text but ours."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO

import pytest

from tests.conftest import HANG_GUARD
from tilewise.cli import verify_certificate

Run = Callable[..., subprocess.CompletedProcess[str]]

EASY, HARD = "1b2 345 678", "8b6 547 231"
VERIFIER = verify_certificate.__file__
DEFINITION = f'name = "mine"\nboards = ["{EASY}"]\n'
NOT_UTF_8 = os.fsdecode(b"d\xff\xfe")


def program(*args: str, stdout: IO[str] | int, stderr: IO[str] | int) -> int:
    """The exit code of the program, from its start, with these streams."""
    command = [sys.executable, "-m", "tilewise", *args]
    return subprocess.run(
        command, stdout=stdout, stderr=stderr, timeout=HANG_GUARD, check=False
    ).returncode


FULL = pytest.mark.full


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("\n", id="LF", marks=FULL),
        pytest.param("\r\n", id="CR LF"),
        pytest.param("\r", id="CR"),
    ],
)
def test_every_line_end_is_read(tilewise: Run, tmp_path: Path, end: str) -> None:
    (tmp_path / "boards.txt").write_text(f"{EASY}{end}{HARD}{end}", newline="")
    (tmp_path / "boards.csv").write_text(f"id,board{end}1,{EASY}{end}2,{HARD}{end}", newline="")
    for name in ("boards.txt", "boards.csv"):
        for command in (["solve"], ["check"], ["convert", "--to", "json"]):
            run = tilewise(*command, "--file", name)
            assert (run.returncode, run.stderr) == (0, "")
            assert run.stdout.count("\n") == 2


def test_a_cr_in_a_csv_row_spoils_that_row_only(tilewise: Run, tmp_path: Path) -> None:
    rows = f"id,board\n1,{EASY}\n2,8b6 547 2\r31\n3,{HARD}\n"
    (tmp_path / "cr.csv").write_text(rows, newline="")
    run = tilewise("convert", "--to", "columbia", "--file", "cr.csv")
    assert run.returncode == 2 and run.stderr.startswith("tilewise: error: cr.csv:3: expected")
    assert run.stdout == "1,0,2,3,4,5,6,7,8\n8,0,6,5,4,7,2,3,1\n"
    assert tilewise("check", "--file", "cr.csv").returncode == 2


@pytest.mark.parametrize("command", ["solve", "check", "convert"])
def test_a_line_of_200000_characters_is_bad_input(
    tilewise: Run, tmp_path: Path, command: str
) -> None:
    (tmp_path / "long.txt").write_text("1" * 200_000)
    (tmp_path / "long.csv").write_text(f'id,board\n1,"{"1" * 200_000}"\n')
    options = ["--to", "json"] if command == "convert" else []
    for name, said in (("long.txt", "characters"), ("long.csv", "at most 131,072 characters")):
        run = tilewise(command, *options, "--file", name)
        assert run.returncode == 2 and said in run.stderr
        assert "internal" not in run.stderr and len(run.stderr) < 400


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
@pytest.mark.parametrize(
    "args",
    [
        ["solve", "--file", "/dev/zero"],
        ["check", "--file", "/dev/zero"],
        ["convert", "--to", "json", "--file", "/dev/zero"],
        ["experiment", "run", "/dev/zero", "--out", "out"],
        ["grade", "--key", "--assignment", "/dev/zero"],
        ["trace", "check", "/dev/zero"],
        ["classic", "-readCommands", "/dev/zero"],
        ["solve", EASY, "--load", "/dev/zero"],
    ],
    ids=lambda args: " ".join(args[:2]),
)
def test_an_endless_file_is_refused(tilewise: Run, args: list[str]) -> None:
    run = tilewise(*args)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("tilewise: error: ") and run.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["classic", "menu"])
def test_an_endless_line_of_input_is_refused_with_the_limit(tilewise: Run, command: str) -> None:
    run = tilewise(command, input="a" * 300_000)
    assert run.returncode == 2
    assert "line 1: expected at most 100,000 characters, got more" in run.stderr


def claim_of(tilewise: Run) -> dict[str, object]:
    assert tilewise("solve", HARD, "--certificate", "ok.json").returncode == 0
    found: dict[str, object] = json.loads(Path("ok.json").read_text())
    return found


@pytest.mark.parametrize(
    "value",
    ["\x1b[2J\x1b[Hok.json: valid", "\ud800", "x\nok.json: valid: yes", "\u202evalid", "\x9b31m"],
    ids=["cursor", "surrogate", "line break", "right to left", "C1 control"],
)
def test_no_verdict_can_be_spoofed_by_a_certificate_or_its_name(
    tilewise: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.chdir(tmp_path)
    claim = claim_of(tilewise)
    name = f"{value}.json" if value != "\ud800" else os.fsdecode(b"\xff.json")
    for field in ("format", "cost", "proof"):
        Path(name).write_text(json.dumps({**claim, field: value}), encoding="utf-8")
        alone = subprocess.run(
            [sys.executable, VERIFIER, name],
            capture_output=True,
            timeout=HANG_GUARD,
            check=False,
        )
        run = tilewise("verify", name)
        for code, said in (
            (run.returncode, run.stdout + run.stderr),
            (alone.returncode, (alone.stdout + alone.stderr).decode()),
        ):
            assert code == 1 and said.isascii() and said.strip().isprintable()
            assert said.count("\n") == 1 and "REJECTED" in said


def test_a_verdict_whose_reader_has_left_is_still_the_exit_code(
    tilewise: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.json").write_text(json.dumps({**claim_of(tilewise), "cost": 3}))
    for file, code in (("ok.json", 0), ("bad.json", 1)):
        for command in (["-m", "tilewise", "verify"], [VERIFIER]):
            reading, writing = os.pipe()
            os.close(reading)
            with os.fdopen(writing, "w") as closed:
                run = subprocess.run(
                    [sys.executable, *command, file],
                    stdout=closed,
                    stderr=subprocess.PIPE,
                    timeout=HANG_GUARD,
                    check=False,
                )
            assert (run.returncode, run.stderr) == (code, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_changes_no_exit_code_of_an_error() -> None:
    with Path("/dev/full").open("w") as full:
        assert program("solve", "nonsense", stdout=full, stderr=full) == 2
        assert program("verify", "missing.json", stdout=subprocess.PIPE, stderr=full) == 2
        assert program("solve", EASY, stdout=subprocess.PIPE, stderr=full) == 0
        assert program("solve", EASY, stdout=full, stderr=subprocess.PIPE) == 2


@pytest.mark.parametrize("host", ["a..b", pytest.param("a" * 300, marks=FULL), "\x1b[31m"])
def test_a_name_that_no_host_has_is_bad_input(tilewise: Run, host: str) -> None:
    run = tilewise("serve", "--host", host, "--port", "0")
    assert run.returncode == 2
    assert run.stderr.startswith("tilewise: error: expected a port to listen at, got ")
    assert run.stderr.strip().isprintable()


@pytest.mark.parametrize("value", ["10**400", "-10**400", "10**5000", "Fraction(10**400)"])
def test_a_heuristic_with_enormous_values_is_bad_input(
    tilewise: Run, tmp_path: Path, value: str
) -> None:
    (tmp_path / "h.py").write_text(
        f"from fractions import Fraction\ndef h(board):\n    return {value}\n"
    )
    run = tilewise("audit", "h.py:h", "--shape", "2x2")
    assert run.returncode == 2 and run.stderr.startswith("tilewise: error: expected")


def test_a_folder_whose_name_is_no_utf_8_can_be_used(tilewise: Run, tmp_path: Path) -> None:
    folder = tmp_path / NOT_UTF_8
    folder.mkdir()
    (folder / "mine.toml").write_text(DEFINITION)
    (folder / "boards.txt").write_text(EASY)
    out = f"{NOT_UTF_8}/out"
    for args in (
        ["experiment", "run", f"{NOT_UTF_8}/mine.toml", "--out", out, "--workers", "1"],
        ["experiment", "status", out],
        ["experiment", "report", out],
        ["experiment", "export", out, f"{NOT_UTF_8}/rows.csv"],
        ["solve", "--file", f"{NOT_UTF_8}/boards.txt"],
    ):
        command = [sys.executable, "-m", "tilewise", *args]
        run = subprocess.run(
            command, cwd=tmp_path, capture_output=True, timeout=HANG_GUARD, check=False
        )
        assert run.returncode == 0, run.stderr
        assert (run.stdout + run.stderr).decode()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE facts SET value = cast(x'ff' AS TEXT) WHERE name = 'command'",
        pytest.param("UPDATE facts SET value = '{' WHERE name = 'experiment'", marks=FULL),
        "UPDATE cells SET labels = '{'",
        pytest.param("UPDATE cells SET labels = x'ff'", marks=FULL),
        pytest.param("UPDATE runs SET measured = '['", marks=FULL),
        "UPDATE runs SET cost = 'many'",
        pytest.param("UPDATE runs SET status = NULL", marks=FULL),
        pytest.param("UPDATE runs SET moves = cast(x'ff' AS TEXT)", marks=FULL),
    ],
)
def test_a_damaged_store_is_refused_and_left_as_it_is(
    tilewise: Run, tmp_path: Path, change: str
) -> None:
    (tmp_path / "mine.toml").write_text(DEFINITION)
    run = ["experiment", "run", "mine.toml", "--out", "out", "--workers", "1"]
    assert tilewise(*run).returncode == 0
    store = tmp_path / "out" / "store.sqlite"
    connection = sqlite3.connect(store)
    connection.execute(change)
    connection.commit()
    connection.close()
    before = store.read_bytes()
    for args in (run, ["experiment", "report", "out"], ["experiment", "export", "out", "-"]):
        refused = tilewise(*args)
        if refused.returncode == 0 and args is not run:
            continue  # what is damaged is not part of a report
        assert refused.returncode == 2, refused.stderr
        assert "which was left as it is" in refused.stderr
        assert store.read_bytes() == before


def test_the_code_of_a_definition_runs_only_if_that_is_allowed(
    tilewise: Run, tmp_path: Path
) -> None:
    (tmp_path / "own.py").write_text('from pathlib import Path\nPath("ran").touch()\n')
    (tmp_path / "mine.toml").write_text('load = "own.py"\n' + DEFINITION)
    command = ["experiment", "run", "mine.toml", "--out", "out", "--workers", "1"]
    refused = tilewise(*command, input="y\n")
    assert refused.returncode == 2 and "expected --allow-code" in refused.stderr
    assert not (tmp_path / "ran").exists() and not (tmp_path / "out").exists()
    assert tilewise(*command, "--allow-code").returncode == 0
    assert (tmp_path / "ran").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
def test_ctrl_c_while_the_program_loads_is_quiet(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nraise ImportError\n"
    )
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    run = subprocess.run(
        [sys.executable, "-m", "tilewise", "solve", HARD],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        timeout=HANG_GUARD,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, b"", b"")
