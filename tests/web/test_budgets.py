"""One request takes no more than its budget, and what the server keeps is bounded by bytes."""

from __future__ import annotations

import pytest

from tests.web.client import Server, until
from tilewise.core.memo import CACHES
from tilewise.errors import LimitsError
from tilewise.web.budgets import MEGABYTE, Budgets
from tilewise.web.job_queue import Job
from tilewise.web.positions import about_board
from tilewise.web.requests import BoardRequest, SolveRequest
from tilewise.web.searches import solved

FAR = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"


@pytest.mark.parametrize("name", ["solve", "trace", "compare"])
def test_threads_are_bounded_for_each_request(server: Server, name: str) -> None:
    search = {"algorithm": "idastar(threads=1024)"}
    body = {"searches": [search]} if name == "compare" else search
    status, answer = server.try_post(name, board=FAR, **body)
    assert status == 400 and "for threads on this server, got 1024" in answer["error"]


def test_the_budgets_name_the_threads_and_the_memory_of_the_caches() -> None:
    budgets = Budgets(threads=3)
    budgets.check_options("idastar(threads=3)")
    budgets.check_options("bfs")
    budgets.check_options(None)
    with pytest.raises(LimitsError, match="at most 3 for threads"):
        budgets.check_options("idastar(prune=2, threads=4)")
    assert budgets.cache_memory == 512


def test_an_automaton_is_within_the_time_of_its_request(server: Server) -> None:
    body = {"board": FAR, "algorithm": "idastar(prune=12)", "heuristic": "manhattan"}
    answer = server.post("solve", seconds=0.001, **body)
    assert answer["status"] == "limit" and answer["stats"]["generated"] == 0


def test_building_ends_when_the_time_slice_is_over() -> None:
    def work(job: Job) -> bytes:
        return b""

    job = Job(work)
    job.begin(seconds=1e-9)
    until(job.stopped)
    assert job.stop.is_set()


def test_tables_that_requests_left_behind_are_bounded_by_bytes() -> None:
    before = CACHES.most_bytes
    CACHES.set_most_bytes(60 * MEGABYTE)
    try:
        tiles = [*range(9)]
        for turn in range(6):
            goal = " ".join(map(str, tiles[turn:] + tiles[:turn]))
            job = Job(lambda job: b"")
            request = BoardRequest(board=goal, goal=goal, heuristics=True)
            about_board(request, Budgets(), job)
            search = {"algorithm": "astar", "heuristic": "perfect"}
            solve = SolveRequest.model_validate({"board": goal, "goal": goal, **search})
            solved(solve, Budgets(), job)
            assert CACHES.bytes <= 60 * MEGABYTE
        assert CACHES.bytes > 0
    finally:
        CACHES.set_most_bytes(before)
