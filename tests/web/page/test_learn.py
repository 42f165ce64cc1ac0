"""Learn: lessons and questions that the real search judges."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.page.conftest import Visit
from tests.web.page.seen import HARDER

pytestmark = pytest.mark.xdist_group("web")


def test_practice_judges_by_the_real_search_and_explains(visit: Visit) -> None:
    page = visit(f"#learn?{HARDER}&algorithm=astar&heuristic=manhattan&at=5", 390)
    choices = page.locator(".choice-card")
    expect(choices).not_to_have_count(0)
    # the search takes #11; at most one other that is as good is among the choices
    page.get_by_role("button", name=re.compile("^Node 11,")).click()
    expect(page.locator(".verdict-box .message.good")).to_contain_text("#11.")
    assert 1 <= page.locator(".choice-card.right").count() <= 2
    expect(page.get_by_role("button", name="Next question")).to_be_focused()
    page.get_by_role("button", name="Next question").click()
    expect(page.locator(".verdict-box .message")).to_have_count(0)
    strict = visit(f"#learn?{HARDER}&algorithm=astar&heuristic=manhattan&at=5&strict=1", 390)
    expect(strict.locator(".choice-card")).not_to_have_count(0)
    strict.get_by_role("button", name=re.compile("^Node 11,")).click()
    expect(strict.locator(".choice-card.right")).to_have_count(1)


def test_a_lesson_is_done_when_its_questions_are_answered_and_stays_done(visit: Visit) -> None:
    page = visit("#learn?lesson=states")
    expect(page.locator(".question")).to_contain_text("How many different boards")
    page.get_by_role("spinbutton", name="Your answer").fill("99")
    page.get_by_role("button", name="Check").click()
    why = page.locator(".verdict-box .message.bad")
    expect(why).to_contain_text("Not 99.")
    page.get_by_role("button", name="Next question").click()
    expect(page.locator(".verdict-box .message")).to_have_count(0)
    right = page.evaluate(
        """() => {
      const label = document.querySelector('.question [role=img]').getAttribute('aria-label');
      const blank = label.replace('Board ', '').split(' ').indexOf('0');
      const [row, column] = [Math.floor(blank / 3), blank % 3];
      return row === 1 && column === 1 ? 8 : row === 1 || column === 1 ? 5 : 4;
    }"""
    )
    page.get_by_role("spinbutton", name="Your answer").fill(str(right))
    page.keyboard.press("Enter")
    expect(page.locator(".verdict-box .message.good")).to_contain_text("Right.")
    page.get_by_role("button", name="Next lesson: Breadth-first search").click()
    expect(page.locator(".question")).to_contain_text("Breadth-first search expand next")
    page.reload()
    expect(page.locator(".lessons li").first).to_contain_text("done")


@pytest.mark.full
@pytest.mark.parametrize(
    "lesson",
    ["bfs", "ucs", "greedy", "astar", "ties", "duplicates", "idastar", "heuristics", "pdb"],
)
def test_every_lesson_shows_its_search_and_asks(visit: Visit, lesson: str) -> None:
    page = visit(f"#learn?lesson={lesson}", 390)
    expect(page.locator(".question .question-words")).not_to_be_empty()
    expect(page.locator(".live .tree")).to_be_visible()
    page.locator(".question").get_by_role("button").first.click()
