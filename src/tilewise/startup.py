"""Ctrl-C while the program loads: it ends at once and says nothing, as it does later.

Loading takes a few tenths of a second, most of it before `main` can catch anything. A program
that only uses the library is left alone.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import PurePath
from types import FrameType

INTERRUPTED = 130
_OWN = signal.default_int_handler


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


def _begin() -> None:
    """End quietly at Ctrl-C from here on, if this process is the program."""
    is_script = PurePath(sys.argv[0] if sys.argv else "").stem == "tilewise"
    is_module = sys.orig_argv[1:3] == ["-m", "tilewise"]
    if (is_script or is_module) and signal.getsignal(signal.SIGINT) is _OWN:
        signal.signal(signal.SIGINT, _end)


def is_over() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again: from here on it is caught."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, _OWN)


_begin()
