"""What the schema names."""

from __future__ import annotations

import json

import tilewise as tw
from tests.web.client import Server
from tilewise.core.registry import ALGORITHMS, HEURISTICS


def test_the_schema_names_everything_that_is_registered(server: Server) -> None:
    answer = json.loads(server.request("GET", "/api/schema")[2])
    assert [each["name"] for each in answer["algorithms"]] == list(ALGORITHMS)
    assert {each["name"] for each in answer["heuristics"]} == set(HEURISTICS)
    assert [each["name"] for each in answer["counters"]] == [c.name for c in tw.COUNTERS]
    weight = next(each for each in answer["algorithms"] if each["name"] == "wastar")["options"]
    assert weight == [{"name": "weight", "default": "1.5"}]
    assert answer["budgets"]["waiting"] >= 256
