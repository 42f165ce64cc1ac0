"""The terminal as it was before a game. Ctrl-C gives it back by system calls alone, so that nothing
is waited for: neither the loop of the game, which may be drawing, nor a lock."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress

LEAVE = "".join(
    f"\x1b[{mode}"
    for mode in (
        "?2026l",  # show what is drawn at once
        "?2004l",  # no marks around what is pasted
        "?7h",  # wrap lines
        "?2048l",  # no reports of the window's size
        *("?1000l", "?1003l", "?1006l", "?1015l"),  # no reports of the mouse
        "?1004l",  # none of the focus
        "<u",  # plain keys
        "?1049l",  # the screen of before
        "?25h",  # a cursor
        "0m",  # plain colours
    )
)
"""What a terminal gets to undo all that Textual asks of it."""


def is_gone() -> bool:
    """Whether the terminal was closed; not every process gets a signal then."""
    return not os.isatty(sys.stdin.fileno())


def as_it_is() -> Callable[[], None]:
    """A function that makes the terminal what it is now; nothing is written to it after that."""
    import termios  # only POSIX systems have it

    keys, screen = sys.stdin.fileno(), sys.stdout.fileno()
    settings = termios.tcgetattr(keys)

    def restore() -> None:
        with suppress(OSError, termios.error):
            os.write(screen, LEAVE.encode())
            termios.tcsetattr(keys, termios.TCSANOW, settings)
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for stream in (sys.__stdout__, sys.__stderr__):
                if stream is not None:
                    os.dup2(nowhere, stream.fileno())

    return restore
