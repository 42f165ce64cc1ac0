"""Take the screenshots of the documents: the real page in a real browser, as small PNG files.

python docs/screenshots.py        (or: make screenshots)
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web import chromium

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
BOARD = "board=3x3:8,6,3,2,1,0,4,7,5&goal=last"
ASTAR = "algorithm=astar&heuristic=manhattan"
DESK: ViewportSize = {"width": 1280, "height": 860}
PHONE: ViewportSize = {"width": 390, "height": 780}
COLOURS = 96
SHOTS: dict[str, tuple[str, str, ViewportSize, str]] = {
    "play": (f"#play?{BOARD}&moves=U", "#play-message.good", DESK, "light"),
    "enter": ("#enter?board=3x3:1,2,3,4,5,6,8,7,0&goal=last", ".message.bad", DESK, "light"),
    "solve": (f"#solve?{BOARD}&{ASTAR}&solved=1&at=7", ".steps [aria-current]", DESK, "light"),
    "watch": (f"#watch?{BOARD}&{ASTAR}&at=9", ".node.current", DESK, "light"),
    "watch-dark": (f"#watch?{BOARD}&{ASTAR}&at=24", ".node.current", DESK, "dark"),
    "race": (
        f"#race?{BOARD}&searches=astar with misplaced vs astar with manhattan "
        "vs greedy with manhattan&at=420",
        ".racer-card",
        DESK,
        "light",
    ),
    "learn": ("#learn?lesson=astar", ".question", DESK, "light"),
    "phone-play": (f"#play?{BOARD}", "#play-message:has-text('19')", PHONE, "light"),
    "phone-watch": (f"#watch?{BOARD}&{ASTAR}&at=9", ".node.current", PHONE, "dark"),
}
"""Name: link, what shows that it is ready, size, theme."""


def small(picture: bytes) -> Image.Image:
    """The picture with few colours, which screenshots of a page hardly show."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    return image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def take(browser: Browser, address: str, name: str) -> None:
    """One screenshot."""
    link, ready, size, theme = SHOTS[name]
    page: Page = browser.new_page(
        viewport=size,
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    page.goto(address + link)
    page.wait_for_selector("main[data-ready]")
    if name == "play":  # a move, so that the page has something to say about it
        page.keyboard.press("ArrowRight")
    page.wait_for_selector(ready)
    page.wait_for_load_state("networkidle")
    path = IMAGES / f"page-{name}.png"
    small(page.screenshot()).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} kB")
    page.close()


def main() -> None:
    """Start the server and take all screenshots."""
    command = [sys.executable, "-m", "tilewise", "serve", "--port", "0"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://\S+", server.stdout.readline() if server.stdout else "")
        if address is None:
            raise SystemExit("the server did not start")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium.find(), args=list(chromium.ARGUMENTS)
            )
            for name in SHOTS:
                take(browser, address[0], name)
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
