"""Every view by touch alone, on a phone held upright and sideways, light and dark."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.web.page.conftest import Visit
from tests.web.page.seen import SOLVED, TWO_AWAY, cells, tile

UPRIGHT = 390
Point = tuple[float, float]


class Finger:
    """Touches of the browser itself, from which it makes pointer events, taps and scrolling."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session: CDPSession = page.context.new_cdp_session(page)

    def touch(self, kind: str, *points: Point) -> None:
        places = [{"x": x, "y": y, "id": place} for place, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    def draw(self, start: Point, right: float, down: float) -> None:
        """Put a finger down, move it, and lift it when it rests: it does not fling anything."""
        x, y = start
        self.touch("touchStart", start)
        for part in (0.25, 0.5, 0.75, 1):
            self.touch("touchMove", (x + right * part, y + down * part))
        self.page.wait_for_timeout(100)
        self.touch("touchMove", (x + right, y + down))
        self.touch("touchEnd")

    def spread(self, middle: Point, by: float) -> None:
        """Two fingers that move apart."""
        x, y = middle
        for kind, apart in (("touchStart", 20), ("touchMove", 20 + by / 2), ("touchMove", 20 + by)):
            self.touch(kind, (x - apart, y), (x + apart, y))
        self.page.wait_for_timeout(100)  # a tap that ends a fling presses nothing
        self.touch("touchMove", (x - apart, y), (x + apart, y))
        self.touch("touchEnd")


@pytest.mark.parametrize(
    ("width", "theme"),
    [
        (UPRIGHT, "light"),
        pytest.param(844, "dark", marks=pytest.mark.full),
        pytest.param(UPRIGHT, "dark", marks=pytest.mark.full),
        pytest.param(844, "light", marks=pytest.mark.full),
    ],
)
def test_every_view_is_used_by_touch_alone(visit: Visit, width: int, theme: str) -> None:
    page = visit(f"#play?{TWO_AWAY}", width, color_scheme=theme, is_mobile=True)
    finger = Finger(page)
    play(page, finger)
    enter(page)
    solve(page)
    watch(page, finger, upright=width == UPRIGHT)
    race(page)
    learn(page)


def open_view(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).tap()
    expect(page.locator(f"main[data-ready={name.lower()}]")).to_have_count(1)


def play(page: Page, finger: Finger) -> None:
    message = page.locator("#play-message")
    expect(message).to_contain_text("2 moves are enough. Tap, drag or swipe.")
    page.touchscreen.tap(*tile(page, 4)[:2])
    expect(message).to_have_text("That move cost 2. 3 moves from here.")
    page.get_by_role("button", name="Undo").tap()
    page.get_by_role("button", name="Hint").tap()
    expect(message).to_contain_text("2 moves")
    x, y, size = tile(page, 7)
    finger.draw((x, y), -size, 0)  # the tile is dragged into the gap
    expect(message).to_contain_text("Closer: on a shortest path. 1 move from here.")
    x, y, size = tile(page, 2)
    finger.draw((x, y), -size, 0)  # a swipe elsewhere moves the tile that can
    end = page.get_by_role("region", name="The end")
    expect(end.locator(".score")).to_contain_text("2 moves: a shortest solution!")
    assert cells(page) == SOLVED
    end.get_by_role("button", name="Try again").tap()
    expect(end).to_be_hidden()
    page.get_by_role("button", name="Medium", exact=True).tap()
    expect(page.locator("#live")).to_contain_text("A new 3x3 board.")


def enter(page: Page) -> None:
    open_view(page, "Enter")
    expect(page.get_by_text("Solvable.")).to_be_visible()
    page.locator("summary", has_text="In every notation").tap()
    expect(page.locator("pre").first).to_be_visible()
    page.get_by_role("gridcell").nth(0).tap()
    page.get_by_role("gridcell").nth(1).tap()
    expect(page.locator("#live")).to_contain_text("swapped.")
    page.get_by_role("gridcell").nth(0).tap()
    page.get_by_role("gridcell").nth(1).tap()  # and back again
    expect(page.get_by_text("Solvable.")).to_be_visible()
    page.get_by_role("button", name="Solve it").tap()


def solve(page: Page) -> None:
    expect(page.locator("main[data-ready=solve] .headline")).to_contain_text("the shortest")
    page.get_by_role("button", name="One move forward").tap()
    expect(page.get_by_role("slider")).to_have_value("1")
    page.locator(".steps li").nth(2).tap()
    expect(page.get_by_role("slider")).to_have_value("3")
    page.get_by_role("button", name="To the end").tap()
    assert cells(page) == SOLVED


def watch(page: Page, finger: Finger, upright: bool) -> None:
    open_view(page, "Watch")
    expect(page.get_by_role("slider")).to_be_enabled()
    page.get_by_role("button", name="One expansion forward").tap()
    expect(page.locator(".why .headline")).to_contain_text("Expanded #0")
    page.locator(".node.fresh").first.tap()
    expect(page.get_by_role("heading", name=re.compile(r"^Node #\d"))).to_be_visible()
    scale = "() => window.tilewise.view.tree.camera.scale"
    before = page.evaluate(scale)
    page.evaluate("scrollTo(0, 0)")
    box = page.locator(".tree").bounding_box()
    assert box
    middle = box["x"] + box["width"] / 3, box["y"] + box["height"] / 2
    finger.spread(middle, 60)
    page.wait_for_function(f"before => ({scale})() > before", arg=before)
    if upright:  # one finger scrolls past the tree
        finger.draw(middle, 0, -90)
        page.wait_for_function("() => scrollY > 40")
    page.locator(".stops > summary").tap()
    page.get_by_label("a duplicate").tap()
    page.get_by_role("button", name="Run to the next stop").tap()
    expect(page.locator(".why .soft.small")).to_contain_text("known as #")
    page.locator(".stops > summary").tap()
    expect(page.locator(".stops .popover")).to_be_hidden()


def race(page: Page) -> None:
    open_view(page, "Race")
    expect(page.locator(".racer-card")).to_have_count(3)
    page.get_by_role("button", name="To the end").tap()
    expect(page.locator(".verdict-line")).to_contain_text("is first, after")
    page.get_by_label("Frontier", exact=True).tap()
    expect(page.get_by_role("img", name="Nodes that wait on the open list")).to_be_visible()


def learn(page: Page) -> None:
    open_view(page, "Learn")
    page.get_by_role("button", name="Breadth-first search").tap()
    page.locator(".choice-card").first.tap()
    expect(page.locator(".verdict-box .message")).to_contain_text("#")
    expect(page.locator(".verdict-box .message")).to_be_in_viewport()
    page.get_by_role("button", name="Next question").tap()
    expect(page.locator(".verdict-box .message")).to_have_count(0)
