"""Clients that are slow, many, or never read: the server goes on answering the others."""

from __future__ import annotations

import asyncio
import json
import re
import select
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from tests.web.client import HANG_GUARD, Server, server_of, serving, until
from tilewise.suites import load
from tilewise.web import connections
from tilewise.web.connections import SPARE_DESCRIPTORS, ConnectionLimits, LimitedServer
from tilewise.web.security import MOST_HELD
from tilewise.web.server import create_app

HALF_HEADERS = b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-"
HALF_BODY = (
    b"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b'Content-Length: 500\r\n\r\n{"board": '
)
LONG_TRACE = {"board": "8b6 547 231", "algorithm": "bfs", "events": 30_000}
FEW = 100
HASTE = 1.5
"""Seconds: short for a test that waits for their end, long for one that must act before it."""
GREEDY = """
import os, threading, time
from pathlib import Path
from typing import Any

def take():
    taken = []
    while not Path(__file__).with_name("begin").exists():
        time.sleep(0.01)
    while not Path(__file__).with_name("stop").exists():
        try:
            taken.append(os.open(os.devnull, os.O_RDONLY))
        except OSError:
            time.sleep(0.01)
    for each in taken:
        os.close(each)

threading.Thread(target=take, daemon=True).start()
"""
"""Takes all file descriptors between two signs."""
LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@pytest.fixture(scope="module")
def hasty() -> Iterator[Server]:
    """A server that soon gives its clients up."""
    with server_of(serving("--port", "0", "--client-seconds", str(HASTE))) as server:
        yield server


