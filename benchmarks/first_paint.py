"""Milliseconds until the page paints first, and until its board is there, in a browser on loopback.

    python benchmarks/first_paint.py [loads]

Every load has a new browser context, so nothing comes from a cache.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web import chromium

# the board's moment is the frame after the last tile was put there
BOARD = """window.board = new Promise((shown) => new MutationObserver((_, observer) => {
  if (document.querySelectorAll('.tile').length < 8) return;
  observer.disconnect();
  requestAnimationFrame(shown);
}).observe(document, { childList: true, subtree: true }));"""
PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"


def load(browser: Browser, address: str) -> tuple[float, float]:
    """The times of the first paint and of the board, after the navigation began."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(BOARD)
    page.goto(address)
    board = float(page.evaluate("() => window.board"))
    paint = float(page.evaluate(PAINT))
    context.close()
    return paint, board


def measure(loads: int) -> list[tuple[float, float]]:
    """The times of some loads, after one that is not counted."""
    server = subprocess.Popen(
        [sys.executable, "-m", "tilewise", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = re.search(r"http://\S+", server.stdout.readline() if server.stdout else "")
        assert address
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium.find(), args=list(chromium.ARGUMENTS)
            )
            load(browser, address[0])
            times = [load(browser, address[0]) for _ in range(loads)]
            browser.close()
            return times
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    """Measure, and print the median and the slowest."""
    loads = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    paints, boards = zip(*measure(loads), strict=True)
    print(f"{loads} loads")
    for name, times in (("first paint", paints), ("the board", boards)):
        print(f"{name}: {median(times):.0f} ms in the median, {max(times):.0f} ms at most")


if __name__ == "__main__":
    main()
