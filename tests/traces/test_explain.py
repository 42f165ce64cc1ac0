"""Explanations say what the search did: checked against a list that is sorted at each step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import pytest

import tilewise as tw
from tilewise.core.events import Event, Kind, Recorder
from tilewise.core.rules import TIES, Rules
from tilewise.courses.cs170 import COURSE
from tilewise.courses.running import run_course
from tilewise.errors import SpecError
from tilewise.traces.explain import explain, explain_step
from tilewise.traces.open_list import rule_words
from tilewise.tracing import Trace

BEST_FIRST = ["bfs", "dfs", "ucs", "greedy", "astar", "wastar", "wastar(weight=3)"]
RULES = [
    "default",
    "fifo",
    "columbia",
    "order=RLDU,ties=largeh-newest",
    "ties=largeh-oldest,duplicates=closed-when-generated",
    "ties=newest,duplicates=ancestors(2)",
    "ties=h-oldest,goal_test=generated",
]
BOARD = "867 254 3b1"


class Waiting(NamedTuple):
    """A node on the plain open list: as old as it is long there, live or stale."""

    event: Event
    age: int
    stale: bool


def trace(algorithm: str, rules: Rules | str, generated: int = 220, board: str = BOARD) -> Trace:
    limits = tw.Limits(generated=generated)
    return tw.trace(board, algorithm=algorithm, rules=rules, events=10_000, limits=limits)


def plain_open_lists(events: tuple[Event, ...], rules: Rules) -> Iterator[list[Waiting]]:
    """The open list before every expansion, in no order; a cheaper copy makes a node stale."""
    waiting: list[Waiting] = []
    for age, event in enumerate(events):
        if event.kind in (Kind.START, Kind.GENERATE, Kind.REOPEN):
            waiting = [
                each._replace(stale=True)
                if each.event.board == event.board and rules.ancestors is None
                else each
                for each in waiting
            ]
            waiting.append(Waiting(event, age, False))
        elif event.kind in (Kind.EXPAND, Kind.STALE):
            if event.kind is Kind.EXPAND:
                yield waiting
            waiting = [each for each in waiting if each.event.node != event.node]


def in_force(algorithm: str, rules: Rules) -> Rules:
    usual = {"bfs": "oldest", "dfs": "newest"}.get(algorithm)
    ties = rules.ties_or(usual) if usual else rules.ties
    return Rules(rules.order, ties, rules.duplicates, rules.goal_test)


@pytest.mark.parametrize("rules_text", RULES)
@pytest.mark.parametrize("algorithm", BEST_FIRST)
def test_the_open_list_is_told_in_the_order_in_which_it_is_taken(
    algorithm: str, rules_text: str
) -> None:
    rules = Rules.parse(rules_text)
    seen = trace(algorithm, rules)
    ties = in_force(algorithm, rules)
    sign = -1 if ties.newest_first else 1
    choices = explain(seen.events, algorithm, rules, show=None)
    lists = plain_open_lists(seen.events, ties)
    for choice, waiting in zip(choices, lists, strict=False):
        ordered = sorted(waiting, key=lambda each: (*each.event.key, sign * each.age))
        rebuilt = [(entry.event.node, entry.stale) for entry in choice.open]
        assert rebuilt == [(each.event.node, each.stale) for each in ordered]
        live = [each.event for each in ordered if not each.stale]
        assert choice.expected == choice.event.node == live[0].node
        assert choice.open_count == len(live)
        tied = [each.node for each in live[1:] if each.key[0] == live[0].key[0]]
        assert choice.tied_count == len(tied)
        assert list(choice.tied) == tied[:10]


@pytest.mark.parametrize("ties", TIES)
def test_other_rules_are_told_to_take_what_they_would_take(ties: str) -> None:
    seen = trace("astar", "default")
    rule = Rules(ties=ties)
    sign = -1 if rule.newest_first else 1
    lists = plain_open_lists(seen.events, rule)
    for choice, waiting in zip(explain(seen.events, "astar"), lists, strict=False):
        others = {other.rule: other.node for other in choice.others}
        live = [each for each in waiting if not each.stale]

        def by_ties(each: Waiting) -> tuple[int, int, int]:
            event = each.event
            return event.g + event.h, rule.tie_sign * event.h, sign * each.age

        assert others[f"ties={ties}"] == min(live, key=by_ties).event.node
        # the other algorithms break ties as the search does: smaller h, then newest
        greedy = min(live, key=lambda each: (each.event.h, -each.age))
        ucs = min(live, key=lambda each: (each.event.g, each.event.h, -each.age))
        assert (others["greedy"], others["ucs"]) == (greedy.event.node, ucs.event.node)
        assert all(rule_words(each) for each in others)


@pytest.mark.parametrize(
    ("algorithm", "rules", "step", "reason"),
    [
        ("astar", "default", 1, "the only node on the open list"),
        ("astar", "default", 2, "f = 21 ties with 1 other; newest"),
        (
            "astar",
            "default",
            5,
            "f = 21 ties with 4 others; smallest h (17) ties with 2 others; new",
        ),
        ("astar", "default", 3, "f = 21 ties with 1 other; smallest h (19)"),
        ("astar", "fifo", 5, "f = 21 ties with 4 others; oldest"),
        ("greedy", "default", 3, "h = 19 is the smallest"),
        ("bfs", "default", 4, "g = 1 is the smallest"),
        ("dfs", "default", 3, "g = 2 ties with 2 others; newest"),
        ("dfs", "ties=oldest", 2, "g = 1 ties with 2 others; oldest"),
        ("wastar(weight=1.5)", "default", 3, "g + 1.5h = 30.5 is the smallest"),
        (
            "idastar",
            "default",
            2,
            "pass 1, f at most 21: f = 21 is within the bound; U is the next",
        ),
        ("ids", "default", 2, "pass 2, depth at most 1: the search begins again at the root"),
        ("beam(width=2)", "default", 4, "layer 2 by h, 2 of 4 kept: number 1 of 2; h = "),
        ("hill_climbing", "default", 2, "layer 1 by h, 1 of 3 kept: number 1 of 1; h = "),
        ("rbfs", "default", 2, "no open list"),
        ("bidirectional", "default", 2, "breadth-first by whole layers"),
        ("human", "default", 2, "no search"),
    ],
)
def test_the_reason_is_told_in_words(algorithm: str, rules: str, step: int, reason: str) -> None:
    seen = trace(algorithm, rules)
    assert explain_step(seen.events, step, algorithm, rules).reason.startswith(reason)


def test_a_stale_entry_is_marked_and_told_of_when_it_is_skipped() -> None:
    seen = tw.trace(BOARD, algorithm="astar", heuristic="manhattan", events=100_000)
    stale = next(event for event in seen.events if event.kind is Kind.STALE)
    choices = explain(seen.events, "astar", show=None)
    after = next(choice for choice in choices if choice.event.seq > stale.seq)
    assert after.skipped == (stale.node,)
    assert after.reason.startswith("after 1 stale entry: f = ")


def test_the_goal_is_the_last_step_and_says_when_it_was_tested() -> None:
    taken = list(explain(trace("astar", "default", board="125 34b 678").events, "astar"))
    assert [choice.event.kind for choice in taken] == [Kind.EXPAND] * 3 + [Kind.GOAL]
    rules = "goal_test=generated"
    early = list(explain(trace("astar", rules, board="125 34b 678").events, "astar", rules))
    assert early[-1].reason == "it is the goal, and these rules test a node when it is generated"


def test_the_rest_of_a_beams_layer_is_expanded_in_the_order_told() -> None:
    seen = trace("beam(width=4)", "default", generated=500)
    choices = list(explain(seen.events, "beam(width=4)", show=None))
    expansions = [choice.event.node for choice in choices]
    for place, choice in enumerate(choices[:-8]):
        layer = [entry.event.node for entry in choice.open if entry.event.g == choice.event.g]
        assert layer == expansions[place : place + len(layer)]
        assert choice.expected == choice.event.node


def test_the_path_of_a_deepening_search_leads_to_the_node() -> None:
    seen = trace("idastar", "default", generated=400)
    boards = {event.node: event.board for event in seen.events}
    for choice in explain(seen.events, "idastar"):
        assert choice.path[-1] == choice.event.node
        for before, after in zip(choice.path, choice.path[1:], strict=False):
            assert boards[after] in [boards[before].move(m) for m in boards[before].legal_moves()]


def test_the_heap_of_cs170_decides_its_ties() -> None:
    recorder = Recorder(10_000, 3, 3)
    ucs, misplaced, _ = COURSE.methods
    run_course(COURSE, ucs, tw.Board.parse("1 2 3/4 5 6/0 7 8"), observer=recorder)
    far, limits = tw.Board.parse("1 3 6/5 0 7/4 8 2"), tw.Limits(500)
    run_course(COURSE, misplaced, far, limits=limits, observer=recorder)
    first_stop = next(e.seq for e in recorder.events if e.kind is Kind.STOP)
    for events in (recorder.events[: first_stop + 1], recorder.events[first_stop + 1 :]):
        choices = list(explain(events, "cs170", show=None))
        assert all(choice.expected == choice.event.node for choice in choices)
        assert all(choice.open[0].event.node == choice.event.node for choice in choices)
    assert any(choice.reason.endswith("on top of the heap") for choice in choices)


def test_a_trace_under_other_rules_is_called_so() -> None:
    seen = trace("astar", "fifo")
    choices = list(explain(seen.events, "astar", "default"))
    strange = next(choice for choice in choices if choice.expected != choice.event.node)
    assert strange.reason.startswith(f"not by these rules: they take node {strange.expected}, ")


def test_many_expansions_are_explained_in_one_pass() -> None:
    seen = tw.trace(BOARD, algorithm="bfs", events=40_000)
    choices = list(explain(seen.events, "bfs", show=3))
    assert len(choices) == sum(event.kind is Kind.EXPAND for event in seen.events) > 10_000
    assert {len(choice.open) for choice in choices[10:]} == {3}


def test_a_step_that_was_not_made_is_refused() -> None:
    seen = trace("astar", "default", board="125 34b 678")
    with pytest.raises(SpecError, match="expected a step from 1 to 4, got 5"):
        explain_step(seen.events, 5, "astar")


def test_a_node_told_with_another_h_leaves_the_open_list_all_the_same() -> None:
    seen = trace("astar", "default", board="125 34b 678")
    wrong = [replace(e, h=9) if e.kind is Kind.EXPAND else e for e in seen.events]
    last = list(explain(wrong, "astar", show=None))[-1]
    assert [entry.event.node for entry in last.open] == [6, 5, 3, 2]
