"""The files of tables and the cache: what is good is shared, what is bad is refused and mended."""

from __future__ import annotations

import gc
import os
import random
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

import tilewise as tw
from tests.conftest import HANG_GUARD, Run
from tilewise import Board, Goal, Heuristic, Limits, Status
from tilewise.checking import known_distance
from tilewise.core.build_context import BuildContext
from tilewise.core.limits import CHECK_EVERY, bytes_per_state
from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.registry import HEURISTICS
from tilewise.core.waiting import held
from tilewise.defaults import FASTEST
from tilewise.errors import CancelledError, TableError, TableWarning
from tilewise.scrambling import scramble
from tilewise.solving import solve
from tilewise.tables import cache, table_file
from tilewise.tables.locking import locked
from tilewise.tables.patterns.building import build, header_of, table, tables
from tilewise.tables.patterns.catalogue import kept, prove
from tilewise.tables.patterns.lookup import bytes_of
from tilewise.tables.patterns.partitions import patterns_of
from tilewise.tables.patterns.pattern import Pattern
from tilewise.tables.table_header import MAGIC, PAGE

SMALL = Pattern.of(3, 3, (1, 2, 3, 4), 0).canonical()[0]
OTHER = Pattern.of(3, 3, (1, 2, 4, 5), 0).canonical()[0]
LARGER = Pattern.of(4, 4, (1, 2, 3, 4, 5), 0).canonical()[0]
KORF_79 = "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own for each test."""
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "cache"))
    return tmp_path / "cache"


def written(pattern: Pattern) -> Path:
    """The file of a pattern's table, put into the cache without leaving it open."""
    path = cache.path_of(pattern.name)
    path.parent.mkdir(exist_ok=True)
    table_file.write(path, header_of(pattern), build(pattern))
    return path


def change(path: Path, at: int, byte: int | None = None) -> None:
    data = bytearray(path.read_bytes())
    data[at] = data[at] ^ 1 if byte is None else byte
    path.write_bytes(data)


def test_a_table_is_written_once_and_mapped_afterwards(folder: Path) -> None:
    first = table(SMALL)
    path = folder / f"{SMALL.name}.table"
    assert path.stat().st_size == PAGE + SMALL.entries
    before = path.stat()
    assert table(SMALL) is first
    assert first.readonly and first.tobytes() == build(SMALL).tobytes()
    del first
    assert table(SMALL).tobytes() == build(SMALL).tobytes()
    assert path.stat().st_mtime_ns == before.st_mtime_ns and path.stat().st_ino == before.st_ino
    assert sorted(file.name for file in folder.iterdir()) == [path.name, cache.LOCKS]


def test_a_header_says_all_about_a_table() -> None:
    header = table_file.read_header(written(SMALL))
    assert header == header_of(SMALL)
    assert (header.rows, header.columns, header.cells) == (3, 3, SMALL.cells)
    assert (header.bits, header.count, header.blank) == (8, 3024, SMALL.blank)


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "empty": (lambda path: path.write_bytes(b""), "not a table of tilewise"),
    "foreign": (lambda path: path.write_text("1,2,3\n" * 5000), "not a table of tilewise"),
    "cut off in the header": (lambda path: os.truncate(path, 60), "its header is not what"),
    "without data": (lambda path: os.truncate(path, PAGE), "4,096 bytes instead of"),
    "a byte too short": (lambda path: os.truncate(path, 7119), "7,119 bytes instead of 7,120"),
    "a byte too long": (lambda path: path.write_bytes(path.read_bytes() + b"\0"), "instead of"),
    "older": (lambda path: change(path, len(MAGIC), 0), "of an older version"),
    "newer": (lambda path: change(path, len(MAGIC), 9), "of a newer version"),
    "header damaged": (lambda path: change(path, 60), "its header is not what was written"),
    "data damaged": (lambda path: change(path, 5000), "its data is not what was written"),
    "another table": (lambda path: written(OTHER).replace(path), "another table than its name"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_refused_and_built_again(kind: str) -> None:
    spoil, message = BAD[kind]
    path = written(SMALL)
    spoil(path)
    assert kept()[0].fault is not None or kind in ("data damaged", "another table")
    with pytest.warns(TableWarning, match=f"{message}.*; it is built again"):
        assert table(SMALL).tobytes() == build(SMALL).tobytes()
    assert table_file.open_table(path, header_of(SMALL))[1].tobytes() == build(SMALL).tobytes()
    assert [prove(one) for one in kept()] == ["right: every entry follows from its neighbours"]


def test_a_file_that_was_wrong_from_the_start_is_found_by_the_proof() -> None:
    data = build(SMALL)
    data[1000] += 2
    path = cache.path_of(SMALL.name)
    path.parent.mkdir()
    table_file.write(path, header_of(SMALL), data)
    assert table_file.check_all(path)[0] == header_of(SMALL)
    with pytest.raises(TableError, match="1 of 3,024 entries"):
        prove(kept()[0])


def test_blocks_of_a_checksum_are_put_together_in_order() -> None:
    data = np.arange(3 * table_file.BLOCK + 5, dtype=np.uint32).astype(np.uint8)
    reported: list[int] = []
    whole = table_file.checksum(data.data, lambda done, total: reported.append(done))
    assert reported == [table_file.BLOCK * n for n in (1, 2, 3)] + [len(data)]
    data[-1] ^= 1
    assert table_file.checksum(data.data) != whole


def test_without_a_folder_to_keep_them_tables_are_used_from_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "file" / "cache"))
    with pytest.warns(TableWarning, match=r"cannot keep a table .* it is used from memory"):
        assert table(SMALL).tobytes() == build(SMALL).tobytes()
    assert kept() == []


