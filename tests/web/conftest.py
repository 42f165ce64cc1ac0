"""One server for all tests of a session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.client import Server, server_of, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with server_of(serving("--port", "0")) as server:
        yield server
