"""Enter: notations, and boards that cannot be solved."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.page.conftest import Visit
from tests.web.page.seen import UNSOLVABLE

pytestmark = pytest.mark.xdist_group("web")


def test_enter_reads_notations_and_explains_on_the_board_what_cannot_be_solved(
    visit: Visit,
) -> None:
    page = visit(f"#enter?{UNSOLVABLE}", 390)
    expect(page.get_by_text("This goal cannot be reached.")).to_be_visible()
    assert page.locator(".tile.wrong").all_text_contents() == ["8", "7"]
    assert page.locator(".over path.route").count() == 1
    page.get_by_label("The blank's path").check()
    assert page.locator(".over circle.spot").count() == 1
    page.get_by_role("button", name="Swap 7 and 8").click()
    expect(page.get_by_text("Solvable. This is the goal.")).to_be_visible()
    page.get_by_label("Board", exact=True).fill("[[4,1,2],[3,0,5]]")
    expect(page.get_by_text("Read as json")).to_be_visible()
    expect(page.get_by_role("gridcell")).to_have_count(6)
    page.get_by_label("Board", exact=True).fill("8b6 547 23")
    expect(page.locator(".hint.bad")).to_contain_text("Expected 9 tiles for a 3x3 board, but got 8")
    expect(page.get_by_text("Solvable")).to_have_count(0)  # nothing is said of this text
    assert page.get_by_label("Board", exact=True).get_attribute("aria-invalid") == "true"
    expect(page.get_by_role("gridcell")).to_have_count(6)  # a bad board changes nothing
    page.get_by_role("gridcell", name="blank").click()
    page.get_by_role("gridcell", name="4").click()
    expect(page.get_by_role("gridcell").first).to_have_attribute("aria-label", "blank")
