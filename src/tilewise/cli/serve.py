"""`tilewise serve`: the page, and the JSON API behind it."""

from __future__ import annotations

import contextlib
import os
import socket
import sys
from typing import Any

import click

from tilewise.cli import commands, exit_codes, interrupts
from tilewise.cli import shared_options as shared
from tilewise.cli.numbers import Seconds, Whole
from tilewise.errors import SpecError, TilewiseError, shortened

DEFAULT_HOST, DEFAULT_PORT = "127.0.0.1", 8015
BACKLOG = 1024


@commands.command()
@click.option("--host", default=DEFAULT_HOST, metavar="HOST", help="The address to listen at.")
@click.option(
    "--port",
    default=str(DEFAULT_PORT),
    metavar="PORT",
    type=Whole(0, 65_535),
    help="The port; 0 takes one that is free.",
)
@click.option(
    "--cache-memory",
    default="512",
    metavar="MB",
    type=Whole(),
    help="The memory in which tables are kept for later requests.",
)
@click.option("--open", "open_", is_flag=True, help="Open the page in a browser.")
@click.option(
    "--connections",
    metavar="N",
    type=Whole(1, 100_000),
    help="Clients connected at once (default: 1,000); the one that waits longest makes room.",
)
@click.option(
    "--client-seconds",
    metavar="S",
    type=Seconds(),
    help="Wait S seconds for the headers of a request and S for its body (default: 10).",
)
@click.option(
    "--course",
    "courses",
    multiple=True,
    metavar="FILE",
    help="Offer the course of a file, such as my_course.toml; may be repeated.",
)
@shared.load()
def serve(
    host: str,
    port: int,
    cache_memory: int,
    open_: bool,
    connections: int | None,
    client_seconds: float | None,
    courses: tuple[str, ...],
) -> None:
    """Serve the page: play, solve, watch and race in a browser.

    Only this machine can reach it, unless --host names another address.
    The JSON API is described at /api/openapi.json. Ctrl-C ends it.

    Examples:

    tilewise serve --open

    tilewise serve --port 0

    tilewise serve --host 0.0.0.0

    tilewise serve --load my_heuristic.py

    tilewise serve --course my_course.toml
    """
    for name in courses:
        from tilewise.courses.files import find_course

        find_course(name, python=True)
    try:
        import uvicorn

        from tilewise.web.budgets import Budgets
        from tilewise.web.connections import ConnectionLimits, LimitedServer
        from tilewise.web.security import is_loopback
        from tilewise.web.server import create_app
    except ModuleNotFoundError as error:
        raise SpecError(
            f"expected the extra web for the page, got no {error.name}: pip install 'tilewise[web]'"
        ) from None
    listening = _listen(host, port)
    local = is_loopback(host)
    limits = ConnectionLimits.of(connections, client_seconds)
    config = uvicorn.Config(
        create_app(
            Budgets(cache_memory=cache_memory),
            only_loopback=local,
            body_seconds=limits.seconds,
        ),
        log_level="info" if os.environ.get("TILEWISE_DEBUG") else "critical",
        server_header=False,
    )
    address = _address(host, listening.getsockname()[1])
    print(f"tilewise serves {address} (Ctrl-C ends it)", flush=True)
    if not local:
        print("Everybody who can reach this machine can use it.", file=sys.stderr)
    _run(LimitedServer(config, limits), listening, address if open_ else None)


def _address(host: str, port: int) -> str:
    """Where the page is; a server on all addresses is reached as localhost."""
    shown = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, host)
    return f"http://[{shown}]:{port}/" if ":" in shown else f"http://{shown}:{port}/"


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; an error says in one line why there is none."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except (OSError, UnicodeError) as error:  # UnicodeError: no name that the network can have
        reason = getattr(error, "strerror", None) or "no name of a host"
        raise TilewiseError(
            f"expected a port to listen at, got {shortened(f'{host}:{port}')}: "
            f"{reason.lower()} (--port 0 takes one that is free)"
        ) from None
    return listening


def _run(server: Any, listening: socket.socket, page: str | None) -> None:
    """Serve until Ctrl-C, which is the ordinary end."""
    if page:
        import threading
        import webbrowser

        threading.Timer(0.5, webbrowser.open, (page,)).start()
    interrupts.end_with(exit_codes.OK)
    interrupts.keep(interrupts.ON_DISK)  # responses that are nearly there
    with contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
