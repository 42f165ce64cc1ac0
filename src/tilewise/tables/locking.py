"""A lock between processes that ends with the process that holds it, however that ends.

The lock is that of the library filelock, from version 4: it refuses a link in place of a lock
file, leaves the file and its contents alone, and can be cancelled while it waits. Older versions
lack one or more of these. It is imported where a lock is taken, since that takes about 20 ms and
only the building of a table, which takes longer, needs one.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tilewise.core.build_context import never
from tilewise.core.waiting import PATIENCE, Cancelled, stopped_waiting
from tilewise.files import kind_of_file

NO_LOCKS = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOTSUP}
"""What a file system answers that has no locks."""

AddLine = Callable[[bytes], None]
"""Adds a line to the file of a lock that is held."""


@contextmanager
def locked(path: Path, cancelled: Cancelled = never) -> Iterator[AddLine]:
    """Hold the lock of that file, and wait for it as long as another process or thread does.

    The system gives the lock back when a process is killed; the file stays. Where a file system
    has no locks all go on at once and no line is added, which is wasteful but safe, since tables
    are renamed into place.
    """
    from filelock import FileLock, Timeout

    numbers: list[int] = []
    lock = FileLock(
        path, fallback_to_soft=False, preserve_lock_file=True, on_acquired=numbers.append
    )
    try:
        lock.acquire(poll_interval=PATIENCE, cancel_check=cancelled)
    except Timeout:
        raise stopped_waiting() from None
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise
    kind = kind_of_file(os.fstat(numbers[-1]).st_mode) if numbers else None
    if kind is not None:  # a pipe can be opened and locked, but it keeps nothing
        lock.release()
        raise OSError(errno.EINVAL, f"{kind} in place of a lock", str(path))

    def add_line(line: bytes) -> None:
        if numbers:
            os.lseek(numbers[-1], 0, os.SEEK_END)
            os.write(numbers[-1], line)

    try:
        yield add_line
    finally:
        lock.release()
