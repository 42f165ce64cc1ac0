"""Traces of other solvers, sent to the server: checked, and prepared for replay."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.web.client import Server, events
from tilewise import Board
from tilewise.traces.json_lines import json_lines
from tilewise.traces.watched import watch

BOARD = "867 254 3b1"
HEADER = '{"format": "tilewise-trace", "version": 1, "board": "125 34b 678"}'
EXPANSIONS = (
    """{"format": "tilewise-trace", "version": 1, "board": "125 34b 678",
 "algorithm": "astar", "heuristic": "misplaced"}""".replace("\n", "")
    + """
{"kind": "expand", "board": "125 34b 678"}
{"kind": "expand", "board": "12b 345 678"}
{"kind": "expand", "board": "125 348 67b"}
"""
)


def text_of(algorithm: str = "astar", **how: str | int | None) -> str:
    found = watch(Board.parse(BOARD), algorithm=algorithm, events=300, **how)  # type: ignore[arg-type]
    return "\n".join(json_lines(found))


@pytest.mark.parametrize("algorithm", ["astar", "dfs", "beam(width=3)", "idastar"])
def test_a_trace_of_tilewise_comes_back_as_the_server_sends_its_own(
    server: Server, algorithm: str
) -> None:
    checked = server.post("trace/check", trace=text_of(algorithm))
    own = server.post("trace", board=BOARD, goal="first", algorithm=algorithm, events=300)
    assert checked["verdict"]["ok"] and checked["verdict"]["checked"]
    for part in ("events", "boards", "expansions", "open_list", "kinds", "reasons"):
        assert checked[part] == own[part], part
    assert checked["claims"]["algorithm"] == algorithm
    assert checked["claims"]["board"] == own["result"]["board"]


def test_the_first_departure_has_its_event_and_the_words_of_the_command_line(
    server: Server, tilewise: Run, tmp_path: Path
) -> None:
    claimed = text_of(rules="fifo").replace('"ties": "oldest"', '"ties": "h-newest"')
    keyless = re.sub(r'"key": [^]]*], ', "", claimed)
    for text in (keyless, EXPANSIONS):
        (tmp_path / "mine.jsonl").write_text(text)
        said = tilewise("trace", "check", str(tmp_path / "mine.jsonl")).stdout.splitlines()[-1]
        answer = server.post("trace/check", trace=text)
        verdict = answer["verdict"]
        assert said == f"first deviation: line {verdict['line']}: {verdict['deviation']}"
        assert not verdict["ok"] and verdict["checked"] == []
        assert answer["kinds"][answer["events"]["kind"][verdict["event"]]] == "expand"
    assert answer["reasons"][-1] == "not by these rules: they take node 4, f = 3 is the smallest"


def test_what_a_header_leaves_open_is_no_departure(server: Server) -> None:
    text = text_of(rules="ties=oldest").replace('"ties": "oldest", ', "")
    answer = server.post("trace/check", trace=re.sub(r'"key": [^]]*], ', "", text))
    assert answer["verdict"]["ok"]
    assert any("the header leaves ties open" in reason for reason in answer["reasons"])
    assert not any("not by these rules" in reason for reason in answer["reasons"])
    nothing = server.post("trace/check", trace=HEADER)
    assert nothing["claims"]["algorithm"] is None and nothing["expansions"] == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        HEADER + '\n{"kind": "goal", "node": 7}',
        HEADER + "\n" + "[" * 9_000,
        HEADER.replace("125 34b 678", "125 34b 67"),
        HEADER.replace("}", ', "algorithm": "x"}'),
    ],
)
def test_a_malformed_trace_gets_the_message_of_the_command_line(
    server: Server, tilewise: Run, tmp_path: Path, text: str
) -> None:
    (tmp_path / "bad.jsonl").write_text(text)
    status, answer = server.try_post("trace/check", trace=text)
    assert status == 400
    said = tilewise("trace", "check", str(tmp_path / "bad.jsonl")).stderr
    assert said == f"tilewise: error: {answer['error']}\n"


def test_a_trace_may_be_larger_than_other_requests_but_has_bounds(server: Server) -> None:
    many = HEADER + '\n{"kind": "expand", "node": 0}' * 1_000 + "\n" * 40_000
    status, answer = server.try_post("trace/check", trace=many)
    assert status == 200 and answer["count"] == 4_001
    length = {"content_length": "9000000"}
    status, _, body = server.request("POST", "/api/trace/check", b"", **length)
    assert status == 413 and b"expected at most 8,388,608 bytes" in body
    status, answer = server.try_post("trace/check", trace=HEADER, seconds=1_000)
    assert status == 400 and "at most 60 for seconds" in answer["error"]
    slow = HEADER.replace("}", f', "heuristic": "sum({", ".join(["gaschnig"] * 180)})"}}')
    slow += '\n{"kind": "expand", "node": 0}' * 5_000
    connection = server.start("trace/check", trace=slow, seconds=0.3)
    sent = list(events(connection))
    connection.close()
    assert sent[-1][0] == "error" and "checked within 0.3 s" in sent[-1][1]["error"]
