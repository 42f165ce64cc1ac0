"""Answers that come late, when the page shows something else by then: they change nothing."""

from __future__ import annotations

import re
from contextlib import suppress

from playwright.sync_api import Error, Page, Route, expect

from tests.web.page.conftest import Visit
from tests.web.page.seen import HARDER, TWO_AWAY

GO = "link => { location.hash = link; }"
TWO = ["1", "2", "3", "4", "5", "6", "", "7", "8"]
HARD = ["8", "6", "3", "2", "1", "", "4", "7", "5"]


class Held:
    """The next answer of a path, kept back until it is let go; the ones after it come at once."""

    def __init__(self, page: Page, path: str) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route(path, self.route)

    def route(self, route: Route) -> None:
        if self.routes:
            route.continue_()
        else:
            self.routes.append(route)

    def asked(self) -> None:
        """Wait until the page has asked."""
        while not self.routes:
            self.page.wait_for_timeout(5)

    def let_go(self) -> None:
        """Let the answer come, and wait until everything that it could do is done."""
        self.asked()
        with suppress(Error):  # the page may have given the question up
            self.routes[0].continue_()
        self.page.evaluate("async () => { await (await fetch('/api/status')).json(); }")
        self.page.wait_for_timeout(200)  # longer than the address waits to be written


def test_a_link_that_comes_before_the_schema_is_followed_when_it_is_there(visit: Visit) -> None:
    page = visit(f"#play?{TWO_AWAY}")
    schema = Held(page, "**/api/schema")
    page.reload(wait_until="commit")
    schema.asked()
    page.evaluate(GO, f"#enter?{HARDER}")
    schema.let_go()
    expect(page.locator("main[data-ready=enter]")).to_have_count(1)
    expect(page.get_by_role("gridcell")).to_have_text(HARD)
    expect(page.locator("#toast")).to_be_hidden()


def test_of_two_links_the_last_one_is_shown(visit: Visit) -> None:
    page = visit("#play?board=3x3:1,2,3,4,5,6,7,0,8&goal=last")
    board = Held(page, "**/api/board")
    page.evaluate(GO, f"#play?{HARDER}")
    board.asked()
    page.evaluate(GO, f"#play?{TWO_AWAY}")
    expect(page.get_by_role("gridcell")).to_have_text(TWO)
    board.let_go()
    expect(page.get_by_role("gridcell")).to_have_text(TWO)
    expect(page).to_have_url(re.compile("board=3x3:1,2,3,4,5,6,0,7,8"))
    expect(page.locator("#play-message")).to_contain_text("2 moves are enough")


def test_a_board_that_was_asked_for_in_another_view_is_not_taken(visit: Visit) -> None:
    page = visit(f"#play?{TWO_AWAY}")
    dealt = Held(page, "**/api/scramble")
    page.get_by_role("button", name="4x4").click()
    dealt.asked()
    page.get_by_role("link", name="Solve").click()
    expect(page.locator("main[data-ready=solve] .headline")).to_contain_text("2 moves")
    dealt.let_go()
    expect(page.get_by_role("gridcell")).to_have_count(9)
    expect(page).to_have_url(re.compile(r"#solve\?board=3x3:1,2,3,4,5,6,0,7,8&goal=last"))
    page.go_back()
    expect(page.locator("main[data-ready=play]")).to_have_count(1)
    expect(page.get_by_role("gridcell")).to_have_text(TWO)


def test_of_two_new_boards_the_one_pressed_last_is_played(visit: Visit) -> None:
    page = visit(f"#play?{TWO_AWAY}")
    dealt = Held(page, "**/api/scramble")
    page.get_by_role("button", name="4x4").click()
    dealt.asked()
    page.get_by_role("button", name="5x5").click()
    expect(page.get_by_role("gridcell")).to_have_count(25)
    dealt.let_go()
    expect(page.get_by_role("gridcell")).to_have_count(25)
    expect(page.locator("button[aria-busy]")).to_have_count(0)
    expect(page.locator("#toast")).to_be_hidden()


def choose_course(page: Page) -> None:
    """One whose goal is another than that of the board."""
    page.locator(".choice > summary").click()
    page.get_by_text("Rules, profile, limits").click()
    page.get_by_label("Rules or profile").select_option("profile eecs391-table")


