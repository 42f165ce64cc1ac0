"""Progress on the terminal: a bar for many boards, a line for one long search.

It goes to standard error, only if that is a terminal, and is wiped when the work is done.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tilewise.stats import Stats

SHOW_AFTER, REFRESH = 1.0, 0.2


def _nothing() -> None:
    pass


@contextmanager
def boards(count: int) -> Iterator[Callable[[], None]]:
    """A bar over `count` boards; call what it gives after each."""
    if count < 2 or not sys.stderr.isatty():
        yield _nothing
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("boards", total=count)
        yield lambda: bar.advance(task)


class SearchLine:
    """A line about a running search, rewritten in place: nodes, rate, seconds."""

    def __init__(self) -> None:
        self._began = self._drawn = time.monotonic()
        self._width = 0

    def __call__(self, stats: Stats) -> None:
        now = time.monotonic()
        if now - self._began < SHOW_AFTER or now - self._drawn < REFRESH:
            return
        self._drawn = now
        seconds = now - self._began
        text = f"{stats.generated:,} nodes, {stats.generated / seconds:,.0f}/s, {seconds:.0f} s"
        if stats.iterations > 1:
            text += f", pass {stats.iterations}"
        self._write(text)

    def clear(self) -> None:
        """Wipe the line."""
        if self._width:
            self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r{text:<{self._width}}" + ("" if text else "\r"))
        sys.stderr.flush()
        self._width = len(text)


def search_line() -> SearchLine | None:
    """A line for a search, where there is a terminal to show it on."""
    return SearchLine() if sys.stderr.isatty() else None
