"""Frames a second while the page steps through 10,000 expansions, one a frame, in a browser.

    python benchmarks/frames.py [expansions]

The forward button of Watch is pressed once in every frame, so each frame draws the tree, the
open list, the reason and the counters of one more expansion.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import CDPSession, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web import chromium

LINK = "#watch?board=3x3:8,0,6,5,4,7,2,3,1&goal=first&algorithm=astar&heuristic=misplaced&at=0"
STEP = """(expansions) => new Promise((done) => {
  const forward = document.querySelector('[aria-label="One expansion forward"]');
  const times = [];
  const frame = (now) => {
    times.push(now);
    if (times.length > expansions) return done(times);
    forward.click();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})"""


def measure(expansions: int) -> tuple[list[float], float]:
    """The time of every frame, and the CPU time of the page's thread for all, in milliseconds."""
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
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(f"{address[0]}{LINK}")
            page.wait_for_selector(".node.open", timeout=120_000)
            session = page.context.new_cdp_session(page)
            session.send("Performance.enable", {"timeDomain": "threadTicks"})
            before = _thread_time(session)
            times: list[float] = page.evaluate(STEP, expansions)
            spent = _thread_time(session) - before
            assert (page.locator(".place").first.text_content() or "").startswith(
                f"{expansions:,} "
            )
            browser.close()
            return times, spent
    finally:
        server.terminate()
        server.wait()


def _thread_time(session: CDPSession) -> float:
    metrics = session.send("Performance.getMetrics")["metrics"]
    return 1000 * float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))


def main() -> None:
    """Measure, and print mean, slowest second and slowest frame."""
    expansions = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    times, spent = measure(expansions)
    seconds = (times[-1] - times[0]) / 1000
    whole = int(seconds)
    by_second = [
        sum(1 for time in times if second <= (time - times[0]) / 1000 < second + 1)
        for second in range(whole)
    ]
    longest = max(after - before for before, after in pairwise(times))
    print(f"{expansions:,} expansions in {seconds:.1f} s on {os.cpu_count()} cores")
    print(
        f"frames a second: {expansions / seconds:.1f} on average, slowest second {min(by_second)}"
    )
    print(f"longest frame: {longest:.0f} ms")
    print(f"CPU time of the page's thread: {spent / expansions:.1f} ms a frame, whatever the load")


if __name__ == "__main__":
    main()