@contextmanager
def clients(server: Server, number: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Connections that have sent some bytes and wait."""
    with ExitStack() as stack:
        connected = []
        for _ in range(number):
            client = socket.create_connection(("127.0.0.1", server.port), timeout=HANG_GUARD)
            connected.append(stack.enter_context(client))
            with suppress(ConnectionError):  # given up already, for a newer one
                client.sendall(sent)
        yield connected


def all_of(client: socket.socket) -> bytes:
    """What a connection gives until the server ends it."""
    received = b""
    with suppress(ConnectionResetError):  # an end too: the server had not read everything
        while part := client.recv(65536):
            received += part
    return received


def is_solved_by(server: Server) -> bool:
    return bool(server.post("solve", board="312 475 68b")["cost"] == 4)


def descriptors(server: Server) -> int:
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def serves(server: Server, client: socket.socket) -> bool:
    """Whether the server has its end of a connection open."""
    ends = f":{server.port:04X} 0100007F:{client.getsockname()[1]:04X} 01 "
    return ends in Path("/proc/net/tcp").read_text()


@pytest.mark.parametrize(
    ("sent", "what"), [(HALF_HEADERS, "headers"), (HALF_BODY, "body"), (HALF_BODY[:-10], "body")]
)
def test_half_a_request_is_refused_when_the_time_for_it_is_over(
    hasty: Server, sent: bytes, what: str
) -> None:
    with clients(hasty, 1, sent) as (client,):
        head, _, body = all_of(client).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert json.loads(body) == {"error": f"expected the {what} within {HASTE} s, got less"}


def test_headers_that_trickle_in_are_refused_too(hasty: Server) -> None:
    with clients(hasty, 1, HALF_HEADERS) as (client,):
        client.settimeout(0.05)
        answer = b""
        while not answer:  # the connection never is silent for long
            try:
                answer = client.recv(65536)
            except TimeoutError:
                client.sendall(b"x")
    assert answer.startswith(b"HTTP/1.1 408 ")


def test_the_second_request_of_a_connection_has_the_same_time(hasty: Server) -> None:
    whole = b"GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with clients(hasty, 1, whole + HALF_HEADERS) as (client,):
        answers = all_of(client)
    assert re.findall(rb"HTTP/1.1 (\d+) ", answers) == [b"200", b"408"]


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x02\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"])
def test_bytes_that_are_no_request_are_refused_like_any_other_error(
    hasty: Server, sent: bytes
) -> None:
    with clients(hasty, 1, sent) as (client,):
        head, _, body = all_of(client).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ") and b"nosniff" in head
    assert json.loads(body) == {"error": "expected an HTTP request, got something else"}


def test_a_client_that_sends_nothing_is_sent_nothing(hasty: Server) -> None:
    with clients(hasty, 1, b"") as (client,):
        assert all_of(client) == b""


def test_work_that_takes_longer_than_the_clients_time_is_not_cut_off(hasty: Server) -> None:
    far = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
    result = hasty.post("solve", board=far, algorithm="idastar", seconds=2 * HASTE)
    assert result["status"] == "limit"


@LINUX
def test_a_client_that_does_not_read_its_response_is_dropped(hasty: Server) -> None:
    body = json.dumps(LONG_TRACE).encode()
    head = f"Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    request = f"POST /api/trace HTTP/1.1\r\n{head}\r\n\r\n".encode() + body
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    with client:
        client.settimeout(HANG_GUARD)
        client.connect(("127.0.0.1", hasty.port))
        client.sendall(request)
        assert client.recv(12) == b"HTTP/1.1 200"
        assert serves(hasty, client)
        until(lambda: not serves(hasty, client))


def test_clients_that_wait_make_room_for_others() -> None:
    with (
        server_of(serving("--port", "0", "--connections", "8")) as server,
        clients(server, 30, HALF_HEADERS) as slow,
    ):
        assert is_solved_by(server)
        assert all(all_of(client) == b"" for client in slow[:22]), "the oldest go first"
        slow[-1].sendall(b"Length: 0\r\n\r\n")
        assert slow[-1].recv(12) == b"HTTP/1.1 400", "the newest stay"


def test_a_client_between_two_requests_outlasts_those_that_have_sent_none() -> None:
    with server_of(serving("--port", "0", "--connections", "8")) as server:
        ordinary = server.connect()
        ordinary.request("GET", "/api/status")
        assert ordinary.getresponse().read()
        connected = ordinary.sock
        with clients(server, 30, HALF_HEADERS) as slow:
            assert all_of(slow[0]) == b""
            ordinary.request("GET", "/api/status")
            assert ordinary.getresponse().status == 200 and ordinary.sock is connected
        ordinary.close()


def test_a_server_full_of_work_refuses_a_connection_and_goes_on() -> None:
    far = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
    with server_of(serving("--port", "0", "--connections", "2")) as server:
        busy = [server.start("solve", board=far, algorithm="idastar") for _ in range(2)]
        for each in busy:
            each.getresponse().readline()
        with clients(server, 1, b"") as (client,):
            head, _, body = all_of(client).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ") and "error" in json.loads(body)
        for each in busy:
            each.close()
        until(lambda: _status_or_none(server) is not None)
        assert is_solved_by(server)


def _status_or_none(server: Server) -> object:
    try:
        status, _, _ = server.request("GET", "/api/status")
    except OSError:
        return None
    return status if status == 200 else None


@LINUX
def test_few_file_descriptors_leave_the_server_answering() -> None:
    few = SPARE_DESCRIPTORS + 20
    process = serving("--port", "0", descriptors=few)
    with server_of(process) as server, clients(server, 3 * few, HALF_HEADERS):
        assert is_solved_by(server)
        assert descriptors(server) < few
        assert server.request("GET", "/")[0] == 200


@LINUX
def test_a_server_that_runs_out_of_descriptors_waits_and_answers_again(tmp_path: Path) -> None:
    """All descriptors are taken by something else than connections, then given back."""
    greedy = tmp_path / "greedy.py"
    greedy.write_text(GREEDY)
    process = serving("--port", "0", "--load", str(greedy), descriptors=FEW)
    with server_of(process) as server:
        assert is_solved_by(server)
        (tmp_path / "begin").touch()
        until(lambda: descriptors(server) == FEW)
        with clients(server, 5, b"GET /api/status HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") as waiting:
            (tmp_path / "stop").touch()
            for client in waiting:
                assert client.recv(12) == b"HTTP/1.1 200"


def test_large_bodies_that_are_half_sent_take_a_bounded_part_of_memory() -> None:
    most = 8 * 2**20
    large = f"POST /api/trace/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {most}\r\n\r\n"
    many = MOST_HELD // most
    with server_of(serving("--port", "0", "--client-seconds", str(HANG_GUARD))) as server:
        with clients(server, many + 1, large.encode()) as slow:
            for client in slow[:-1]:
                client.sendall(b" " * (most - 1))
            with suppress(ConnectionError):  # refused before all is sent
                slow[-1].sendall(b" " * 100_000)
            refused, _, _ = select.select(slow, [], [], HANG_GUARD)
            assert len(refused) == 1
            assert is_solved_by(server), "small requests always pass"
        until(lambda: server.try_post("trace/check", trace=" " * (most - 100))[0] == 400)


def test_an_interrupted_server_does_not_wait_for_slow_clients() -> None:
    process = serving("--port", "0")
    assert process.stdout is not None
    port = int(process.stdout.readline().rpartition(":")[2].partition("/")[0])
    with (
        clients(Server(port, process), 5, HALF_HEADERS),
        clients(Server(port, process), 5, HALF_BODY),
    ):
        assert is_solved_by(Server(port, process))
        process.send_signal(2)
        _, errors = process.communicate(timeout=HANG_GUARD)
    assert errors == "" and process.returncode in (0, 130)


def test_the_end_of_a_server_waits_for_no_tick_and_no_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "TICK", 10.0 * HANG_GUARD)
    app = create_app()
    server = LimitedServer(uvicorn.Config(app, log_level="critical"), ConnectionLimits())
    body = {"board": str(load("korf24").instances[-1].board), "algorithm": "idastar"}
    text = json.dumps({**body, "heuristic": "manhattan"})
    request = f"POST /api/solve HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(text)}\r\n"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = listening.getsockname()
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        with socket.create_connection(address) as client:
            client.sendall(f"{request}Content-Type: application/json\r\n\r\n{text}".encode())
            until(lambda: hasattr(app.state, "dispatcher"))
            until(lambda: app.state.dispatcher.status().long.running == 1)
            server.handle_exit(signal.SIGINT, None)
            thread.join(HANG_GUARD)
    assert not thread.is_alive()


def test_a_client_that_comes_at_the_very_end_leaves_no_traceback() -> None:
    faults: list[dict[str, Any]] = []

    async def end_beside_a_client(listening: socket.socket) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, fault: faults.append(fault))
        config = uvicorn.Config(create_app(), log_level="critical", lifespan="off")
        config.load()
        server = LimitedServer(config, ConnectionLimits())
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets=[listening])
        await asyncio.sleep(0)  # it waits for clients now
        with socket.create_connection(listening.getsockname()):
            await asyncio.sleep(0)  # in this turn of the loop the client is seen, but not accepted
            await server.shutdown(sockets=[listening])

    # in a thread of its own: the browser of other tests has a loop in this one
    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as beside:
        run = beside.submit(lambda: asyncio.run(end_beside_a_client(listening)))
        run.result(HANG_GUARD)
    assert not faults
