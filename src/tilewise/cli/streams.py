"""Standard output and standard error as the program uses them.

Whatever is printed may hold a text of a stranger: the name of a file, a field of a certificate,
the title of an experiment. So control characters are written as escapes, colours excepted, and
characters that the output cannot have as well. Those who print names also take care of line
breaks, with `visible`: they are the only ones who know which belong to the text.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from pathlib import Path
from typing import Any, TextIO

from tilewise.errors import visible

_COLOUR = r"\x1b\[[0-9;]*m"
_UNSAFE = re.compile(
    rf"{_COLOUR}|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff]"
)
"""Colours, and what is not allowed: control characters, marks that reorder a line, surrogates."""


class SafeStream:
    """A text stream whose `write` escapes what could deceive; all else is that of the stream."""

    def __init__(self, stream: TextIO, *, colours: bool) -> None:
        self._stream = stream
        self._colours = colours

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text with escapes."""
        self._stream.write(_UNSAFE.sub(self._escaped, text))
        return len(text)

    def write_raw(self, text: str) -> None:
        """Write a text of the program's own that moves the cursor."""
        self._stream.write(text)

    def _escaped(self, match: re.Match[str]) -> str:
        found = match[0]
        if len(found) > 1:
            return found if self._colours else f"\\x1b{found[1:]}"
        return visible(found)


class SafeErrors(SafeStream):
    """Standard error: where it cannot be written, as on a full disk, the program goes on."""

    def write(self, text: str) -> int:
        """Write a text, if that is possible."""
        with contextlib.suppress(OSError):
            return super().write(text)
        return len(text)

    def write_raw(self, text: str) -> None:
        """Write a text of the program's own, if that is possible."""
        with contextlib.suppress(OSError):
            super().write_raw(text)

    def flush(self) -> None:
        """Write what is left, if that is possible."""
        with contextlib.suppress(OSError):
            self._stream.flush()


def make_safe() -> None:
    """Replace the standard streams of this process, closed ones by the null device."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    if not isinstance(sys.stdout, SafeStream):
        sys.stdout = SafeStream(sys.stdout, colours=sys.stdout.isatty())
    if not isinstance(sys.stderr, SafeStream):
        sys.stderr = SafeErrors(sys.stderr, colours=sys.stderr.isatty())


def close_quietly(stream: TextIO) -> None:
    """Let nothing be written to a pipe that was closed, or a full disk, at the end."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        stream.flush()
        return
    with contextlib.suppress(OSError, ValueError, AttributeError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
