"""Watch opens the trace of another solver: by its file, by dropping it, by the keyboard."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.page.conftest import Visit
from tests.web.page.test_keyboard import tab_to
from tilewise import Board
from tilewise.traces.json_lines import json_lines
from tilewise.traces.watched import watch

pytestmark = pytest.mark.xdist_group("web")
BOARD = "867 254 3b1"
FIELD = "Or open the trace of another solver"
DROP = """async ([name, text]) => {
  const dropped = new DataTransfer();
  dropped.items.add(new File([text], name));
  const where = document.querySelector('main > div');
  for (const kind of ['dragover', 'drop']) {
    where.dispatchEvent(new DragEvent(kind, {dataTransfer: dropped, bubbles: true}));
  }
}"""


def trace(rules: str = "default", claimed: str | None = None) -> str:
    """The first events of A*; with `claimed` the header says other ties than it has."""
    found = watch(
        Board.parse(BOARD), algorithm="astar", heuristic="manhattan", rules=rules, events=300
    )
    text = re.sub(r'"key": [^]]*], ', "", "\n".join(json_lines(found)))
    return text.replace(f'"ties": "{found.rules.ties}"', f'"ties": "{claimed or found.rules.ties}"')


def choose(page: Page, name: str, text: str) -> None:
    if page.locator("details.choice").get_attribute("open") is None:
        page.locator("details.choice > summary").click()
    page.get_by_label(FIELD).set_input_files(
        {"name": name, "mimeType": "application/x-ndjson", "buffer": text.encode()}
    )


def test_a_trace_of_another_solver_is_judged_and_replayed(visit: Visit) -> None:
    page = visit("#watch", 390)
    notice, live = page.locator(".notice"), page.locator("#live")
    choose(page, "right.jsonl", trace())
    expect(notice).to_contain_text("It does what it claims.")
    expect(live).to_contain_text("right.jsonl does what it claims.")
    page.get_by_text("What was checked").click()
    expect(notice).to_contain_text("every h is that of manhattan")
    expect(page).to_have_url(re.compile("board=3x3:8,6,7,2,5,4,3,0,1"))  # that of the trace
    page.get_by_role("button", name="One expansion forward").click()
    expect(page.locator(".why .headline")).to_contain_text("Expanded #0")
    expect(page.locator(".node.departs")).to_have_count(0)

    choose(page, "wrong.jsonl", trace("fifo", "h-newest"))
    expect(notice).to_contain_text("It departs from what it claims. Line 10: takes node 1")
    expect(live).to_contain_text("Line 10: takes node 1; of those with f = 21")
    page.get_by_role("button", name="Show where").click()
    expect(page.locator(".why .message.bad")).to_contain_text("Here it departs: takes node 1")
    expect(page.locator(".why .reason")).to_contain_text("Not by these rules: they take node 4")
    expect(page.locator(".node.departs")).to_be_visible()
    expect(live).to_contain_text("Here it departs")
    page.get_by_role("button", name="One expansion forward").click()
    expect(page.locator(".why .message.bad")).to_have_count(0)
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("button", name="To the start").click()
    expect(page.locator(".why .headline")).to_have_text("The start is on the open list.")

    choose(page, "broken.jsonl", trace()[:700])
    expect(notice).to_contain_text(re.compile(r"broken\.jsonl: Line \d+: expected JSON, got"))
    expect(live).to_contain_text("expected JSON")
    page.get_by_role("button", name="Watch", exact=True).click()
    expect(page.locator("details.choice > summary")).to_contain_text("A* with Manhattan distance")


def test_a_trace_is_dropped_or_chosen_by_keys(visit: Visit, tmp_path: Path) -> None:
    page = visit("#watch")
    page.on("filechooser", lambda chosen: None)  # so that the browser hands choosers over
    page.evaluate(DROP, ["mine.jsonl", trace()])
    expect(page.locator(".notice")).to_contain_text("It does what it claims.")
    page.locator("details.choice > summary").focus()
    page.keyboard.press("Enter")
    tab_to(page, "input", FIELD)
    with page.expect_file_chooser() as chosen:
        page.keyboard.press("Enter")
    big = tmp_path / "big.jsonl"
    big.write_bytes(b"x" * 9_000_000)
    chosen.value.set_files(big)
    expect(page.locator(".notice")).to_contain_text("big.jsonl: too large")
