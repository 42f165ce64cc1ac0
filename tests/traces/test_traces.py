"""Traces go out and come back, and a trace that does not do what it claims is found out."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.conftest import SEARCHES
from tilewise import Board, Limits
from tilewise.core.events import Event, Kind
from tilewise.errors import TraceError
from tilewise.traces.conformance import check_trace
from tilewise.traces.exports import dot, posthoc
from tilewise.traces.json_lines import json_lines
from tilewise.traces.reader import read_lines, read_trace
from tilewise.traces.watched import Watched, watch

BOARD, EASY = "867 254 3b1", "158 342 67b"
BOARDS = [BOARD, "2x4:2,4,6,3,1,0,5,7"]
GRAPH_SEARCHES = ["bfs", "dfs", "ucs", "greedy", "astar", "wastar(weight=1.5)"]
OTHERS = ["beam(width=3)", *sorted(SEARCHES - {name.split("(")[0] for name in GRAPH_SEARCHES})]
RULES = ["fifo", "columbia", "duplicates=closed-when-generated", "goal_test=generated,order=RLDU"]
HEADER = {"format": "tilewise-trace", "version": 1, "board": "125 34b 678"}


def searched(algorithm: str = "astar", board: str = BOARD, **how: Any) -> Watched:
    return watch(Board.parse(board), algorithm=algorithm, limits=Limits(generated=300), **how)


def objects(search: Watched) -> list[dict[str, Any]]:
    return [json.loads(line) for line in json_lines(search)]


def deviation(trace_lines: list[dict[str, Any]]) -> str | None:
    found = check_trace(read_lines(map(json.dumps, trace_lines))).deviation
    return str(found) if found else None


def plain(events: tuple[Event, ...]) -> list[tuple[Any, ...]]:
    """The events; nodes are numbered as they come, as some searches leave numbers out."""
    number: dict[int, int] = {}
    for event in events:
        number.setdefault(event.node, len(number))
    kept = (event for event in events if event.kind not in (Kind.STOP, Kind.GOAL))
    return [(e.kind, number[e.node], e.g, e.h, e.key, e.board) for e in kept]


def on_two_boards() -> Iterator[Any]:
    """Each search and rule on a board, each board with many; on the other in the full run."""
    graph = itertools.product(GRAPH_SEARCHES, [None, *RULES, "duplicates=ancestors(2)"])
    others = itertools.product(OTHERS, [None])
    for boards, searches in ((BOARDS, graph), ([BOARD, EASY], others)):
        for number, how in enumerate(searches):
            for place, board in enumerate(boards):
                marks = () if (number + number // 6) % 2 == place else pytest.mark.full
                yield pytest.param(board, *how, marks=marks)


@pytest.mark.parametrize(("board", "algorithm", "rules"), list(on_two_boards()))
def test_a_trace_of_tilewise_comes_back_as_it_was_and_keeps_its_rules(
    board: str, algorithm: str, rules: str | None
) -> None:
    search = searched(algorithm, board, rules=rules)
    trace = read_trace("\n".join(json_lines(search)))
    assert plain(trace.events) == plain(search.events)
    assert trace.lines == tuple(range(2, len(search.events) + 2))
    report = check_trace(trace)
    assert report.deviation is None
    assert report.unchecked == ()


@pytest.mark.parametrize("algorithm", ["mm", "nbs", "perimeter(depth=3)", "epeastar"])
def test_values_of_h_that_are_a_searchs_own_are_compared_with_our_run(algorithm: str) -> None:
    trace_lines = objects(searched(algorithm, EASY))
    assert trace_lines[-2]["kind"] == "goal" and deviation(trace_lines) is None
    sixth = [each for each in trace_lines if each.get("kind") == "expand"][5]
    h, sixth["h"] = sixth["h"], 99
    assert f"h = 99 for {sixth['board']}; {algorithm} has {h} there" in str(deviation(trace_lines))


@pytest.mark.parametrize(
    ("profile", "algorithm", "heuristic"),
    [("cs170", None, None), ("eecs391", None, "h1"), ("eecs391-table", "beam(width=4)", None)],
)
def test_a_trace_of_a_courses_own_search_keeps_its_order(
    profile: str, algorithm: str | None, heuristic: str | None
) -> None:
    how = {"profile": profile, "algorithm": algorithm, "heuristic": heuristic}
    search = watch(Board.parse("321 574 6b8"), limits=Limits(generated=400), **how)  # type: ignore[arg-type]
    trace_lines = objects(search)
    assert deviation(trace_lines) is None and len(trace_lines) > 50
    fifth = [each for each in trace_lines if each.get("kind") == "expand"][4]
    fifth["kind"] = "stale"
    assert deviation(trace_lines) is not None


@pytest.mark.parametrize("rules", [None, *RULES])
@pytest.mark.parametrize("algorithm", [*GRAPH_SEARCHES, "beam(width=3)", "hill_climbing"])
def test_the_boards_of_the_expansions_alone_are_a_trace(algorithm: str, rules: str | None) -> None:
    if rules and algorithm not in GRAPH_SEARCHES:
        rules = "order=RLDU"
    search = searched(algorithm, rules=rules)
    trace_lines = objects(search)
    only = [
        {"kind": "expand", "board": each["board"]}
        for each in trace_lines
        if each.get("kind") == "expand"
    ]
    trace = read_lines(map(json.dumps, [trace_lines[0], *only]))
    assert trace.made_up
    assert check_trace(trace).deviation is None
    made = plain(search.events)
    assert plain(trace.events)[: len(made)] == made[: len(trace.events)]


def test_expansions_in_another_order_are_found() -> None:
    trace_lines = objects(searched("bfs"))
    only = [
        {"kind": "expand", "board": each["board"]}
        for each in trace_lines
        if each.get("kind") == "expand"
    ]
    only[3], only[4] = only[4], only[3]
    assert (deviation([trace_lines[0], *only]) or "").startswith("line 5: takes node ")


def changed(field: str, change: Callable[[Any], Any]) -> Callable[..., bool]:
    def mutate(trace_lines: list[dict[str, Any]], place: int, dice: random.Random) -> bool:
        if field not in trace_lines[place]:
            return False
        trace_lines[place][field] = change(trace_lines[place][field])
        return True

    return mutate


def another_kind(trace_lines: list[dict[str, Any]], place: int, dice: random.Random) -> bool:
    kinds = {"generate", "expand", "duplicate", "goal", "reopen", "stale"} - {
        trace_lines[place]["kind"]
    }
    trace_lines[place]["kind"] = dice.choice(sorted(kinds))
    return True


def another_of(field: str) -> Callable[..., bool]:
    def mutate(trace_lines: list[dict[str, Any]], place: int, dice: random.Random) -> bool:
        other = dice.choice(trace_lines[1:-1]).get(field)
        if other is None or other == trace_lines[place].get(field):
            return False
        trace_lines[place][field] = other
        return True

    return mutate


def swapped(trace_lines: list[dict[str, Any]], place: int, dice: random.Random) -> bool:
    trace_lines[place], trace_lines[place + 1] = trace_lines[place + 1], trace_lines[place]
    return True


def repeated(trace_lines: list[dict[str, Any]], place: int, dice: random.Random) -> bool:
    trace_lines.insert(place, trace_lines[place])
    return True


def left_out(trace_lines: list[dict[str, Any]], place: int, dice: random.Random) -> bool:
    return trace_lines.pop(place)["kind"] in ("generate", "expand", "reopen")


MUTATIONS = [
    changed("g", lambda g: g + 1),
    changed("h", lambda h: h + 2),
    changed("key", lambda key: [key[0] + 1, key[1]]),
    changed("move", lambda move: {"U": "L", "L": "D", "D": "R", "R": "U"}[move]),
    another_kind,
    another_of("board"),
    another_of("parent"),
    another_of("node"),
    swapped,
    repeated,
    left_out,
]


@pytest.mark.parametrize("rules", [None, "columbia"])
def test_every_changed_line_is_found(rules: str | None) -> None:
    original = objects(searched(heuristic="manhattan", rules=rules))
    dice = random.Random(8)
    tried = 0
    while tried < 60:
        trace_lines = [dict(each) for each in original]
        place = dice.randrange(2, len(trace_lines) - 8)  # the last expansion may be unfinished
        if not dice.choice(MUTATIONS)(trace_lines, place, dice) or trace_lines == original:
            continue
        tried += 1
        try:
            found = deviation(trace_lines)
        except TraceError as error:
            found = str(error)
        assert found is not None, (original[place], trace_lines[place])
        assert int(found.removeprefix("line ").partition(":")[0]) >= place + 1


def test_a_wrong_claim_is_named_with_its_line() -> None:
    trace_lines = objects(searched(heuristic="manhattan", rules="fifo"))
    assert trace_lines[0]["rules"]["ties"] == "oldest"
    trace_lines[0]["rules"]["ties"] = "h-newest"
    for each in trace_lines[1:]:
        each.pop("key", None)
    said = deviation(trace_lines) or ""
    assert "the ties h-newest take node" in said
    del trace_lines[0]["rules"]["ties"]
    report = check_trace(read_lines(map(json.dumps, trace_lines)))
    assert report.deviation is None
    assert report.unchecked == ("ties: the header does not state them",)
    trace_lines[0]["algorithm"] = "greedy"
    trace_lines[0].pop("rules")
    assert "with h = " in (deviation(trace_lines) or "")


def test_the_wrong_treatment_of_duplicates_is_named() -> None:
    board = "4,6,2,7,1,5,3,0,8"  # the course's rule misses the optimum here
    trace_lines = objects(watch(Board.parse(board), heuristic="manhattan", rules="columbia"))
    trace_lines[0]["rules"]["duplicates"] = "full"
    assert "; full keeps it, the new path is cheaper" in (deviation(trace_lines) or "")
    trace_lines = objects(watch(Board.parse(board), heuristic="manhattan"))
    trace_lines[0]["rules"]["duplicates"] = "skip-if-in-frontier"
    assert "; skip-if-in-frontier throws it away" in (deviation(trace_lines) or "")


def test_a_search_without_an_open_list_is_compared_with_our_own() -> None:
    trace_lines = objects(searched("idastar"))
    assert deviation(trace_lines) is None
    trace_lines[0]["rules"]["order"] = "RLDU"
    assert "by these rules it is expand" in (deviation(trace_lines) or "")


def test_other_programs_may_name_nodes_as_they_like_and_leave_out_what_can_be_computed() -> None:
    lines: list[dict[str, Any]] = [
        {**HEADER, "algorithm": "astar", "heuristic": "manhattan"},
        {"kind": "expand", "node": "125340678", "board": [[1, 2, 5], [3, 4, 0], [6, 7, 8]]},
        {"kind": "generate", "node": "l", "move": "L"},
        {"kind": "generate", "node": "u", "board": [1, 2, 0, 3, 4, 5, 6, 7, 8]},
        {"kind": "generate", "node": "d", "parent": "125340678", "move": "D"},
        {"kind": "expand", "node": "u"},
        {"kind": "generate", "board": "1b2 345 678"},
        {"kind": "expand", "board": "1b2 345 678"},
        {"kind": "generate", "move": "D"},
        {"kind": "generate", "move": "L"},
        {"kind": "goal", "board": "b12 345 678"},
    ]
    trace = read_lines(map(json.dumps, lines))
    assert [event.node for event in trace.events] == [0, 0, 1, 2, 3, 2, 4, 4, 5, 6, 6]
    assert [event.h for event in trace.events] == [3, 3, 4, 2, 4, 2, 1, 1, 2, 0, 0]
    report = check_trace(trace)
    assert report.deviation is None
    assert report.reached_goal
    del lines[4]
    assert (deviation(lines) or "").startswith("line 5: the successor D of node 0 was left out")


EXPAND = '{"kind": "expand"}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a trace in JSON Lines, got nothing"),
        ("\n\n", "expected a trace in JSON Lines, got nothing"),
        ("{", "line 1: expected JSON, got '{'"),
        ("[1, 2]", "line 1: expected a JSON object"),
        ("[" * 100_000, "line 1: expected at most 20,000 characters, got 100,000"),
        ("[" * 19_000, "line 1: expected JSON"),
        ("{}", 'line 1: expected a header with "format": "tilewise-trace", got None'),
        ('{"format": "tilewise-trace", "version": 2}', "line 1: expected version 1, got 2"),
        ('{"format": "tilewise-trace", "version": true}', "line 1: expected version 1, got True"),
        (
            '{"format": "tilewise-trace", "version": 1}',
            "line 1: expected a board as text or a list",
        ),
        (json.dumps({**HEADER, "board": "1 2 3"}), "line 1: expected"),
        (json.dumps({**HEADER, "goal": 3}), "line 1: expected the goal as text, got 3"),
        (json.dumps({**HEADER, "algorithm": "magic"}), "line 1: expected the name of an algorithm"),
        (json.dumps({**HEADER, "algorithm": "astar"}), "line 1: expected the heuristic of astar"),
        (json.dumps({**HEADER, "rules": {"luck": "1"}}), "line 1: expected rules as text or with"),
        (json.dumps({**HEADER, "rules": {"order": 7}}), "line 1: expected the rule order as text"),
        (json.dumps({**HEADER, "rules": "ties=random"}), "line 1: expected ties as"),
    ],
)
def test_a_bad_header_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(TraceError) as error:
        read_trace(text)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 3: expected JSON"),
        ('"expand"', "line 3: expected a JSON object"),
        ('{"kind": "think"}', "line 3: expected a kind start, expand"),
        ('{"kind": ["expand"]}', "line 3: expected a kind start, expand"),
        ('{"kind": "start"}', "line 3: expected one start, got another"),
        (EXPAND, "line 3: expected the node of this event, got none"),
        ('{"kind": "expand", "node": 7}', "line 3: expected a node that was made before, got 7"),
        ('{"kind": "expand", "node": -1}', "line 3: expected node as a number or a short text"),
        ('{"kind": "expand", "node": {}}', "line 3: expected node as a number or a short text"),
        ('{"kind": "expand", "node": 1.5}', "line 3: expected node as a number or a short text"),
        ('{"kind": "expand", "board": "b12 345 678"}', "line 3: expected a board that was gener"),
        ('{"kind": "expand", "board": "1 2/3 0"}', "line 3: expected a 3x3 board, got 2x2"),
        ('{"kind": "expand", "board": 5}', "line 3: expected a board as text or a list, got 5"),
        ('{"kind": "expand", "node": 0, "g": "0"}', "line 3: expected g as a whole number"),
        ('{"kind": "expand", "node": 0, "h": -3}', "line 3: expected h as a whole number"),
        ('{"kind": "expand", "node": 0, "h": NaN}', "line 3: expected h as a whole number"),
        ('{"kind": "expand", "node": 0, "g": 1e999}', "line 3: expected g as a whole number"),
        ('{"kind": "expand", "node": 0, "key": [1]}', "line 3: expected key as a pair"),
        ('{"kind": "expand", "node": 0, "g": ' + "9" * 5000 + "}", "line 3: expected JSON"),
        ('{"kind": "generate", "move": "L"}', "line 3: expected the parent of this event"),
        ('{"kind": "generate", "parent": 0}', "line 3: expected a move or a board, got neither"),
        ('{"kind": "generate", "parent": 0, "move": "R"}', "line 3: expected one of U D L on"),
        ('{"kind": "generate", "parent": 0, "move": 4}', "line 3: expected a move U, D, L or R"),
        (
            '{"kind": "generate", "parent": 0, "board": "b12 345 678"}',
            "line 3: expected a board on",
        ),
        (
            '{"kind": "generate", "parent": 0, "move": "L", "board": "12b 345 678"}',
            "line 3: expected 125 3b4 678 after L from 125 34b 678, got 12b 345 678",
        ),
        ('{"kind": "duplicate", "parent": 0, "move": "L", "node": 0}', "line 3: expected the node"),
    ],
)
def test_a_bad_line_is_refused_with_its_number(line: str, message: str) -> None:
    with pytest.raises(TraceError) as error:
        read_trace(f'{json.dumps(HEADER)}\n{{"kind": "start", "node": 0}}\n{line}\n')
    assert str(error.value).startswith(message)


def test_a_trace_without_end_is_read_no_further_than_the_limit() -> None:
    def endless() -> Iterator[str]:
        yield json.dumps(HEADER)
        yield from itertools.repeat('{"kind": "stop"}')

    with pytest.raises(TraceError, match="expected at most 200,000 events, got more"):
        read_lines(endless())


def test_graphviz_gets_every_node_once_and_the_solution_in_green() -> None:
    search = searched(board="125 34b 678", heuristic="manhattan")
    lines = list(dot(search))
    assert (lines[0], lines[-1]) == ("digraph search {", "}")
    nodes = [line for line in lines if line.startswith("  ") and "fillcolor=" in line][1:]
    assert len(nodes) == 7
    assert sum("palegreen" in line for line in nodes) == 4
    assert sum(" -> " in line for line in lines) == 6
    assert (
        '  1 [label="1 2 .\\n3 4 5\\n6 7 8\\n1 + 2 = 3\\nexpanded 2", fillcolor=palegreen];'
        in lines
    )


def test_posthoc_gets_version_view_and_events_with_parents() -> None:
    search = searched(board="125 34b 678", heuristic="manhattan")
    trace_lines = json.loads("\n".join(posthoc(search)))
    assert set(trace_lines) == {"version", "views", "events"}
    assert trace_lines["version"] == "1.4.0"
    assert trace_lines["events"][0] == {
        "type": "source",
        "id": 0,
        "pId": None,
        "g": 0,
        "h": 3,
        "f": 3,
        "move": "",
        "board": [1, 2, 5, 3, 4, 0, 6, 7, 8],
    }
    ids = {event["id"] for event in trace_lines["events"]}
    assert all(event["pId"] in ids | {None} for event in trace_lines["events"])
    assert trace_lines["events"][-1]["type"] == "destination"
