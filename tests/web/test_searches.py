"""Requests for searches, as a client sends them."""

from __future__ import annotations

import pytest

import tilewise as tw
from tests.conftest import SEARCHES
from tests.web.client import Server
from tilewise.core.events import Kind
from tilewise.puzzle.formats import read_moves

HARDEST = "8b6 547 231"
FAR = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
BEHIND = 48


def decoded(text: str) -> tuple[int, ...]:
    return tuple(ord(character) - BEHIND for character in text)


def test_a_solution_is_that_of_the_library_in_every_style(server: Server) -> None:
    answer = server.post("solve", board=HARDEST, algorithm="astar", heuristic="manhattan")
    result = tw.solve(HARDEST, algorithm="astar", heuristic="manhattan")
    assert answer["moves"] == result.moves and answer["headline"] == "31 moves, optimal"
    assert answer["stats"]["expanded"] == result.stats.expanded
    for style, written in answer["written"].items():
        for whose, text in written.items():
            assert read_moves(text, whose) == result.moves, (style, whose)


def test_a_profile_names_the_search_of_a_course(server: Server) -> None:
    body = {"board": "321 574 6b8", "profile": "eecs391-table", "algorithm": "astar"}
    answer = server.post("solve", heuristic="h1", **body)
    assert answer["note"] == "the course's program counts 524 nodes generated"
    traced = server.post("trace", heuristic="h1", events=5_000, **body)
    assert traced["kept"] == traced["count"] and traced["result"]["moves"] == answer["moves"]
    assert len(traced["reasons"]) == len(traced["expansions"]) == answer["stats"]["expanded"] + 1
    menu = server.post("solve", board="1 3 6/5 0 7/4 8 2", profile="cs170")
    assert (menu["algorithm"], menu["goal"]["name"], menu["cost"]) == ("cs170", "last", 12)
    status, refused = server.try_post("solve", rules="fifo", **body)
    assert status == 400 and refused["error"] == "expected a profile or rules, got both"


def test_limits_are_a_status_and_no_error(server: Server) -> None:
    answer = server.post("solve", board=FAR, algorithm="astar", max_nodes=100)
    assert (answer["status"], answer["stats"]["generated"]) == ("limit", 100)
    assert answer["moves"] is answer["written"] is None


@pytest.mark.parametrize("algorithm", sorted(SEARCHES))
def test_a_trace_is_the_trace_of_the_library(server: Server, algorithm: str) -> None:
    answer = server.post("trace", board="312 475 68b", algorithm=algorithm, events=300)
    trace = tw.trace("312 475 68b", algorithm=algorithm, events=300)
    assert answer["digest"] == f"{trace.digest:016x}" and answer["count"] == trace.count
    columns = answer["events"]
    for place, event in enumerate(trace):
        assert answer["kinds"][columns["kind"][place]] == event.kind
        assert columns["node"][place] == event.node and columns["parent"][place] == event.parent
        assert columns["move"][place] == (event.move or "-")
        assert (columns["g"][place], columns["h"][place]) == (event.g, event.h)
        assert (columns["priority"][place], columns["tie"][place]) == event.key
        if event.kind is not Kind.STOP:
            assert decoded(answer["boards"][event.node]) == event.board.tiles
    assert len(answer["reasons"]) == len(answer["expansions"])


def test_a_search_without_events_is_solved_and_not_traced(server: Server) -> None:
    body = {"board": "312 475 68b", "algorithm": "anytime"}
    assert server.post("solve", **body)["status"] == "solved"
    status, refused = server.try_post("trace", **body)
    assert status == 400 and "with events of its own, got anytime" in refused["error"]


@pytest.mark.parametrize(
    ("algorithm", "rules"),
    [
        ("astar", None),
        ("astar", "fifo"),
        ("greedy", "ties=largeh-newest"),
        ("bfs", None),
        ("bfs", "ties=newest"),
        ("dfs", None),
        ("wastar(weight=2)", None),
    ],
)
def test_the_open_list_is_taken_in_the_order_of_its_rule(
    server: Server, algorithm: str, rules: str | None
) -> None:
    how = {"algorithm": algorithm, "rules": rules, "max_nodes": 1_500}
    answer = server.post("trace", board=HARDEST, events=2_000, **how)
    assert answer["open_list"]["kind"] == "queue"
    age = -1 if answer["open_list"]["last"] == "newest" else 1
    columns, waiting = answer["events"], dict[int, tuple[int, int, int]]()
    for place in range(answer["kept"]):
        kind, node = answer["kinds"][columns["kind"][place]], columns["node"][place]
        if kind in ("start", "generate", "reopen"):
            key = columns["priority"][place], columns["tie"][place], age * node
            waiting[node] = key
        elif kind in ("expand", "stale"):
            assert min(waiting, key=lambda each: waiting[each]) == node
            del waiting[node]


def test_every_choice_has_its_reason_in_words(server: Server) -> None:
    answer = server.post("trace", board=HARDEST, algorithm="astar", rules="fifo", max_nodes=500)
    assert answer["reasons"][0] == "the only node on the open list"
    assert any(reason.startswith("f = 2") and "oldest" in reason for reason in answer["reasons"])
    assert server.post("trace", board=HARDEST, reasons=False)["reasons"] is None


def test_a_comparison_samples_every_search_up_to_its_last_expansion(server: Server) -> None:
    chosen = [{"algorithm": "astar"}, {"algorithm": "idastar", "rules": "fifo"}]
    chosen += [{"algorithm": "greedy", "heuristic": "manhattan"}, {"algorithm": "beam"}]
    answer = server.post("compare", board=HARDEST, searches=chosen, points=50)
    assert len(answer["searches"]) == 4
    for each in answer["searches"]:
        series, stats = each["series"], each["result"]["stats"]
        assert each["result"]["status"] == "solved"
        assert 1 < len(series["expanded"]) <= 50
        assert series["expanded"] == sorted(set(series["expanded"]))
        assert series["expanded"][-1] == stats["expanded"]
        assert series["generated"][-1] == stats["generated"]
        assert series["stored"][-1] == stats["stored"]
        assert len(decoded(series["board"][-1])) == 9
        assert [*sorted(series["board_at"])] == series["board_at"] and len(series["board"]) <= 400
    open_lists = [each["series"]["frontier"] for each in answer["searches"]]
    most = [each["result"]["stats"]["max_frontier"] for each in answer["searches"]]
    assert max(open_lists[0]) <= most[0] and max(open_lists[3]) <= most[3]


def test_a_comparison_without_names_is_that_of_the_command_line(server: Server) -> None:
    answer = server.post("compare", board="312 475 68b", points=0)
    found = [each["result"]["algorithm"] for each in answer["searches"]]
    assert len(found) == 12 and "idastar" in found
    assert all(each["series"] is None for each in answer["searches"])
