"""A damaged table is never believed: flipped bits, zeroed blocks, forged headers, old stamps."""

from __future__ import annotations

import json
import os
import random
import shutil
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import Run
from tilewise import Goal
from tilewise.core.limits import default_memory
from tilewise.errors import CancelledError, TableError
from tilewise.tables import cache, stamps, table_file
from tilewise.tables.patterns.building import build, canonical, header_of, memory_of
from tilewise.tables.patterns.partitions import patterns_of
from tilewise.tables.patterns.pattern import Pattern
from tilewise.tables.table_header import MAGIC, PAGE, TableHeader

SMALL = Pattern.of(3, 3, (1, 2, 3, 4), 0).canonical()[0]
MIDDLE = Pattern.of(4, 4, (1, 2, 3, 4, 5), 0).canonical()[0]
FIFTEEN = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
TOO_LARGE = table_file.ALWAYS_WHOLE + 1
LARGE = TableHeader("pattern", 4, 4, (0, 1), 3, 8, count=TOO_LARGE, size=TOO_LARGE)
UNSAMPLED = PAGE + table_file.SAMPLE + 5


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test."""
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "cache"))
    (tmp_path / "cache").mkdir()
    return tmp_path / "cache"


def written(pattern: Pattern) -> Path:
    path = cache.path_of(pattern.name)
    table_file.write(path, header_of(pattern), build(pattern))
    return path


def put(path: Path, at: int, content: bytes) -> None:
    """Write over a part of a file."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def flip(path: Path, at: int, bit: int = 0x20) -> None:
    put(path, at, bytes([path.read_bytes()[at] ^ bit]))


@pytest.mark.parametrize("pattern", [SMALL, MIDDLE], ids=["small", "middle"])
def test_no_flipped_bit_and_no_zeroed_block_is_accepted(pattern: Pattern) -> None:
    path, rng = written(pattern), random.Random(15)
    good = path.read_bytes()
    tried = 0
    while tried < 1000:
        at = rng.randrange(len(good))
        zeros = bytes(min(rng.choice((16, 512, 4096)), len(good) - at))
        bad = rng.choice((bytes([good[at] ^ 1 << rng.randrange(8)]), zeros))
        before = good[at : at + len(bad)]
        if bad == before:
            continue
        tried += 1
        put(path, at, bad)
        with pytest.raises(TableError):
            table_file.open_table(path, header_of(pattern))
        put(path, at, before)
    assert table_file.open_table(path, header_of(pattern))[1].tobytes() == good[PAGE:]


def test_a_flipped_bit_does_not_make_a_long_solution_optimal(tilewise: Run, folder: Path) -> None:
    assert tilewise("pdb", "build", "4x4", "6-6-3").returncode == 0
    flip(folder / "4x4-0.1.2.5.6.7-b3.table", 3_263_081)
    verified = tilewise("pdb", "verify")
    assert verified.returncode == 1 and verified.stdout.count("WRONG") == 1
    first, second = tilewise("solve", FIFTEEN), tilewise("solve", FIFTEEN)
    assert first.stdout.startswith("57 moves, optimal: ")
    assert first.stderr == (
        "tilewise: warning: table file '4x4-0.1.2.5.6.7-b3.table' is damaged: its data is not "
        "what was written; it is built again\n"
    )
    assert second.stdout.startswith("57 moves, optimal: ") and second.stderr == ""
    assert tilewise("pdb", "verify").returncode == 0


def test_whoever_built_the_large_tables_hears_that_they_are_damaged(tilewise: Run) -> None:
    patterns = patterns_of(Goal.blank_first(4, 4), "7-8")
    if memory_of(patterns) > default_memory() // 2:
        pytest.skip("this machine has too little memory for pdb(7-8)")
    cache.path_of(canonical(patterns)[0].name).write_bytes(b"nothing of the kind")
    done = tilewise("solve", FIFTEEN)
    assert done.stdout.startswith("57 moves, optimal: ") and "pdb(6-3-6)" in done.stdout
    assert done.stderr.count("warning") == 1
    assert "is not a table of tilewise; smaller tables are used (`tilewise pdb build" in done.stderr


