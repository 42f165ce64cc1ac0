"""Solve: the solution plays, and a search that improves shows its gap."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.client import Server, until
from tests.web.page.conftest import Visit
from tests.web.page.seen import HARDER, SOLVED, cells, figure

pytestmark = pytest.mark.xdist_group("web")


def test_solve_animates_lists_and_shares_the_solution(visit: Visit, server: Server) -> None:
    page = visit(f"#solve?{HARDER}")
    expect(page.locator(".headline")).to_have_text("19 moves, the shortest there is")
    page.locator(".choice > summary").click()
    page.get_by_label("Algorithm").select_option("wastar")
    page.get_by_label("Heuristic", exact=True).select_option("manhattan")
    page.get_by_label("Weight").fill("2")
    page.get_by_role("button", name="Solve", exact=True).click()
    sent = server.post(
        "solve",
        board="3x3:8,6,3,2,1,0,4,7,5",
        goal="last",
        algorithm="wastar(weight=2)",
        heuristic="manhattan",
    )
    expect(page.locator(".headline")).to_contain_text(f"{sent['cost']} moves")
    expect(page.locator(".result")).to_contain_text("Weighted A*, weight 2")
    assert figure(page, "expanded") == str(sent["stats"]["expanded"])
    assert page.locator(".steps li").count() == sent["cost"]
    page.locator("summary", has_text="Copy the moves").click()
    page.get_by_label("Notation").select_option("runs")
    expect(page.locator("output.moves")).to_have_text(sent["written"]["runs"]["tile"])
    page.get_by_role("button", name="Copy the moves").click()
    expect(page.locator("#toast")).to_have_text("The moves are on the clipboard.")
    assert page.evaluate("navigator.clipboard.readText()") == sent["written"]["runs"]["tile"]
    page.get_by_role("slider").fill("4")
    before = cells(page)
    page.get_by_role("button", name="Copy a link").click()
    expect(page.locator("#toast")).to_contain_text("The link is on the clipboard.")
    link = page.evaluate("navigator.clipboard.readText()")
    again = visit(link.removeprefix(f"{server.url}/"), 390)
    expect(again.locator(".headline")).to_contain_text(f"{sent['cost']} moves")
    expect(again.get_by_role("slider")).to_have_value("4")
    assert cells(again) == before
    again.get_by_label("Speed").select_option("very fast")
    again.get_by_role("button", name="Play", exact=True).click()
    expect(again.get_by_role("slider")).to_have_value(str(sent["cost"]))
    assert cells(again) == SOLVED


def test_a_search_that_is_stopped_leaves_the_server_idle(visit: Visit, server: Server) -> None:
    hard = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
    # one that neither finds the goal nor fills its memory before somebody presses Stop
    endless = "algorithm=idastar&heuristic=misplaced&seconds=60"
    page = visit(f"#solve?board={hard}&goal=first&{endless}")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".message")).to_have_text("Stopped.")
    until(lambda: not any(queue["running"] for queue in server.status().values()))


def test_the_search_of_a_course_is_solved_and_watched(visit: Visit) -> None:
    page = visit("#solve?board=321 574 6b8&goal=last")
    page.locator(".choice > summary").click()
    page.get_by_text("Rules, profile, limits").click()
    page.get_by_label("Rules or profile").select_option("profile eecs391-table")
    expect(page.get_by_label("Algorithm")).to_be_hidden()
    page.get_by_label("Search of the course").select_option("solveAStar h1")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_text("the course's program counts 524 nodes generated")).to_be_visible()
    expect(page).to_have_url(re.compile("goal=first&profile=eecs391-table&algorithm=astar"))
    link = "board=321 574 6b8&goal=first&profile=eecs391&algorithm=beam(width=3)&at=2"
    watched = visit(f"#watch?{link}", 390)
    expect(watched.locator(".why .reason")).to_contain_text("Layer 1 by h")
    expect(watched.locator("details.choice > summary")).to_contain_text(
        re.compile(r"eecs391-beam\(width=3\)", re.I)
    )


def test_only_solve_offers_algorithms_without_events(visit: Visit) -> None:
    page = visit()
    for view, offered in (("solve", 1), ("watch", 0), ("race", 0), ("learn", 0)):
        link = f"#{view}?board=321 574 6b8&goal=first&algorithm=astar"
        page.evaluate("link => { location.hash = link; }", link)
        expect(page.locator(f"main[data-ready={view}]")).to_have_count(1)
        choice = page.get_by_label("Algorithm", exact=True).first
        expect(choice.locator("option[value=astar]")).to_have_count(1)
        expect(choice.locator("option[value=anytime]")).to_have_count(offered)


def test_a_search_that_improves_shows_its_gap_and_stop_keeps_the_best(visit: Visit) -> None:
    tiles = ",".join(map(str, [34, 35, *range(33, 0, -1), 0]))
    page = visit(f"#solve?board=6x6:{tiles}&goal=last&algorithm=anytime&seconds=60&run=1")
    expect(page.locator(".gap-chart")).to_be_visible()
    expect(page.locator(".result .headline")).to_contain_text("a gap of")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".result")).to_contain_text("stopped by you; this is the best so far")
    length = int(page.get_by_role("slider").get_attribute("max") or 0)
    assert length > 100
    page.keyboard.press("End")
    assert cells(page) == [*map(str, range(1, 36)), ""]
