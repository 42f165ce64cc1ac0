"""`tilewise pdb`: list, build, verify, remove and explain."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.conftest import CACHE, Run
from tilewise.cli.app import run as run_here


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(CACHE, str(tmp_path / "cache"))
    return tmp_path / "cache"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that a command prints; it must succeed in silence otherwise."""
    assert run_here(["pdb", *arguments]) == 0
    out, error = capsys.readouterr()
    assert error == ""
    return out.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run_here(["pdb", *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == "" and error.count("\n") == 1
    return error


def test_tables_are_built_listed_verified_and_removed(tilewise: Run, folder: Path) -> None:
    run = tilewise("pdb", "build", "3x3", "4-4")
    assert (run.returncode, run.stderr) == (0, "")
    assert [line.split() for line in run.stdout.splitlines()] == [
        ["3.0", "kB", "3x3-0.1.3.4-b2", "built"],
        ["3.0", "kB", "3x3-0.1.2.3-b4", "built"],
    ]
    assert "was there" in tilewise("pdb", "build", "3x3", "4-4", "--goal", "last").stdout
    listed = tilewise("pdb", "list").stdout.splitlines()
    assert listed[0] == f"cache: {folder}" and listed[-1].strip() == "14.2 kB  in 2 tables"
    verified = tilewise("pdb", "verify")
    assert verified.returncode == 0
    assert verified.stdout.count(": right: every entry follows from its neighbours\n") == 2
    assert tilewise("pdb", "remove", "3x3").stdout == "removed 2 tables, 14.2 kB\n"
    assert list(folder.glob("*.table")) == []


def test_verify_names_wrong_tables_and_exits_with_1(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    printed(capsys, "build", "3x3", "4-4")
    bad, good = sorted(folder.glob("*.table"))
    bad.write_bytes(b"nothing of the kind")
    assert run_here(["pdb", "verify"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert "3x3-0.1.2.3-b4: WRONG: table file" in out[0] and "not a table of tilewise" in out[0]
    assert out[1].startswith(good.name.removesuffix(".table") + ": right")
    assert "(table file '3x3-0.1.2.3-b4.table' is not a table of" in "\n".join(
        printed(capsys, "list")
    )
    assert run_here(["pdb", "build", "3x3", "4-4"]) == 0
    out_, error = capsys.readouterr()
    assert "it is built again" in error and error.startswith("tilewise: warning: ")
    assert out_.count("built\n") == 1
    assert run_here(["pdb", "verify", "3x3", "4-4"]) == 0


def test_explain_shows_the_cost_before_and_the_values_after(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = printed(capsys, "explain", "3x3", "4-4")
    assert before[2:5] == ["  . A A", "  B A A", "  B B B"]
    assert any(line.startswith("to build: about 0.0 s on ") for line in before)
    assert sum(line.endswith("3,024 entries, not built") for line in before) == 2
    printed(capsys, "build", "3x3", "4-4")
    after = printed(capsys, "explain", "3x3", "4-4")
    assert "  moves: 8.924 on average, at most 14" in after
    assert not any("to build" in line for line in after)
    facts = json.loads("\n".join(printed(capsys, "explain", "3x3", "4-4", "--json")))
    assert (facts["drawing"], facts["look_ups"], facts["bytes"]) == (".AA/BAA/BBB", 4, 6048)
    for table in facts["tables"]:
        assert sum(table["values"]) + table["unreachable"] == table["bytes"] == 3024
        assert table["values"][0] == 1 and table["maximum"] == len(table["values"]) - 1
        mean = sum(value * count for value, count in enumerate(table["values"])) / 3024
        assert table["mean"] == pytest.approx(mean)


def test_explain_says_what_the_large_sets_cost_without_building_them(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    facts = json.loads("\n".join(printed(capsys, "explain", "4x4", "7-8", "--json")))
    assert facts["bytes"] == 57_657_600 + 518_918_400
    assert facts["bytes_to_build"] < 1.5e9
    assert "2 patterns in 2 tables, 577 MB; 4 look-ups a board" in "\n".join(
        printed(capsys, "explain", "4x4", "7-8")
    )
    five = printed(capsys, "explain", "5x5", "6-6-6-6", "--goal", "last")
    assert "4 patterns in 2 tables, 255 MB; 8 look-ups a board" in "\n".join(five)
    assert not folder.exists()


def test_lists_are_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads("\n".join(printed(capsys, "list", "--json"))) == []
    printed(capsys, "build", "2x3", "3-2")
    rows = json.loads("\n".join(printed(capsys, "list", "--json")))
    assert {row["shape"] for row in rows} == {"2x3"} and len(rows) == 2
    assert sorted(row["entries"] for row in rows) == [30, 120]
    assert all(row["fault"] is None and row["kind"] == "pattern" for row in rows)
    assert [[build["pid"] for build in row["builds"]] for row in rows] == [[os.getpid()]] * 2


def test_removing_takes_only_what_was_named(capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, "build", "2x3", "3-2")
    printed(capsys, "build", "3x2", "3-2")
    printed(capsys, "build", "3x3", "4-4")
    assert printed(capsys, "remove", "3x3", "4-4")[0].startswith("removed 2 tables")
    assert len(json.loads("\n".join(printed(capsys, "list", "--json")))) == 2
    assert "expected tables of 4-4 for 3x3 in the cache, got none" in refused(
        capsys, "remove", "3x3", "4-4"
    )
    assert printed(capsys, "remove", "--all")[0].startswith("removed 2 tables")
    assert printed(capsys, "verify") == ["no tables in the cache"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["build", "3x3", "4-5"], "add up to 8"),
        (["build", "8x9"], "at most 64 cells"),
        (["build", "3x4", "11"], "at most 10 tiles"),
        (["build", "3x3", ".AA/AA/AA"], "3 rows of 3 letters"),
        (["explain", "big"], "a shape such as 3x3"),
        (["explain", "3x3", "4-4", "--goal", "123 456 78b 9"], "goal"),
        (["remove"], "expected a shape, or --all"),
        (["remove", "3x3", "--all"], "expected a shape, or --all"),
        (["shrink"], "No such command 'shrink'"),
    ],
)
def test_a_request_that_makes_no_sense_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert message in refused(capsys, *arguments)


def test_without_a_sub_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = "\n".join(printed(capsys))
    for command in ("list", "build", "verify", "remove", "explain"):
        assert command in text


def test_a_heuristic_with_tables_solves_on_the_command_line(tilewise: Run, folder: Path) -> None:
    run = tilewise("solve", "8b6 547 231", "-H", "max(pdb(4-4), manhattan)", "--json")
    answer = json.loads(run.stdout)
    assert (answer["cost"], answer["optimal"]) == (31, True)
    assert answer["heuristic"] == "max(pdb(4-4), manhattan)"
    assert len(list(folder.glob("*.table"))) == 2
