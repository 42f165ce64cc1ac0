"""Every view on every screen: nothing overflows, the board and its controls are in view."""

from __future__ import annotations

from typing import Literal

import pytest
from playwright.sync_api import expect

from tests.web.page.conftest import Visit, keep
from tests.web.page.test_access import LINKS, READY, complaints, show

pytestmark = pytest.mark.xdist_group("web")
WIDTHS = (320, 561, 761, 1001, 2560)
# what must be whole in the window without scrolling
SEEN = {"play": [".board"], "solve": [".board", ".player"], "watch": [".player", ".tree"]}
OUTSIDE = """(selectors) => selectors.filter((selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  const room = innerHeight - (document.querySelector('.views').getBoundingClientRect().top > 200
    ? document.querySelector('.views').offsetHeight : 0);
  return box.top < 0 || box.left < -1 || box.right > innerWidth + 1 || box.bottom > room + 1;
})"""


@pytest.mark.parametrize(
    ("width", "height", "themes"),
    [
        (390, 844, ["light", "dark"]),
        (844, 390, ["dark"]),
        (1280, 800, ["light", "dark"]),
        pytest.param(844, 390, ["light"], marks=pytest.mark.full),
        pytest.param(1920, 1080, ["light", "dark"], marks=pytest.mark.full),
    ],
    ids=str,
)
def test_every_view_fits_this_screen_light_and_dark(
    visit: Visit, width: int, height: int, themes: list[Literal["light", "dark"]]
) -> None:
    page = visit("", width)
    page.set_viewport_size({"width": width, "height": height})
    for view in LINKS:
        show(page, view)
        for theme in themes:
            page.emulate_media(color_scheme=theme)
            expect(page.locator("html")).to_have_attribute("data-theme", theme)
            assert complaints(page) == [], (view, theme)
            assert page.evaluate(OUTSIDE, SEEN.get(view, [])) == [], (view, theme)
            keep(page, f"{view}-{width}x{height}-{theme}")


def test_no_width_overflows(visit: Visit) -> None:
    page = visit()
    for view in ("race", "watch"):
        show(page, view)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
            assert page.locator(".top").evaluate("e => e.scrollWidth <= e.clientWidth"), width


@pytest.mark.parametrize("shape", [(6, 2), pytest.param((2, 6), marks=pytest.mark.full)])
def test_long_boards_fit_the_window(visit: Visit, shape: tuple[int, int]) -> None:
    rows, columns = shape
    tiles = ",".join(map(str, [*range(1, rows * columns), 0]))
    page = visit(f"#play?board={rows}x{columns}:{tiles}&goal=last", 1280)
    for width, height in ((1280, 800), (844, 390), (390, 844), (640, 400)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(OUTSIDE, [".board"]) == [], (width, height)


def test_a_finger_scrolls_past_the_tree_on_a_phone(visit: Visit) -> None:
    page = visit(LINKS["watch"], 390)
    expect(page.locator(READY["watch"])).to_be_visible()
    assert page.locator(".tree").evaluate("e => getComputedStyle(e).touchAction") == "pan-y"
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight")
    expect(page.locator(".board")).to_have_count(0)
