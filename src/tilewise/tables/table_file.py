"""The files that tables are kept in: a header of one page, then the bytes of the table.

The header says everything about the table and has three checksums: of itself, of a sample of the
data, and of all data. A table is opened only if its data is what was written: one of up to
`ALWAYS_WHOLE` bytes is read at every opening, which takes milliseconds; a larger one is read
once and stamped, see `stamps`. `check_all` reads everything, stamp or not.
"""

from __future__ import annotations

import mmap
import os
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from tilewise.errors import TableError, shortened
from tilewise.files import kind_of_file, open_plain
from tilewise.tables import stamps
from tilewise.tables.table_header import PAGE, Sums, TableHeader, read_page, write_page

ALWAYS_WHOLE = 64 * 2**20
"""Tables of up to this many bytes are read whole whenever they are opened."""
SAMPLES, SAMPLE, BLOCK = 64, 4096, 2**24
HUGE = 2**22
"""Tables of at least this many bytes are built in large pages, where the system has them."""

Watch = Callable[[int, int], None]
"""Gets how many entries are done, and how many there are."""


def write(path: Path, header: TableHeader, data: memoryview) -> None:
    """Write a file, and do not return before it is on the disk."""
    page = write_page(header, Sums(sample(data), checksum(data)))
    with path.open("xb", buffering=0) as file:
        _write_all(file, page)
        _write_all(file, data)
        os.fsync(file.fileno())


def _write_all(file: Any, data: bytes | memoryview) -> None:
    """An unbuffered file may take less than it is given.

    It goes to the disk in pieces: nothing, not even the end of the process, comes before the disk
    is done with what it was given.
    """
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest[:BLOCK]) :]
        if rest:
            os.fsync(file.fileno())


def read_header(path: Path) -> TableHeader:
    """The header of a file; refuses what is not a whole table of this version."""
    with _opened_plain(path) as file:
        return _read(file, path)[0]


def open_table(
    path: Path, wanted: TableHeader | None = None, watch: Watch | None = None
) -> tuple[TableHeader, memoryview]:
    """Map a file read-only; refuses it unless it is the table wanted, as it was written."""
    return _opened(path, wanted, watch, trust_stamp=True)


def check_all(path: Path, watch: Watch | None = None) -> tuple[TableHeader, memoryview]:
    """Open a file as `open_table` does, but read all data whatever was read before."""
    return _opened(path, None, watch, trust_stamp=False)


def _opened(
    path: Path, wanted: TableHeader | None, watch: Watch | None, *, trust_stamp: bool
) -> tuple[TableHeader, memoryview]:
    with _opened_plain(path) as file:
        header, sums = _read(file, path)
        difference = None if wanted is None else header.difference(wanted)
        if difference is not None:
            raise TableError(f"{_named(path)} holds another table than its name says: {difference}")
        table = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))[PAGE:]
        if not _is_good(path, file, sums, table, watch, trust_stamp=trust_stamp):
            stamps.remove(path)
            raise TableError(f"{_named(path)} is damaged: its data is not what was written")
    return header, table


def bytes_in_memory(table: memoryview) -> int:
    """The memory of a table; one that is mapped from a file has none of its own."""
    return 0 if table.readonly else table.nbytes


def new_table(size: int) -> memoryview:
    """Memory for a table that is to be built: zeros, which nothing has touched yet.

    Numpy could give it, but it takes longer to load than a 15-puzzle to solve.
    """
    private = getattr(mmap, "MAP_PRIVATE", 0) | getattr(mmap, "MAP_ANONYMOUS", 0)
    block = mmap.mmap(-1, size, flags=private) if private else mmap.mmap(-1, size)
    if hasattr(mmap, "MADV_HUGEPAGE") and size >= HUGE:
        with suppress(OSError):  # a system may have none
            block.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(block)


def _is_good(
    path: Path,
    file: BinaryIO,
    sums: Sums,
    table: memoryview,
    watch: Watch | None,
    *,
    trust_stamp: bool,
) -> bool:
    """Whether the data is what was written, by its checksum or by the stamp of a large table."""
    if len(table) <= ALWAYS_WHOLE:
        return checksum(table) == sums.checksum
    if sample(table) != sums.sample:
        return False
    found, began = os.fstat(file.fileno()), time.time_ns()
    if trust_stamp and stamps.is_stamped(path, found, sums.checksum):
        return True
    if checksum(table, watch) != sums.checksum:
        return False
    stamps.put(path, found, sums.checksum, began)
    return True


def _read(file: BinaryIO, path: Path) -> tuple[TableHeader, Sums]:
    header, sums = read_page(file.read(PAGE), _named(path))
    there = os.fstat(file.fileno()).st_size
    if there != PAGE + header.size:
        raise TableError(
            f"{_named(path)} has {there:,} bytes instead of {PAGE + header.size:,}: "
            f"it was cut off or added to"
        )
    return header, sums


def _opened_plain(path: Path) -> BinaryIO:
    """Open a table; a link, a pipe or anything else in its place is refused, without a wait."""
    kind = kind_of_file(path.lstat().st_mode)
    if kind is not None:
        raise TableError(f"{_named(path)} is {kind} and is not opened")
    return open_plain(path)


def _named(path: Path) -> str:
    return f"table file {shortened(path.name)}"


def sample(data: memoryview) -> int:
    """A checksum of pieces spread over the data, the ends included."""
    size = len(data)
    crc = 0
    for number in range(SAMPLES + 1):
        start = max(0, size - SAMPLE) * number // SAMPLES
        crc = zlib.crc32(data[start : start + SAMPLE], crc)
    return crc


def checksum(data: memoryview, watch: Watch | None = None) -> int:
    """A checksum of everything: the CRC of the CRCs of blocks, which several threads compute."""
    crc = 0
    blocks = range(0, len(data), BLOCK)
    for done, part in enumerate(_checksums(data, blocks), start=1):
        crc = zlib.crc32(part.to_bytes(4, "little"), crc)
        if watch is not None:
            watch(min(done * BLOCK, len(data)), len(data))
    return crc


def _checksums(data: memoryview, blocks: range) -> Iterator[int]:
    def one(start: int) -> int:
        return zlib.crc32(data[start : start + BLOCK])

    if len(blocks) == 1:
        yield one(0)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(one, blocks)
