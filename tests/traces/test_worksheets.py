"""Worksheets: the blanks are where they belong, the key has the answers, the page needs nothing."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tilewise import Board
from tilewise.core.events import Kind
from tilewise.errors import SpecError
from tilewise.traces.watched import watch
from tilewise.traces.worksheet import Sheet, sheet
from tilewise.traces.worksheet_page import page
from tilewise.traces.worksheet_text import PAGE_BREAK, markdown

ALGORITHMS = ["astar", "bfs", "dfs", "ucs", "greedy", "wastar", "beam(width=3)", "idastar", "ids"]


def made(algorithm: str, steps: int = 6, board: str = "314 b52 678") -> Sheet:
    return sheet(watch(Board.parse(board), algorithm=algorithm, steps=steps), steps)


class Page(HTMLParser):
    """Counts the tags of a page and checks that they are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.blanks = 0
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.links += [str(values[name]) for name in ("src", "href", "onload") if name in values]
        self.blanks += tag == "dd" and values.get("class") == "blank"
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_new_node_has_a_blank_for_each_value_to_compute(algorithm: str) -> None:
    exercise = made(algorithm)
    nodes = sum(len(step.new) for step in exercise.steps)
    blanks = nodes * sum(not column.given for column in exercise.columns)
    asked, key = markdown(exercise).split(PAGE_BREAK)
    assert asked.count("| ____ ") == blanks > 0
    assert asked.count("Taken next: node ____ because") == len(exercise.steps) == 6
    assert "____" not in key
    html = Page(page(exercise))
    assert html.blanks == blanks
    assert html.open == []


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_key_has_the_node_and_the_reason_of_every_step(algorithm: str) -> None:
    exercise = made(algorithm)
    asked, key = markdown(exercise).split(PAGE_BREAK)
    answers = re.findall(r"Taken next: node (\d+)(?:, the goal)?: ", key)
    assert answers == [str(step.choice.event.node) for step in exercise.steps]
    for step in exercise.steps[1:]:
        assert step.choice.reason.replace("*", "\\*") not in asked


def test_the_sheet_gives_the_whole_open_list_of_every_step() -> None:
    for step in made("astar", steps=8).steps:
        listed = {event.node for event in step.new} | set(step.waiting)
        assert listed == {entry.event.node for entry in step.choice.open if not entry.stale}


def test_a_short_search_ends_with_the_goal() -> None:
    steps = made("astar", steps=8, board="125 34b 678").steps
    assert [step.choice.event.kind for step in steps] == [Kind.EXPAND] * 3 + [Kind.GOAL]
    assert "node 6, the goal: f = 3 is the smallest" in steps[-1].answer


def test_the_page_needs_no_other_file() -> None:
    text = page(made("astar"))
    assert Page(text).links == []
    assert not re.search(r"https?://|<script|@import|url\(", text)


def test_the_rules_are_told_as_they_are_in_force() -> None:
    def instructions(algorithm: str, rules: str | None = None) -> str:
        search = watch(Board.parse("314 b52 678"), algorithm=algorithm, rules=rules, steps=2)
        return " ".join(sheet(search, 2).rules)

    assert "takes the smaller h, then the newest" in instructions("astar")
    assert "takes the oldest" in instructions("bfs")
    assert "takes the newest" in instructions("dfs")
    assert "takes the newest" in instructions("bfs", "ties=newest")
    assert "in the order R, L, D, U" in instructions("idastar", "order=RLDU")
    assert "or waits on the open list" in instructions("astar", "columbia")
    assert "one of its 2 last ancestors" in instructions("astar", "duplicates=ancestors(2)")
    assert "smallest g + 2h" in instructions("wastar(weight=2)")
    assert "3 states of a layer are kept" in instructions("beam(width=3)")


def test_a_search_without_a_sheet_is_refused() -> None:
    with pytest.raises(SpecError, match="with a worksheet: astar"):
        made("rbfs")
