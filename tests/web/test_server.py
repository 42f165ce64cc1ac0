"""Streams: progress, the result, refusals."""

from __future__ import annotations

from tests.web.client import Server, events

FAR = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


def test_a_stream_reports_progress_and_ends_with_the_result(server: Server) -> None:
    connection = server.start("solve", board=FAR, algorithm="idastar", heuristic="manhattan")
    sent = list(events(connection))
    connection.close()
    names = [name for name, _ in sent]
    assert set(names[:-1]) <= {"progress"} and names[-1] == "result"
    assert sent[-1][1]["cost"] == 57
    assert all(each["state"] in ("waiting", "running") for _, each in sent[:-1])


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
