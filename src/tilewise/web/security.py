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

BODY_SECONDS = 10.0
"""How long the server waits for a body."""
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


class SecurityMiddleware:
    """Refuses cross-site and oversized requests and adds the security headers to every response.

    `larger_bodies` are the paths that may be sent more than others. With `only_loopback` the
    request must name this machine, so that another site cannot reach the server by a name that
    resolves to it. Starlette's TrustedHostMiddleware has no pattern for all loopback addresses,
    and nothing in Starlette limits a body.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        largest_body: int,
        larger_bodies: dict[str, int],
        only_loopback: bool,
    ) -> None:
        self._app = app
        self._largest_body = largest_body
        self._larger_bodies = larger_bodies
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
            response = JSONResponse(content, status, headers={"Connection": "close"})
            await response(scope, receive, send_secured)

        headers = Headers(scope=scope)
        wrong = self._wrong_site(scope, headers)
        if wrong:
            return await refuse(403, wrong)
        most = self._larger_bodies.get(scope["path"], self._largest_body)
        try:
            body = await asyncio.wait_for(self._body(headers, receive, most), BODY_SECONDS)
        except TimeoutError:
            return await refuse(408, f"expected the body within {BODY_SECONDS:g} s, got less")
        if body is None:
            return await refuse(413, f"expected at most {most:,} bytes of body, got more")
        return await self._app(scope, _replayed(body, receive), send_secured)

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

    async def _body(self, headers: Headers, receive: Receive, most: int) -> bytes | None:
        """The whole body, or None where it is too large."""
        length = headers.get("content-length", "")
        if length.isdigit() and (len(length) > 12 or int(length) > most):
            return None
        parts, size, more = [], 0, True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                break
            part = message.get("body", b"")
            size += len(part)
            if size > most:
                return None
            parts.append(part)
            more = message.get("more_body", False)
        return b"".join(parts)


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
