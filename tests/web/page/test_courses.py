"""The courses on the page: those of the package, and one of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.course_file import EVENING, FILE
from tests.web.client import Server, server_of, serving
from tests.web.page.conftest import Visit


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One that offers the course of a file."""
    file = tmp_path_factory.mktemp("course") / FILE
    file.write_text(EVENING, encoding="utf-8")
    with server_of(serving("--port", "0", "--course", str(file))) as started:
        yield started


def test_a_course_of_a_file_is_chosen_solved_and_linked(visit: Visit) -> None:
    page = visit("#solve?board=1 2 3/6 4 0/7 8 5")
    page.locator(".choice > summary").click()
    page.get_by_text("Rules, profile, limits").click()
    page.get_by_label("Rules or profile").select_option("profile evening")
    page.get_by_label("Search of the course").select_option("A* tree")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_text("5 moves, the shortest there is").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"profile=evening&algorithm=A(\*|%2A)(\+|%20| )tree"))
    expect(page).to_have_url(re.compile("goal=[^&]*1.2.3.4.0.5"))
    link = page.url.partition("#")[2]
    for same in (link, "solve?board=1 2 3/6 4 0/7 8 5&profile=evening&algorithm=A* tree"):
        again = visit(f"#{same}")
        chosen = again.get_by_label("Search of the course").locator("option:checked")
        expect(chosen).to_have_text("A* tree")
        expect(again).to_have_url(re.compile("goal=[^&]*1.2.3.4.0.5"))


def test_methods_that_differ_in_their_rules_are_watched_and_raced(visit: Visit) -> None:
    start = "board=8 1 3/4 0 2/7 6 5&goal=last"
    watched = visit(f"#watch?{start}&profile=princeton&algorithm=no-optimisation")
    watched.get_by_role("button", name="To the end").click()
    expect(watched.locator("main")).to_contain_text("717")
    searches = "manhattan of princeton vs no-optimisation of princeton"
    raced = visit(f"#race?{start}&searches={searches}&at=9999")
    expect(raced.locator("main")).to_contain_text("262")
    expect(raced.locator("main")).to_contain_text("46")
    snail = visit("#watch?board=1 2 3/8 6 4/7 5 0&goal=snail&profile=n-puzzle&algorithm=conflict")
    expect(snail.locator("main")).to_contain_text("A*")
