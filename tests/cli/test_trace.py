"""The commands trace and verify, as people call them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tilewise.cli.app import run

Run = Callable[..., subprocess.CompletedProcess[str]]
HANG_GUARD = 120

BOARD = "125 34b 678"


def test_a_trace_is_written_and_found_to_keep_its_rules(tilewise: Run, tmp_path: Path) -> None:
    done = tilewise("trace", "export", BOARD, "-H", "manhattan", "-o", "search.jsonl")
    assert done.stdout == "wrote 14 of 14 events to search.jsonl\n"
    checked = tilewise("trace", "check", "search.jsonl")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "14 events, 3 expansions; reaches the goal\nit does what it claims:\n" in checked.stdout
    text = (tmp_path / "search.jsonl").read_text(encoding="utf-8")
    wrong = tilewise("trace", "check", "-", input=text.replace('"h": 2', '"h": 3'))
    assert wrong.returncode == 1
    assert wrong.stdout.endswith(
        "first deviation: line 4: h = 3 for 12b 345 678; manhattan gives 2\n"
    )
    report = json.loads(tilewise("trace", "check", "search.jsonl", "--json").stdout)
    assert (report["ok"], report["expansions"], report["line"]) == (True, 3, None)


def test_the_format_is_that_of_the_file_or_the_one_asked_for(tilewise: Run, tmp_path: Path) -> None:
    for name in ("search.dot", "search.trace.json", "search.jsonl"):
        assert tilewise("trace", "export", BOARD, "-o", name).returncode == 0
    assert (tmp_path / "search.dot").read_text(encoding="utf-8").startswith("digraph")
    posthoc = json.loads((tmp_path / "search.trace.json").read_text(encoding="utf-8"))
    assert posthoc["version"] == "1.4.0"
    assert tilewise("trace", "export", BOARD, "--format", "dot").stdout.startswith("digraph")


def test_a_long_search_is_cut_and_that_is_said(tilewise: Run) -> None:
    done = tilewise("trace", "export", "867 254 3b1", "--events", "10")
    assert len(done.stdout.splitlines()) == 11
    assert json.loads(done.stdout.splitlines()[0])["complete"] is False
    assert "wrote 10 of " in done.stderr
    limited = tilewise("trace", "export", "867 254 3b1", "--max-nodes", "20")
    assert limited.returncode == 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["export", BOARD, "-o", "x.txt"], "expected a file ending in .trace.json, .jsonl"),
        (["export", BOARD, "--format", "xml"], "expected --format jsonl, dot, posthoc"),
        (["export", BOARD, "-o", "no/x.jsonl"], "No such file or directory: 'no/x.jsonl'"),
        (["check", "nothing.jsonl"], "No such file or directory: 'nothing.jsonl'"),
        (["check", "."], "expected a file, got a folder: '.'"),
        (["verify"], "No such command"),
    ],
)
def test_what_makes_no_sense_gets_one_clear_line(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["trace", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    "endless",
    [
        "'{' * 1000",
        *(pytest.param(each, marks=pytest.mark.full) for each in ("'\\n'", "chr(0) * 99")),
        "'{}\\n'",
    ],
)
def test_an_input_without_end_is_refused(endless: str) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", f"import sys\nwhile True: sys.stdout.write({endless} * 100)"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tilewise", "trace", "check", "-"],
            stdin=writer.stdout,
            capture_output=True,
            text=True,
            timeout=HANG_GUARD,
            check=False,
        )
    finally:
        writer.kill()
        writer.communicate()
    assert done.returncode == 2
    assert done.stderr.startswith("tilewise: error: ")


def test_a_certificate_is_written_and_verified(tilewise: Run, tmp_path: Path) -> None:
    solved = tilewise("solve", "8b6 547 231", "--certificate", "proof.json")
    assert solved.stdout.startswith("31 moves, optimal: ")
    checked = tilewise("verify", "proof.json")
    assert checked.returncode == 0
    assert "31 moves lead to the goal and no fewer do (proved here" in checked.stdout
    claim = json.loads((tmp_path / "proof.json").read_text(encoding="utf-8"))
    claim["moves"] = claim["moves"].replace("U", "D", 1)
    (tmp_path / "forged.json").write_text(json.dumps(claim), encoding="utf-8")
    forged = tilewise("verify", "proof.json", "forged.json")
    assert forged.returncode == 1
    assert "forged.json: REJECTED: " in forged.stdout


def test_the_answer_is_shown_even_where_the_certificate_cannot_be_written(tilewise: Run) -> None:
    done = tilewise("solve", BOARD, "--certificate", "no/proof.json")
    assert done.returncode == 2
    assert done.stdout.startswith("3 moves, optimal: ULL\n")
    assert done.stderr == "tilewise: error: No such file or directory: 'no/proof.json'\n"
    none = tilewise("solve", "8b6 547 231", "-a", "astar", "--max-nodes", "5", "--certificate", "p")
    assert none.returncode == 20
    assert "no answer, so no certificate was written to p" in none.stderr
    two = tilewise("solve", BOARD, BOARD, "--certificate", "p")
    assert "expected one board with --certificate FILE" in two.stderr
