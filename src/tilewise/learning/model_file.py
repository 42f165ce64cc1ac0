"""The files that models are kept in: a line of JSON that says everything, then the weights.

The weights are 16-bit numbers in 1/128 of a move, beyond those that every model begins with
(Manhattan distance, and 2 for each reversed pair in a line): one for each cell and tile, one for
each pair of cells and their tiles, the shared ones, and those of squares if the model has any. Of a
square shape half of the pairs are kept: a board and its transposed image have the same value. All
low bytes come first, then all high bytes, compressed unless somebody waited for the file.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tilewise.core.build_context import never
from tilewise.core.waiting import Cancelled, check_cancelled
from tilewise.errors import TableError, shortened
from tilewise.files import open_plain, replacing
from tilewise.native import folded_size, folded_weights, learned_sizes, unfolded_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KIND, VERSION = "tilewise learned values", 2
LONGEST_HEADER = 8192
SMALL, QUICK = 6, 0
"""How much a file is packed: 9 takes ten times as long as 6 and saves a hundredth; at 0 it is not
packed, and two to four times as large."""
PIECE = 2**18
"""Bytes that are packed at a time, in milliseconds."""
PACKED_IN_A_SECOND = 15_000_000
"""Bytes of weights, about, that become a small file."""
LARGEST = 64 * 2**20
"""Bytes of a file: those of the largest shape, and as many again."""
UNPACKED_AT_ONCE = 2**20
"""Bytes between two looks whether the caller was cancelled."""
_BEGINNING = re.compile(r"[0-9a-z]{1,16}")


@dataclass(frozen=True)
class ModelHeader:
    """What a model is and how it was made."""

    rows: int
    columns: int
    seed: int
    rounds: tuple[int, ...]
    """Rounds in each slice of the training, see `training.SLICES`."""
    seconds: float
    begins_with: str
    """What the training began with: `nothing`, `shared`, or the checksum of another model."""
    ranks: bool = False
    """Whether it learned which boards of a layer a beam should keep."""
    squares: bool = False
    """Whether it learned values of squares."""
    beams: tuple[int, ...] = ()
    """Widths of the two beams of ranks, if they were named."""

    @property
    def shape(self) -> str:
        return f"{self.rows}x{self.columns}"

    def to_dict(self) -> dict[str, Any]:
        """The fields, for people and JSON."""
        return {**asdict(self), "rounds": list(self.rounds), "beams": list(self.beams)}


@dataclass(frozen=True)
class Weights:
    """The numbers of a model."""

    singles: NDArray[np.int16]
    own: NDArray[np.int16]
    shared: NDArray[np.int16]
    squares: NDArray[np.int16]
    """Of 2x2 neighbouring cells, by how far their tiles are from home; empty if there are none."""


def write(
    path: Path,
    header: ModelHeader,
    weights: Weights,
    level: int = SMALL,
    hurry: Cancelled = never,
) -> None:
    """Write a model; the name refers to the old file or to the whole new one.

    When `hurry` says so, the file is packed less, and becomes larger. One that is not packed at all
    is written because somebody waits: the disk is not waited for.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, sync=level != QUICK) as unfinished, unfinished.open("wb") as file:
        file.writelines(_parts(header, weights, level, hurry))


def seconds_to_pack(rows: int, columns: int) -> float:
    """How long it takes, about, to make a small file of the weights of a shape."""
    return 2 * sum(learned_sizes(rows, columns)) / PACKED_IN_A_SECOND


def packed(
    header: ModelHeader, weights: Weights, level: int = SMALL, hurry: Cancelled = never
) -> bytes:
    """The bytes of a model's file."""
    return b"".join(_parts(header, weights, level, hurry))


def _parts(
    header: ModelHeader, weights: Weights, level: int, hurry: Cancelled
) -> tuple[bytes, bytes]:
    """The line of JSON, and the weights."""
    import numpy as np

    square = header.rows == header.columns
    half = folded_weights(header.rows, weights.own) if square else None
    own = weights.own if half is None else half
    numbers = np.concatenate([weights.singles, own, weights.shared, weights.squares]).astype(
        "<i2", copy=False
    )
    planes = numbers.view(np.uint8).reshape(-1, 2).T.tobytes()
    small = None if level == QUICK else _compressed(planes, level, hurry)
    data = planes if small is None else small
    facts = {"kind": KIND, "version": VERSION, **header.to_dict()}
    facts |= {"folded": half is not None, "packed": small is not None}
    facts |= {"has_squares": len(weights.squares) > 0}
    facts |= {"size": len(data), "checksum": zlib.crc32(data)}
    return json.dumps(facts).encode() + b"\n", data


def _compressed(planes: bytes, level: int, hurry: Cancelled) -> bytes | None:
    """Piece by piece: Ctrl-C comes between two. None: it must go fast."""
    packing, pieces = zlib.compressobj(level), []
    for at in range(0, len(planes), PIECE):
        if hurry():
            return None
        pieces.append(packing.compress(planes[at : at + PIECE]))
    return b"".join(pieces) + packing.flush()


