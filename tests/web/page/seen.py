"""What a person sees on the page, and how a finger moves on it."""

from __future__ import annotations

import re

from playwright.sync_api import Page

TWO_AWAY = "board=3x3:1,2,3,4,5,6,0,7,8&goal=last"
HARDER = "board=3x3:8,6,3,2,1,0,4,7,5&goal=last"
UNSOLVABLE = "board=3x3:1,2,3,4,5,6,8,7,0&goal=last"
SOLVED = [*"12345678", ""]


def tile(page: Page, number: int) -> tuple[float, float, float]:
    """The middle of a tile on the board, and its width."""
    face = page.locator(".board .tile", has_text=re.compile(rf"^{number}$"))
    face.evaluate("e => Promise.all(e.getAnimations().map((each) => each.finished))")
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