def test_a_table_that_cannot_be_renamed_is_used_from_memory(folder: Path) -> None:
    cache.path_of(SMALL.name).mkdir(parents=True)
    with pytest.warns(TableWarning) as warned:
        assert table(SMALL).tobytes() == build(SMALL).tobytes()
    assert "cannot keep a table" in str(warned[-1].message)
    assert not list(folder.glob("*.part"))


def test_a_read_only_cache_with_the_table_needs_nothing_else(folder: Path) -> None:
    written(SMALL)
    folder.chmod(0o500)
    try:
        assert table(SMALL).tobytes() == build(SMALL).tobytes()
        assert [file.name for file in folder.iterdir()] == [f"{SMALL.name}.table"]
    finally:
        folder.chmod(0o700)


def test_a_full_disk_is_a_warning_and_the_board_is_solved(tilewise: Run, folder: Path) -> None:
    run = subprocess.run(
        ["sh", "-c", f"ulimit -f 64; exec {sys.executable} -m tilewise solve '{KORF_79}'"],
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=False,
    )
    assert run.returncode == 0 and run.stdout.startswith("42 moves, optimal: ")
    assert "tilewise: warning: cannot keep a table in the cache: File too large" in run.stderr
    assert "Traceback" not in run.stderr
    assert not list(folder.glob("*.part"))
    assert [prove(one) for one in kept()] == ["right: every entry follows from its neighbours"]


def test_eight_processes_that_start_at_once_build_each_table_once(folder: Path) -> None:
    command = [sys.executable, "-m", "tilewise", "pdb", "build", "4x4", "6-6-3"]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(8)]
    lines = [line for one in started for line in one.communicate(timeout=HANG_GUARD)[0].split("\n")]
    assert [one.returncode for one in started] == [0] * 8
    assert sum(line.endswith("  built") for line in lines) == 3
    assert sum(line.endswith("  was there") for line in lines) == 21
    assert len(kept()) == 3 and not list(folder.glob("*.part"))


def test_killing_a_build_at_any_moment_leaves_nothing_that_is_taken_for_good(folder: Path) -> None:
    rng = random.Random(7)
    command = [sys.executable, "-m", "tilewise", "pdb", "build", "4x4", "6-6-3"]
    killed = 0
    for _ in range(8):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as one:
            while one.poll() is None and not (folder / cache.LOCKS).is_dir():
                with suppress(subprocess.TimeoutExpired):
                    one.wait(timeout=0.01)
            try:
                one.wait(timeout=rng.uniform(0, 1.0))
            except subprocess.TimeoutExpired:
                one.send_signal(signal.SIGKILL)
                killed += 1
        for file in kept():
            prove(file)
        if one.returncode == 0:
            cache.remove(kept()[rng.randrange(3)].path)
    assert killed
    tables(patterns_of(Goal.blank_first(4, 4), "6-6-3"), "pdb(6-6-3)")
    assert len(kept()) == 3
    assert not list(folder.glob("*.part"))


def test_what_a_killed_build_left_is_removed_by_the_next_one(folder: Path) -> None:
    folder.mkdir()
    left = folder / f"{SMALL.name}.table.0a1b2c3d.part"
    left.write_bytes(b"half a table")
    of_another = folder / f"{OTHER.name}.table.0a1b2c3d.part"
    of_another.write_bytes(b"perhaps being written")
    table(SMALL)
    assert not left.exists() and of_another.exists()