def forge(path: Path, text: bytes) -> None:
    """Write another header into a file, with the right checksum of the header."""
    numbers = (1, len(text), zlib.crc32(text))
    page = MAGIC + b"".join(number.to_bytes(4, "little") for number in numbers) + text
    put(path, 0, page.ljust(PAGE, b"\0"))


def facts_of(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        text = file.read(PAGE)[len(MAGIC) + 12 :].rstrip(b"\0")
    facts: dict[str, Any] = json.loads(text)
    return facts


FORGED: dict[str, tuple[dict[str, Any], str]] = {
    "a number as text": ({"rows": "3"}, "expected rows to be a whole number .*, got '3'"),
    "true": ({"blank": True}, "expected blank to be a whole number .*, got True"),
    "negative": ({"size": -1}, "expected size to be a whole number .*, got -1"),
    "endless": ({"count": 10**400}, "expected count to be a whole number .*, got 1000"),
    "a fraction": ({"bits": 8.5}, r"expected bits to be a whole number .*, got 8\.5"),
    "no list": ({"cells": 5}, "expected cells to be a list of whole numbers, got 5"),
    "a list of texts": ({"cells": ["a"]}, r"expected cells to be a list .*, got \['a'\]"),
    "cells elsewhere": ({"cells": [0, 1, 2, 99]}, "expected cells to be sorted cells .*, got"),
    "a cell twice": ({"cells": [0, 1, 1, 2]}, "expected cells to be sorted cells .*, got"),
    "blank in the pattern": ({"blank": SMALL.cells[0]}, "expected cells to be .* got"),
    "blank elsewhere": ({"blank": 40}, "expected blank to be a cell of the shape, got 40"),
    "a large shape": ({"rows": 60, "columns": 60}, "expected rows to be .* small .*, got 60"),
    "too little data": ({"count": 9999}, "expected size to be enough for all entries, got 3024"),
    "wrong levels": ({"levels": [1, 2]}, r"expected levels to be none, .*, got \(1, 2\)"),
    "wrong states": ({"states": ["zz"]}, r"expected states to be states .*, got \('zz',\)"),
    "no kind": ({"kind": None}, "expected kind to be a name, got None"),
    "a new field": ({"colour": "red"}, "expected the fields of a table, got 'colour' besides"),
    "another kind": ({"kind": "space"}, "expected kind 'pattern', got 'space'"),
    "another shape": ({"rows": 2, "columns": 5}, "expected rows 3, got 2"),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_header_is_refused_by_what_was_expected_and_what_came(kind: str) -> None:
    changes, message = FORGED[kind]
    path = written(SMALL)
    forge(path, json.dumps({**facts_of(path), **changes}).encode())
    with pytest.raises(TableError, match=message):
        table_file.open_table(path, header_of(SMALL))


@pytest.mark.parametrize("text", [b"", b"[]", b"7", b"nonsense", b"[" * 4000, b"{}", b"\xff"])
def test_a_header_that_is_no_object_is_refused(text: bytes) -> None:
    path = written(SMALL)
    forge(path, text)
    with pytest.raises(TableError, match=r"makes no sense: expected .*, got "):
        table_file.read_header(path)


def test_a_forged_header_is_shown_by_list_and_verify_and_the_table_is_built_again(
    tilewise: Run,
) -> None:
    path = written(canonical(patterns_of(Goal.blank_first(3, 3), "4-4"))[0])
    forge(path, json.dumps({**facts_of(path), "cells": [40]}).encode())
    listed = tilewise("pdb", "list")
    assert listed.returncode == 0 and "expected cells to be sorted cells" in listed.stdout
    assert tilewise("pdb", "verify").returncode == 1
    done = tilewise("solve", "8b6 547 231", "-H", "pdb(4-4)")
    assert done.stdout.startswith("31 moves, optimal: ") and "it is built again" in done.stderr
    assert tilewise("pdb", "verify").returncode == 0


def test_a_header_without_the_fields_of_whole_spaces_is_read() -> None:
    path = written(SMALL)
    facts = facts_of(path)
    forge(path, json.dumps({k: facts[k] for k in facts if k not in ("levels", "states")}).encode())
    assert table_file.open_table(path, header_of(SMALL))[0] == header_of(SMALL)


@pytest.fixture
def large(folder: Path) -> Path:
    """A table that is too large to be read at every opening."""
    path = folder / "large.table"
    table_file.write(path, LARGE, np.arange(LARGE.size, dtype=np.uint32).astype(np.uint8).data)
    return path


def stamp(path: Path) -> None:
    """Stamp a table as if it had been read long after its last change."""
    stamps.put(path, path.stat(), facts_of(path)["checksum"], 2**63)


def read_whole(path: Path) -> bool:
    """Whether opening the file reads all of it."""
    blocks: list[int] = []
    table_file.open_table(path, LARGE, lambda done, total: blocks.append(done))
    assert not blocks or blocks[-1] == LARGE.size
    return bool(blocks)


def copied_over(path: Path) -> None:
    shutil.copy2(path, path.with_name("copy"))
    path.with_name("copy").replace(path)


def a_folder(path: Path) -> None:
    stamps.stamp_of(path).unlink()
    stamps.stamp_of(path).mkdir()


def a_pipe(path: Path) -> None:
    stamps.stamp_of(path).unlink()
    os.mkfifo(stamps.stamp_of(path))


VOID: dict[str, Callable[[Path], object]] = {
    "touched": lambda path: os.utime(path),
    "replaced by a copy": copied_over,
    "another mode": lambda path: path.chmod(0o600),
    "stamp damaged": lambda path: flip(stamps.stamp_of(path), 9, 1),
    "stamp emptied": lambda path: stamps.stamp_of(path).write_bytes(b""),
    "stamp removed": lambda path: stamps.stamp_of(path).unlink(),
    "a folder as stamp": a_folder,
    "a pipe as stamp": a_pipe,
}


def test_a_large_table_is_read_until_it_is_old_enough_for_a_stamp(large: Path) -> None:
    assert read_whole(large) and not stamps.stamp_of(large).exists()
    while read_whole(large):  # two seconds
        time.sleep(0.1)
    assert stamps.stamp_of(large).exists()


def test_a_stamped_table_is_read_again_after_any_change(large: Path) -> None:
    for kind, change in VOID.items():
        stamp(large)
        assert not read_whole(large), kind
        change(large)
        assert read_whole(large), kind
        if stamps.stamp_of(large).is_dir():
            stamps.stamp_of(large).rmdir()


def test_damage_voids_the_stamp_although_the_old_time_is_set_again(large: Path) -> None:
    stamp(large)
    before = large.stat()
    put(large, UNSAMPLED, b"!")
    os.utime(large, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert large.stat().st_mtime_ns == before.st_mtime_ns
    with pytest.raises(TableError, match="its data is not what was written"):
        table_file.open_table(large, LARGE)
    assert not stamps.stamp_of(large).exists()


def test_verifying_reads_a_stamped_table_and_voids_the_stamp_of_a_bad_one(large: Path) -> None:
    put(large, UNSAMPLED, b"!")
    stamp(large)  # the disk lost a bit afterwards, and no time shows it
    assert not read_whole(large)
    with pytest.raises(TableError, match="its data is not what was written"):
        table_file.check_all(large)
    with pytest.raises(TableError, match="its data is not what was written"):
        table_file.open_table(large, LARGE)


def test_a_link_as_stamp_is_replaced_and_what_it_names_is_left_alone(
    large: Path, tmp_path: Path
) -> None:
    stamp(large)
    precious = stamps.stamp_of(large).rename(tmp_path / "precious")
    stamps.stamp_of(large).symlink_to(precious)
    text = precious.read_bytes()
    assert read_whole(large)
    stamp(large)
    assert precious.read_bytes() == text and not stamps.stamp_of(large).is_symlink()


def test_the_stamp_is_removed_with_its_table(large: Path, folder: Path) -> None:
    stamp(large)
    cache.remove(large)
    assert list(folder.iterdir()) == []


def test_the_reading_of_a_large_table_can_be_stopped(large: Path) -> None:
    with pytest.raises(CancelledError):
        cache.holds("large", LARGE, lambda: True)
    assert cache.holds("large", LARGE)
