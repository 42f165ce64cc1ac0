"""Every view on every screen: nothing overflows, the board and its controls are in view."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.client import Server
from tests.web.page.conftest import SCREENSHOTS, Visit, complaint
from tests.web.page.test_access import LINKS, READY

pytestmark = pytest.mark.xdist_group("web")
SCREENS = [(390, 844), (844, 390), (1280, 800), (1920, 1080)]
WIDTHS = (320, 561, 761, 1001, 2560)
# what must be whole in the window without scrolling
SEEN = {"play": [".board"], "solve": [".board", ".player"], "watch": [".player", ".tree"]}
OUTSIDE = """(selectors) => selectors.filter((selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const room = innerHeight - (document.querySelector('.views').getBoundingClientRect().top > 200
    ? document.querySelector('.views').offsetHeight : 0);
  return box.top < 0 || box.left < -1 || box.right > innerWidth + 1 || box.bottom > room + 1;
})"""


def check(page: Page, view: str) -> None:
    page.wait_for_selector(READY[view])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    header = page.locator(".top")
    assert header.evaluate("e => e.scrollWidth <= e.clientWidth")
    assert page.evaluate(OUTSIDE, SEEN.get(view, [])) == []


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("view", LINKS)
@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: f"{screen[0]}x{screen[1]}")
def test_every_view_fits_every_screen(
    browser: Browser, server: Server, view: str, theme: str, screen: tuple[int, int]
) -> None:
    said: list[str] = []
    page = browser.new_page(
        viewport={"width": screen[0], "height": screen[1]},
        color_scheme="dark" if theme == "dark" else "light",
        has_touch=screen[0] < 900,
    )
    page.on("console", lambda message: said.extend(complaint(message)))
    page.goto(f"{server.url}/{LINKS[view]}")
    check(page, view)
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{view}-{screen[0]}x{screen[1]}-{theme}.png")
    page.close()
    assert said == []


def test_views_fit_a_low_screen_and_no_width_overflows(visit: Visit) -> None:
    for view in ("play", "solve", "watch"):
        page = visit(LINKS[view], 844)
        page.set_viewport_size({"width": 844, "height": 390})
        check(page, view)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert page.locator(".top").evaluate("e => e.scrollWidth <= e.clientWidth"), width


@pytest.mark.parametrize("shape", [(6, 2), (2, 6)])
def test_long_boards_fit_the_window(visit: Visit, shape: tuple[int, int]) -> None:
    rows, columns = shape
    tiles = ",".join(map(str, [*range(1, rows * columns), 0]))
    page = visit(f"#play?board={rows}x{columns}:{tiles}&goal=last", 1280)
    for width, height in ((1280, 800), (844, 390), (390, 844), (640, 400)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OUTSIDE, [".board"]) == [], (width, height)


def test_a_finger_scrolls_past_the_tree_on_a_phone(visit: Visit) -> None:
    page = visit(LINKS["watch"], 390)
    page.wait_for_selector(READY["watch"])
    assert page.locator(".tree").evaluate("e => getComputedStyle(e).touchAction") == "pan-y"
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight")
    expect(page.locator(".board")).to_have_count(0)
