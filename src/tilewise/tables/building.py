"""Shared by the builders of all tables: what is built on first use, progress and cancelling."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tilewise.core.build_context import BuildContext
from tilewise.errors import CancelledError, EngineError
from tilewise.puzzle.board import Goal

QUICK_ENTRIES = 100_000_000
"""Tables of at most this many entries are built on first use: it takes about a second."""


@contextmanager
def polled(name: str, context: BuildContext) -> Iterator[Callable[[int, int], bool]]:
    """What the native core calls while it builds: shows progress, and says whether to stop.

    A caller who has cancelled already gets no build, not even one that would end before the
    first poll.
    """
    stopped = False
    if context.cancelled():
        raise CancelledError("stopped before a table was built")

    def poll(done: int, total: int) -> bool:
        nonlocal stopped
        context.report(name, done, total)
        stopped = context.cancelled()
        return stopped

    try:
        yield poll
    except EngineError as error:
        if stopped:
            raise CancelledError("stopped while a table was being built") from error
        raise
    finally:
        context.report(name, 1, 1)


def threads() -> int:
    """One thread for each core."""
    return os.cpu_count() or 1


def goal_option(goal: Goal) -> str:
    """The option that makes a command use this goal; the default goal needs none."""
    if goal.name == "first":
        return ""
    return f" --goal {goal.name}" if goal.name.isalpha() else f' --goal "{goal.name}"'
