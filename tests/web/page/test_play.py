"""Play: moves, costs, hints, new boards, the end of a game, pictures."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.web.page.conftest import MOVING, Visit
from tests.web.page.seen import (
    TWO_AWAY,
    cells,
    drag,
    figure,
    tile,
)

pytestmark = pytest.mark.xdist_group("web")
PICTURE_SIZE = """async () => {
  const face = getComputedStyle(document.querySelector('.tile span')).backgroundImage;
  const image = new Image();
  image.src = /url\\("(.*)"\\)/.exec(face)[1];
  await image.decode();
  return [image.width, image.height];
}"""


@pytest.mark.parametrize("width", [pytest.param(390, marks=pytest.mark.full), 1280])
def test_play_by_click_drag_and_swipe_with_what_each_move_costs(visit: Visit, width: int) -> None:
    page = visit(f"#play?{TWO_AWAY}", width, **MOVING)
    expect(page.locator("#play-message")).to_contain_text("2 moves are enough")
    page.mouse.click(*tile(page, 4)[:2])
    expect(page.locator("#play-message")).to_have_text("That move cost 2. 3 moves from here.")
    page.get_by_role("button", name="Undo").click()
    assert cells(page) == ["1", "2", "3", "4", "5", "6", "", "7", "8"]
    page.get_by_role("button", name="Redo").click()
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    drag(page, 4, 0, -0.8)
    assert cells(page) == ["1", "2", "3", "4", "5", "6", "", "7", "8"]
    drag(page, 7, -0.2, 0)
    assert cells(page)[6] == "", "a tile that is let go early slides back"
    drag(page, 2, -0.8, 0)
    assert cells(page)[6] == "7", "a swipe to the left on any tile moves the one that can"
    expect(page.locator("#play-message")).to_contain_text("Closer")
    page.mouse.click(*tile(page, 8)[:2])
    expect(page.locator("#play-message")).to_have_text("Solved in 4 moves. Well done.")
    assert figure(page, "Moves") == "4"
    expect(page.locator("dd").nth(2)).to_have_text("0")  # from here


def test_play_has_hints_in_grades_and_new_boards_of_any_shape(visit: Visit) -> None:
    page = visit(f"#play?{TWO_AWAY}")
    message = page.locator("#play-message")
    expect(message).to_contain_text("2 moves")
    page.get_by_role("button", name="Hint").click()
    page.get_by_role("button", name="Where?").click()
    page.get_by_role("button", name="Which tile?").click()
    expect(page.locator(".tile.mark")).to_have_text("7")
    page.get_by_role("button", name="Which way?").click()
    page.get_by_role("button", name="Do it").click()
    assert cells(page)[6] == "7"
    page.mouse.click(*tile(page, 8)[:2])
    expect(message).to_have_text("Solved in 2 moves, 1 of them made for you.")
    page.get_by_text("Own shape, goal, depth").click()
    page.get_by_label("Rows").select_option("2")
    page.get_by_label("Columns").select_option("4")
    page.get_by_label("Goal", exact=True).select_option("first")
    page.get_by_role("spinbutton", name="Moves from the goal").fill("9")
    page.get_by_role("button", name="Make this board").click()
    expect(page.locator("dd").nth(2)).to_have_text("9")
    assert sorted(cells(page)) == sorted(["", *map(str, range(1, 8))])
    page.get_by_role("button", name="Any", exact=True).click()
    page.get_by_role("button", name="5x5").click()
    expect(page.get_by_role("gridcell")).to_have_count(25)


def test_play_puts_a_picture_on_the_tiles(visit: Visit) -> None:
    page = visit(f"#play?{TWO_AWAY}", **MOVING)
    page.get_by_text("Picture, arrow keys").click()
    picture = page.screenshot(clip={"x": 0, "y": 0, "width": 90, "height": 60})
    page.locator("input[type=file]").set_input_files(
        {"name": "own.png", "mimeType": "image/png", "buffer": picture}
    )
    expect(page.locator(".board")).to_have_class(re.compile("pictured"))
    face = page.locator(".tile span").first
    expect(face).to_have_css("background-image", re.compile("blob:"))
    # 90 by 60 pixels on a square board: the middle is cut out, nothing is stretched
    size = page.evaluate(PICTURE_SIZE)
    assert size == [60, 60]
    page.mouse.click(*tile(page, 7)[:2])
    page.mouse.click(*tile(page, 8)[:2])
    expect(page.locator(".board")).to_have_class(re.compile("whole"))  # the whole picture
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".board")).not_to_have_class(re.compile("whole"))
    page.get_by_role("button", name="Flower").click()
    page.get_by_label("Hide the numbers").check()
    page.get_by_role("button", name="Solve it for me").click()
    expect(page.locator("main[data-ready=solve] .board")).to_have_class(re.compile("pictured bare"))
    expect(page.get_by_role("slider")).to_have_value("2")  # it plays by itself
    page.go_back()
    page.wait_for_selector("main[data-ready=play]")
    page.get_by_text("Picture, arrow keys").click()
    page.get_by_role("button", name="No picture").click()
    expect(face).to_have_css("background-image", "none")


def test_the_end_of_a_game_reviews_it_and_keeps_personal_bests(visit: Visit) -> None:
    page = visit(f"#play?{TWO_AWAY}")
    for key in ("ArrowDown", "ArrowUp", "ArrowLeft", "A"):  # the last one with Caps Lock
        page.keyboard.press(key)
    end = page.get_by_role("region", name="The end")
    expect(end.locator(".score")).to_contain_text("4 moves; the shortest takes 2")
    expect(end).to_contain_text("1 move lost 2 in all:")
    assert end.locator(".review .loss").count() == 1
    expect(end).to_contain_text("2 moves over the shortest (new)")
    end.get_by_role("button", name="1: 4 down").click()
    assert cells(page) == ["1", "2", "3", "", "5", "6", "4", "7", "8"]
    page.get_by_role("button", name="Try again").click()
    expect(end).to_be_hidden()
    assert cells(page) == ["1", "2", "3", "4", "5", "6", "", "7", "8"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(end.locator(".score")).to_contain_text("2 moves: a shortest solution!")
    expect(end).to_contain_text("2 games")
    expect(page).to_have_url(re.compile("moves=[UDLR]{2}(&|$)"))  # it is written a moment later
    page.reload()
    page.wait_for_selector("main[data-ready]")
    expect(end).to_contain_text("a shortest solution")
    end.get_by_role("button", name="Clear personal bests").click()
    expect(end).to_contain_text("Personal bests are cleared.")
    assert page.evaluate("localStorage.getItem('tilewise-bests')") is None


def test_every_key_of_play_is_listed_and_works_from_any_focus(visit: Visit) -> None:
    page = visit(f"#play?{TWO_AWAY}")
    page.locator("nav a").first.focus()
    page.keyboard.press("ArrowLeft")
    assert cells(page)[6] == "7"
    page.keyboard.press("Control+z")
    assert cells(page)[6] == ""
    page.keyboard.press("Control+y")
    assert cells(page)[6] == "7"
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_contain_text("undo")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("r")
    assert cells(page)[6] == ""
