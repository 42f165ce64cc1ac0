"""Put the server under load: `make load`.

    python benchmarks/load.py                            200 clients for 20 seconds
    python benchmarks/load.py --clients 50 --seconds 5
    python benchmarks/load.py --slow 300                 300 slow clients beside the 200

Starts `tilewise serve` on a free port of this machine. Clients solve random 8-puzzles one after
the other while one client waits for a hard 15-puzzle. Then 100 long searches are started and
abandoned; after that the server must be idle again and have given its memory back. Fails when an
answer is an error (a 503 is one), wrong, or missing.

With `--slow N` the same clients are measured in turn without and with N slow ones, which send half
of a request, a byte a second, or nothing, or do not read what they get, and come back when they
are dropped. Fails, too, when ordinary answers take more than twice their usual time.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tilewise import suites
from tilewise.puzzle.board import Board, Goal
from tilewise.scrambling import scramble
from tilewise.tables.distances import distance_table

HARD = 14
"""The number of the hard 15-puzzle in korf100: 59 moves, 50 million nodes with linear conflict."""
CANCELLED, AT_A_TIME = 100, 20
IDLE_SECONDS, IDLE_SHARE, MEMORY_SLACK = 2.0, 0.05, 64 * 2**20
PATIENCE = 60.0
TURNS, SLOWER, SETTLING = 3, 2.0, 10.0
"""Measurements without and with slow clients; how much slower others may become; seconds until
all slow clients are there and have what they are sent."""
SLOW_ALONE, SLOW_SHARE = 10.0, 0.25
"""Seconds with slow clients alone, and how busy one core may be with 300 of them."""
UNREAD_EVERY, UNREAD_PAGES, UNREAD_SECONDS = 20, 12, 40.0
"""How many of the slow clients read nothing, what they request, and how long they stay."""


@dataclass
class Tally:
    """What came of the requests."""

    seconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take over the requests of another tally."""
        self.seconds += other.seconds
        self.errors += other.errors

    def median(self) -> float:
        """The time of an ordinary answer."""
        return statistics.median(self.seconds)

    def latency(self) -> str:
        """The times in words."""
        p99 = statistics.quantiles(self.seconds, n=100)[98]
        return f"median {self.median() * 1e3:.0f} ms, 99th percentile {p99 * 1e3:.0f} ms"


class Client:
    """One connection that is kept open, speaking HTTP/1.1."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, method: str, path: str, asked: Any = None, accept: str = "*/*") -> None:
        """Send a request."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        body = b"" if asked is None else json.dumps(asked).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nAccept: {accept}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        self._streams[1].write(head.encode() + body)
        await self._streams[1].drain()

    async def answer(self) -> tuple[int, Any]:
        """The status and the object of an answer."""
        status, headers = await self.head()
        if self._streams is None:
            raise ConnectionError("not connected")
        body = await self._streams[0].readexactly(int(headers["content-length"]))
        return status, json.loads(body)

    async def head(self) -> tuple[int, dict[str, str]]:
        """The status and the headers of an answer."""
        if self._streams is None:
            raise ConnectionError("not connected")
        lines = (await self._streams[0].readuntil(b"\r\n\r\n")).decode().splitlines()
        pairs = (line.partition(": ") for line in lines[1:] if line)
        return int(lines[0].split()[1]), {name.lower(): value for name, _, value in pairs}

    async def line(self) -> bytes:
        """One line of a stream."""
        return await self._streams[0].readline() if self._streams else b""

    def close(self) -> None:
        """Drop the connection."""
        if self._streams is not None:
            self._streams[1].close()


async def ask(port: int, method: str, path: str, asked: Any = None) -> tuple[int, Any]:
    """One request on a connection of its own."""
    client = Client(port)
    try:
        await client.send(method, path, asked)
        return await client.answer()
    finally:
        client.close()


