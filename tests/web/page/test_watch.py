"""Watch: the tree, the reasons, the counters."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.client import Server
from tests.web.page.conftest import Visit
from tests.web.page.seen import HARDER, figure

# how the tree was drawn, one after the other: a replay may be over before anybody looks
RECORD = """(frame) => {
  window.recorded = [];
  const note = () => {
    if (frame.dataset.drawn !== window.recorded.at(-1)) window.recorded.push(frame.dataset.drawn);
  };
  new MutationObserver(note).observe(frame, {attributeFilter: ['data-drawn']});
}"""


def test_watch_steps_forward_and_back_and_says_why(visit: Visit, server: Server) -> None:
    page = visit(f"#watch?{HARDER}&algorithm=astar&heuristic=misplaced&at=0")
    expect(page.get_by_role("slider")).to_be_enabled()
    page.locator("details.choice > summary").click()
    page.get_by_label("Algorithm").select_option("astar")
    page.get_by_label("Heuristic", exact=True).select_option("manhattan")
    page.get_by_role("button", name="Watch", exact=True).click()
    trace = server.post(
        "trace",
        board="3x3:8,6,3,2,1,0,4,7,5",
        goal="last",
        algorithm="astar",
        heuristic="manhattan",
        max_nodes=100_000,
        events=60_000,
        reasons=True,
    )
    taken = [trace["events"]["node"][seq] for seq in trace["expansions"]]
    forward = page.get_by_role("button", name="One expansion forward")
    expect(page.get_by_role("button", name="Watch", exact=True)).to_be_hidden()
    for step in range(9):
        first = page.get_by_role("list", name="Open list").get_by_role("listitem").first
        expect(first).to_contain_text(f"#{taken[step]} ")
        forward.click()
        expect(page.locator(".why .headline")).to_contain_text(f"#{taken[step]}")
        expect(page.locator(".why .reason")).to_contain_text(trace["reasons"][step][1:])
    expect(page.locator(".node.ghost:visible").first).to_be_visible()  # duplicates are drawn
    shown = figure(page, "generated")
    page.get_by_role("button", name="One expansion back").click()
    assert figure(page, "expanded") == "8"
    forward.click()
    assert figure(page, "generated") == shown
    page.get_by_role("button", name="To the end").click()
    for name in ("expanded", "generated", "stored", "duplicates"):
        sent = trace["result"]["stats"][name.replace(" ", "_")]
        assert figure(page, name).replace(",", "") == str(sent)
    expect(page.locator(".node.goal")).to_be_visible()
    assert page.locator(".node").count() < 120 < trace["kept"], "only what is seen is drawn"
    page.get_by_role("button", name="The whole tree").click()
    expect(page.locator(".tree-frame")).to_have_attribute("data-drawn", "points")


def test_a_quick_replay_shows_the_whole_tree_and_a_pause_its_last_node(visit: Visit) -> None:
    page = visit(f"#watch?{HARDER}&algorithm=astar&heuristic=manhattan&at=40&speed=60")
    expect(page.get_by_role("slider")).to_be_enabled()
    drawn = page.locator(".tree-frame")
    expect(drawn).to_have_attribute("data-drawn", "nodes")
    drawn.evaluate(RECORD)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => window.recorded.join(' ').endsWith('points nodes')")
    expect(page.locator(".trail")).to_have_attribute("d", re.compile("L"))
    expect(page.locator(".node.goal")).to_be_visible()
    expect(page.locator(".estimate-sum")).to_contain_text("h = 0")


def test_watch_stops_finds_and_saves(visit: Visit, server: Server) -> None:
    page = visit(f"#watch?{HARDER}&algorithm=astar&heuristic=manhattan&at=0")
    expect(page.get_by_role("slider")).to_be_enabled()
    page.locator(".stops > summary").click()
    page.get_by_label("a larger f").check()
    page.get_by_role("button", name="Run to the next stop").click()
    headline = page.locator(".why .headline")
    expect(headline).to_contain_text("f = 15")
    page.get_by_label("a larger f").uncheck()
    page.get_by_label("Expansion", exact=True).last.fill("30")
    page.get_by_role("button", name="Run to the next stop").click()
    expect(page.locator(".place").first).to_have_text("30 / 217")
    page.get_by_label("Find a node by number or board").fill("3x3:8,6,3,2,1,0,4,7,5")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.get_by_role("heading", name="Node #0")).to_be_visible()
    expect(page.locator(".estimate-sum")).to_contain_text("Manhattan distance, tile by tile")
    page.locator(".save > summary").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Trace as JSON Lines").click()
    judged = server.post("trace/check", trace=saved.value.path().read_text())
    assert judged["verdict"]["ok"], judged["verdict"]
    for name, start in (("Picture as SVG", b"<svg"), ("Picture as PNG", b"\x89PNG")):
        with page.expect_download() as saved:
            page.get_by_role("button", name=name).click()
        assert saved.value.path().read_bytes().startswith(start)


def test_watch_fills_the_screen_and_speaks_there(visit: Visit) -> None:
    page = visit(f"#watch?{HARDER}&algorithm=astar&heuristic=manhattan&at=0")
    expect(page.get_by_role("slider")).to_be_enabled()
    full = page.get_by_role("button", name="Full screen")
    full.click()
    page.wait_for_function("() => document.fullscreenElement?.matches('.watch')")
    page.wait_for_function("() => document.querySelector('.watch').offsetHeight === innerHeight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".why .headline")).to_contain_text("Expanded #0")
    expect(page.locator(".node.current")).to_be_visible()
    page.locator(".stops > summary").click()
    page.get_by_role("button", name="Run to the next stop").click()
    toast = page.locator(".watch #toast")  # what is outside of it is not seen now
    expect(toast).to_have_text("Choose first where to stop.")
    full.click()
    page.wait_for_function("() => !document.fullscreenElement")
    page.get_by_role("link", name="Play").click()
    expect(page.locator("main[data-ready=play]")).to_have_count(1)
    page.get_by_role("button", name="Copy a link").click()
    expect(page.locator("body > #toast")).to_contain_text("The link is on the clipboard.")
