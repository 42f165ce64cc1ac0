"""`tilewise compare` puts searches side by side, at any width, limits marked as limits."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tilewise import solve
from tilewise.cli.app import run

Run = Callable[..., subprocess.CompletedProcess[str]]

HARD = "8b6 547 231"


def test_the_usual_dozen_at_80_columns(tilewise: Run) -> None:
    done = tilewise(
        "compare", HARD, "--max-nodes", "30000", "--engine", "python", env={"COLUMNS": "80"}
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "8b6 547 231, goal first, python engine"
    assert max(map(len, lines)) <= 80 and "\x1b" not in done.stdout
    rows = {tuple(line.split()[:2]): line for line in lines[3:]}
    expected = solve(HARD, goal="first", algorithm="astar", heuristic="manhattan").stats
    manhattan = rows["astar", "manhattan"]
    assert re.search(rf" 31\* +{expected.expanded:,} +{expected.generated:,} █", manhattan)
    assert re.search(r"- +> [0-9,]+ +> 30,000 \(limit\)$", rows["bfs", "-"])
    assert re.search(r" 45 +85 +233 ▏$", rows["greedy", "linear_conflict"])
    assert lines[-1] == "* proved optimal"


@pytest.mark.parametrize("columns", ["40", "130"])
def test_other_widths_hold_the_same_figures(tilewise: Run, columns: str) -> None:
    done = tilewise(
        "compare", HARD, "-a", "astar", "-a", "bfs", "--max-nodes", "20000",
        env={"COLUMNS": columns, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.returncode == 0 and done.stdout.isascii()
    assert max(map(len, done.stdout.splitlines())) <= int(columns)
    assert "31*" in done.stdout and "10,076" in done.stdout and "> 20,000" in done.stdout
    assert "limit" in done.stdout and ("####" in done.stdout) == (columns == "130")


def test_json_has_a_result_a_line_in_the_order_asked_for(tilewise: Run) -> None:
    done = tilewise(
        "compare", HARD, "-a", "astar", "-a", "greedy", "-a", "bfs", "-H", "h1", "-H", "h2",
        "--sort", "generated", "--max-nodes", "60000", "--rules", "ties=fifo", "--json",
    )  # fmt: skip
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(results) == 5 and {result["rules"] for result in results} == {"fifo"}
    statuses = [result["status"] for result in results]
    assert statuses == sorted(statuses, reverse=True) and statuses.count("limit") == 2
    work = [result["stats"]["generated"] for result in results if result["status"] == "solved"]
    assert work == sorted(work)


def test_a_heuristic_of_the_users_beside_another(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "import tilewise as tw\n"
        "@tw.heuristic('mine', admissible=True)\n"
        "def mine(goal):\n"
        "    return lambda board: 0 if board == goal.board else 1\n"
    )
    done = tilewise("compare", "125 348 67b", "-H", "mine", "-H", "manhattan", "--load", "mine.py")
    assert done.returncode == 0
    assert re.search(r"astar +mine +4\*", done.stdout)
    assert re.search(r"astar +manhattan +4\*", done.stdout)


def test_the_exit_code_tells_whether_anything_solved_the_board(tilewise: Run) -> None:
    none = tilewise("compare", HARD, "-a", "bfs", "--max-nodes", "10")
    assert none.returncode == 20 and "> 10 (limit)" in none.stdout
    unsolvable = tilewise("compare", "1 2 3/4 5 6/8 7 0")
    assert unsolvable.returncode == 10 and "cannot reach" in unsolvable.stdout


def test_another_goal_than_that_of_the_notation_is_said_first(tilewise: Run) -> None:
    done = tilewise("compare", "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", "-a", "human")
    assert done.stdout.startswith("goal: first (the goal last cannot be reached")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-a", "astat"], "did you mean astar?"),
        (["-H", "manhatan"], "did you mean manhattan?"),
        (["-a", "bfs", "-H", "zero"], "an algorithm that uses a heuristic"),
        (["--sort", "beauty"], "expected --sort given, cost"),
        (["--max-nodes", "none"], "--max-nodes"),
        (["--rules", "ties=never"], "expected ties"),
        (["--goal", "middle"], "expected a goal"),
    ],
)
def test_bad_requests_are_one_line_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(["compare", HARD, *arguments]) == 2
    out, error = capsys.readouterr()
    assert out == "" and message in error and error.count("\n") == 1


def test_columns_without_room_are_named(tilewise: Run) -> None:
    small = tilewise("compare", HARD, "-a", "astar", env={"COLUMNS": "80"}).stdout
    assert "no room for seconds: 96 columns or --json show all" in small
    assert "no room" not in tilewise("compare", HARD, "-a", "astar", env={"COLUMNS": "96"}).stdout


MANY = "8b6 547 231\n1b2 345 678\n312 475 68b\n"
SEARCHES = ("-a", "astar", "-a", "greedy", "-H", "manhattan")


def test_many_boards_are_compared_on_those_that_all_searches_solved(tilewise: Run) -> None:
    found = tilewise("compare", "--file", "-", *SEARCHES, "--max-nodes", "5000", input=MANY)
    assert found.returncode == 0, found.stderr  # greedy solves all of them
    assert "Over the 2 of 3 boards that all of these searches solved." in found.stdout
    assert re.search(r"^astar +3 +2 +1 +2$", found.stdout, re.MULTILINE)
    assert "Ratios to astar" in found.stdout


def test_many_boards_as_csv_json_markdown_and_latex(tilewise: Run) -> None:
    def shown(format: str) -> str:
        found = tilewise("compare", "--file", "-", *SEARCHES, "--format", format, input=MANY)
        assert found.returncode == 0, found.stderr
        return found.stdout

    lines = list(csv.DictReader(io.StringIO(shown("csv"))))
    assert [(line["algorithm"], line["cost"]) for line in lines[:4]] == [
        ("astar", "31"),
        ("greedy", "53"),
        ("astar", "1"),
        ("greedy", "1"),
    ]
    rows = [json.loads(line) for line in shown("json").splitlines()]
    assert [row["cost"] for row in rows] == [int(line["cost"]) for line in lines]
    assert rows[0]["instance"] == lines[0]["instance"]
    assert "| search | runs | solved | proved optimal |" in shown("markdown")
    assert r"\begin{tabular}{lrrr}" in shown("latex")


def test_a_suite_or_part_of_it_can_be_compared(tilewise: Run) -> None:
    found = tilewise("compare", "--suite", "korf100", "--first", "2", "-a", "human", "-a", "greedy")
    assert found.stdout.startswith("2 boards\n") and found.returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected a board, or --file FILE, or --suite NAME"),
        (["1b2 345 678", "--suite", "korf100"], "one of the three"),
        (["1b2 345 678", "--format", "pdf"], "expected --format text, csv, markdown, latex, json"),
        (["--suite", "korf100", "--first", "1", "-a", "human", "--baseline", "x"], "as baseline"),
    ],
)
def test_bad_requests_for_many_boards(tilewise: Run, arguments: list[str], message: str) -> None:
    found = tilewise("compare", *arguments)
    assert found.returncode == 2 and message in found.stderr