async def solve_boards(
    port: int, boards: list[tuple[Board, int]], end: float, tally: Tally
) -> None:
    """Solve one board after the other; each answer must have the known cost."""
    client = Client(port)
    try:
        for board, cost in boards:
            if time.monotonic() >= end:
                return
            began = time.monotonic()
            await client.send("POST", "/api/solve", {"board": str(board), "goal": "first"})
            status, answer = await client.answer()
            tally.seconds.append(time.monotonic() - began)
            if status != 200 or answer["cost"] != cost:
                tally.errors.append(f"{board}: {status} {str(answer)[:200]}")
    except (OSError, EOFError, asyncio.IncompleteReadError) as error:
        tally.errors.append(repr(error))
    finally:
        client.close()


async def crowd(port: int, clients: int, seconds: float) -> tuple[Tally, float, float]:
    """Many clients with 8-puzzles and one with a hard 15-puzzle."""
    goal = Goal.blank_first(3, 3)
    table = distance_table(goal)
    pool = [(board, table.distance(board.tiles)) for board in scramble("3x3", count=5_000, seed=1)]
    hard = suites.load("korf100").instances[HARD - 1]
    tally = Tally()
    began = time.monotonic()
    end = began + seconds
    asked = {"board": str(hard.board), "goal": "first", "algorithm": "idastar", "seconds": PATIENCE}
    single = asyncio.create_task(ask(port, "POST", "/api/solve", asked))
    hard_done: list[float] = []
    single.add_done_callback(lambda _: hard_done.append(time.monotonic() - began))
    shares = [pool[number::clients] * 1_000 for number in range(clients)]
    await asyncio.gather(*(solve_boards(port, share, end, tally) for share in shares))
    took = time.monotonic() - began
    status, answer = await single
    if status != 200 or answer["cost"] != hard.optimal:
        tally.errors.append(f"the 15-puzzle: {status} {str(answer)[:200]}")
    return tally, took, hard_done[0]


async def be_slow(port: int, number: int) -> None:
    """Come as a slow client of one of five kinds, again and again."""
    head = f"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json"
    page = f"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"
    kinds = [
        ("", False, True),
        (head, False, True),
        (f"{head}\r\nX-Endless: ", True, True),
        (f'{head}\r\nContent-Length: 900\r\n\r\n{{"board": ', True, True),
    ]
    unread = (page * UNREAD_PAGES, False, False)
    first, trickles, reads = unread if number % UNREAD_EVERY == 0 else kinds[number % len(kinds)]
    while True:
        with contextlib.suppress(OSError):
            await _slow_visit(port, first.encode(), trickles=trickles, reads=reads)
        await asyncio.sleep(1.0)


