"""The tables of the native engine: its heuristics, and which loop serves which search."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracles.samples import goal_of, whole
from tilewise import native
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.registry import ALGORITHMS, HEURISTICS

HEADERS = Path(__file__).resolve().parents[2] / "cpp/include/tilewise"
KINDS = sorted({entry.native for entry in ALGORITHMS.values() if entry.native})


def test_both_engines_say_the_same_of_a_heuristic() -> None:
    assert {
        name: HEURISTICS[name].changes_by_one for name in native.CHANGES_BY_ONE
    } == native.CHANGES_BY_ONE
    assert any(native.CHANGES_BY_ONE.values())


@pytest.mark.parametrize(
    "name", [e.name for e in HEURISTICS.values() if not e.changes_by_one and not e.options]
)
def test_a_heuristic_that_does_not_say_so_changes_by_more_or_less_than_one(name: str) -> None:
    spec = f"{name}(manhattan, manhattan)" if HEURISTICS[name].combines else name
    known = whole("3x3", "first")
    values = known.values(build_heuristic(spec, goal_of("3x3", "first")).estimate)
    here, there = known.edges
    assert (abs(values[here] - values[there]) != 1).any()


def test_the_largest_of_heuristics_changes_by_one_if_all_of_them_do() -> None:
    goal = goal_of("3x3", "first")
    for spec, by_one in (
        ("max(manhattan, walking_distance)", True),
        ("max(manhattan, misplaced)", False),
        ("sum(manhattan, walking_distance)", False),
    ):
        assert build_heuristic(spec, goal).changes_by_one is by_one


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_search_has_a_general_loop_watched_or_not(kind: str) -> None:
    general = [
        row
        for row in native.LOOPS
        if row.search.name == kind
        and not row.by_f
        and (row.heuristic, row.shape, row.order) == ("any", "any", "any")
        and "watched" in row.options
    ]
    assert len(general) == 1


def test_the_options_of_the_table_are_those_of_the_algorithms() -> None:
    for kind in KINDS:
        of_algorithms = {
            option
            for entry in ALGORITHMS.values()
            for option in entry.native_options
            if entry.native == kind
        }
        of_loops = {
            option for row in native.LOOPS for option in row.options if row.search.name == kind
        }
        # the beam with threads is a search of its own, not a loop of the table
        apart = {"threads"} if kind == "BEAM" else set()
        assert of_loops - {"watched", "incumbent"} == of_algorithms - apart


def test_the_header_of_every_loop_is_there() -> None:
    assert [row.header for row in native.LOOPS if not (HEADERS / row.header).is_file()] == []
