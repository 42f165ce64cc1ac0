"""What the server refuses, and in which words."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Run
from tests.web.client import HANG_GUARD, Server, events, serving

BOARD = "8b6 547 231"


@pytest.mark.parametrize(
    ("asked", "arguments"),
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
    server: Server, tilewise: Run, asked: dict[str, Any], arguments: list[str]
) -> None:
    status, answer = server.try_post("solve", **asked)
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
        ("compare", b'{"board": "b1 23", "points": 9999}', "expected 0 to 400 points, got 9999"),
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


def test_a_stream_that_cannot_be_is_an_ordinary_refusal(server: Server) -> None:
    connection = server.start("solve", board="b12 345 67")
    response = connection.getresponse()
    assert response.status == 400 and b"expected 9 tiles" in response.read()
    connection.close()


def test_a_refusal_that_comes_late_is_an_event(server: Server) -> None:
    chosen = [{"algorithm": "ids"}, {"algorithm": "astar", "heuristic": "perfect"}]
    far = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    connection = server.start("compare", board=far, searches=chosen[:1], seconds=0.4)
    told = list(events(connection))
    connection.close()
    assert told[-1][0] == "result" and told[-1][1]["searches"][0]["result"]["status"] == "limit"
    status, answer = server.try_post("compare", board=far, searches=chosen, seconds=0.4)
    assert status == 400 and "table of all distances" in answer["error"]


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("solve", {"heuristic": "pdb(8-4-3)"}),
        ("trace", {"heuristic": "max(manhattan, pdb(8-4-3))", "algorithm": "idastar"}),
        ("compare", {"searches": [{"algorithm": "idastar", "heuristic": "pdb(8-4-3)"}]}),
    ],
)
def test_no_request_builds_a_huge_table(server: Server, name: str, asked: dict[str, Any]) -> None:
    far = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
    status, answer = server.try_post(name, board=far, **asked)
    assert status == 400
    assert "`tilewise pdb build 4x4 8-4-3` builds them" in answer["error"]


@pytest.mark.parametrize(
    ("send", "status"),
    [
        (lambda server: server.request("GET", "/api/solve"), 405),
        (lambda server: server.request("GET", "/nothing"), 404),
        (lambda server: server.request("GET", "/static/../server.py"), 404),
        (lambda server: server.request("GET", "/static/%2e%2e/server.py"), 404),
        (lambda server: server.request("POST", "/api/solve", b"x" * 70_000), 413),
        (lambda server: server.request("GET", "/api/schema", origin="https://example.org"), 403),
        (lambda server: server.request("GET", "/api/schema", sec_fetch_site="cross-site"), 403),
        (lambda server: server.request("GET", "/", host="tiles.example.org"), 403),
    ],
)
def test_requests_that_are_not_for_the_page_are_refused(
    server: Server, send: Callable[[Server], tuple[int, Any, bytes]], status: int
) -> None:
    answered, headers, body = send(server)
    assert answered == status and json.loads(body)["error"]
    assert "default-src 'none'" in headers["content-security-policy"]


def test_every_answer_carries_the_security_headers(server: Server) -> None:
    for path in ("/", "/api/schema"):
        status, headers, _ = server.request("GET", path)
        assert status == 200
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_the_page_is_not_sent_again_when_the_browser_has_it(server: Server) -> None:
    _, headers, body = server.request("GET", "/")
    assert headers["content-type"] == "text/html; charset=utf-8" and b"<html" in body
    again, _, nothing = server.request("GET", "/", if_none_match=headers["etag"])
    assert (again, nothing) == (304, b"")


def test_a_port_in_use_is_told_in_one_line(server: Server, tilewise: Run) -> None:
    run = tilewise("serve", "--port", str(server.port))
    assert run.returncode == 2 and run.stdout == ""
    assert f"127.0.0.1:{server.port}" in run.stderr and run.stderr.count("\n") == 1
    assert "already in use" in run.stderr


@pytest.mark.parametrize("options", [["--port", "x"], ["--port", "99999"], ["--host", "999.1.1.1"]])
def test_a_bad_address_is_told_in_one_line(tilewise: Run, options: list[str]) -> None:
    run = tilewise("serve", *options)
    assert run.returncode == 2 and run.stderr.startswith("tilewise: error: expected ")
    assert run.stderr.count("\n") == 1


def test_without_the_extra_one_line_says_what_to_install(tilewise: Run) -> None:
    code = "import sys; sys.modules['uvicorn'] = None; from tilewise.__main__ import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code, "serve"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2 and "pip install 'tilewise[web]'" in run.stderr
    assert run.stderr.count("\n") == 1


def test_an_interrupted_server_ends_quietly_and_at_once() -> None:
    process = serving("--port", "0")
    assert process.stdout is not None
    address = process.stdout.readline()
    port = int(address.rpartition(":")[2].partition("/")[0])
    far = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
    busy = Server(port, process).start("solve", board=far, algorithm="idastar", seconds=60)
    busy.getresponse().readline()
    process.send_signal(2)
    _, errors = process.communicate(timeout=HANG_GUARD)
    busy.close()
    assert errors == "" and process.returncode in (0, 130)
