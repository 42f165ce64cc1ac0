"""Stamps: a note beside a large table that all of it was read and is what was written.

A stamp has the size, the inode, both times and the checksum of the file as it was when it was
read. It is void as soon as any of them differs, and then the whole file is read again. A stamp
that cannot be written or read is as good as none.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from tilewise.files import open_plain, write_file

SUFFIX = ".checked"
SETTLED = 2_000_000_000
"""Nanoseconds after which another change of a file surely gets another time."""
_LONGEST = 1000


def stamp_of(path: Path) -> Path:
    """The file of a table's stamp."""
    return path.with_name(path.name + SUFFIX)


def is_stamped(path: Path, found: os.stat_result, checksum: int) -> bool:
    """Whether the table was read before and its file has not changed since then."""
    with suppress(OSError), open_plain(stamp_of(path)) as file:
        return file.read(_LONGEST) == _text(found, checksum)
    return False


def put(path: Path, found: os.stat_result, checksum: int, began: int) -> None:
    """Note that the table is good; `found` and `began` (ns) are from before it was read.

    A file that was changed just before is not stamped: times have a grain, so a change during
    the reading could have left them as they were.
    """
    if began - max(found.st_mtime_ns, found.st_ctime_ns) > SETTLED:
        with suppress(OSError):
            write_file(stamp_of(path), _text(found, checksum), follow_links=False)


def remove(path: Path) -> None:
    """Remove the stamp of a table, if it has one."""
    with suppress(OSError):
        stamp_of(path).unlink(missing_ok=True)


def _text(found: os.stat_result, checksum: int) -> bytes:
    facts = {
        "size": found.st_size,
        "inode": found.st_ino,
        "mtime_ns": found.st_mtime_ns,
        "ctime_ns": found.st_ctime_ns,
        "checksum": checksum,
    }
    return f"{json.dumps(facts)}\n".encode()
