"""Roles, names, contrast, focus, touch targets, motion: measured in the browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.page.conftest import MOVING, Visit

pytestmark = pytest.mark.xdist_group("web")
STATIC = Path(__file__).parents[3] / "src" / "tilewise" / "web" / "static"
BOARD = "board=3x3:8,6,3,2,1,0,4,7,5&goal=last"
SEARCH = "algorithm=astar&heuristic=manhattan"
LINKS = {
    "play": f"#play?{BOARD}",
    "enter": "#enter?board=3x3:1,2,3,4,5,6,8,7,0&goal=last",
    "solve": f"#solve?{BOARD}&{SEARCH}&solved=1&at=3",
    "watch": f"#watch?{BOARD}&{SEARCH}&at=9",
    "race": f"#race?{BOARD}&at=20",
    "learn": f"#learn?{BOARD}&{SEARCH}&at=5",
}
READY = {
    "play": "#play-message:has-text('19')",
    "enter": ".message.bad",
    "solve": ".headline",
    "watch": ".node.current",
    "race": ".racer-card",
    "learn": ".choice-card",
}
LARGEST_PAGE = 300_000
LEAST_CONTRAST = 4.5
LEAST_CONTRAST_LARGE = 3.0
LEAST_TARGET = 44

# text whose colour is too near to what is painted behind it
FAINT = """([least, large]) => {
  const parse = (text) => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const cache = new Map();
  const colour = (text) => cache.get(text) ?? cache.set(text, parse(text)).get(text);
  const light = (c) => {
    const part = (v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const c = colour(getComputedStyle(e).backgroundColor);
      if (c[3] === 1) return c;
    }
    return [255, 255, 255, 1];
  };
  const inDrawing = (element) => {
    const node = element.closest('.node');
    if (node) {
      const onTile = element.classList.contains('digits');
      const back = node.querySelector(onTile ? '.squares' : '.card-back');
      const fill = getComputedStyle(back).fill;
      return fill === 'none' ? behind(element) : colour(fill);
    }
    const face = element.closest('.mini');
    return face ? colour(getComputedStyle(face.querySelector('.squares')).fill) : behind(element);
  };
  const faint = [];
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    const hidden = element.closest('.unseen, .cell, option, optgroup, script, noscript, :disabled');
    if (!own || hidden || !element.checkVisibility?.({visibilityProperty: true})) continue;
    const style = getComputedStyle(element);
    const drawn = element instanceof SVGElement;
    const fore = colour(drawn ? style.fill : style.color);
    const back = drawn ? inDrawing(element) : behind(element);
    const [a, b] = [light(fore), light(back)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize);
    const big = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (big ? large : least))
      faint.push(`${element.textContent.trim().slice(0, 30)}: ${ratio.toFixed(2)}`);
  }
  return faint;
}"""

# what can be pressed and has no name, or is too small for a finger
BARE = """(least) => {
  const wrong = [];
  const kinds = 'button, a[href], input, select, textarea, summary, [role=grid], [role=img]';
  for (const element of document.querySelectorAll(kinds)) {
    if (element.closest('[aria-hidden=true]') || !element.checkVisibility()) continue;
    const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent
      ?? (element.matches('button, a, summary') ? element.textContent : '');
    if (!label.trim()) wrong.push(`no name: ${element.outerHTML.slice(0, 80)}`);
    if (element.matches('[role=img], [role=grid], .skip')) continue;
    const box = (element.closest('label') ?? element).getBoundingClientRect();
    if (box.width < least - 0.5 || (box.height < least - 0.5 && !element.closest('.segments')))
      wrong.push(`${box.width}x${box.height}: ${element.outerHTML.slice(0, 80)}`);
  }
  return wrong;
}"""

# press Tab through the page: places without a visible focus
FOCUS = """() => {
  const e = document.activeElement;
  const style = getComputedStyle(e);
  const ringed = (s) => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2;
  const around = e.closest('label');
  const shown = ringed(style) || (around && ringed(getComputedStyle(around)));
  return [e.outerHTML.slice(0, 80), Boolean(shown), e === document.body];
}"""


def show(page: Page, use: str) -> None:
    """Open a view by its link, and wait until all of it is there."""
    page.evaluate("link => { location.hash = link; }", LINKS[use])
    page.wait_for_selector(f"main[data-ready={use}] {READY[use]}")


def complaints(page: Page) -> list[str]:
    """Faint text, controls without a name or with too little room, parts that are too wide."""
    found: list[str] = page.evaluate(FAINT, [LEAST_CONTRAST, LEAST_CONTRAST_LARGE])
    found += page.evaluate(BARE, LEAST_TARGET)
    wide = "e => e.scrollWidth > e.clientWidth"
    return found + [part for part in ("html", ".top") if page.locator(part).evaluate(wide)]


def test_the_focus_is_seen_wherever_tab_takes_it(visit: Visit) -> None:
    page = visit()
    for use in LINKS:
        show(page, use)
        expect(page.locator("h1")).to_have_text(use.capitalize())
        expect(page.get_by_role("main")).to_have_count(1)
        expect(page.locator("nav a[aria-current=page]")).to_have_text(use.capitalize())
        visited = []
        for _ in range(80):
            page.keyboard.press("Tab")
            element, shown, over = page.evaluate(FOCUS)
            if over:
                break
            assert shown, element
            visited.append(element)
        assert len(visited) > 6, use


def test_the_first_tab_after_loading_is_the_way_past_the_navigation(visit: Visit) -> None:
    page = visit(LINKS["play"])
    page.keyboard.press("Tab")
    element, shown, _ = page.evaluate(FOCUS)
    assert "skip" in element
    assert shown, element
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_the_board_is_a_labelled_grid(visit: Visit) -> None:
    page = visit(LINKS["play"], 390)
    grid = page.get_by_role("grid", name="Board, 3 by 3")
    assert grid.get_by_role("row").count() == 3
    named = "cells => cells.map((cell) => cell.getAttribute('aria-label'))"
    names = grid.get_by_role("gridcell").evaluate_all(named)
    first, second = ["8", "6", "3, can move down, at home"], ["2", "1, can move right", "blank"]
    assert names == [*first, *second, "4", "7", "5, can move up"]
    expect(page.get_by_role("status")).to_have_count(1)


def test_reduced_motion_moves_tiles_at_once(visit: Visit) -> None:
    page = visit(LINKS["play"])
    duration = "e => getComputedStyle(e).transitionDuration"
    assert page.locator(".tile").first.evaluate(duration) == "0s"
    moving = visit(LINKS["play"], **MOVING)
    assert moving.locator(".tile").first.evaluate(duration) != "0s"


def test_the_theme_can_be_chosen_and_is_kept(visit: Visit) -> None:
    page = visit(LINKS["play"], 390, color_scheme="dark")
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "dark"
    page.get_by_role("button", name="Dark theme").click()
    assert page.evaluate(theme) == "light"
    page.reload()
    assert page.evaluate(theme) == "light"


def test_back_leads_to_the_use_before(visit: Visit) -> None:
    page = visit(LINKS["play"])
    page.get_by_role("button", name="Solve it for me").click()
    expect(page.locator(".headline")).to_contain_text("19 moves")
    page.go_back()
    expect(page.locator("main[data-ready=play]")).to_have_count(1)
    expect(page.locator("#play-message")).to_contain_text("19 moves")


def test_a_link_with_a_bad_board_still_opens_the_page(visit: Visit) -> None:
    page = visit("#watch?board=1+2+3&goal=last&algorithm=astar")
    expect(page.locator("#toast")).to_contain_text("Expected")
    expect(page.locator("main[data-ready=watch]")).to_have_count(1)


def test_the_page_is_small_and_names_no_other_host() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < LARGEST_PAGE
    for path in files:
        text = path.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text and "https://" not in text, path.name
