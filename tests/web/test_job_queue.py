"""Many clients at once: the two queues, and cancelling."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection

from tests.web.client import Server, events, until

FAR = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
LONG = {"searches": [{"algorithm": "idastar", "heuristic": "manhattan"}], "points": 0}
LONG |= {"max_nodes": 20_000_000_000, "seconds": 60}
BEFORE_THEY_END = 30
"""Seconds, so that a search which nobody stops is noticed: it would be at work for longer."""


def idle(server: Server) -> bool:
    return all(queue["running"] == queue["waiting"] == 0 for queue in server.status().values())


@contextmanager
def waiting(server: Server, count: int) -> Iterator[list[HTTPConnection]]:
    """Clients that wait for long comparisons; in the end they go away, and the server is idle."""
    clients = [server.start("compare", board=FAR, **LONG) for _ in range(count)]
    try:
        yield clients
    finally:
        for client in clients:
            client.close()
    until(lambda: idle(server), BEFORE_THEY_END)


def test_clients_that_go_away_free_their_workers(server: Server) -> None:
    threads = server.status()["long"]["threads"]
    with waiting(server, threads + 5) as clients:
        until(lambda: server.status()["long"]["waiting"] == 5)
        first = next(events(clients[-1]))
        assert first[0] == "progress" and first[1]["state"] == "waiting"
        too_long = {"algorithm": "idastar", "heuristic": "manhattan", "seconds": 60}
        clients.append(server.start("solve", board=FAR, **too_long))
        until(lambda: server.status()["long"]["waiting"] == 6)


def test_a_client_without_a_stream_that_goes_away_frees_its_worker(server: Server) -> None:
    with waiting(server, 0) as clients:
        clients.append(server.connect())
        body = json.dumps({"board": FAR, **LONG}).encode()
        clients[0].request("POST", "/api/compare", body, {"Content-Type": "application/json"})
        until(lambda: server.status()["long"]["running"] == 1)


def test_a_full_queue_is_refused_and_short_requests_are_still_answered(server: Server) -> None:
    queue = server.status()["long"]
    server.post("distance", board="8b6 547 231", seconds=5)  # the first one makes the table
    with waiting(server, queue["threads"] + queue["room"]):
        until(lambda: server.status()["long"]["waiting"] == queue["room"])
        status, answer = server.try_post("compare", board=FAR, **LONG)
        assert status == 503 and "busy" in answer["error"]
        assert server.post("distance", board="8b6 547 231")["distance"] == 31
        assert server.post("solve", board="8b6 547 231")["cost"] == 31


def test_a_search_that_takes_long_moves_from_the_quick_queue_to_the_long_one(
    server: Server,
) -> None:
    board = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    answer = server.post(
        "solve", board=board, algorithm="astar", engine="python", max_nodes=300_000, seconds=60
    )
    assert (answer["status"], answer["stats"]["generated"]) == ("limit", 300_000)
    until(lambda: idle(server))
