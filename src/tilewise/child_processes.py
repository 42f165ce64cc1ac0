"""Processes that this one starts."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from multiprocessing import active_children, resource_tracker, util
from pathlib import Path

THREADS = Path("/proc/self/task")


@contextlib.contextmanager
def children_ignore_ctrl_c() -> Iterator[None]:
    """Processes that start here never see Ctrl-C: the parent answers it.

    They inherit, as threads do, that the signal is blocked. Here it waits until they are started.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # starting it would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_children() -> bool:
    """End all processes that this one has started, before it ends itself; whether there were any.

    Those that another thread is just starting are known to the system only.
    """
    ours = {each.pid for each in active_children() if each.pid is not None}
    children = ours | _known_to_the_system()
    for each in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(each, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    if children:  # names of semaphores would be left, and be complained about
        getattr(util, "_run_finalizers", lambda least: None)(0)
    return bool(children)


def _known_to_the_system() -> set[int]:
    """The processes that Linux has as ours, but for the one that tracks semaphores."""
    tracker = getattr(getattr(resource_tracker, "_resource_tracker", None), "_pid", None)
    found: set[int] = set()
    for thread in THREADS.glob("*/children"):
        with contextlib.suppress(OSError):
            found.update(map(int, thread.read_text(encoding="ascii").split()))
    return found - {tracker}
