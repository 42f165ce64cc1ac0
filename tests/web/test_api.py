"""Every address of the server, asked as a client does."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tilewise as tw
from tests.web.client import Server, events
from tilewise.core.events import Kind
from tilewise.core.registry import ALGORITHMS, HEURISTICS
from tilewise.puzzle.formats import read_moves

HARDEST = "8b6 547 231"
FAR = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
BEHIND = 48


def decoded(text: str) -> tuple[int, ...]:
    return tuple(ord(character) - BEHIND for character in text)


def test_the_schema_names_everything_that_is_registered(server: Server) -> None:
    answer = json.loads(server.request("GET", "/api/schema")[2])
    assert [each["name"] for each in answer["algorithms"]] == list(ALGORITHMS)
    assert {each["name"] for each in answer["heuristics"]} == set(HEURISTICS)
    assert [each["name"] for each in answer["counters"]] == [c.name for c in tw.COUNTERS]
    weight = next(each for each in answer["algorithms"] if each["name"] == "wastar")["options"]
    assert weight == [{"name": "weight", "default": "1.5"}]
    assert answer["budgets"]["waiting"] >= 256


def test_a_board_is_read_in_any_notation_and_written_in_all(server: Server) -> None:
    answer = server.post("board", board="1 2 3/4 5 6/7 0 8", heuristics=True)
    assert answer["board"]["tiles"] == [1, 2, 3, 4, 5, 6, 7, 0, 8]
    assert (answer["notation"], answer["goal"]["name"]) == ("slidysim", "last")
    assert (answer["distance"], answer["solvable"], answer["explanation"]) == (1, True, None)
    assert answer["legal_moves"] == ["U", "L", "R"]
    values = {each["name"]: each["value"] for each in answer["heuristics"]}
    assert values["manhattan"] == 1
    for text in answer["notations"].values():
        assert server.post("board", board=text)["board"] == answer["board"]


def test_rows_are_taken_as_a_board_too(server: Server) -> None:
    answer = server.post("board", board=[[1, 2, 3], [0, 4, 5]])
    assert (answer["board"]["rows"], answer["board"]["tiles"]) == (2, [1, 2, 3, 0, 4, 5])
    assert server.post("board", board=answer["board"]["text"])["board"] == answer["board"]


def test_an_unsolvable_board_is_explained_and_mended(server: Server) -> None:
    answer = server.post("board", board="123 456 87b", goal="last")
    assert not answer["solvable"] and answer["distance"] is None
    why = answer["explanation"]
    assert (why["swaps"], why["blank_steps"], why["cycles"]) == (1, 0, [[7, 8]])
    for mend in why["mends"]:
        mended = server.post("board", board=mend["board"]["text"], goal="last")
        assert mended["solvable"]
    solved = server.post("solve", board="123 456 87b", goal="last")
    assert solved["status"] == "unsolvable" and solved["explanation"] == why


def test_distances_of_a_small_board_are_exact_after_every_move(server: Server) -> None:
    answer = server.post("distance", board=HARDEST)
    assert (answer["distance"], answer["exact"], answer["method"]) == (31, True, "table")
    board = tw.Board.parse(HARDEST)
    for step in answer["moves"]:
        assert step["distance"] == tw.solve(board.move(step["move"])).cost
        assert (step["move"] in answer["best"]) == (step["distance"] == 30)


def test_the_distance_of_a_larger_board_is_exact_or_bounded(server: Server) -> None:
    near = server.post("distance", board="1,2,3,4/5,6,7,8/9,10,11,12/13,0,14,15", goal="last")
    assert (near["distance"], near["exact"], near["best"]) == (2, True, ["R"])
    far = server.post("distance", board="16x16:" + ",".join(map(str, (*range(255, 1, -1), 1, 0))))
    assert far["distance"] is None and not far["exact"]
    assert 0 < far["lower_bound"] <= far["upper_bound"]


def test_the_goal_itself_and_the_unreachable_have_plain_distances(server: Server) -> None:
    goal = server.post("distance", board="b12 345 678", goal="first")
    assert (goal["distance"], goal["solved"], goal["best"]) == (0, True, [])
    never = server.post("distance", board="b21 345 678", goal="first")
    assert (never["distance"], never["solvable"], never["moves"]) == (None, False, [])


def test_hints_give_away_more_at_each_level(server: Server) -> None:
    hints = [server.post("hint", board=HARDEST, level=level) for level in (1, 2, 3, 4)]
    assert hints[0]["text"] == "31 moves from here, and no fewer."
    assert hints[0]["tile"] is hints[0]["move"] is hints[1]["tile"] is hints[2]["move"] is None
    assert hints[1]["area"] and hints[1]["text"].startswith("Look at the ")
    solution = hints[3]["moves"]
    board = tw.Board.parse(HARDEST)
    assert board.after(solution) == tw.Goal.blank_first(3, 3).board and len(solution) == 31
    assert hints[2]["tile"] == hints[3]["tile"] == board.move(solution[0]).tiles[board.blank]
    done = server.post("hint", board="b12 345 678", level=4)
    assert (done["text"], done["move"]) == ("This is the goal.", None)


@pytest.mark.parametrize(
    "asked",
    [
        {"shape": "3x3", "depth": 20},
        {"shape": "4x4", "goal": "last", "walk": 40, "repeats": False},
        {"shape": "3x4", "goal": "snail"},
    ],
)
def test_a_seed_scrambles_the_same_board_twice(server: Server, asked: dict[str, Any]) -> None:
    once, again = (server.post("scramble", seed=7, **asked) for _ in range(2))
    assert once == again and not once["gave_up"] and once["seed"] == 7
    board = once["boards"][0]
    assert f"{board['rows']}x{board['columns']}" == asked["shape"]
    if "depth" in asked:
        found = server.post("distance", board=board["text"], goal=once["goal"]["name"])
        assert found["distance"] == asked["depth"]


def test_a_solution_is_that_of_the_library_in_every_style(server: Server) -> None:
    answer = server.post("solve", board=HARDEST, algorithm="astar", heuristic="manhattan")
    result = tw.solve(HARDEST, algorithm="astar", heuristic="manhattan")
    assert answer["moves"] == result.moves and answer["headline"] == "31 moves, optimal"
    assert answer["stats"]["expanded"] == result.stats.expanded
    for style, written in answer["written"].items():
        for whose, text in written.items():
            assert read_moves(text, whose) == result.moves, (style, whose)


def test_the_search_of_a_course_is_asked_for_by_its_profile(server: Server) -> None:
    asked = {"board": "321 574 6b8", "profile": "eecs391-table", "algorithm": "astar"}
    answer = server.post("solve", heuristic="h1", **asked)
    assert answer["note"] == "the course's program counts 524 nodes generated"
    traced = server.post("trace", heuristic="h1", events=5_000, **asked)
    assert traced["kept"] == traced["count"] and traced["result"]["moves"] == answer["moves"]
    assert len(traced["reasons"]) == len(traced["expansions"]) == answer["stats"]["expanded"] + 1
    menu = server.post("solve", board="1 3 6/5 0 7/4 8 2", profile="cs170")
    assert (menu["algorithm"], menu["goal"]["name"], menu["cost"]) == ("cs170", "last", 12)
    status, refused = server.try_post("solve", rules="fifo", **asked)
    assert status == 400 and refused["error"] == "expected a profile or rules, got both"


def test_limits_are_a_status_and_no_error(server: Server) -> None:
    answer = server.post("solve", board=FAR, algorithm="astar", max_nodes=100)
    assert (answer["status"], answer["stats"]["generated"]) == ("limit", 100)
    assert answer["moves"] is answer["written"] is None


@pytest.mark.parametrize("algorithm", sorted(ALGORITHMS))
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
def test_the_open_list_is_taken_in_the_order_that_is_told(
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


def test_the_reason_of_a_choice_is_told_in_words(server: Server) -> None:
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
        assert each["result"]["status"] == "solved" and series["complete"]
        assert 1 < len(series["expanded"]) <= 50
        assert series["expanded"] == sorted(set(series["expanded"]))
        assert series["expanded"][-1] == stats["expanded"]
        assert series["generated"][-1] == stats["generated"]
        assert series["stored"][-1] == stats["stored"]
        assert len(decoded(series["board"][-1])) == 9
    open_lists = [each["series"]["frontier"] for each in answer["searches"]]
    most = [each["result"]["stats"]["max_frontier"] for each in answer["searches"]]
    assert max(open_lists[0]) <= most[0] and max(open_lists[3]) <= most[3]


def test_a_comparison_without_names_is_that_of_the_command_line(server: Server) -> None:
    answer = server.post("compare", board="312 475 68b", points=0)
    found = [each["result"]["algorithm"] for each in answer["searches"]]
    assert len(found) == 12 and "idastar" in found
    assert all(each["series"] is None for each in answer["searches"])


def test_a_stream_tells_progress_and_ends_with_the_result(server: Server) -> None:
    connection = server.start("solve", board=FAR, algorithm="idastar", heuristic="manhattan")
    told = list(events(connection))
    connection.close()
    names = [name for name, _ in told]
    assert set(names[:-1]) <= {"progress"} and names[-1] == "result"
    assert told[-1][1]["cost"] == 57
    assert all(each["state"] in ("waiting", "running") for _, each in told[:-1])