def test_a_link_copied_while_the_goal_of_a_course_is_fetched_has_that_goal(visit: Visit) -> None:
    page = visit("#solve?board=321 574 6b8&goal=last")
    expect(page.locator(".headline")).to_be_visible()
    goal = Held(page, "**/api/board")
    choose_course(page)
    goal.asked()
    page.get_by_role("button", name="Copy a link").click()
    goal.let_go()
    expect(page.locator("#toast")).to_contain_text("The link is on the clipboard.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "goal=first&profile=eecs391-table" in link


def test_the_goal_of_a_course_does_not_follow_to_another_view(visit: Visit) -> None:
    page = visit(f"#solve?{TWO_AWAY}")
    expect(page.locator(".headline")).to_be_visible()
    goal = Held(page, "**/api/board")
    choose_course(page)
    goal.asked()
    page.get_by_role("link", name="Play").click()
    expect(page.locator("#play-message")).to_contain_text("2 moves are enough")
    goal.let_go()
    expect(page.locator("#play-message")).to_contain_text("2 moves are enough")
    expect(page).to_have_url(re.compile("goal=last"))
    expect(page.locator("#toast")).to_be_hidden()


def test_a_move_made_before_the_distance_is_known_is_still_judged(visit: Visit) -> None:
    page = visit(f"#enter?{TWO_AWAY}")
    distance = Held(page, "**/api/distance")
    page.get_by_role("button", name="Play it").click()
    distance.asked()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#play-message")).to_have_text("That move cost 2. 3 moves from here.")


def test_a_search_that_was_left_does_not_play_its_best_solution(visit: Visit) -> None:
    tiles = ",".join(map(str, [34, 35, *range(33, 0, -1), 0]))
    page = visit(
        f"#solve?board=6x6:{tiles}&goal=last&algorithm=anytime&seconds=60&run=1",
        reduced_motion="no-preference",
    )
    expect(page.locator(".gap-chart")).to_be_visible()
    page.evaluate("window.left = window.tilewise.view")
    page.get_by_role("link", name="Learn").click()
    expect(page.locator(".question")).to_be_visible()
    assert page.evaluate("[window.left.player.last, Boolean(window.left.player.playing)]") == [
        0,
        False,
    ]


def test_text_is_not_replaced_by_an_answer_that_comes_while_it_is_typed(visit: Visit) -> None:
    page = visit(f"#play?{HARDER}")
    board = Held(page, "**/api/board")
    page.get_by_role("link", name="Enter").click()
    board.asked()
    text = page.get_by_label("Board", exact=True)
    text.fill("123 456 b78")
    board.let_go()
    expect(text).to_have_value("123 456 b78")
    page.get_by_role("button", name="Solve it").click()
    expect(page.locator("main[data-ready=solve] .headline")).to_contain_text("2 moves")


def test_text_typed_a_moment_ago_is_read_before_its_board_is_solved(visit: Visit) -> None:
    page = visit(f"#enter?{HARDER}")
    text = page.get_by_label("Board", exact=True)
    text.fill("123 456 b78")
    page.get_by_role("button", name="Solve it").click()
    expect(page.locator("main[data-ready=solve] .headline")).to_contain_text("2 moves")
    page.go_back()
    expect(page.locator("main[data-ready=enter]")).to_have_count(1)
    text.fill("123 456")
    page.get_by_role("button", name="Solve it").click()
    expect(page.locator(".hint.bad")).to_contain_text("Expected")
    expect(page.locator("main[data-ready=enter]")).to_have_count(1)


def test_another_lesson_may_be_chosen_while_a_question_is_made(visit: Visit) -> None:
    page = visit("#learn?lesson=ucs")
    page.locator(".choice-card").first.click()
    trace = Held(page, "**/api/trace")
    page.get_by_role("button", name=re.compile("(Next|Another) question")).click()
    trace.asked()
    page.get_by_role("button", name="Breadth-first search").first.click()
    expect(page.locator(".question")).to_contain_text("Breadth-first search expand next")
    trace.let_go()
    expect(page.locator(".question")).to_contain_text("Breadth-first search expand next")
