"""Which requests are refused before they are read, and the headers of every response."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.client import Server


@pytest.mark.parametrize(
    ("send", "status"),
    [
        (lambda server: server.request("GET", "/api/solve"), 405),
        (lambda server: server.request("GET", "/nothing"), 404),
        (lambda server: server.request("GET", "/static/../server.py"), 404),
        (lambda server: server.request("GET", "/static/%2e%2e/server.py"), 404),
        (lambda server: server.request("POST", "/api/solve", b"x" * 70_000), 413),
        (lambda server: server.request("GET", "/api/schema", origin="https://example.org"), 403),
        (lambda server: server.request("GET", "/api/schema", sec_fetch_site="cross-site"), 403),
        (lambda server: server.request("GET", "/", host="tiles.example.org"), 403),
        (lambda server: server.request("GET", "/", host="localhost.example.org"), 403),
        # in chunks, so that its length is not announced
        (lambda server: server.request("POST", "/api/solve", iter([b"x" * 1_000] * 80)), 413),
    ],
)
def test_requests_that_are_not_for_the_page_are_refused(
    server: Server, send: Callable[[Server], tuple[int, Any, bytes]], status: int
) -> None:
    answered, headers, body = send(server)
    assert answered == status and json.loads(body)["error"]
    assert "default-src 'none'" in headers["content-security-policy"]


def test_every_response_has_the_security_headers(server: Server) -> None:
    for path in ("/", "/api/schema"):
        status, headers, _ = server.request("GET", path)
        assert status == 200
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers
