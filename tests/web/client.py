"""A real server in a process of its own, as its clients see it."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HANG_GUARD = 120
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@dataclass(frozen=True)
class Server:
    """A running `tilewise serve`."""

    port: int
    process: subprocess.Popen[str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANG_GUARD)

    def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """One request on a connection of its own."""
        connection = self.connect()
        try:
            named = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, body, named)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def post(self, name: str, **body: Any) -> Any:
        """The answer of /api/NAME, which must be one."""
        status, answer = self.try_post(name, **body)
        assert status == 200, answer
        return answer

    def try_post(self, name: str, **body: Any) -> tuple[int, Any]:
        status, _, answer = self.request(
            "POST", f"/api/{name}", json.dumps(body).encode(), content_type="application/json"
        )
        return status, json.loads(answer)

    def start(self, name: str, **body: Any) -> http.client.HTTPConnection:
        """Send a request for a stream and do not wait for the answer."""
        connection = self.connect()
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        connection.request("POST", f"/api/{name}", json.dumps(body).encode(), headers)
        return connection

    def status(self) -> Any:
        return json.loads(self.request("GET", "/api/status")[2])


def events(connection: http.client.HTTPConnection) -> Iterator[tuple[str, Any]]:
    """The events of a stream, one after the other."""
    response = connection.getresponse()
    name = ""
    while line := response.readline().decode():
        field, _, value = line.rstrip("\r\n").partition(": ")
        if field == "event":
            name = value
        elif field == "data":
            yield name, json.loads(value)


def serving(
    *options: str, source: Path | None = None, descriptors: int | None = None
) -> subprocess.Popen[str]:
    """Start a server; its first line says where.

    `source` is a folder with another tilewise. `descriptors` is how many files it may open.
    """
    environment = {**os.environ, "NO_COLOR": "1"}
    interpreter = [sys.executable]
    if source is not None:  # an editable installation would come before it
        interpreter.append("-S")
        environment["PYTHONPATH"] = os.pathsep.join([str(source), *filter(None, sys.path)])
    if descriptors is not None:
        interpreter[:0] = ["sh", "-c", f'ulimit -n {descriptors}; exec "$0" "$@"']
    return subprocess.Popen(
        [*interpreter, "-m", "tilewise", "serve", *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


@contextmanager
def server_of(process: subprocess.Popen[str]) -> Iterator[Server]:
    """The server of a process, which ends with it and must not have written an error."""
    assert process.stdout is not None and process.stderr is not None
    address = _ADDRESS.search(process.stdout.readline())
    assert address, process.stderr.read()
    try:
        yield Server(int(address[1]), process)
    except BaseException:
        process.kill()
        process.communicate()
        raise
    process.terminate()
    _, errors = process.communicate(timeout=HANG_GUARD)
    assert errors == "", errors


def until(condition: Callable[[], bool], hang_guard: float = HANG_GUARD) -> None:
    """Wait until a condition holds; every look at it is a request of its own."""
    given_up = time.monotonic() + hang_guard
    while not condition():
        assert time.monotonic() < given_up, "it never came true"
        time.sleep(0.005)
