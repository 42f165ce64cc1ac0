"""Race: several searches on one clock."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.client import Server
from tests.web.page.conftest import Visit
from tests.web.page.seen import HARDER

pytestmark = pytest.mark.xdist_group("web")


def test_race_has_rules_or_a_course_for_each_and_limits_for_all(visit: Visit) -> None:
    searches = "astar with h2 of eecs391 vs astar with manhattan under fifo vs bfs"
    page = visit(f"#race?board=321 574 6b8&goal=first&searches={searches}&nodes=800&at=0")
    cards = page.locator(".racer-card")
    expect(cards).to_have_count(3)
    page.get_by_role("button", name="To the end").click()
    expect(cards.nth(0)).to_contain_text("eecs391-astar")
    expect(cards.nth(1)).to_contain_text("13 moves, the shortest there is")
    expect(cards.nth(2)).to_contain_text("Stopped at its limit of 800 nodes")
    assert cards.nth(2).locator("dd").nth(1).text_content() == "800"
    page.locator("details.choice > summary").click()
    page.get_by_label("Most nodes").fill("30000")
    group = page.get_by_role("group", name="Search C")
    group.get_by_text("Rules or profile").first.click()
    group.get_by_label("Rules or profile").select_option("columbia")
    page.get_by_role("button", name="Race", exact=True).click()
    page.get_by_role("button", name="To the end").click()
    expect(cards.nth(2)).to_contain_text("13 moves")
    expect(page).to_have_url(re.compile(r"vs\+bfs\+under\+columbia&nodes=30000"))


def test_race_runs_on_one_clock_of_expansions(visit: Visit) -> None:
    page = visit(f"#race?{HARDER}", 390)
    expect(page.locator(".racer-card")).to_have_count(3)
    page.locator("details.choice > summary").click()
    page.get_by_role("button", name="Remove search C").click()
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.locator(".racer-card")).to_have_count(2)
    page.get_by_role("slider").fill("50")
    assert page.locator(".racer-card dd").nth(0).text_content() == "50"
    assert page.locator(".racer-card dd").nth(3).text_content() == "50"
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".racer-card").first).to_contain_text("19 moves, the shortest there is")
    expect(page.get_by_role("img", name="Nodes generated")).to_be_visible()
    assert page.locator("path.line").count() == 2
    for metric in ("Frontier", "Memory", "h", "Depth"):
        page.get_by_label(metric, exact=True).check()
    expect(page.get_by_role("img", name="Moves from the start to the node")).to_be_visible()
    expect(page.locator(".verdict-line")).to_contain_text("is first, after")
    assert page.locator(".chart .end").count() == 2


def test_the_counts_of_a_race_are_the_searches_own_at_every_tick(
    visit: Visit, server: Server
) -> None:
    searches = [{"algorithm": "bfs"}, {"algorithm": "dfs"}]
    page = visit("#race?board=8b6 547 231&goal=last&searches=bfs vs dfs&at=3", 1280)
    cards = page.locator(".racer-card")
    expect(cards).to_have_count(2)
    total = int((page.locator(".place").first.text_content() or "").split("/")[1].replace(",", ""))
    where = {"board": "8b6 547 231", "goal": "last", "max_nodes": 3_000, "reasons": False}
    traces = [server.post("trace", **where, events=9_000, **search) for search in searches]
    for tick in (3, 700):
        page.get_by_role("slider").fill(str(tick))
        for card, trace in zip(cards.all(), traces, strict=True):
            counts = card.locator("dd").all_text_contents()
            assert counts[0] == f"{tick:,}"
            assert counts[1] == f"{generated_after(trace, tick):,}"
    # the clock ends with the slowest search, and with its own count
    page.get_by_role("slider").fill(str(total))
    shown = [card.locator("dd").first.text_content() for card in cards.all()]
    assert f"{total:,}" in shown


def generated_after(trace: Any, expanded: int) -> int:
    """The nodes generated when a search has made its first expansions, counted from its events."""
    kinds = [trace["kinds"][kind] for kind in trace["events"]["kind"]]
    if trace["result"]["stats"]["expanded"] == expanded:
        return int(trace["result"]["stats"]["generated"])
    seen = made = 0
    for kind in kinds:
        if kind == "expand":
            if seen == expanded:
                break
            seen += 1
        made += kind in ("generate", "duplicate", "reopen")
    return made
