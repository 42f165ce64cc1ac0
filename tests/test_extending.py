"""An algorithm and a heuristic that the package has never seen are used wherever one can be."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.client import Server, server_of, serving

Run = Callable[..., subprocess.CompletedProcess[str]]

BOARD = "312 475 68b"
OWN = '''
import tilewise as tw
from tilewise.core.algorithm_facts import Frontier
from tilewise.core.rules import KNOBS
from tilewise.search.best_first import best_first, pseudo_code

DOUBTING = Frontier(g=2, h="trust")


@tw.algorithm(
    "doubting",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    knobs=KNOBS,
    title="Doubting search",
    frontier=DOUBTING,
    pseudo_code=pseudo_code(DOUBTING),
)
def doubting(problem, h, meter, rules, observer, *, trust: int = 1):
    """The smallest 2g + trust * h first."""
    return best_first(
        problem, h, meter, rules, observer, DOUBTING.configured({"trust": trust})
    )


@tw.algorithm("plain", complete=True)
def plain(problem, h, meter, rules, observer):
    """Says nothing about itself but that it is there."""
    from tilewise.search.bfs import bfs

    return bfs(problem, h, meter, rules, observer)


@tw.heuristic("blank_away", admissible=True, consistent=True)
def blank_away(goal):
    """Rows plus columns that the blank is away from home."""
    row, column = divmod(goal.board.blank, goal.board.columns)

    def estimate(board):
        at = divmod(board.blank, board.columns)
        return abs(at[0] - row) + abs(at[1] - column)

    return estimate
'''
SEARCH = ("-a", "doubting", "-H", "blank_away", "--load", "own.py")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "own.py"
    file.write_text(OWN, encoding="utf-8")
    return file


def output(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.usefixtures("own")
def test_they_solve_and_are_listed(tilewise: Run) -> None:
    answer = json.loads(output(tilewise("solve", BOARD, *SEARCH, "--json")))
    assert (answer["cost"], answer["algorithm"]) == (4, "doubting(trust=1)")
    assert answer["heuristic"] == "blank_away" and answer["optimal"]
    shown = output(tilewise("list", "algorithms", "doubting", "--load", "own.py"))
    assert "Doubting search" in shown and "the smallest 2g + trust * h" in shown
    assert "blank_away" in output(tilewise("list", "heuristics", "--load", "own.py"))


@pytest.mark.usefixtures("own")
def test_their_trace_is_written_read_and_found_right(tilewise: Run) -> None:
    output(tilewise("trace", "export", BOARD, *SEARCH, "-o", "search.jsonl"))
    checked = output(tilewise("trace", "check", "search.jsonl", "--load", "own.py"))
    assert "nodes are taken as doubting(trust=1) takes them" in checked
    assert "every h is that of blank_away" in checked


@pytest.mark.usefixtures("own")
def test_their_steps_are_explained_like_those_of_the_package(tilewise: Run) -> None:
    done = tilewise("explain", BOARD, *SEARCH, "--step", "2")
    page = output(done)
    assert "why: 2g + h = 5 ties" in page
    assert "Doubting search in pseudo-code; -> marks this step:" in page
    assert "->     expand it" in page and "astar: smallest f = g + h" in page
    plain = output(tilewise("explain", BOARD, "-a", "plain", "--load", "own.py", "--steps", "1"))
    assert "the order of plain is its own" in plain


@pytest.mark.usefixtures("own")
def test_their_worksheet_says_what_to_compute(tilewise: Run) -> None:
    sheet = output(tilewise("explain", BOARD, *SEARCH, "--worksheet", "--steps", "3"))
    assert "takes the node with the smallest 2g + h." in sheet
    assert "h is blank\\_away: Rows plus columns that the blank is away from home." in sheet
    assert "| node | from | move | board | g | h | 2g + h |" in sheet
    refused = tilewise("explain", BOARD, "-a", "plain", "--load", "own.py", "--worksheet")
    assert refused.returncode == 2 and "expected an algorithm with a worksheet" in refused.stderr


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("algorithm", "rules"), [("doubting", "ties=oldest"), ("plain", "order=LRDU")]
)
def test_the_count_doctor_finds_their_rules(tilewise: Run, algorithm: str, rules: str) -> None:
    chosen: tuple[str, ...] = ("-a", algorithm, "--load", "own.py")
    if algorithm == "doubting":
        chosen += ("-H", "blank_away")
    solved = tilewise("solve", BOARD, *chosen, "--rules", rules, "--json")
    count = json.loads(output(solved))["stats"]["expanded"]
    found = tilewise("why", BOARD, "-n", str(count), "--counter", "expanded", *chosen, "--json")
    explanations = json.loads(output(found))["explanations"]
    assert any(
        each["rules"] == rules or rules.removeprefix("order=") in each["orders"]
        for each in explanations
    )


@pytest.mark.usefixtures("own")
def test_they_are_compared_with_others(tilewise: Run) -> None:
    done = tilewise(
        "compare", BOARD, "-a", "doubting", "-a", "astar", "-H", "blank_away", "--load", "own.py"
    )
    table = output(done)
    assert "doubting" in table and "astar" in table


def test_they_run_in_an_experiment_with_worker_processes(tilewise: Run, own: Path) -> None:
    toml = """
        algorithms = ["doubting(trust=2)", "plain"]
        heuristics = ["blank_away"]
        boards = ["312 475 68b", "125 34b 678"]
        """
    (own.parent / "mine.toml").write_text(toml, encoding="utf-8")
    output(
        tilewise(
            "experiment", "run", "mine.toml", "--out", "rows", "--load", "own.py", "--workers", "2"
        )
    )
    output(tilewise("experiment", "export", "rows", "rows.csv"))
    rows = (own.parent / "rows.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 5
    assert sum("doubting" in row and "blank_away" in row for row in rows) == 2


@pytest.fixture
def extended_server(own: Path) -> Iterator[Server]:
    with server_of(serving("--port", "0", "--load", str(own))) as server:
        yield server


def test_the_page_offers_them_and_its_server_searches_with_them(extended_server: Server) -> None:
    schema = json.loads(extended_server.request("GET", "/api/schema")[2])
    entry = next(each for each in schema["algorithms"] if each["name"] == "doubting")
    assert entry["title"] == "Doubting search" and entry["best_first"]
    code = entry["pseudo_code"]
    assert "expand it" in code["lines"][code["line_of"]["expand"] - 1]
    assert "blank_away" in [each["name"] for each in schema["heuristics"]]
    search: dict[str, Any] = {"algorithm": "doubting", "heuristic": "blank_away"}
    assert extended_server.post("solve", board=BOARD, **search)["cost"] == 4
    trace = extended_server.post("trace", board=BOARD, reasons=True, **search)
    assert trace["open_list"]["kind"] == "queue"
    assert len(trace["reasons"]) == len(trace["expansions"]) and "2g + h" in trace["reasons"][1]
    compared = extended_server.post("compare", board=BOARD, searches=[search, {"algorithm": "bfs"}])
    assert [each["result"]["cost"] for each in compared["searches"]] == [4, 4]
