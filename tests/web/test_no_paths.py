"""Whatever goes wrong inside, no response shows a folder of the machine or a traceback."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.client import HANG_GUARD, Server, serving
from tilewise.tables import cache
from tilewise.web.responses import without_folders
from tilewise.web.server import status_and_message

FOLDER = "a folder of the owner"
FAILING = """
from pathlib import Path
import tilewise as tw

HERE = Path(__file__).parent

@tw.heuristic("reads_a_file")
def reads_a_file(goal):
    return lambda board: int((HERE / "values.txt").read_text())

@tw.heuristic("fails_raw", on_boards=False)
def fails_raw(goal):
    def estimate(state):
        if state[0] == 1:
            raise RuntimeError(f"no values in {HERE}")
        return 0
    return estimate

@tw.heuristic("fails_at_once")
def fails_at_once(goal):
    raise OSError(5, "broken", str(HERE / "values.txt"))

@tw.algorithm("lost")
def lost(problem, meter, rules):
    return {}[str(HERE)]
"""


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with plugins that fail, whose cache folder lies below a plain file."""
    folder = tmp_path_factory.mktemp("owner") / FOLDER
    folder.mkdir()
    (folder / "mine.py").write_text(FAILING)
    (folder / "file").write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(cache.ENVIRONMENT, str(folder / "file" / "cache"))
        process = serving("--port", "0", "--load", str(folder / "mine.py"))
    assert process.stdout is not None
    address = re.search(r":(\d+)/", process.stdout.readline())
    assert address
    yield Server(int(address[1]), process)
    process.terminate()
    _, errors = process.communicate(timeout=HANG_GUARD)
    assert "Traceback" not in errors


REQUESTS: list[tuple[str, int, dict[str, Any]]] = [
    ("board", 200, {"board": "2x5:0,2,1,3,4,5,6,7,8,9", "heuristics": True}),
    ("board", 200, {"board": "8b6 547 231", "heuristics": True}),
    ("solve", 200, {"board": "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "heuristic": "pdb(5-5-5)"}),
    ("solve", 400, {"board": "8b6 547 231", "algorithm": "astar", "heuristic": "reads_a_file"}),
    ("solve", 400, {"board": "8b6 547 231", "algorithm": "astar", "heuristic": "fails_at_once"}),
    ("solve", 400, {"board": "1b2 345 678", "algorithm": "astar", "heuristic": "fails_raw"}),
    ("solve", 400, {"board": "8b6 547 231", "algorithm": "lost"}),
    ("trace", 400, {"board": "8b6 547 231", "algorithm": "lost"}),
    ("trace", 400, {"board": "1b2 345 678", "algorithm": "astar", "heuristic": "fails_raw"}),
    ("compare", 400, {"board": "8b6 547 231", "searches": [{"algorithm": "lost"}]}),
]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
@pytest.mark.parametrize(("name", "status", "body"), REQUESTS)
def test_no_response_shows_a_folder_or_a_traceback(
    failing: Server, accept: str, name: str, status: int, body: dict[str, Any]
) -> None:
    answered, _, content = failing.request(
        "POST",
        f"/api/{name}",
        json.dumps(body).encode(),
        content_type="application/json",
        accept=accept,
    )
    text = content.decode()
    streamed_error = answered == 200 and "event: error" in text
    assert answered == status or streamed_error, text
    for secret in (FOLDER, os.sep + "tmp", str(Path(__file__).parents[2]), "Traceback", "File \\"):
        assert secret not in text
    assert "site-packages" not in text


def test_an_internal_error_is_named_by_its_kind_only() -> None:
    error = FileNotFoundError(2, "no such file", f"{os.sep}srv{os.sep}{FOLDER}")
    message = "internal error, a defect of tilewise: FileNotFoundError"
    assert status_and_message(error) == (500, message)


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("no /a b/c d.table", "no c d.table"),
        ("cannot read '/a b/c d.table'", "cannot read 'c d.table'"),
        ("KeyError: /srv/mine.py (/srv/x/mine.py:3)", "KeyError: mine.py (mine.py:3)"),
        (r"OSError: 'C:\\Users\\Jo Doe\\x.py'", "OSError: 'x.py'"),
        ("no values in /a b/c d (mine.py:3)", "no values in a folder (mine.py:3)"),
        ("cannot write /a b/c d: denied", "cannot write a folder: denied"),
        ("expected 9 tiles, got '1 2 3/4 5 6/7 8'", "expected 9 tiles, got '1 2 3/4 5 6/7 8'"),
        ("got 1 2 /3 4 /5 0", "got 1 2 /3 4 /5 0"),
        ("`tilewise pdb build 4x4 .ABB/AACB/AACC/ACCC`",) * 2,
    ],
)
def test_folders_are_left_out_of_messages_and_boards_are_not(message: str, shown: str) -> None:
    assert without_folders(message) == shown
