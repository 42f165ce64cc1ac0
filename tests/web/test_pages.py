"""The files of the page."""

from __future__ import annotations

from tests.web.client import Server


def test_the_page_is_not_sent_again_when_the_browser_has_it(server: Server) -> None:
    _, headers, body = server.request("GET", "/")
    assert headers["content-type"] == "text/html; charset=utf-8" and b"<html" in body
    again, _, nothing = server.request("GET", "/", if_none_match=headers["etag"])
    assert (again, nothing) == (304, b"")
