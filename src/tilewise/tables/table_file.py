"""The files that tables are kept in: a header of one page, then the bytes of the table.

The header says everything about the table: the version of the format, kind, shape, pattern,
blank, bits and number of the entries, and three checksums: of the header itself, of a sample of
the data, and of all data. Opening a file checks the first two and the length, which takes no
time whatever the size; `check_all` reads everything.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from tilewise.errors import TableError, shortened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC, VERSION = b"tilewise table\n", 1
DATA_AT = 4096
"""The data begins on a page of its own, so that it can be mapped."""
SAMPLES, SAMPLE, BLOCK = 64, 4096, 2**24
_PREFIX = len(MAGIC) + 4 + 4 + 4

Watch = Callable[[int, int], None]
"""Gets how many entries are done, and how many there are."""


@dataclass(frozen=True)
class Header:
    """What a file holds. `count` is the number of entries, `bits` the size of one."""

    kind: str
    rows: int
    columns: int
    cells: tuple[int, ...]
    blank: int
    bits: int
    count: int
    size: int
    levels: tuple[int, ...] = ()
    states: tuple[str, ...] = ()

    def fits(self, other: Header) -> bool:
        """Whether both describe the same table; levels and states may differ."""
        return self._identity() == other._identity()

    def _identity(self) -> tuple[Any, ...]:
        pattern = (self.kind, self.rows, self.columns, self.cells, self.blank)
        return (*pattern, self.bits, self.count, self.size)


def write(path: Path, header: Header, data: NDArray[np.uint8]) -> None:
    """Write a file, and do not return before it is on the disk."""
    facts = {**asdict(header), "sample": sample(data), "checksum": checksum(data)}
    text = json.dumps(facts, separators=(",", ":")).encode()
    if _PREFIX + len(text) > DATA_AT:
        raise TableError(f"expected a header of at most {DATA_AT} bytes, got {len(text)}")
    page = MAGIC + b"".join(
        number.to_bytes(4, "little") for number in (VERSION, len(text), zlib.crc32(text))
    )
    with path.open("xb", buffering=0) as file:
        _write_all(file, (page + text).ljust(DATA_AT, b"\0"))
        _write_all(file, data.data)
        os.fsync(file.fileno())


def _write_all(file: Any, data: bytes | memoryview) -> None:
    """An unbuffered file may take less than it is given."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest[:BLOCK]) :]


def read_header(path: Path) -> Header:
    """The header of a file; refuses what is not a whole table of this version."""
    with path.open("rb") as file:
        return _read(file, path)[0]


def open_table(path: Path, wanted: Header | None = None) -> tuple[Header, NDArray[np.uint8]]:
    """Map a file read-only, after the checks that take no time."""
    header, _, table = _opened(path)
    if wanted is not None and not header.fits(wanted):
        raise TableError(f"{_named(path)} holds another table than its name says")
    return header, table


def check_all(path: Path, watch: Watch | None = None) -> tuple[Header, NDArray[np.uint8]]:
    """Open a file as `open_table` does, but read all data and compare it with its checksum."""
    header, sums, table = _opened(path)
    if checksum(table, watch) != sums["checksum"]:
        raise TableError(f"{_named(path)} is damaged: its data is not what was written")
    return header, table


def _opened(path: Path) -> tuple[Header, dict[str, int], NDArray[np.uint8]]:
    import numpy as np

    with path.open("rb") as file:
        header, sums = _read(file, path)
        data = np.memmap(file, dtype=np.uint8, mode="r", offset=DATA_AT, shape=(header.size,))
    table = data.view(np.ndarray)
    if sample(table) != sums["sample"]:
        raise TableError(f"{_named(path)} is damaged: its data is not what was written")
    return header, sums, table


def _read(file: BinaryIO, path: Path) -> tuple[Header, dict[str, int]]:
    page = file.read(DATA_AT)
    if not page.startswith(MAGIC):
        raise TableError(f"{_named(path)} is not a table of tilewise")
    version, length, crc = (
        int.from_bytes(page[at : at + 4], "little") for at in range(len(MAGIC), _PREFIX, 4)
    )
    if version != VERSION:
        age = "an older" if version < VERSION else "a newer"
        raise TableError(
            f"{_named(path)} is a table of {age} version of tilewise "
            f"(format {version}, not {VERSION})"
        )
    text = page[_PREFIX : _PREFIX + length]
    if len(text) != length or zlib.crc32(text) != crc:
        raise TableError(f"{_named(path)} is damaged: its header is not what was written")
    facts: dict[str, Any] = json.loads(text)
    sums = {name: facts.pop(name) for name in ("sample", "checksum")}
    for name in ("cells", "levels", "states"):
        facts[name] = tuple(facts[name])
    header = Header(**facts)
    there = os.fstat(file.fileno()).st_size
    if there != DATA_AT + header.size:
        raise TableError(
            f"{_named(path)} has {there:,} bytes instead of {DATA_AT + header.size:,}: "
            f"it was cut off or added to"
        )
    return header, sums


def _named(path: Path) -> str:
    return f"table file {shortened(path.name)}"


def sample(data: NDArray[np.uint8]) -> int:
    """A checksum of pieces spread over the data, the ends included."""
    size = len(data)
    crc = 0
    for number in range(SAMPLES + 1):
        start = max(0, size - SAMPLE) * number // SAMPLES
        crc = zlib.crc32(data[start : start + SAMPLE].data, crc)
    return crc


def checksum(data: NDArray[np.uint8], watch: Watch | None = None) -> int:
    """A checksum of everything: the CRC of the CRCs of blocks, which several threads compute."""
    crc = 0
    blocks = range(0, len(data), BLOCK)
    for done, part in enumerate(_checksums(data, blocks), start=1):
        crc = zlib.crc32(part.to_bytes(4, "little"), crc)
        if watch is not None:
            watch(min(done * BLOCK, len(data)), len(data))
    return crc


def _checksums(data: NDArray[np.uint8], blocks: range) -> Iterator[int]:
    def one(start: int) -> int:
        return zlib.crc32(data[start : start + BLOCK].data)

    if len(blocks) == 1:
        yield one(0)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        yield from pool.map(one, blocks)
