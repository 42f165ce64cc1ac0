"""Every view with the keyboard alone, and what a screen reader reads out."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.page.conftest import Visit

pytestmark = pytest.mark.xdist_group("web")
MOST_TABS = 40
FOCUSED = """() => {
  const e = document.activeElement;
  const label = e.labels?.[0]?.textContent;
  return [e.getAttribute('role') ?? e.tagName.toLowerCase(),
          e.getAttribute('aria-label') ?? label ?? e.textContent.trim()];
}"""


def tab_to(page: Page, role: str, name: str) -> None:
    """Press Tab until the focus is there."""
    seen = []
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        now = page.evaluate(FOCUSED)
        seen.append(now)
        if now[0] == role and now[1].startswith(name):
            return
    raise AssertionError(f"no {role} {name!r} among {seen}")


def test_a_game_is_played_to_its_end_by_keys(visit: Visit) -> None:
    page = visit("#play?board=3x3:1,2,3,4,5,6,0,7,8&goal=last", 390)
    live = page.locator("#live")
    tab_to(page, "grid", "Board, 3 by 3")
    page.keyboard.press("ArrowDown")
    expect(live).to_contain_text("4 down. That move cost 2. 3 moves from here.")
    page.keyboard.press("u")
    expect(live).to_contain_text("Undone")
    page.keyboard.press("ArrowRight")
    expect(live).to_contain_text("No tile can move that way.")
    page.keyboard.press("h")
    expect(live).to_contain_text("2 moves")
    page.keyboard.press("ArrowLeft")
    expect(live).to_contain_text("7 left. Closer: on a shortest path. 1 move from here.")
    page.keyboard.press("a")
    expect(live).to_contain_text("Solved in 2 moves.")
    tab_to(page, "summary", "Own shape")
    page.keyboard.press("Enter")
    tab_to(page, "input", "Moves from the goal")
    page.keyboard.type("5")
    tab_to(page, "button", "Make this board")
    page.keyboard.press("Enter")
    expect(live).to_contain_text("A new 3x3 board.")
    expect(page.locator("dd").nth(2)).to_have_text("5")
    page.keyboard.press("Control+z")
    page.keyboard.press("H")  # with Caps Lock
    expect(live).to_contain_text("5 moves")


def test_a_board_is_entered_and_solved_by_keys(visit: Visit) -> None:
    page = visit("#play?board=3x3:1,2,3,4,5,6,7,8,0&goal=last")
    live = page.locator("#live")
    tab_to(page, "a", "Enter")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_be_focused()
    tab_to(page, "gridcell", "1, at home")
    page.keyboard.press("Enter")
    expect(live).to_contain_text("1 picked up")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(live).to_contain_text("1 and 5 swapped")
    expect(page.get_by_text("This goal cannot be reached.")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("7")
    expect(live).to_contain_text("7 and 8 swapped")
    expect(page.get_by_text("Solvable.")).to_be_visible()
    tab_to(page, "button", "Solve it")
    page.keyboard.press("Enter")
    expect(page.locator(".headline")).to_contain_text("the shortest there is")
    page.keyboard.press("Home")
    last = int(page.get_by_role("slider").get_attribute("max") or 0)
    page.keyboard.press("ArrowRight")
    expect(live).to_contain_text(f"Move 1 of {last}: ")
    page.keyboard.press("ArrowRight")
    expect(live).to_contain_text(f"Move 2 of {last}: ")
    page.keyboard.press("End")
    assert page.get_by_role("gridcell").all_text_contents() == [*"12345678", ""]


def test_a_race_is_set_up_and_run_by_keys(visit: Visit) -> None:
    page = visit("#race?board=3x3:8,6,3,2,1,0,4,7,5&goal=last&at=0")
    cards = page.locator(".racer-card")
    expect(cards).to_have_count(3)
    tab_to(page, "summary", "A* with Manhattan distance")
    page.keyboard.press("Enter")
    tab_to(page, "button", "Remove search C")
    page.keyboard.press("Enter")
    tab_to(page, "button", "Race")
    page.keyboard.press("Enter")
    expect(cards).to_have_count(2)
    expect(
        page.locator(".race-bar [aria-label=Pause], .race-bar [aria-label=Play]")
    ).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".place")).to_have_text("1 / 216")
    page.keyboard.press("End")
    expect(page.locator("#live")).to_contain_text("is first, after 192 expansions, with 67 moves.")
    tab_to(page, "input", "Nodes")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("img", name="Nodes that wait on the open list")).to_be_visible()


def test_a_lesson_is_taken_to_its_end_by_keys(visit: Visit) -> None:
    page = visit("#learn?lesson=astar")
    page.evaluate("Math.random = () => 0.5")  # nothing is shuffled: the right choice comes first
    tab_to(page, "button", "3Uniform-cost search")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Uniform-cost search")).to_be_visible()
    assert page.evaluate(FOCUSED)[1] == "3Uniform-cost search", "the focus stays in the list"
    expect(page.locator(".question")).to_be_visible()  # it goes to the step that it asks about
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    expect(page.locator(".place")).to_have_text(re.compile(r"^0 / "))
    tab_to(page, "button", "Node ")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict-box")).to_contain_text("Right.")
    tab_to(page, "button", "Next lesson")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Greedy best-first search")).to_be_focused()


def test_a_search_is_watched_by_keys(visit: Visit) -> None:
    page = visit("#watch?board=3x3:1,2,3,4,5,6,0,7,8&goal=last&algorithm=bfs")
    live = page.locator("#live")
    expect(page.get_by_role("slider")).to_be_enabled()
    page.keyboard.press("Home")
    tab_to(page, "img", "Search tree")
    page.keyboard.press("ArrowRight")
    expect(live).to_contain_text("Expansion 1: node 0, f 0.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(live).to_contain_text("Expansion 1")
    page.keyboard.press("0")  # the whole tree
    expect(page.get_by_role("button", name="Follow the search")).to_have_attribute(
        "aria-pressed", "false"
    )
    page.keyboard.press("f")
    expect(page.get_by_role("button", name="Follow the search")).to_have_attribute(
        "aria-pressed", "true"
    )
