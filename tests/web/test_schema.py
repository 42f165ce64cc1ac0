"""What the schema names."""

from __future__ import annotations

import json

import tilewise as tw
from tests.web.client import Server
from tilewise.core.registry import ALGORITHMS, HEURISTICS
from tilewise.puzzle.formats import MOVE_STYLES, read_moves


def test_the_schema_names_everything_that_is_registered(server: Server) -> None:
    answer = json.loads(server.request("GET", "/api/schema")[2])
    assert [each["name"] for each in answer["algorithms"]] == list(ALGORITHMS)
    assert {each["name"] for each in answer["heuristics"]} == set(HEURISTICS)
    assert [each["name"] for each in answer["counters"]] == [c.name for c in tw.COUNTERS]
    weight = next(each for each in answer["algorithms"] if each["name"] == "wastar")["options"]
    assert weight == [{"name": "weight", "default": "1.5"}]
    assert answer["budgets"]["waiting"] >= 256
    knobs = answer["rules"]["knobs"]
    assert set(knobs) == set(answer["rules"]["titles"]) == set(answer["rules"]["words"])
    for knob, values in knobs.items():
        plain = {value for value in values if value != "ancestors(n)"}
        assert plain <= set(answer["rules"]["words"][knob])


def test_every_goal_and_move_style_of_the_schema_is_one(server: Server) -> None:
    answer = json.loads(server.request("GET", "/api/schema")[2])
    for goal in answer["goals"]:
        found = server.post("board", board="1 2 3/4 5 6/7 0 8", goal=goal["name"])["goal"]["name"]
        assert found == ("last" if goal["name"] == "auto" else goal["name"])
    styles = {each["name"]: each["example"] for each in answer["move_styles"]}
    assert tuple(styles) == MOVE_STYLES
    assert {read_moves(example, "blank") for example in styles.values()} == {"UUL"}
