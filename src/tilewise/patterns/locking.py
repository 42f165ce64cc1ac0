"""A lock between processes that ends with the process that holds it, however that ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

PATIENCE = 0.05
"""Seconds between two looks where the system cannot wait for a lock itself."""


@contextmanager
def locked(path: Path) -> Iterator[BinaryIO]:
    """Hold the lock of that file, and wait for it as long as another process or thread does.

    The system gives the lock back when a process is killed; the file stays, open to be added to
    while the lock is held. Where a file system knows no locks, everybody goes on at once, which
    is wasteful but safe, since files are renamed into place.
    """
    with path.open("ab") as file:
        held = _acquire(file)
        try:
            yield file
        finally:
            if held:
                _release(file)


if sys.platform == "win32":
    import msvcrt

    def _acquire(file: BinaryIO) -> bool:
        while True:
            with suppress(OSError):
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
                return True
            time.sleep(PATIENCE)

    def _release(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _acquire(file: BinaryIO) -> bool:
        with suppress(OSError):
            fcntl.flock(file.fileno(), fcntl.LOCK_EX)
            return True
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
