"""What was once wrong on the page, found by hand; each of them stays right."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.web.client import server_of, serving
from tests.web.page.conftest import MOVING, Visit
from tests.web.page.seen import HARDER, TWO_AWAY, cells

pytestmark = pytest.mark.xdist_group("web")
# the part of the tree's nodes that lie in the frame
IN_SIGHT = """() => {
  const { tree } = window.tilewise.view;
  const { width, height } = tree.box();
  const items = [...tree.grown()];
  const seen = items.filter((item) => {
    const [x, y] = [tree.px(tree.layout.place(item)), tree.py(tree.items.depth[item])];
    return x >= 0 && x <= width && y >= 0 && y <= height;
  });
  return seen.length / items.length;
}"""
PAINTED = """() => {
  const { canvas, context } = window.tilewise.view.tree.points;
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  let painted = 0;
  for (let at = 3; at < data.length; at += 4) painted += data[at] > 0;
  return painted;
}"""
# steps after which a new node does not lie in the frame
NEW_NODES = """(steps) => {
  const { view } = window.tilewise;
  const hidden = [];
  for (let step = 1; step <= steps; step += 1) {
    view.player.go(step);
    const { tree } = view;
    const { width, height } = tree.box();
    for (const item of tree.fresh()) {
      const [x, y] = [tree.px(tree.layout.place(item)), tree.py(tree.items.depth[item])];
      if (!(x > 0 && x < width && y > 0 && y < height)) hidden.push([step, item]);
    }
  }
  return hidden;
}"""
GO = "link => { location.hash = link; }"


def test_a_link_opened_on_solve_brings_its_board(visit: Visit) -> None:
    page = visit(f"#solve?{HARDER}")
    expect(page.locator(".headline")).to_be_visible()
    page.evaluate(GO, f"#solve?{TWO_AWAY}")
    expect(page.locator(".headline")).to_contain_text("2 moves")
    page.evaluate(GO, f"#play?{HARDER}")
    page.wait_for_selector("main[data-ready=play]")
    assert cells(page)[0] == "8"


def test_moves_and_undo_survive_a_visit_to_solve(visit: Visit) -> None:
    page = visit(f"#play?{HARDER}")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    page.keyboard.press("u")
    page.get_by_role("button", name="Solve it for me").click()
    page.wait_for_selector("main[data-ready=solve]")
    page.go_back()
    page.wait_for_selector("main[data-ready=play]")
    expect(page.locator("dd").nth(1)).to_have_text("2")
    page.get_by_role("button", name="Redo").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_a_new_board_is_a_step_that_back_undoes(visit: Visit) -> None:
    page = visit(f"#play?{HARDER}")
    page.keyboard.press("ArrowRight")
    before = cells(page)
    page.get_by_role("button", name="4x4").click()
    expect(page.get_by_role("gridcell")).to_have_count(16)
    expect(page.locator("dd").nth(1)).to_have_text("0")
    page.go_back()
    expect(page.get_by_role("gridcell")).to_have_text(before)
    expect(page.locator("dd").nth(1)).to_have_text("1")


def test_nothing_stale_is_said_after_restart_or_a_new_board(visit: Visit) -> None:
    page = visit(f"#play?{TWO_AWAY}")
    message = page.locator("#play-message")
    expect(message).to_contain_text("2 moves are enough")
    page.keyboard.press("ArrowDown")
    expect(message).to_contain_text("That move cost 2")
    page.get_by_role("button", name="Restart").click()
    expect(message).to_contain_text("2 moves are enough")
    page.keyboard.press("ArrowDown")
    expect(message).to_contain_text("That move cost 2")
    page.get_by_role("button", name="Hard", exact=True).click()
    expect(message).to_contain_text("are enough")
    page.keyboard.press("ArrowLeft")
    one = visit("#play?board=3x3:1,2,3,4,5,6,7,0,8&goal=last")
    expect(one.locator("#play-message")).to_contain_text("1 move is enough")


def test_an_unknown_algorithm_in_a_link_is_named(visit: Visit) -> None:
    page = visit()
    for view in ("solve", "watch", "learn"):
        page.evaluate(GO, f"#{view}?{TWO_AWAY}&algorithm=dijkstra2&at=1")
        said = page.locator(f"main[data-ready={view}] .message.bad")
        expect(said).to_contain_text("The link names the algorithm “dijkstra2”, which is not here.")
    page.evaluate(GO, f"#race?{TWO_AWAY}&searches=bfs vs dijkstra2&at=1")
    expect(page.locator("main[data-ready=race] .message.bad")).to_contain_text("dijkstra2")


def test_pausing_in_solve_updates_the_address(visit: Visit) -> None:
    page = visit(f"#solve?{HARDER}&speed=0.2&run=1", **MOVING)  # so slow that it does not end first
    expect(page.get_by_role("slider")).not_to_have_value("0")
    page.get_by_role("button", name="Pause").click()
    at = page.get_by_role("slider").input_value()
    expect(page).to_have_url(re.compile(f"[&?]at={at}(&|$)"))


def test_reloading_while_a_linked_search_computes_keeps_the_place(visit: Visit) -> None:
    # the linked search is still running at the reload: it has a step to go to
    link = f"#watch?{HARDER}&algorithm=astar&heuristic=manhattan&at=40"
    page = visit("#play")
    page.route("**/api/trace", lambda route: None)  # it never answers
    page.evaluate(GO, link)
    page.wait_for_selector("main[data-ready=watch]")
    page.wait_for_timeout(300)
    assert "at=40" in page.url
    page.unroute("**/api/trace")
    page.reload()
    expect(page.locator(".place").first).to_have_text(re.compile("^40 / "))


def test_a_server_that_is_gone_is_said_and_its_return_noticed(browser: Browser) -> None:
    with server_of(serving("--port", "0")) as server:
        page = browser.new_page()
        page.goto(f"{server.url}/#play?{TWO_AWAY}")
        page.wait_for_selector("main[data-ready=play]")
        port = server.port
    page.get_by_role("link", name="Solve").click()
    expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
    assert "Failed to fetch" not in (page.locator("body").text_content() or "")
    with server_of(serving("--port", str(port))):
        # whether or not the browser had this view already: the page goes on, with the same board
        expect(page.locator("main[data-ready=solve] .headline")).to_contain_text("2 moves")
        expect(page.get_by_role("alert")).to_be_hidden()
        page.close()


def test_the_smallest_board_can_be_dealt_at_every_level(visit: Visit) -> None:
    page = visit("#play?board=2x2:1,2,3,0&goal=last")
    page.get_by_text("Own shape, goal, depth").click()
    page.get_by_role("button", name="Make this board").click()
    expect(page.locator("#play-message")).to_contain_text("enough")
    for level in ("Medium", "Hard", "Any"):
        page.locator("#live").evaluate("e => { e.textContent = ''; }")
        page.get_by_role("button", name=level, exact=True).click()
        expect(page.locator("#live")).to_contain_text("A new 2x2 board.")
        expect(page.get_by_role("gridcell")).to_have_count(4)
    page.get_by_role("spinbutton", name="Moves from the goal").fill("20")
    page.get_by_role("button", name="Make this board").click()
    expect(page.locator("#toast")).to_contain_text(
        "No 2x2 board is that far from its goal: 6 moves"
    )


def test_the_focus_stays_on_the_page_when_a_search_is_shown(visit: Visit) -> None:
    for view, name in (("watch", "Watch"), ("race", "Race")):
        page = visit(f"#{view}?{TWO_AWAY}")
        expect(page.get_by_role("slider").first).to_be_enabled()
        page.locator("details.choice > summary").click()
        run = page.get_by_role("button", name=name, exact=True)
        run.focus()
        page.keyboard.press("Enter")
        expect(run).to_be_hidden()
        assert page.evaluate("document.activeElement !== document.body"), view


def test_the_whole_tree_is_whole_at_any_size_and_stays_so_while_it_plays(visit: Visit) -> None:
    deep = "board=3x3:8,0,6,5,4,7,2,3,1&goal=first&algorithm=astar&heuristic=misplaced"
    page = visit(f"#watch?{deep}&nodes=16000&at=5000&speed=60")
    expect(page.get_by_role("slider")).to_have_value("5000")
    page.get_by_role("button", name="The whole tree").click()
    assert page.evaluate(IN_SIGHT) == 1
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("slider")).not_to_have_value("5000")
    page.get_by_role("button", name="Pause").click()
    assert page.evaluate(IN_SIGHT) == 1
    assert page.evaluate(PAINTED) > 1_000


def test_new_nodes_are_in_view_at_every_step_on_a_phone(visit: Visit) -> None:
    page = visit(f"#watch?{HARDER}&algorithm=astar&heuristic=manhattan&at=0", 390)
    expect(page.get_by_role("slider")).to_be_enabled()
    hidden = page.evaluate(NEW_NODES, 60)
    assert hidden == []


def test_hovering_hides_neither_right_nor_wrong(visit: Visit) -> None:
    page = visit(f"#learn?{HARDER}&algorithm=astar&heuristic=manhattan&at=5")
    choices = page.locator(".choice-card")
    expect(choices).not_to_have_count(0)
    choices.first.click()
    for card in page.locator(".choice-card.right, .choice-card.wrong").all():
        still = card.evaluate("e => getComputedStyle(e).backgroundColor")
        card.hover()
        assert card.evaluate("e => getComputedStyle(e).backgroundColor") == still
