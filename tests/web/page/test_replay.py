"""The page replays traces by their keys: its lists and counters are those of the searches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.web.client import Server
from tests.web.page.conftest import Visit
from tilewise import Board, Goal

pytestmark = pytest.mark.xdist_group("web")
BOARD = "0,8,4,1,3,2,6,5,7"
OTHER_PARITY = "0,4,8,1,3,2,6,5,7"
"""For goals that the other board cannot reach."""
RULES = (
    "default",
    "fifo",
    "columbia",
    "ties=oldest,duplicates=closed-when-generated",
    "ties=newest",
    "ties=largeh-oldest",
    "order=RLDU,goal_test=generated",
    "duplicates=ancestors(2)",
    "count=root+goal",
)
RUNNING = ("expanded", "generated", "stored", "duplicates", "reopened", "max_frontier")
REPLAY = """async (wanted) => {
  const { CUT, Replay } = await import('/static/replay.js');
  const { request } = await import('/static/api.js');
  const replay = new Replay(await request('/api/trace', wanted));
  const state = () => JSON.stringify([Array.from(replay.status), replay.counters,
    replay.closed, replay.openSlice(0, 1e6)]);
  const EVERY = 5; // to write the state at every step takes long, and a wrong one stays wrong
  const seen = new Map([[0, state()]]);
  let predicted = true;
  while (replay.at < replay.last) {
    const [next] = replay.openSlice(0, 1);
    replay.forward();
    const stale = replay.kind[replay.stepEvents()[0]] === 'stale';
    const same = next === replay.node[replay.current];
    const told = replay.hasList; // only then the page knows what comes next
    // two searches that meet end there, whatever is next on their lists
    const met = replay.openKind === 'two-sided' && replay.kind[replay.current] === 'goal';
    if (told && !stale && !met && !same) predicted = false;
    if (replay.at % EVERY === 0) seen.set(replay.at, state());
  }
  const counters = {};
  for (const name of Object.keys(replay.counters)) counters[name] = replay.counter(name);
  const end = state();
  let back = true;
  while (replay.at > 0) {
    replay.back();
    if (seen.has(replay.at)) back &&= seen.get(replay.at) === state();
  }
  replay.go(replay.last);
  return {predicted, back: back && end === state(), counters, steps: replay.last,
    unexpected: replay.unexpected, kind: replay.openKind,
    cut: replay.status.includes(CUT), result: replay.trace.result};
}"""


def board_for(goal: str) -> str:
    """A board that reaches a goal."""
    board = Board.parse(BOARD)
    return BOARD if Goal.named(goal, 3, 3).reachable_from(board) else OTHER_PARITY


def replayed(visit: Visit, searches: list[dict[str, Any]]) -> list[dict[str, Any]]:
    page = visit()
    return [
        page.evaluate(REPLAY, {"board": BOARD, "goal": "first", "events": 100_000, **search})
        for search in searches
    ]


def check(search: dict[str, Any], sent: dict[str, Any]) -> None:
    stats = sent["result"]["stats"]
    running = {name: sent["counters"][name] for name in (*RUNNING, "max_depth", "iterations")}
    assert running == {name: stats[name] for name in running}, search
    assert sent["steps"] > 3, search
    assert sent["back"], search
    assert sent["unexpected"] == 0 and sent["predicted"], search
    assert not sent["cut"] or sent["kind"] in ("path", "layers"), "only these cut nodes off"


def test_every_algorithm_ends_with_the_counters_of_its_search(visit: Visit, server: Server) -> None:
    schema = json.loads(server.request("GET", "/api/schema")[2])
    names = [entry["name"] for entry in schema["algorithms"] if entry["has_events"]]
    searches = [{"algorithm": name, "max_nodes": 3_000} for name in names]
    searches.append({"algorithm": "beam(width=3)"})
    # these two meet at the last node of a layer, which is not whole then
    searches.append({"algorithm": "bidirectional", "board": "0,1,3,4,2,6,7,5,8", "goal": "last"})
    for search, sent in zip(searches, replayed(visit, searches), strict=True):
        check(search, sent)


def test_the_searches_of_the_courses_are_replayed_too(visit: Visit, server: Server) -> None:
    schema = json.loads(server.request("GET", "/api/schema")[2])
    searches = [
        {"profile": profile["name"], "goal": profile["goal"], "max_nodes": 500}
        | {"board": board_for(profile["goal"])}
        | {name: search[name] for name in ("algorithm", "heuristic")}
        for profile in schema["profiles"]
        for search in profile["searches"]
        # the beam of this one ends at a goal that nobody has put in order yet
        if (profile["name"], search["algorithm"]) != ("eecs391-table", "beam")
    ]
    assert len(searches) > 10
    for search, sent in zip(searches, replayed(visit, searches), strict=True):
        check(search, sent)


def test_the_open_list_foretells_every_choice_under_other_rules(visit: Visit) -> None:
    blind = [{"algorithm": "astar", "heuristic": "misplaced", "rules": rules} for rules in RULES]
    # a sum is not consistent, so states are re-opened
    bold = {"algorithm": "wastar(weight=3)", "heuristic": "sum(misplaced, manhattan)"}
    searches: list[dict[str, Any]] = [*blind, *({**bold, "rules": rules} for rules in RULES)]
    answers = replayed(visit, searches)
    for search, sent in zip(searches, answers, strict=True):
        check(search, sent)
    assert max(sent["counters"]["reopened"] for sent in answers) > 0
