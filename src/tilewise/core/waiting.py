"""Waiting for a lock between threads in a way that can be cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock

from tilewise.errors import CancelledError

PATIENCE = 0.05
"""Seconds between two looks whether a lock is free, or its caller was cancelled."""

Cancelled = Callable[[], bool]


@contextmanager
def held(lock: Lock, cancelled: Cancelled) -> Iterator[None]:
    """Hold a lock between threads, and wait for it until it is free or the wait is cancelled."""
    while not lock.acquire(timeout=PATIENCE):
        if cancelled():
            raise stopped_waiting()
    try:
        yield
    finally:
        lock.release()


def check_cancelled(cancelled: Cancelled) -> None:
    """End what is being made for a caller who was cancelled."""
    if cancelled():
        raise CancelledError("stopped while it was being made")


def stopped_waiting() -> CancelledError:
    """The error of a caller who was cancelled while another one did what it waits for."""
    return CancelledError("stopped while another one was building a table")
