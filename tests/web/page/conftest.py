"""A real Chromium on the real page: one browser for this folder, a window for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, expect, sync_playwright

from tests.web import chromium
from tests.web.client import HANG_GUARD, Server

SCREENSHOTS = Path(__file__).parents[3] / "build" / "screenshots"
HEIGHTS = {390: 844, 844: 390, 1280: 900, 1920: 1080}
MOVING = {"reduced_motion": "no-preference"}
"""For tests of what moves by itself: in the others nothing does."""
Visit = Callable[..., Page]
expect.set_options(timeout=HANG_GUARD * 1_000)


def complaint(said: ConsoleMessage) -> list[str]:
    """An error on the console; a refused board is one for the browser, but not for the page."""
    if said.type not in ("error", "warning") or "status of 400" in said.text:
        return []
    return [said.text]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = chromium.find()
    assert path, chromium.NONE_FOUND
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=list(chromium.ARGUMENTS),
            chromium_sandbox=False,
            timeout=HANG_GUARD * 1_000,
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Open the page at a link; at the end nothing went wrong and no other host was contacted."""
    complaints: list[str] = []
    requests: list[str] = []
    contexts = []

    def open_page(link: str = "", width: int = 1280, **options: Any) -> Page:
        size: ViewportSize = {"width": width, "height": HEIGHTS.get(width, 900)}
        still = {"reduced_motion": "reduce", "has_touch": width < 900}
        context = browser.new_context(viewport=size, **{**still, **options})
        context.set_default_timeout(HANG_GUARD * 1_000)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: complaints.extend(complaint(said)))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"{server.url}/{link}")
        page.wait_for_selector("main[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()
    own = (f"{server.url}/", f"blob:{server.url}/")
    assert [url for url in requests if not url.startswith(own)] == []
    assert complaints == []


def keep(page: Page, name: str) -> None:
    """Keep a screenshot as a product of the build."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png")
