"""What the server describes, and its streams: progress, the result, refusals."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from tests.web.client import Server, events
from tilewise.web import positions, searches, trace_upload
from tilewise.web.responses import Running, Waiting
from tilewise.web.server import create_app

FAR = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


def test_a_stream_reports_progress_and_ends_with_the_result(server: Server) -> None:
    connection = server.start("solve", board=FAR, algorithm="idastar", heuristic="manhattan")
    sent = list(events(connection))
    connection.close()
    names = [name for name, _ in sent]
    assert set(names[:-1]) <= {"progress"} and names[-1] == "result"
    assert sent[-1][1]["cost"] == 57
    for _, progress in sent[:-1]:
        waits = progress["state"] == "waiting"
        event = Waiting(**progress) if waits else Running(**progress)
        assert event.model_dump() == progress


def test_a_bad_request_for_a_stream_is_an_ordinary_refusal(server: Server) -> None:
    connection = server.start("solve", board="b12 345 67")
    response = connection.getresponse()
    assert response.status == 400 and b"expected 9 tiles" in response.read()
    connection.close()


def test_a_refusal_that_comes_late_is_an_event(server: Server) -> None:
    chosen = [{"algorithm": "ids"}, {"algorithm": "astar", "heuristic": "perfect"}]
    far = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    connection = server.start("compare", board=far, searches=chosen[:1], seconds=0.4)
    sent = list(events(connection))
    connection.close()
    assert sent[-1][0] == "result" and sent[-1][1]["searches"][0]["result"]["status"] == "limit"
    status, answer = server.try_post("compare", board=far, searches=chosen, seconds=0.4)
    assert status == 400 and "table of all distances" in answer["error"]


@cache
def described() -> Any:
    return create_app().openapi()


@pytest.mark.parametrize(
    ("path", "operation"),
    [
        ("board", positions.about_board),
        ("distance", positions.about_distance),
        ("hint", positions.about_hint),
        ("scramble", positions.about_scramble),
        ("solve", searches.solved),
        ("trace", searches.traced),
        ("trace/check", trace_upload.checked),
        ("compare", searches.compared),
    ],
)
def test_the_description_names_the_models_that_the_operation_takes_and_returns(
    path: str, operation: Callable[..., object]
) -> None:
    post = described()["paths"][f"/api/{path}"]["post"]
    models = inspect.get_annotations(operation, eval_str=True)
    takes = post["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    gives = post["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
    assert takes.rpartition("/")[2] == models["request"].__name__
    assert gives.rpartition("/")[2] == models["return"].__name__