def read_header(path: Path) -> ModelHeader:
    """The header of a model's file; refuses what is not a whole model of this version."""
    return _read(path).header


def read(path: Path, cancelled: Cancelled = never) -> tuple[ModelHeader, Weights]:
    """A model; refuses what is not one, was cut off or changed."""
    import numpy as np

    header, folded, small, has_squares, data = _read(path)
    singles, pairs, shared, squares = learned_sizes(header.rows, header.columns)
    squares *= has_squares
    if folded:
        pairs = folded_size(header.rows)
    size = 2 * (singles + pairs + shared + squares)
    planes = _unpacked(data, size, cancelled) if small else data
    if planes is None or len(planes) != size:
        raise TableError(f"{_named(path)} is damaged: its weights cannot be read")
    numbers = np.frombuffer(planes, np.uint8).reshape(2, -1).T.copy().view("<i2").ravel()
    numbers = numbers.astype(np.int16, copy=False)
    own = numbers[singles : singles + pairs]
    if folded:
        own = unfolded_weights(header.rows, own)
    rest = numbers[singles + pairs :]
    return header, Weights(numbers[:singles], own, rest[:shared], rest[shared:])


def checksum(path: Path) -> str:
    """The checksum of a model, as its header has it."""
    return f"{zlib.crc32(_read(path).data):08x}"


def _unpacked(data: bytes, size: int, cancelled: Cancelled) -> bytes | None:
    """The bytes that were compressed, if there are exactly that many."""
    unpacking = zlib.decompressobj()
    planes = bytearray()
    try:
        while data and len(planes) <= size:
            check_cancelled(cancelled)
            planes += unpacking.decompress(data, UNPACKED_AT_ONCE)
            data = unpacking.unconsumed_tail
    except zlib.error:
        return None
    whole = unpacking.eof and not unpacking.unused_data
    return bytes(planes) if whole and len(planes) == size else None


class _Read(NamedTuple):
    """A file that is whole."""

    header: ModelHeader
    folded: bool
    packed: bool
    has_squares: bool
    data: bytes


def _read(path: Path) -> _Read:
    content = _content(path)
    line, _, data = content[: LONGEST_HEADER + 1].partition(b"\n")
    try:
        facts = json.loads(line)
    except (ValueError, RecursionError):
        facts = None
    if not isinstance(facts, dict) or facts.pop("kind", None) != KIND:
        raise TableError(f"{_named(path)} is not a model of learned values")
    if facts.pop("version", None) != VERSION:
        raise TableError(f"{_named(path)} is a model of another version")
    data = content[len(line) + 1 :]
    size, crc = facts.pop("size", None), facts.pop("checksum", None)
    if size != len(data):
        raise TableError(f"{_named(path)} was cut off or added to")
    if crc != zlib.crc32(data):
        raise TableError(f"{_named(path)} is damaged: its weights are not what was written")
    folded, small = facts.pop("folded", None), facts.pop("packed", True)
    has_squares = facts.pop("has_squares", False)
    header = _header(facts, path)
    kinds = {type(folded), type(small), type(has_squares)}
    if kinds != {bool} or (folded and header.rows != header.columns):
        raise TableError(f"{_named(path)} has a header that makes no sense")
    return _Read(header, folded, small, has_squares, data)


def _content(path: Path) -> bytes:
    """The bytes of a plain file; a link, a pipe or a device in its place is refused."""
    try:
        with open_plain(path) as file:
            content = file.read(min(os.fstat(file.fileno()).st_size, LARGEST) + 1)
    except OSError as error:
        raise TableError(f"{_named(path)} cannot be read: {error.strerror or error}") from None
    if len(content) > LARGEST:
        raise TableError(f"{_named(path)} has more than {LARGEST:,} bytes")
    return content


def _header(facts: dict[str, Any], path: Path) -> ModelHeader:
    try:
        lists = {name: tuple(facts.get(name, ())) for name in ("rounds", "beams")}
        header = ModelHeader(**{**facts, **lists})
        whole = (header.rows, header.columns, header.seed, *header.rounds, *header.beams)
        if any(type(number) is not int or not 0 <= number < 2**63 for number in whole):
            raise ValueError
        if not 2 <= header.rows <= header.columns or header.rows * header.columns > 64:
            raise ValueError
        if type(header.seconds) not in (int, float) or not 0 <= header.seconds < 1e12:
            raise ValueError
        if {type(header.ranks), type(header.squares)} != {bool} or len(header.beams) not in (0, 2):
            raise ValueError
        if not isinstance(header.begins_with, str) or not _BEGINNING.fullmatch(header.begins_with):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        raise TableError(f"{_named(path)} has a header that makes no sense") from None
    return header


def _named(path: Path) -> str:
    return f"model file {shortened(path.name)}"
