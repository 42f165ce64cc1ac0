"""Progress on the terminal: a bar over many boards or a table, a line about one long search.

It is one line on standard error, only if that is a terminal, and it is wiped before anything
else is written. Decision 7 says why it is not rich's: a program that hides the cursor and is
ended by `timeout` leaves a terminal without one.
"""

from __future__ import annotations

import os
import sys
import time

from tilewise.cli import interrupts, render
from tilewise.core.build_context import BuildContext
from tilewise.core.incumbent import Incumbent
from tilewise.core.stats import Stats
from tilewise.errors import visible

SHOW_AFTER, REFRESH = 1.0, 0.2
SHOW_TABLE_AFTER = 0.3
BAR = 24


class ProgressLine:
    """One line that is rewritten in place, not before a second has passed."""

    def __init__(self) -> None:
        self._began = self._drawn = time.monotonic()
        self._width = 0
        self._shown = sys.stderr is not None and sys.stderr.isatty()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began

    def due(self) -> bool:
        """Whether it is time to write again."""
        now = time.monotonic()
        due = self._shown and now - self._began >= SHOW_AFTER and now - self._drawn >= REFRESH
        if due:
            self._drawn = now
        return due

    def write(self, text: str) -> None:
        """Replace the text of the line; it is cut where it does not fit."""
        text = text[: room()]
        _write_over(f"\r{visible(text):<{self._width}}")
        self._width = len(text)

    def clear(self) -> None:
        """Wipe the line."""
        if self._width:
            self.write("")
            _write_over("\r")


def _write_over(text: str) -> None:
    """Write to standard error, which lets only the program itself move the cursor."""
    write = getattr(sys.stderr, "write_raw", sys.stderr.write)
    write(text)
    sys.stderr.flush()


class SearchLine(ProgressLine):
    """Nodes, rate and seconds of a running search, and the bound on f it has come to."""

    def __call__(self, stats: Stats) -> None:
        """Show the counters so far."""
        if self.due():
            rate = stats.generated / self.seconds
            text = f"{stats.generated:,} nodes, {rate:,.0f}/s, {self.seconds:.0f} s"
            self.write(text + (f", bound {stats.bound}" if stats.bound else ""))


def keep_incumbent(incumbent: Incumbent) -> None:
    """Wait for a search at Ctrl-C from its first solution on."""
    if incumbent.cost is not None:
        interrupts.keep()


class IncumbentTable(SearchLine):
    """A line of progress; above it, a row for each better solution or bound of `anytime`."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[Incumbent] = []
        self._titled = False

    def improved(self, incumbent: Incumbent) -> None:
        """Show a better solution or bound; what comes in the first moments, at its end."""
        keep_incumbent(incumbent)
        self._waiting.append(incumbent)
        if self._shown and self.seconds >= SHOW_TABLE_AFTER:
            self.clear()
            self._write_rows()

    def _write_rows(self) -> None:
        if not self._titled:
            sys.stderr.write("  seconds  moves  at least    gap  found by\n")
            self._titled = True
        latest = self._waiting[-1:] if len(self._waiting) > 1 else self._waiting
        for each in latest:
            cost = "-" if each.cost is None else f"{each.cost:,}"
            gap = "-" if each.gap is None else f"{each.gap:,}"
            row = f"{each.seconds:9.2f} {cost:>6} {each.bound:9,} {gap:>6}  {each.source}"
            sys.stderr.write(row[: room()] + "\n")
        self._waiting.clear()
        sys.stderr.flush()


class WorkLine(ProgressLine):
    """A bar over work of a known size that others report on."""

    def __init__(self, called: str) -> None:
        super().__init__()
        self._called = called

    def show(self, done: int, total: int) -> None:
        """Show how much is done."""
        if self.due():
            self.write(f"{bar(done, total)} {done:,} of {total:,} {self._called}")


class BoardsLine(ProgressLine):
    """A bar over many boards; without their number, a count."""

    def __init__(self, count: int | None) -> None:
        super().__init__()
        self._count = count
        self._done = 0

    def advance(self) -> None:
        """Count one more board."""
        self._done += 1
        if self.due():
            self.write(self._text())

    def _text(self) -> str:
        if not self._count:
            return f"{self._done:,} boards, {self._done / self.seconds:,.0f}/s"
        left = self.seconds / self._done * (self._count - self._done)
        return (
            f"{bar(self._done, self._count)} {self._done:,} of {self._count:,}, {left:.0f} s left"
        )


class TableLine:
    """A bar for each table that is being built or read through."""

    def __init__(self, doing: str = "building") -> None:
        self._doing = doing
        self._name = ""
        self._line = ProgressLine()

    def __call__(self, name: str, done: int, total: int) -> None:
        """Show how far a table has come; all of it done wipes the line."""
        if name != self._name:
            self._name, self._line = name, ProgressLine()
        if done >= total:
            self._line.clear()
            self._name = ""
        elif self._line.due():
            left = self._line.seconds / max(done, 1) * (total - done)
            self._line.write(f"{self._doing} {name} {bar(done, total)} {left:.0f} s left")


def shown_tables() -> BuildContext:
    """Tables that a command builds are shown as they grow."""
    return BuildContext(progress=TableLine())


def bar(done: int, total: int, length: int = BAR) -> str:
    """A bar of which the part is filled that is done."""
    filled = length * done // max(1, total)
    return "[" + "#" * filled + "." * (length - filled) + "]"


def room() -> int:
    """The characters that fit on a line of the terminal that shows the progress."""
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        columns = 0
    return (columns or render.terminal_width()) - 1
