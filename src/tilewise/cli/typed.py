"""Lines that are typed or piped into the programs of the courses."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TextIO

from tilewise.errors import TilewiseError

LONGEST_LINE, MOST_LINES = 100_000, 1_000_000


def lines(stream: TextIO) -> Iterator[str]:
    """The lines of the input, with their ends; an input that never ends is refused.

    Wrong bytes become wrong words, not a crash.
    """
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            raise TilewiseError(
                f"line {number}: expected at most {LONGEST_LINE:,} characters, got more"
            )
        if number > MOST_LINES:
            raise TilewiseError(f"expected at most {MOST_LINES:,} lines, got more")
        yield line