@contextlib.asynccontextmanager
async def slow_clients(port: int, number: int) -> AsyncIterator[None]:
    """Slow clients, from when all have come and the server has sent what it can."""
    tasks = [asyncio.create_task(be_slow(port, each)) for each in range(number)]
    try:
        await asyncio.sleep(SETTLING)
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _slow_visit(port: int, first: bytes, *, trickles: bool, reads: bool) -> None:
    """One connection, until the server drops it; who does not read never learns that."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(first)
        if not reads:
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            await asyncio.sleep(UNREAD_SECONDS)
            return
        while True:
            try:
                async with asyncio.timeout(1.0):
                    if not await reader.read(1024):
                        return
            except TimeoutError:
                writer.write(b"x" if trickles else b"")
    finally:
        writer.transport.abort()


async def beside_slow_clients(
    port: int, pid: int, slow: int, clients: int, seconds: float
) -> list[str]:
    """Measure ordinary clients in turn without and with slow ones; return what is wrong."""
    await ask(port, "POST", "/api/solve", {"board": "8b6 547 231"})
    usual, beside = Tally(), Tally()
    for _ in range(TURNS):
        usual.add((await crowd(port, clients, seconds / TURNS))[0])
        async with slow_clients(port, slow):
            beside.add((await crowd(port, clients, seconds / TURNS))[0])
    problems = [*usual.errors[:5], *beside.errors[:5]]
    for what, tally in (("alone", usual), (f"beside {slow} slow clients", beside)):
        print(f"{clients} clients {what}: {tally.latency()}, errors: {len(tally.errors)}")
    slower = beside.median() / usual.median()
    print(f"slower by a factor of {slower:.2f}")
    if slower > SLOWER:
        problems.append(f"expected at most {SLOWER:g} times the usual time, got {slower:.2f}")
    async with slow_clients(port, slow):
        share = await busy_share(pid, SLOW_ALONE)
    print(f"{slow} slow clients alone: processor {share:.1%} busy")
    if share > SLOW_SHARE:
        problems.append(f"expected a server that mostly waits, got {share:.0%} of a core used")
    return problems


async def abandon(port: int) -> None:
    """Start long searches, some at a time, and drop the connections as soon as they run."""
    far = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
    for _ in range(0, CANCELLED, AT_A_TIME):
        clients = [Client(port) for _ in range(AT_A_TIME)]
        for number, client in enumerate(clients):
            how = {"algorithm": ("astar", "idastar")[number % 2], "seconds": PATIENCE}
            await client.send("POST", "/api/solve", {"board": far, **how}, "text/event-stream")
        for client in clients:
            await client.head()
            await client.line()
            await client.line()
        for client in clients:
            client.close()
    while any(each["running"] or each["waiting"] for each in (await _status(port)).values()):
        await asyncio.sleep(0.05)


async def _status(port: int) -> dict[str, dict[str, int]]:
    _, queues = await ask(port, "GET", "/api/status")
    return dict(queues)


async def busy_share(pid: int, seconds: float) -> float:
    """How much of one core a process uses, 0 where the system does not tell."""
    before = processor_seconds(pid)
    await asyncio.sleep(seconds)
    after = processor_seconds(pid)
    return 0.0 if before is None or after is None else (after - before) / seconds


def processor_seconds(pid: int) -> float | None:
    """Processor time that a process has used, where the system tells."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def memory(pid: int) -> int | None:
    """Bytes of a process that are in memory, where the system tells."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return None


async def measure(port: int, pid: int, clients: int, seconds: float) -> list[str]:
    """Run both parts, print the figures, and return what is wrong."""
    await ask(port, "POST", "/api/solve", {"board": "8b6 547 231"})
    tally, took, hard = await crowd(port, clients, seconds)
    number = len(tally.seconds)
    print(f"{clients} clients, {took:.1f} s: {number:,} 8-puzzles, {number / took:,.0f}/s")
    print(f"latency: {tally.latency()}")
    print(f"meanwhile the 15-puzzle korf100:{HARD} was answered after {hard:.1f} s")
    print(f"errors: {len(tally.errors)}")
    problems = tally.errors[:5]
    before = memory(pid)
    await abandon(port)
    used = processor_seconds(pid)
    await asyncio.sleep(IDLE_SECONDS)
    after, used_then = memory(pid), processor_seconds(pid)
    if before is None or after is None or used is None or used_then is None:
        print(f"{CANCELLED} searches cancelled; this system does not tell processor and memory use")
        return problems
    share = (used_then - used) / IDLE_SECONDS
    print(
        f"{CANCELLED} searches cancelled: processor {share:.1%} busy, "
        f"memory {before / 2**20:.0f} MB before and {after / 2**20:.0f} MB after"
    )
    if share > IDLE_SHARE:
        problems.append(f"expected an idle server, got {share:.0%} of a core in use")
    if after > before + MEMORY_SLACK:
        problems.append(f"expected the memory back, got {(after - before) / 2**20:.0f} MB more")
    return problems


def main() -> int:
    """Start a server, load it, end it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--slow", type=int, default=0, metavar="N")
    asked = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    command = [sys.executable, "-m", "tilewise", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        address = server.stdout.readline() if server.stdout else ""
        port = int(address.rpartition(":")[2].partition("/")[0])
        try:
            load = (asked.clients, asked.seconds)
            if asked.slow:
                work = beside_slow_clients(port, server.pid, asked.slow, *load)
            else:
                work = measure(port, server.pid, *load)
            problems = asyncio.run(work)
        finally:
            server.terminate()
    for problem in problems:
        print(f"FAILED: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
