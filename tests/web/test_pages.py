"""The files of the page."""

from __future__ import annotations

import re

import pytest

from tests.web.client import Server


def test_the_page_is_not_sent_again_when_the_browser_has_it(server: Server) -> None:
    _, headers, body = server.request("GET", "/")
    assert headers["content-type"] == "text/html; charset=utf-8" and b"<html" in body
    again, _, nothing = server.request("GET", "/", if_none_match=headers["etag"])
    assert (again, nothing) == (304, b"")


def test_files_are_served_with_the_types_that_browsers_need(server: Server) -> None:
    types = {
        "app.js": "text/javascript; charset=utf-8",
        "style.css": "text/css; charset=utf-8",
        "icon.svg": "image/svg+xml",
    }
    for name, media_type in types.items():
        status, headers, body = server.request("GET", f"/static/{name}")
        assert (status, headers["content-type"]) == (200, media_type) and body
        assert headers["cache-control"] == "no-cache" and headers["etag"]
        status, headers, nothing = server.request("HEAD", f"/static/{name}")
        assert (status, headers["content-length"], nothing) == (200, str(len(body)), b"")


@pytest.mark.parametrize("path", ["/static/", "/static/nothing.js", "/static/app.js/x"])
def test_folders_are_not_listed_and_other_paths_are_refused(server: Server, path: str) -> None:
    status, _, body = server.request("GET", path)
    assert status == 404 and b"app.js" not in body


def test_the_modules_of_the_first_view_are_fetched_at_once(server: Server) -> None:
    """A module that is found by its importer only costs the board another round trip."""
    _, _, page = server.request("GET", "/")
    fetched = re.findall(r'rel="modulepreload".*?/static/([\w.]+)', page.decode())
    needed: list[str] = []
    found = ["app.js", "play.js"]
    for name in found:
        _, _, body = server.request("GET", f"/static/{name}")
        imported = re.findall(r"from '\./([\w.]+)'", body.decode())
        found.extend(each for each in imported if each not in found)
        needed.append(name)
    assert sorted(fetched) == sorted(set(needed) - {"app.js"})
