"""One server for all tests of a session."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.web.client import HANG_GUARD, Server, serving

_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    process = serving("--port", "0")
    assert process.stdout is not None and process.stderr is not None
    address = _ADDRESS.search(process.stdout.readline())
    assert address, process.stderr.read()
    yield Server(int(address[1]), process)
    process.terminate()
    _, errors = process.communicate(timeout=HANG_GUARD)
    assert errors == "", errors
