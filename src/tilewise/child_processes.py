"""Processes that this one starts."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

THREADS = Path("/proc/self/task")


@contextlib.contextmanager
def children_ignore_ctrl_c() -> Iterator[None]:
    """Processes that start here never see Ctrl-C: the parent answers it.

    They inherit, as threads do, that the signal is blocked. Here it waits until they are started.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_children() -> bool:
    """End all processes that this one has started, before it ends itself; whether there were any.

    Nothing is imported for it: it is done in a hurry, maybe in the middle of an import.
    """
    children = _known_to_python() | _known_to_the_system()
    for each in children:
        with contextlib.suppress(OSError):
            os.kill(each, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    return bool(children)


def forget_children() -> None:
    """Remove what ended processes leave: names of semaphores, which would be complained about."""
    util = sys.modules.get("multiprocessing.util")
    getattr(util, "_run_finalizers", lambda least: None)(0)


def _known_to_python() -> set[int]:
    """The processes that were started by `multiprocessing`."""
    process = sys.modules.get("multiprocessing.process")
    started: list[Any] = getattr(process, "active_children", list)()
    return {each.pid for each in started if each.pid is not None}


def _known_to_the_system() -> set[int]:
    """The processes that Linux has as ours, also those that another thread is just starting.

    Not the one that tracks semaphores, nor those of another process group: a browser, once it is
    opened, is its user's.
    """
    tracker = sys.modules.get("multiprocessing.resource_tracker")
    tracks = getattr(getattr(tracker, "_resource_tracker", None), "_pid", None)
    found: set[int] = set()
    for thread in THREADS.glob("*/children"):
        with contextlib.suppress(OSError):
            found.update(map(int, thread.read_text(encoding="ascii").split()))
    return {each for each in found - {tracks} if _is_in_our_group(each)}


def _is_in_our_group(process: int) -> bool:
    try:
        return os.getpgid(process) == os.getpgrp()
    except OSError:  # it has ended
        return False
