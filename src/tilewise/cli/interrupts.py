"""Ctrl-C is answered soon, also while native code does not look for it.

Python sees a signal only between two instructions of its own. Native code looks every 50
milliseconds or so, but the system may take seconds to give it gigabytes of memory. So a thread
watches: where Python has not seen the signal soon and the command has nothing to keep, nothing
that it would do is worth waiting for.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

GRACE = 0.08
"""Seconds in which Python must come to see the signal."""

came = threading.Event()
"""Set when Ctrl-C has come: nothing is waited for when the command has ended."""
_nothing_to_keep = threading.Event()


def nothing_is_kept() -> None:
    """Said by a command that has nothing to show when it is interrupted: it is not waited for."""
    _nothing_to_keep.set()


def watch(end: Callable[[], None]) -> None:
    """Call `end` when Ctrl-C comes and Python does not see it; called by the main thread."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    seen = threading.Event()

    def see(number: int, frame: FrameType | None) -> None:
        seen.set()
        came.set()
        signal.default_int_handler(number, frame)

    def wait() -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # it is for the main thread
        while number := os.read(reading, 1):
            late = number[0] == signal.SIGINT and not seen.wait(GRACE)
            if late and _nothing_to_keep.is_set():
                end()
            seen.clear()

    signal.signal(signal.SIGINT, see)
    threading.Thread(target=wait, daemon=True).start()


def stop_watching() -> None:
    """Leave signals to the library that a command uses."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, signal.default_int_handler)
