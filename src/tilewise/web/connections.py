"""How long the server waits for a client, and how many clients may be connected at once.

Uvicorn waits for the headers of a request without end, has no limit for a client that does not
read its response, and its limit of connections refuses new clients in favour of those that only
wait. With asyncio's own loop of accepting, a process that runs out of file descriptors is busy
with nothing else. So both are done here: `LimitedProtocol` knows for whom a connection waits, and
`LimitedServer` accepts connections and ends those whose client is too slow.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from tilewise.web.responses import ErrorResponse
from tilewise.web.security import HEADERS

MOST_CONNECTIONS = 1000
"""More than the requests that the queues take, so that work alone never fills all places."""
CLIENT_SECONDS = 10.0
"""How long the server waits for the headers of a request, and as long again for its body."""
UNREAD_FACTOR = 3
"""A client that reads no byte of its response for this many times CLIENT_SECONDS has gone."""
MOST_UNSENT = 256 * 2**20
"""Bytes of all responses together that wait for their clients to read them."""
SEND_BUFFER = 256 * 1024
"""Bytes of a response that the system keeps: with its usual 4 MB a slow reader looks like none."""
SPARE_DESCRIPTORS = 48
"""File descriptors for tables, pages and the loop itself."""
SHARE_AT_ONCE = 8
"""An eighth of all places is filled at once, so that no client is driven out before it is read."""
ACCEPT_PAUSE = 0.1
"""Seconds until the next try when the system has no room for a connection."""
TICK, TICKS = 0.1, 864_000
"""Seconds between two ticks, as Uvicorn has them; how many there are in a day."""
TICKS_BETWEEN_LOOKS = 5
PARTING = 0.05
"""Seconds in which responses may still go out when the server ends."""


@dataclass(frozen=True)
class ConnectionLimits:
    """What clients may use before they have asked for anything."""

    connections: int = MOST_CONNECTIONS
    seconds: float = CLIENT_SECONDS

    @classmethod
    def of(cls, connections: int | None, seconds: float | None) -> ConnectionLimits:
        """The limits given, and the defaults for what is None."""
        return cls(connections or MOST_CONNECTIONS, seconds or CLIENT_SECONDS)


class LimitedProtocol(H11Protocol):
    """One connection, which knows since when the server waits for its client."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.waiting_since: float | None = None
        """When the client's turn began: to send a request. None while the server works."""
        self.unread_since: float | None = None
        """Since when the client has read nothing of what is to be sent."""
        self.unsent = 0
        self.served = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self.waiting_since = self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Take what has arrived; with the last byte of a request the client's turn is over."""
        super().data_received(data)
        self._note_turn()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request, if it is not there already."""
        super().on_response_complete()
        self.served = True
        self.waiting_since = self.loop.time()
        self._note_turn()

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are no request, in the form of every other error."""
        if not (self._working() and self.cycle.response_started):
            message = "expected an HTTP request, got something else"
            self.transport.write(plain_response("400 Bad Request", message))
        self.transport.close()

    def _note_turn(self) -> None:
        if self._working() and not self.cycle.more_body:
            self.waiting_since = None

    def _working(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def look(self, now: float, seconds: float) -> None:
        """End the connection if its client is too slow. The body of a request has its own limit."""
        self.unsent = self._look_at_unsent(now)
        if self.unread_since is not None:
            if now - self.unread_since > UNREAD_FACTOR * seconds:
                self.end()
        elif (
            self.waiting_since is not None
            and now - self.waiting_since > seconds
            and not self._working()
            and not self.transport.is_closing()
        ):
            if self.conn.trailing_data[0]:
                message = f"expected the headers within {seconds:g} s, got less"
                self.transport.write(plain_response("408 Request Timeout", message))
            self.transport.close()

    def _look_at_unsent(self, now: float) -> int:
        unsent = self.transport.get_write_buffer_size()
        if not unsent:
            self.unread_since = None
        elif self.unread_since is None or unsent < self.unsent:
            self.unread_since = now
        return unsent

    def end(self) -> None:
        """Close the connection at once, with everything that was to be sent."""
        self.connections.discard(self)
        self.transport.abort()


class LimitedServer(uvicorn.Server):
    """Accepts connections up to a limit, and ends those whose clients are too slow."""

    def __init__(self, config: uvicorn.Config, limits: ConnectionLimits) -> None:
        super().__init__(config)
        self._seconds = limits.seconds
        self._most = connections_possible(limits.connections)
        self._accepting: list[asyncio.Task[None]] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._leaving = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then accept connections."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets=[])
        for listening in sockets or []:
            listening.setblocking(False)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
            self._accepting.append(asyncio.create_task(self._accept(listening)))

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the server at a signal, without waiting for the next tick."""
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._leaving.set)

    async def main_loop(self) -> None:
        """Tick as Uvicorn does, until the end is wanted."""
        counter = 0
        leaving = asyncio.create_task(self._leaving.wait())
        while not await self.on_tick(counter):
            counter = (counter + 1) % TICKS
            await asyncio.wait({leaving}, timeout=TICK)
        leaving.cancel()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more, let responses go out that are nearly there, then end the application.

        Uvicorn's own waits a tenth of a second for nothing, and a second for a running search.
        """
        for listening in sockets or []:
            # Python 3.11 prints a traceback where a client comes in the very turn of the loop that
            # cancels sock_accept; Windows, whose loop has no readers, does not need it
            with contextlib.suppress(NotImplementedError):
                asyncio.get_running_loop().remove_reader(listening)
        for task in self._accepting:
            task.cancel()
        await asyncio.gather(*self._accepting, return_exceptions=True)
        for listening in sockets or []:
            listening.close()
        ends = asyncio.get_running_loop().time() + PARTING
        while self._connections() and asyncio.get_running_loop().time() < ends:
            while self._make_room():
                pass
            await asyncio.sleep(PARTING / 10)
        for connection in self._connections():
            connection.end()
        await self.lifespan.shutdown()

    async def on_tick(self, counter: int) -> bool:
        """Look at all connections from time to time."""
        if counter % TICKS_BETWEEN_LOOKS == 0:
            self._look()
        return await super().on_tick(counter)

    def _look(self) -> None:
        now = asyncio.get_running_loop().time()
        for connection in self._connections():
            connection.look(now, self._seconds)
        unsent = sum(connection.unsent for connection in self._connections())
        for connection in sorted(self._connections(), key=lambda each: each.unread_since or now):
            if unsent <= MOST_UNSENT:
                break
            unsent -= connection.unsent
            connection.end()

    def _connections(self) -> list[LimitedProtocol]:
        connections: Iterable[Any] = self.server_state.connections
        return [each for each in connections if isinstance(each, LimitedProtocol)]

    async def _accept(self, listening: socket.socket) -> None:
        """Accept connections for ever; when there is no room for one, wait and do nothing else."""
        loop = asyncio.get_running_loop()
        at_once = max(1, self._most // SHARE_AT_ONCE)
        while True:
            try:
                accepted = [(await loop.sock_accept(listening))[0]]
                with contextlib.suppress(BlockingIOError):
                    while len(accepted) < at_once:
                        accepted.append(listening.accept()[0])
            except ConnectionError:  # it has gone before it was accepted
                continue
            except OSError:  # no descriptor or no memory is left
                self._make_room()
                await asyncio.sleep(ACCEPT_PAUSE)
                continue
            await self._begin(accepted)

    async def _begin(self, accepted: list[socket.socket]) -> None:
        """Serve connections, in the places of others that wait if all places are taken."""
        places = self._most - len(self.server_state.connections)
        served: list[socket.socket] = []
        for each in accepted:
            if places > 0 or self._make_room():
                places -= 1
                served.append(each)
            else:
                with each, contextlib.suppress(OSError):
                    each.setblocking(False)
                    each.send(plain_response("503 Service Unavailable", "too many connections"))
        await asyncio.gather(*map(self._serve_one, served))

    async def _serve_one(self, accepted: socket.socket) -> None:
        try:
            accepted.setblocking(False)
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(self._protocol, accepted)
        except OSError:  # it has gone in the meantime
            accepted.close()

    def _protocol(self) -> LimitedProtocol:
        return LimitedProtocol(self.config, self.server_state, self.lifespan.state)

    def _make_room(self) -> bool:
        """End the connection that has waited longest for its client.

        Those that have never sent a request go first, so that a crowd of them does not
        drive out clients between two requests.
        """
        waiting = (
            (each.served, each.waiting_since, id(each), each)
            for each in self._connections()
            if each.waiting_since is not None
        )
        longest = min(waiting, default=None)
        if longest is not None:
            longest[-1].end()
        return longest is not None


def plain_response(status: str, message: str) -> bytes:
    """A whole response, for a connection that has no request."""
    body = ErrorResponse(error=message).model_dump_json().encode()
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        "Retry-After": "1",
        **HEADERS,
    }
    lines = [f"HTTP/1.1 {status}", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode() + body


def connections_possible(wanted: int) -> int:
    """How many connections the process has file descriptors for, at most those wanted."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + SPARE_DESCRIPTORS
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    more = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    with contextlib.suppress(OSError, ValueError):  # some systems allow less than they say
        resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
        soft = more
    return max(1, soft - SPARE_DESCRIPTORS)
