"""Requests to the server's application in this process, without a network."""

from __future__ import annotations

import asyncio
import json
from functools import cache
from threading import Thread
from typing import Any

from tilewise.web.budgets import Budgets
from tilewise.web.server import create_app

NAMES = "board distance hint scramble solve trace trace/check compare"
PATHS = [f"/api/{name}" for name in NAMES.split()]
SMALL = Budgets(
    max_nodes=2_000,
    seconds=0.2,
    memory=64,
    events=500,
    searches=3,
    boards=5,
    walk=1_000,
    default_seconds=0.2,
    default_events=100,
    default_nodes_compared=500,
)
SERVER_BUSY = 503


def post(which: int, body: bytes) -> None:
    """Send a body to one of the paths; a fault of the server is a RuntimeError."""
    path = PATHS[which % len(PATHS)]
    loop, app = _application()
    waiting = asyncio.run_coroutine_threadsafe(_answer(app, path, body), loop)
    status, answer = waiting.result()
    if (status >= 500 and status != SERVER_BUSY) or b"Traceback" in answer:
        raise RuntimeError(f"{path} {body!r}: {status} {answer[:300]!r}")
    json.loads(answer)


@cache
def _application() -> tuple[asyncio.AbstractEventLoop, Any]:
    """The application with its threads, started once.

    Its loop has a thread of its own: a browser of other tests may have one in this thread.
    """
    loop, app = asyncio.new_event_loop(), create_app(SMALL)
    Thread(target=loop.run_forever, daemon=True).start()
    lifespan = app.router.lifespan_context(app)
    asyncio.run_coroutine_threadsafe(lifespan.__aenter__(), loop).result()
    return loop, app


async def _answer(app: Any, path: str, body: bytes) -> tuple[int, bytes]:
    status, parts = 0, list[bytes]()
    sent = asyncio.Event()

    async def receive() -> dict[str, Any]:
        if sent.is_set():
            await asyncio.Future()  # the client waits for its answer
        sent.set()
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    headers = [
        (b"host", b"localhost"),
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
    ]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
        "state": {},
    }
    await app(scope, receive, send)
    return status, b"".join(parts)
