"""The cache of tables on the disk: looked up, built once for all processes, mapped."""

from __future__ import annotations

import errno
import json
import os
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakValueDictionary

from tilewise.core.build_context import never
from tilewise.core.waiting import Cancelled, held
from tilewise.errors import CancelledError, TableError, TableWarning, shortened
from tilewise.files import open_plain, replacing
from tilewise.tables import stamps, table_file
from tilewise.tables.locking import AddLine, locked
from tilewise.tables.table_header import TableHeader

ENVIRONMENT = "TILEWISE_CACHE"
SUFFIX, UNFINISHED, LOCKS = ".table", ".part", "locks"

Made = tuple[TableHeader, memoryview]

_locks: defaultdict[tuple[Path, str], Lock] = defaultdict(Lock)
_open: WeakValueDictionary[tuple[Path, str], memoryview] = WeakValueDictionary()
_headers: dict[tuple[Path, str], TableHeader] = {}
_recent: dict[Path, tuple[tuple[int, int, int, int], Made]] = {}
LARGEST_LOCK = 2**20
"""Bytes that are read of the file of a lock."""
MOST_RECENT = 16
"""Files that stay open although no heuristic uses them yet, or any more."""


def folder() -> Path:
    """Where tables are kept: TILEWISE_CACHE, or the user's cache folder."""
    chosen = os.environ.get(ENVIRONMENT)
    if chosen:
        return Path(chosen)
    from platformdirs import user_cache_path

    return user_cache_path("tilewise", appauthor=False)


def path_of(name: str) -> Path:
    """The file of the table with that name."""
    return folder() / f"{name}{SUFFIX}"


def files() -> Iterator[Path]:
    """All table files in the cache, good and bad, by name."""
    try:
        yield from sorted(folder().glob(f"*{SUFFIX}"))
    except OSError as error:
        raise TableError(f"expected a cache folder, got {_reason(error)}") from None


def holds(name: str, wanted: TableHeader, cancelled: Cancelled = never) -> bool:
    """Whether a good table is in the cache; the opened file is kept for the next reader."""
    try:
        _mapped(path_of(name), wanted, cancelled)
    except (OSError, TableError):
        return False
    return True


def fault(name: str, wanted: TableHeader) -> str | None:
    """What is wrong with the file of a table; None if there is none or it is good."""
    try:
        _mapped(path_of(name), wanted, never)
    except TableError as error:
        return str(error)
    except OSError:
        return None
    return None


def obtain(
    name: str,
    wanted: TableHeader,
    build: Callable[[], Made],
    *,
    keep: bool = True,
    cancelled: Cancelled = never,
) -> Made:
    """The table of that name: from this process, from the cache, or built and put there.

    Whatever goes wrong with the cache is a warning: the table is then built and used from
    memory. Threads and processes that want the same table at once wait for the first one to
    build it, unless they are `cancelled`. Without `keep` nothing is written.
    """
    key = (folder(), name)
    with held(_locks[key], cancelled):
        table = _open.get(key)
        if table is not None:
            return _headers[key], table
        made = _opened(name, wanted, cancelled, warn=True)
        if made is None:
            made = _built(name, wanted, build, cancelled) if keep else build()
        _headers[key], _open[key] = made
        return made


def remove(path: Path) -> None:
    """Delete a table file; processes that have it open keep it until they end.

    A link or a pipe in its place is deleted itself; a folder only if it is empty.
    """
    _recent.pop(path, None)  # a file that is mapped cannot be deleted everywhere
    if path.is_dir() and not path.is_symlink():
        path.rmdir()
    path.unlink(missing_ok=True)
    stamps.remove(path)


def lock_of(path: Path) -> Path:
    """The file that is locked while the table is built; each build adds a line to it."""
    return path.parent / LOCKS / path.name


def builds(path: Path) -> list[dict[str, Any]]:
    """Every build of a table, the oldest first: when, on which host, by which process, how long.

    A line that was cut off by a full disk or a power cut is left out, and so is anything else
    that is no record of a build.
    """
    found = []
    with suppress(OSError), open_plain(lock_of(path)) as file:
        for line in file.read(LARGEST_LOCK).splitlines():
            with suppress(ValueError, RecursionError):
                record = json.loads(line)
                if isinstance(record, dict):
                    found.append(record)
    return found


def _opened(name: str, wanted: TableHeader, cancelled: Cancelled, *, warn: bool) -> Made | None:
    path = path_of(name)
    try:
        return _mapped(path, wanted, cancelled)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except TableError as error:
        reason = str(error)
    except OSError as error:
        reason = f"cannot read {_reason(error)}"
    if warn:
        warnings.warn(f"{reason}; it is built again", TableWarning, stacklevel=4)
    return None


def _mapped(path: Path, wanted: TableHeader, cancelled: Cancelled) -> Made:
    """Open a table, or take the one that was opened before if its file has not changed.

    Choosing a partition, checking the memory and reading the table need it one after the other;
    the file is checked for the first of them only.
    """

    def watch(done: int, total: int) -> None:
        if cancelled():
            raise CancelledError("stopped while a table was being checked")

    found = path.lstat()
    version = (found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    known = _recent.get(path)
    if known is not None and known[0] == version and known[1][0].fits(wanted):
        return known[1]
    _recent.pop(path, None)
    made = table_file.open_table(path, wanted, watch)
    _recent[path] = (version, made)
    for oldest in list(_recent)[:-MOST_RECENT]:
        _recent.pop(oldest, None)
    return made


def _built(name: str, wanted: TableHeader, build: Callable[[], Made], cancelled: Cancelled) -> Made:
    path = path_of(name)
    made: Made | None = None
    try:
        _make_folder(lock_of(path).parent)
        with locked(lock_of(path), cancelled) as add_line:
            # another process may have built it while this one waited
            found = _opened(name, wanted, cancelled, warn=False)
            if found is not None:
                return found
            began = time.perf_counter()
            made = build()
            _record(add_line, time.perf_counter() - began)
            _keep(path, *made)
        return _opened(name, wanted, cancelled, warn=True) or made
    except OSError as error:
        warnings.warn(
            f"cannot keep a table in the cache: {_reason(error)}; it is used from memory "
            f"({ENVIRONMENT} names another folder)",
            TableWarning,
            stacklevel=4,
        )
    return made or build()


def _make_folder(locks: Path) -> None:
    """Make the folder of the locks; a link to another place is refused."""
    locks.mkdir(parents=True, exist_ok=True)
    if locks.is_symlink():
        raise OSError(errno.ELOOP, "a link in place of a folder", str(locks))


def _record(add_line: AddLine, seconds: float) -> None:
    """Note a build; a disk that has no room for the line has none for the table either."""
    import platform

    facts = {
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "host": platform.node() or "unknown",
        "pid": os.getpid(),
        "seconds": round(seconds, 3),
    }
    with suppress(OSError):
        add_line(f"{json.dumps(facts)}\n".encode())


def _keep(path: Path, header: TableHeader, data: memoryview) -> None:
    """Put a table into the cache, on the disk, and remove what killed processes left of it."""
    for left_over in path.parent.glob(f"{path.name}.*{UNFINISHED}"):
        left_over.unlink(missing_ok=True)  # of a process that was killed: the lock is ours
    temporary = f"{path.name}.{os.urandom(4).hex()}{UNFINISHED}"
    with replacing(path, temporary=temporary, follow_links=False, sync=True) as unfinished:
        table_file.write(unfinished, header, data)


def _reason(error: OSError) -> str:
    named = f" ({shortened(str(error.filename))})" if error.filename else ""
    return f"{error.strerror or error}{named}"
