"""The views of the page, each on a phone and on a desk."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.client import Server, until
from tests.web.page.conftest import Visit

pytestmark = pytest.mark.xdist_group("web")
WIDTHS = pytest.mark.parametrize("width", [390, 1280])
TWO_AWAY = "board=3x3:1,2,3,4,5,6,0,7,8&goal=last"
HARDER = "board=3x3:8,6,3,2,1,0,4,7,5&goal=last"
UNSOLVABLE = "board=3x3:1,2,3,4,5,6,8,7,0&goal=last"
Keep = Callable[[Page, str], None]


def tile(page: Page, number: int) -> tuple[float, float, float]:
    """The middle of a tile on the board, and its width."""
    face = page.locator(".board .tile", has_text=re.compile(rf"^{number}$"))
    box = face.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"]


def drag(page: Page, number: int, right: float, down: float) -> None:
    x, y, size = tile(page, number)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right * size / 2, y + down * size / 2)
    page.mouse.move(x + right * size, y + down * size)
    page.mouse.up()


def cells(page: Page) -> list[str]:
    return page.get_by_role("grid").get_by_role("gridcell").all_text_contents()


def figure(page: Page, name: str) -> str:
    term = page.locator("dt", has_text=re.compile(f"^{name}$"))
    return str(term.locator("xpath=following-sibling::dd").first.text_content())


@WIDTHS
def test_play_by_click_drag_and_swipe_with_what_each_move_costs(
    visit: Visit, keep: Keep, width: int
) -> None:
    page = visit(f"#play?{TWO_AWAY}", width)
    expect(page.locator("#play-message")).to_contain_text("2 moves are enough")
    page.mouse.click(*tile(page, 4)[:2])
    expect(page.locator("#play-message")).to_have_text("That move cost 2. 3 moves from here.")
    page.get_by_role("button", name="Undo").click()
    assert cells(page) == ["1", "2", "3", "4", "5", "6", "", "7", "8"]
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    drag(page, 4, 0, -0.8)
    assert cells(page) == ["1", "2", "3", "4", "5", "6", "", "7", "8"]
    drag(page, 7, -0.2, 0)
    assert cells(page)[6] == "", "a tile that is let go early slides back"
    drag(page, 2, -0.8, 0)
    assert cells(page)[6] == "7", "a swipe to the left on any tile moves the one that can"
    expect(page.locator("#play-message")).to_contain_text("Closer")
    keep(page, "play")
    page.mouse.click(*tile(page, 8)[:2])
    expect(page.locator("#play-message")).to_have_text("Solved in 4 moves. Well done.")
    assert figure(page, "Moves") == "4"
    assert figure(page, "From here") == "0"


@WIDTHS
def test_play_has_hints_in_grades_and_new_boards_of_any_shape(visit: Visit, width: int) -> None:
    page = visit(f"#play?{TWO_AWAY}", width)
    message = page.locator("#play-message")
    expect(message).to_contain_text("2 moves")
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("button", name="Where?").click()
    page.get_by_role("button", name="Which tile?").click()
    expect(page.locator(".tile.mark")).to_have_text("7")
    page.get_by_role("button", name="Which way?").click()
    page.get_by_role("button", name="Do it").click()
    assert cells(page)[6] == "7"
    page.mouse.click(*tile(page, 8)[:2])
    expect(message).to_have_text("Solved in 2 moves, 1 of them made for you.")
    page.get_by_label("Rows").select_option("2")
    page.get_by_label("Columns").select_option("4")
    page.get_by_label("Goal", exact=True).select_option("first")
    page.get_by_label("Moves from the goal").fill("9")
    page.get_by_role("button", name="Scramble").click()
    expect(page.locator("dd").nth(2)).to_have_text("9")
    assert sorted(cells(page)) == sorted(["", *map(str, range(1, 8))])
    page.get_by_label("Any board").check()
    page.get_by_label("Rows").select_option("6")
    page.get_by_label("Columns").select_option("6")
    page.get_by_role("button", name="Scramble").click()
    expect(page.get_by_role("gridcell")).to_have_count(36)


def test_play_puts_a_picture_on_the_tiles(visit: Visit) -> None:
    page = visit(f"#play?{TWO_AWAY}")
    page.get_by_text("Picture and keys").click()
    picture = page.screenshot(clip={"x": 0, "y": 0, "width": 90, "height": 60})
    page.locator("input[type=file]").set_input_files(
        {"name": "own.png", "mimeType": "image/png", "buffer": picture}
    )
    expect(page.locator(".board")).to_have_class(re.compile("pictured"))
    face = page.locator(".tile span").first
    assert "blob:" in face.evaluate("e => getComputedStyle(e).backgroundImage")
    page.get_by_role("button", name="Remove").click()
    assert face.evaluate("e => getComputedStyle(e).backgroundImage") == "none"


@WIDTHS
def test_enter_reads_notations_and_explains_on_the_board_what_cannot_be_solved(
    visit: Visit, keep: Keep, width: int
) -> None:
    page = visit(f"#enter?{UNSOLVABLE}", width)
    expect(page.get_by_text("This goal cannot be reached.")).to_be_visible()
    assert page.locator(".tile.wrong").all_text_contents() == ["8", "7"]
    assert page.locator(".over path.route").count() == 1
    keep(page, "enter")
    page.get_by_label("The path of the blank").check()
    assert page.locator(".over circle.spot").count() == 1
    page.get_by_role("button", name="Swap 7 and 8").click()
    expect(page.get_by_text("Solvable. This is the goal.")).to_be_visible()
    page.get_by_label("Board", exact=True).fill("[[4,1,2],[3,0,5]]")
    expect(page.get_by_text("Read as json")).to_be_visible()
    expect(page.get_by_role("gridcell")).to_have_count(6)
    page.get_by_label("Board", exact=True).fill("8b6 547 23")
    expect(page.locator(".hint.bad")).to_contain_text("expected 9 tiles for a 3x3 board, got 8")
    assert page.get_by_label("Board", exact=True).get_attribute("aria-invalid") == "true"
    expect(page.get_by_role("gridcell")).to_have_count(6)  # a bad board changes nothing
    page.get_by_role("gridcell", name="blank").click()
    page.get_by_role("gridcell", name="4").click()
    expect(page.get_by_role("gridcell").first).to_have_attribute("aria-label", "blank")


@WIDTHS
def test_solve_animates_lists_and_shares_the_solution(
    visit: Visit, keep: Keep, server: Server, width: int
) -> None:
    page = visit(f"#solve?{HARDER}", width)
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
    expect(page.locator(".headline")).to_have_text(sent["headline"])
    assert figure(page, "expanded") == str(sent["stats"]["expanded"])
    assert page.locator(".steps li").count() == sent["cost"]
    page.get_by_label("Notation").select_option("runs")
    page.get_by_label("Moves", exact=True).select_option("tile")
    expect(page.locator("output.moves")).to_have_text(sent["written"]["runs"]["tile"])
    page.get_by_role("button", name="Copy the moves").click()
    assert page.evaluate("navigator.clipboard.readText()") == sent["written"]["runs"]["tile"]
    page.get_by_role("slider").fill("4")
    keep(page, "solve")
    before = cells(page)
    page.get_by_role("button", name="Copy a link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    again = visit(link.removeprefix(f"{server.url}/"), width)
    expect(again.locator(".headline")).to_have_text(sent["headline"])
    expect(again.get_by_role("slider")).to_have_value("4")
    assert cells(again) == before
    again.get_by_label("Speed").select_option("very fast")
    again.get_by_role("button", name="Play", exact=True).click()
    expect(again.get_by_role("slider")).to_have_value(str(sent["cost"]))
    assert cells(again) == ["1", "2", "3", "4", "5", "6", "7", "8", ""]


def test_a_search_that_is_stopped_leaves_the_server_idle(visit: Visit, server: Server) -> None:
    hard = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
    # one that neither finds the goal nor fills its memory before somebody presses Stop
    endless = "algorithm=idastar&heuristic=misplaced&seconds=60"
    page = visit(f"#solve?board={hard}&goal=first&{endless}")
    page.get_by_role("button", name="Solve", exact=True).click()
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".message")).to_have_text("Stopped.")
    until(lambda: not any(queue["running"] for queue in server.status().values()))


@WIDTHS
def test_watch_steps_forward_and_back_and_says_why(
    visit: Visit, keep: Keep, server: Server, width: int
) -> None:
    page = visit(f"#watch?{HARDER}", width)
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
    expect(forward).to_be_visible()
    for step in range(9):
        first = page.get_by_role("list", name="Open list").get_by_role("listitem").first
        expect(first).to_contain_text(f"#{taken[step]} ")
        forward.click()
        expect(page.locator(".why .headline")).to_contain_text(f"#{taken[step]}")
        expect(page.locator(".why .reason")).to_contain_text(trace["reasons"][step][1:])
    keep(page, "watch")
    assert page.locator(".node.ghost:visible").count() > 0, "duplicates are drawn"
    shown = figure(page, "generated")
    page.get_by_role("button", name="One expansion back").click()
    assert figure(page, "expanded") == "8"
    forward.click()
    assert figure(page, "generated") == shown
    page.get_by_role("button", name="To the end").click()
    for name in ("expanded", "generated", "stored", "duplicates", "max frontier", "max depth"):
        sent = trace["result"]["stats"][name.replace(" ", "_")]
        assert figure(page, name).replace(",", "") == str(sent)
    expect(page.locator(".node.goal")).to_be_visible()
    assert page.locator(".node").count() < 120 < trace["kept"], "only what is seen is drawn"
    page.get_by_role("button", name="The whole tree").click()
    assert page.locator("circle.dot:visible").count() > 50


def test_the_search_of_a_course_is_solved_and_watched(visit: Visit) -> None:
    page = visit("#solve?board=321 574 6b8&goal=last")
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
    expect(watched.locator("details.choice > summary")).to_contain_text("eecs391-beam(width=3)")


def test_race_has_rules_or_a_course_for_each_and_limits_for_all(visit: Visit) -> None:
    searches = "astar with h2 of eecs391 vs astar with manhattan under fifo vs bfs"
    page = visit(f"#race?board=321 574 6b8&goal=first&searches={searches}&nodes=800&at=0")
    cards = page.locator(".racer-card")
    expect(cards).to_have_count(3)
    page.get_by_role("button", name="To the end").click()
    expect(cards.nth(0)).to_contain_text("eecs391-astar, manhattan")
    expect(cards.nth(1)).to_contain_text("13 moves, optimal, after 78 expansions")
    expect(cards.nth(2)).to_contain_text("stopped by nodes (800 of 800)")
    assert cards.nth(2).locator("dd").nth(1).text_content() == "800"
    page.get_by_label("Most nodes").fill("30000")
    group = page.get_by_role("group", name="Search C")
    group.get_by_text("Rules or profile").first.click()
    group.get_by_label("Rules or profile").select_option("columbia")
    page.get_by_role("button", name="Race", exact=True).click()
    page.get_by_role("button", name="To the end").click()
    expect(cards.nth(2)).to_contain_text("13 moves")
    expect(page).to_have_url(re.compile(r"vs\+bfs\+under\+columbia&nodes=30000"))


@pytest.mark.parametrize(
    ("view", "offered"), [("solve", 1), ("watch", 0), ("race", 0), ("learn", 0)]
)
def test_only_solve_offers_algorithms_without_events(visit: Visit, view: str, offered: int) -> None:
    page = visit(f"#{view}?board=321 574 6b8&goal=first")
    choice = page.get_by_label("Algorithm", exact=True).first
    expect(choice.locator("option[value=astar]")).to_have_count(1)
    expect(choice.locator("option[value=anytime]")).to_have_count(offered)


@WIDTHS
def test_race_runs_on_one_clock_of_expansions(visit: Visit, keep: Keep, width: int) -> None:
    page = visit(f"#race?{HARDER}", width)
    page.get_by_role("button", name="Remove search C").click()
    page.get_by_role("button", name="Race", exact=True).click()
    expect(page.locator(".racer-card")).to_have_count(2)
    page.get_by_role("slider").fill("50")
    assert page.locator(".racer-card dd").nth(0).text_content() == "50"
    assert page.locator(".racer-card dd").nth(3).text_content() == "50"
    keep(page, "race")
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".racer-card").first).to_contain_text("19 moves, optimal, after 216")
    expect(page.get_by_role("img", name="Nodes generated")).to_be_visible()
    expect(page.get_by_role("img", name="Frontier")).to_be_visible()
    assert page.locator("path.line").count() == 4


@WIDTHS
def test_learn_judges_by_the_real_search_and_accepts_every_right_node(
    visit: Visit, keep: Keep, width: int
) -> None:
    page = visit(f"#learn?{HARDER}&algorithm=astar&heuristic=manhattan&at=5", width)
    choices = page.locator(".choice-card")
    expect(choices).not_to_have_count(0)
    keep(page, "learn")
    # three nodes have f = 15; the search takes the one with the smallest h that is newest
    page.get_by_role("button", name=re.compile("^Node 7,")).click()
    expect(page.locator(".message.good")).to_contain_text("#7 is as good. These rules take #11.")
    expect(page.locator(".message.good")).to_contain_text("f = 15 ties with")
    expect(page.get_by_role("button", name="Next question")).to_be_focused()
    page.get_by_role("button", name="Next question").click()
    expect(page.get_by_text("2 of 8 · 1 right")).to_be_visible()
    strict = visit(f"#learn?{HARDER}&algorithm=astar&heuristic=manhattan&at=5&strict=1", width)
    strict.get_by_role("button", name=re.compile("^Node 7,")).click()
    expect(strict.locator(".message.bad")).to_contain_text("Not #7: the search takes #11.")