def test_threads_that_want_a_table_at_once_share_one(folder: Path) -> None:
    made: list[int] = []
    held = []
    barrier = threading.Barrier(6)

    def watch(name: str, done: int, total: int) -> None:
        made.append(done)

    def want() -> None:
        barrier.wait()
        held.append(table(SMALL, BuildContext(progress=watch)))

    threads = [threading.Thread(target=want) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(each) for each in held}) == 1
    assert made.count(1) == 1


def test_a_lock_is_free_again_when_its_holder_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    code = (
        "import sys, time; from pathlib import Path; from tilewise.tables.locking import locked\n"
        "with locked(Path(sys.argv[1])):\n    print('held', flush=True); time.sleep(600)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    got = threading.Event()

    def wait() -> None:
        with locked(path):
            got.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert not got.is_set()
    holder.kill()
    waiting.join(HANG_GUARD)
    assert got.is_set()
    holder.communicate()


def test_whoever_waits_for_a_table_can_be_stopped(tmp_path: Path) -> None:
    path, between_threads = tmp_path / "lock", threading.Lock()
    stopped = []

    def wait() -> None:
        try:
            with locked(path, lambda: True):
                pass
        except CancelledError:
            stopped.append("stopped")

    with locked(path):
        waiting = threading.Thread(target=wait)
        waiting.start()
        waiting.join(HANG_GUARD)
    assert stopped == ["stopped"]
    with between_threads, pytest.raises(CancelledError), held(between_threads, lambda: True):
        pass


def test_a_link_in_place_of_a_lock_is_refused_and_what_it_names_is_left_alone(
    tmp_path: Path, folder: Path
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("not to be touched\n")
    lock = cache.lock_of(cache.path_of(SMALL.name))
    lock.parent.mkdir(parents=True)
    lock.symlink_to(precious)
    with pytest.warns(TableWarning, match=r"cannot keep a table .* it is used from memory"):
        assert table(SMALL).tobytes() == build(SMALL).tobytes()
    assert precious.read_text() == "not to be touched\n" and lock.is_symlink()


def test_every_build_adds_a_line_to_the_file_of_its_lock() -> None:
    path = cache.path_of(SMALL.name)
    for times in (1, 2):
        table(SMALL)
        assert [line["pid"] for line in cache.builds(path)] == [os.getpid()] * times
        cache.remove(path)


def test_a_quick_caller_gets_tables_built_in_a_second_and_no_others(folder: Path) -> None:
    goal = Goal.blank_last(4, 4)
    space = Goal(Board(3, 4, (1, 0, *range(2, 12))))  # no other test has made its table
    quick = BuildContext(memory=2**30, quick=True)
    with pytest.raises(TableError, match="`tilewise pdb build 4x4 7-8 --goal last` builds"):
        build_heuristic("pdb(7-8)", goal, quick)
    with pytest.raises(TableError, match="`tilewise pdb build 4x4 7-8 --goal last` builds"):
        solve(goal.board, goal=goal, algorithm="astar", heuristic="pdb(7-8)", context=quick)
    with pytest.raises(TableError, match=r"`tilewise space 3x4 --goal .*` builds"):
        build_heuristic("perfect", space, quick)
    assert known_distance(space.board, space, quick) is None
    assert next(scramble("3x4", depth=12, seed=1, context=quick)).shape == "3x4"
    build_heuristic("pdb(4-4-4-3)", goal, quick)
    assert len(list(folder.glob("*.table"))) == 2
    build_heuristic("pdb(1-4-5-5)", goal, quick)
    assert len(list(folder.glob("*.table"))) == 2, "what only one caller wants is not kept"


def test_tables_that_do_not_fit_the_memory_are_refused(folder: Path) -> None:
    patterns = patterns_of(Goal.blank_first(4, 4), "6-6-3")
    too_little = r"memory limit of at least 1[0-9] MB .* pdb\(6-6-3\), got 1"
    with pytest.raises(TableError, match=too_little):
        tables(patterns, "pdb(6-6-3)", BuildContext(memory=2**20))
    assert not folder.exists()
    chosen = {
        megabytes: solve(KORF_79, limits=Limits(memory=megabytes * 2**20)).heuristic
        for megabytes in (1, 8, 64)
    }
    assert chosen == {1: "linear_conflict", 8: "pdb(5-5-5)", 64: "pdb(6-3-6)"}
    with pytest.raises(TableError, match=r"pdb\(6-6-3\)"):
        solve(KORF_79, heuristic="pdb(6-6-3)", limits=Limits(memory=2**20))


def test_tables_leave_less_of_a_memory_limit_to_the_search(folder: Path) -> None:
    heuristic = build_heuristic("pdb(5-5-5)", Goal.blank_first(4, 4))
    tables = bytes_of(heuristic)
    states = 500 * bytes_per_state(16)
    assert tables > 4 * states
    limits = Limits(memory=tables + states)
    result = solve(KORF_79, algorithm="astar", heuristic=heuristic, limits=limits, engine="python")
    assert result.status is Status.LIMIT and result.stats.generated <= 2 * CHECK_EVERY


def test_building_stops_when_the_caller_says_so(folder: Path) -> None:
    seven = Pattern.of(4, 4, (1, 2, 3, 4, 5, 6, 7), 0).canonical()[0]
    with pytest.raises(CancelledError):
        table(seven, BuildContext(cancelled=lambda: True))
    assert kept() == []
    flag = threading.Event()
    flag.set()
    result = solve(KORF_79, heuristic="pdb(8-7)", cancel=flag)
    assert result.status is Status.CANCELLED and result.heuristic == "pdb(8-7)"
    assert kept() == []


def test_a_cancelled_build_is_not_kept_and_a_finished_one_serves_every_context() -> None:
    goal, shown = Goal.blank_first(4, 4), []
    with pytest.raises(CancelledError):
        build_heuristic("pdb(4-5-6)", goal, BuildContext(cancelled=lambda: True))

    def watch(name: str, done: int, total: int) -> None:
        shown.append(name)

    context = BuildContext(memory=2**30, progress=watch)
    made = build_heuristic("max(pdb(4-5-6), manhattan)", goal, context)
    assert shown and made.parts[0] is build_heuristic("pdb(4-5-6)", goal)
    shown.clear()
    assert build_heuristic("max(pdb(4-5-6), manhattan)", goal, context) is made
    assert shown == []


def test_a_context_is_not_kept_alive_by_what_was_built_in_it() -> None:
    class Watcher:
        def __call__(self, name: str, done: int, total: int) -> None:
            pass

    watcher = Watcher()
    seen = weakref.ref(watcher)
    context = BuildContext(progress=watcher)
    made = build_heuristic("pdb(5-4-6)", Goal.blank_last(4, 4), context)
    space = build_heuristic("perfect", Goal.snail(2, 5), context)
    del watcher, context
    gc.collect()
    assert seen() is None and made.spec == "pdb(5-4-6)" and space.spec == "perfect"


def test_a_heuristic_of_a_user_gets_the_context_if_it_says_that_it_builds_tables() -> None:
    given = []

    def factory(goal: Goal, partition: str = "5-5-5", *, context: BuildContext) -> Heuristic:
        given.append(context)
        return tw.make_heuristic(f"pdb({partition})", goal, context=context)

    tw.heuristic("wrapped", admissible=True, builds_tables=True)(factory)
    try:
        quick = BuildContext(memory=2**30, quick=True)
        result = solve(KORF_79, heuristic="wrapped", context=quick)
        assert (result.cost, result.heuristic) == (42, "wrapped")
        assert [each.quick for each in given] == [True]
        with pytest.raises(TableError, match="`tilewise pdb build 4x4 7-8` builds"):
            solve(KORF_79, heuristic="wrapped(7-8)", context=quick)
    finally:
        del HEURISTICS["wrapped"]


WARM = """
import collections, sys

opened, parsed = collections.Counter(), collections.Counter()


def hook(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".table"):
        opened[arguments[0]] += 1


sys.addaudithook(hook)
import tilewise as tw
from tilewise.core import spec


class Counting(spec._Parser):
    def __init__(self, text):
        parsed[text] += 1
        super().__init__(text)


tw.solve("1b2 345 678")  # loads the searches and heuristics, whose names are read then
spec._Parser = Counting
spec._parsed.cache_clear()
for _ in range(3):
    result = tw.solve(sys.argv[1])
print(result.heuristic, sorted(opened.values()), dict(parsed))
"""


def test_a_warm_15_puzzle_opens_each_table_once_and_reads_its_spec_once() -> None:
    solve(KORF_79)
    run = subprocess.run(
        [sys.executable, "-c", WARM, KORF_79],
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=True,
    )
    read = {FASTEST: 1, "pdb(6-3-6)": 1}
    assert run.stdout == f"pdb(6-3-6) [1, 1, 1] {read}\n"
