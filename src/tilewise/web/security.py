"""Checks before every request: where it comes from and how much it sends; security headers."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import MutableMapping
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tilewise.web.responses import ErrorResponse

MOST_HELD = 64 * 2**20
"""Bytes of all bodies together, from their arrival to their response; small ones always pass."""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


def is_loopback(host: str) -> bool:
    """Whether a name or address is this machine itself."""
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class _BodyRefusedError(Exception):
    """A body that is too large, for its path or for the server at this moment."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _ClientGoneError(Exception):
    """The client has closed the connection before the body was there."""


class SecurityMiddleware:
    """Refuses cross-site and oversized requests and adds the security headers to every response.

    `larger_bodies` are the paths that may be sent more than others. A body must arrive within
    `body_seconds`. With `only_loopback` the request must name this machine, so that another site
    cannot reach the server by a name that resolves to it. Starlette's TrustedHostMiddleware has no
    pattern for all loopback addresses, and nothing in Starlette limits a body.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        largest_body: int,
        larger_bodies: dict[str, int],
        body_seconds: float,
        only_loopback: bool,
    ) -> None:
        self._app = app
        self._largest_body = largest_body
        self._larger_bodies = larger_bodies
        self._body_seconds = body_seconds
        self._held = 0
        self._only_loopback = only_loopback

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return None

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        async def refuse(status: int, error: str) -> None:
            content = ErrorResponse(error=error).model_dump()
            close = {"Connection": "close"} | ({"Retry-After": "1"} if status == 503 else {})
            response = JSONResponse(content, status, headers=close)
            await response(scope, receive, send_secured)

        headers = Headers(scope=scope)
        wrong = self._wrong_site(scope, headers)
        if wrong:
            return await refuse(403, wrong)
        most = self._larger_bodies.get(scope["path"], self._largest_body)
        body = bytearray()
        try:
            try:
                reading = self._read(body, headers, receive, most)
                await asyncio.wait_for(reading, self._body_seconds)
            except TimeoutError:
                expected = f"expected the body within {self._body_seconds:g} s, got less"
                return await refuse(408, expected)
            except _BodyRefusedError as refused:
                return await refuse(refused.status, str(refused))
            except _ClientGoneError:
                return None
            return await self._app(scope, _replayed(bytes(body), receive), send_secured)
        finally:
            self._held -= len(body)

    def _wrong_site(self, scope: Scope, headers: Headers) -> str | None:
        """Why a request may not come from where it comes, or None."""
        host = headers.get("host", "")
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if self._only_loopback and not is_loopback(name):
            return f"expected a request to localhost, got one to {host[:60]!r}"
        origin = headers.get("origin")
        site = headers.get("sec-fetch-site")
        elsewhere = origin is not None and origin.partition("://")[2] != host
        if scope["path"].startswith("/api/") and (elsewhere or site == "cross-site"):
            return "expected a request from the page itself, got one from another site"
        return None

    async def _read(self, body: bytearray, headers: Headers, receive: Receive, most: int) -> None:
        """Read the whole body."""
        too_large = _BodyRefusedError(413, f"expected at most {most:,} bytes of body, got more")
        length = headers.get("content-length", "")
        if length.isdigit() and (len(length) > 12 or int(length) > most):
            raise too_large
        more = True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                raise _ClientGoneError
            part = message.get("body", b"")
            body += part
            self._held += len(part)
            if len(body) > most:
                raise too_large
            if len(body) > self._largest_body and self._held > MOST_HELD:
                raise _BodyRefusedError(503, "the server is busy with large requests; try again")
            more = message.get("more_body", False)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """A channel that gives the body once, and then waits for the client to disconnect."""
    given = False

    async def next_message() -> MutableMapping[str, Any]:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return next_message
