"""A lock between processes that ends with the process that holds it, however that ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import BinaryIO

from tilewise.errors import CancelledError

PATIENCE = 0.05
"""Seconds between two looks whether a lock is free, or nobody waits for it any more."""

Cancelled = Callable[[], bool]


def never() -> bool:
    """The question whether to stop, where nobody asks for that."""
    return False


@contextmanager
def held(lock: Lock, cancelled: Cancelled) -> Iterator[None]:
    """Hold a lock between threads, and wait for it until it is free or the wait is cancelled."""
    while not lock.acquire(timeout=PATIENCE):
        _go_on_unless(cancelled)
    try:
        yield
    finally:
        lock.release()


def _go_on_unless(cancelled: Cancelled) -> None:
    if cancelled():
        raise CancelledError("stopped while another one was building a table")


@contextmanager
def locked(path: Path, cancelled: Cancelled = never) -> Iterator[BinaryIO]:
    """Hold the lock of that file, and wait for it as long as another process or thread does.

    The system gives the lock back when a process is killed; the file stays, open to be added to
    while the lock is held. Where a file system knows no locks, everybody goes on at once, which
    is wasteful but safe, since files are renamed into place.
    """
    with path.open("ab") as file:
        acquired = _acquire(file, cancelled)
        try:
            yield file
        finally:
            if acquired:
                _release(file)


if sys.platform == "win32":
    import msvcrt

    def _acquire(file: BinaryIO, cancelled: Cancelled) -> bool:
        while True:
            with suppress(OSError):
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                return True
            _go_on_unless(cancelled)
            time.sleep(PATIENCE)

    def _release(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _acquire(file: BinaryIO, cancelled: Cancelled) -> bool:
        while True:
            try:
                fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
                return True
            except BlockingIOError:
                _go_on_unless(cancelled)
                time.sleep(PATIENCE)
            except OSError:
                return False

    def _release(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_UN)


def sync_folder(folder: Path) -> None:
    """Make sure that new names in a folder survive a power cut, where the system can."""
    if sys.platform != "win32":
        with suppress(OSError):
            number = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(number)
            finally:
                os.close(number)
