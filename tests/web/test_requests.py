"""What the server refuses, and in which words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.conftest import Run
from tests.web.client import Server

BOARD = "8b6 547 231"


@pytest.mark.parametrize(
    ("body", "arguments"),
    [
        ({"board": "b12 345 67"}, ["b12 345 67"]),
        ({"board": "112 345 678"}, ["112 345 678"]),
        ({"board": ""}, [""]),
        ({"board": BOARD, "goal": "frist"}, [BOARD, "--goal", "frist"]),
        ({"board": BOARD, "goal": "1,2,3,0"}, [BOARD, "--goal", "1,2,3,0"]),
        ({"board": BOARD, "heuristic": "manhatan"}, [BOARD, "-H", "manhatan"]),
        ({"board": BOARD, "algorithm": "astar(("}, [BOARD, "-a", "astar(("]),
        ({"board": BOARD, "algorithm": "wastar(weight=0)"}, [BOARD, "-a", "wastar(weight=0)"]),
        ({"board": BOARD, "rules": "order=UUUU"}, [BOARD, "--rules", "order=UUUU"]),
        ({"board": BOARD, "algorithm": "bfs", "heuristic": "h2"}, [BOARD, "-a", "bfs", "-H", "h2"]),
        ({"board": BOARD, "engine": "steam"}, [BOARD, "--engine", "steam"]),
    ],
)
def test_bad_input_gets_the_message_of_the_command_line(
    server: Server, tilewise: Run, body: dict[str, Any], arguments: list[str]
) -> None:
    status, answer = server.try_post("solve", **body)
    assert status == 400
    assert tilewise("solve", *arguments).stderr == f"tilewise: error: {answer['error']}\n"


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("solve", b'{"board":', "expected a JSON object, got something else: Expecting value"),
        ("solve", b"\xff\xfe", "expected a JSON object, got "),
        ("solve", b"[" * 60_000, "expected a JSON object, got "),
        ("solve", b'{"board": ' + b"9" * 5_000 + b"}", "expected a JSON object, got "),
        ("solve", b"", "expected a value as body, got none"),
        ("solve", b"[]", "expected a JSON object, got []"),
        ("solve", b"{}", "expected a value for board, got none"),
        ("solve", b'{"board": 7}', "expected a text for board, got 7"),
        ("solve", b'{"board": "b1 23", "colour": 1}', "expected no field 'colour', got 1"),
        ("solve", b'{"board": "b1 23", "max_nodes": 1e400}', "a whole number for max_nodes"),
        ("solve", b'{"board": "b1 23", "max_nodes": 0}', "at least 1 for generated (nodes)"),
        ("solve", b'{"board": "b1 23", "seconds": NaN}', "positive limit for seconds, got nan"),
        ("solve", b'{"board": "b1 23", "seconds": 1e9}', "at most 60 for seconds on this server"),
        ("solve", b'{"board": "b1 23", "memory": 99999999999}', "for memory on this server"),
        ("trace", b'{"board": "b1 23", "events": -1}', "events of at least 0, got -1"),
        ("trace", b'{"board": "b1 23", "events": 10000000}', "at most 200,000 for events"),
        ("hint", b'{"board": "b1 23", "level": 9}', "a level from 1 to 4, got 9"),
        ("distance", b'{"board": "b1 23", "seconds": 1' + b"0" * 400 + b"}", "at most 5 for"),
        ("scramble", b'{"shape": "1x1"}', "expected 2 to 16 rows and columns, got a 1x1 board"),
        ("scramble", b'{"shape": "3x3", "depth": 32}', "expected a depth of at most 31 for 3x3"),
        ("scramble", b'{"shape": "3x3", "depth": 1, "walk": 1}', "a depth or a walk, got both"),
        ("scramble", b'{"count": 1000000}', "expected a count from 1 to 100"),
        ("scramble", b'{"walk": 1000000000}', "at most 100,000 for walk"),
        ("compare", b'{"board": "b1 23", "searches": []}', "expected 1 to 12 searches, got 0"),
        ("compare", b'{"board": "b1 23", "searches": [{"algorithm": "x"}]}', "an algorithm, got"),
        ("compare", b'{"board": "b1 23", "points": 999999}', "expected 0 to 100000 points, got 9"),
        (
            "scramble",
            b'{"level": "harder"}',
            "expected easy, medium or hard as level, got",
        ),
        ("scramble", b'{"level": "easy", "walk": 3}', "a level, a depth or a walk, got several"),
        ("estimate", b'{"board": "b1 23", "heuristic": "x"}', "heuristic"),
    ],
)
def test_malformed_and_excessive_requests_are_refused_in_one_line(
    server: Server, name: str, body: bytes, expected: str
) -> None:
    status, headers, answer = server.request(
        "POST", f"/api/{name}", body, content_type="application/json"
    )
    assert status == 400 and headers["content-type"] == "application/json"
    error = json.loads(answer)["error"]
    assert expected in error and "\n" not in error and len(error) < 400


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("solve", {"heuristic": "pdb(8-4-3)"}),
        ("trace", {"heuristic": "max(manhattan, pdb(8-4-3))", "algorithm": "idastar"}),
        ("compare", {"searches": [{"algorithm": "idastar", "heuristic": "pdb(8-4-3)"}]}),
    ],
)
def test_no_request_builds_a_huge_table(server: Server, name: str, body: dict[str, Any]) -> None:
    far = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
    status, answer = server.try_post(name, board=far, **body)
    assert status == 400
    assert "`tilewise pdb build 4x4 8-4-3` builds them" in answer["error"]
