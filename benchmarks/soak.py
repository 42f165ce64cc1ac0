"""Run the server and the laboratory for long under faults: `make soak`.

    python -m benchmarks.soak                  20 minutes
    python -m benchmarks.soak --minutes 10

The server gets ordinary requests whose answers are known, clients that vanish in the middle of a
search, slow clients and bytes that are no request. Meanwhile its tables are removed underneath it,
and from time to time it cannot write files, as on a full disk. The laboratory does an experiment
again and again: it is killed (kill -9) at random moments, or finds the disk full, and goes on.

Reports memory, errors and lost rows; fails unless all errors and lost rows are 0. Linux only: the
disk fills up by the limit of file sizes of a running process.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import platform
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.load import Client, ask, busy_share, memory, slow_clients
from tilewise import suites
from tilewise.lab import Store
from tilewise.lab.row import VOLATILE
from tilewise.puzzle.board import Goal
from tilewise.scrambling import scramble
from tilewise.tables.distances import distance_table

ORDINARY, VANISHING, SLOW, NOISY = 8, 4, 30, 2
"""Clients of each kind."""
TABLES_REMOVED, DISK_FULL, DISK_FREE = 7.0, 5.0, 15.0
"""Seconds: between removals of all tables; for which the disk is full, and then not."""
NO_LIMIT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
FULL = (64 * 1024, resource.RLIM_INFINITY)
WARM_SHARE, MEMORY_GROWTH = 0.25, 256 * 2**20
"""The part of the time after which memory is looked at, and how much it may grow then."""
IDLE_SHARE = 0.05
FAR = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
EASY = 20
"""Boards of korf100, the easiest first, that are solved with a table."""
PARTITIONS = ["5-5-5", "5-4-3-3", "4-4-4-3", "5-5-3-2", "3-3-3-3-3", "4-4-3-2-2", "6-5-4"]
"""Many tables, so that the server has to open and to build them again."""
EXPERIMENT = """
name = "soak"
heuristics = ["misplaced", "manhattan", "linear_conflict"]
rules = "fifo"
scramble = "3x3"
depth = [12, 14, 16, 18, 20]
count = 30
seed = 1
"""
LAB_CODES = {0, -signal.SIGKILL, 2, 20}
"""How the laboratory may end when it is killed or the disk is full."""


@dataclass
class Record:
    """What has happened."""

    done: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)
    memory: list[tuple[float, int]] = field(default_factory=list)

    def error(self, what: str) -> None:
        """Note an error, and show it at once."""
        self.errors.append(what)
        print(f"error: {what[:300]}", flush=True)


class Questions:
    """Requests with known answers."""

    def __init__(self) -> None:
        table = distance_table(Goal.blank_first(3, 3))
        boards = scramble("3x3", count=2_000, seed=1)
        self._small = [(str(board), table.distance(board.tiles)) for board in boards]
        known = [each for each in suites.load("korf100").instances if each.optimal is not None]
        known.sort(key=lambda each: each.optimal or 0)
        self._large = [(str(each.board), each.optimal) for each in known[:EASY]]

    def draw(self, rng: random.Random) -> tuple[str, dict[str, Any], str, Any]:
        """A path, a body, the field of the response to look at, and its value."""
        board, cost = rng.choice(self._small)
        if rng.random() < 0.1:
            board, large_cost = rng.choice(self._large)
            heuristic = f"pdb({rng.choice(PARTITIONS)})"
            how = {"algorithm": "idastar", "heuristic": heuristic, "seconds": 60}
            return "solve", {"board": board, "goal": "first", **how}, "cost", large_cost
        match rng.randrange(4):
            case 0:
                return "solve", {"board": board, "goal": "first"}, "cost", cost
            case 1:
                return "distance", {"board": board, "goal": "first"}, "distance", cost
            case 2:
                body = {"board": board, "goal": "first", "algorithm": "astar", "events": 500}
                return "trace", body, "result.cost", cost
            case _:
                return "board", {"board": board, "goal": "first"}, "solvable", True


async def ordinary(port: int, questions: Questions, record: Record, number: int) -> None:
    """Send one request after the other and check every answer."""
    rng = random.Random(number)
    client = Client(port)
    try:
        while True:
            path, body, name, expected = questions.draw(rng)
            await client.send("POST", f"/api/{path}", body)
            status, answer = await client.answer()
            record.done[f"{path} {status}"] += 1
            got = answer
            for part in name.split("."):
                got = got.get(part) if isinstance(got, dict) else None
            if status == 503:
                continue
            if status != 200 or got != expected:
                record.error(f"{path} {body}: {status}, {name} {got}: {str(answer)[:200]}")
    except (OSError, EOFError) as error:
        record.error(f"a connection broke: {error!r}")
    finally:
        client.close()


async def vanishing(port: int, record: Record, number: int) -> None:
    """Start long searches and leave without a word."""
    rng = random.Random(number)
    while True:
        client = Client(port)
        how = {"algorithm": rng.choice(["astar", "idastar"]), "seconds": 60}
        accept = rng.choice(["*/*", "text/event-stream"])
        try:
            await client.send("POST", "/api/solve", {"board": FAR, **how}, accept)
            await asyncio.sleep(rng.random())
        except (OSError, EOFError) as error:
            record.error(f"no connection: {error!r}")
        finally:
            client.close()
        record.done["vanished"] += 1


async def noisy(port: int, record: Record, number: int) -> None:
    """Send bytes that are no request; the server must end the connection or refuse."""
    rng = random.Random(number)
    while True:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(rng.randbytes(rng.randrange(1, 20_000)) + b"\r\n\r\n")
            await reader.read(64)
            writer.close()
        record.done["no request"] += 1
        await asyncio.sleep(0.2)


async def remove_tables(folder: Path, record: Record) -> None:
    """Remove the files of all tables, again and again."""
    while True:
        await asyncio.sleep(TABLES_REMOVED)
        for path in folder.glob("*.table"):
            with contextlib.suppress(FileNotFoundError):
                path.unlink()
            record.done["tables removed"] += 1


async def fill_disk(pid: int, record: Record) -> None:
    """Let the process write no file of more than 64 kB for a while, again and again."""
    while True:
        await asyncio.sleep(DISK_FREE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, FULL)
        await asyncio.sleep(DISK_FULL)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, NO_LIMIT)
        record.done["disk full"] += 1


async def watch_memory(pid: int, record: Record) -> None:
    """Note the memory of the server once a second."""
    began = time.monotonic()
    while True:
        record.memory.append((time.monotonic() - began, memory(pid) or 0))
        await asyncio.sleep(1)


def rows(folder: Path) -> dict[str, dict[str, Any]]:
    """The rows of a store by their keys, without what may differ."""
    with Store.open(folder) as store:
        return {
            row["key"]: {name: value for name, value in row.items() if name not in VOLATILE}
            for row in store.rows()
        }


async def experiment(folder: Path, out: Path) -> asyncio.subprocess.Process:
    """Start the laboratory, or let it go on."""
    command = ["-m", "tilewise", "experiment", "run", "soak.toml", "--out", str(out)]
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        "--workers",
        "2",
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


async def laboratory(folder: Path, record: Record) -> None:
    """Do an experiment with kills until it is done, compare its rows, begin again."""
    rng = random.Random(1)
    (folder / "soak.toml").write_text(EXPERIMENT)
    await (await experiment(folder, folder / "undisturbed")).communicate()
    expected = rows(folder / "undisturbed")
    record.done["rows expected"] = len(expected)
    for number in range(10**6):
        out = folder / f"store-{number}"
        code = None
        while code != 0:
            code = await disturbed(folder, out, rng, record)
        found = rows(out)
        record.done["experiments"] += 1
        record.done["rows compared"] += len(expected)
        lost = expected.keys() - found.keys()
        record.done["rows lost"] += len(lost)
        if found != expected:
            record.error(f"{len(lost)} rows lost, {len(found)} found, or some differ")


async def disturbed(folder: Path, out: Path, rng: random.Random, record: Record) -> int:
    """Run until the end or a kill, with or without a disk that is full; the exit code."""
    process = await experiment(folder, out)
    try:
        if rng.random() < 0.3:
            limit = (rng.randrange(10_000, 400_000), resource.RLIM_INFINITY)
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, limit)
            record.done["laboratory: disk full"] += 1
        async with asyncio.timeout(rng.uniform(1.0, 12.0)):
            _, errors = await process.communicate()
    except TimeoutError:
        record.done["laboratory: kill -9"] += 1
        os.killpg(process.pid, signal.SIGKILL)
        _, errors = await process.communicate()
    except asyncio.CancelledError:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.communicate()
        raise
    code = process.returncode or 0
    record.done[f"laboratory: exit code {code}"] += 1
    if code not in LAB_CODES or b"Traceback" in errors:
        record.error(f"the laboratory ended with {code}: {errors.decode(errors='replace')[-600:]}")
    return code


async def soak(port: int, pid: int, folder: Path, cache: Path, seconds: float) -> Record:
    """Everything at once."""
    record, questions = Record(), Questions()
    async with slow_clients(port, SLOW):
        tasks = [
            *(ordinary(port, questions, record, number) for number in range(ORDINARY)),
            *(vanishing(port, record, number) for number in range(VANISHING)),
            *(noisy(port, record, number) for number in range(NOISY)),
            remove_tables(cache, record),
            fill_disk(pid, record),
            watch_memory(pid, record),
            laboratory(folder, record),
        ]
        running = [asyncio.create_task(each) for each in tasks]
        ended, _ = await asyncio.wait(running, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, NO_LIMIT)
    for task in ended:
        if not task.cancelled() and task.exception():
            record.error(f"the soak itself failed: {task.exception()!r}")
    status, queues = 0, {"quick": {"running": 1, "waiting": 0}}
    for _ in range(100):
        status, queues = await ask(port, "GET", "/api/status")
        if not any(each["running"] or each["waiting"] for each in queues.values()):
            break
        await asyncio.sleep(0.2)
    else:
        record.error(f"work is left after all clients have gone: {status} {queues}")
    share = await busy_share(pid, 5.0)
    if share > IDLE_SHARE:
        record.error(f"expected an idle server at the end, got {share:.0%} of a core in use")
    return record


def report(record: Record, errors_of_server: str) -> bool:
    """Print the figures; whether all is well."""
    for name, number in sorted(record.done.items()):
        print(f"{number:>10,}  {name}")
    span = record.memory[-1][0] if record.memory else 0.0
    warm = [size for when, size in record.memory if when >= WARM_SHARE * span]
    first, last, peak = warm[0], warm[-1], max(warm)
    print(
        f"memory: {first / 2**20:.0f} MB after {WARM_SHARE:.0%} of the time, "
        f"{last / 2**20:.0f} MB at the end, {peak / 2**20:.0f} MB at most"
    )
    if last > first + MEMORY_GROWTH:
        record.error(f"memory grew by {(last - first) / 2**20:.0f} MB")
    if "Traceback" in errors_of_server:
        record.error(f"the server wrote {errors_of_server[-600:]}")
    print(f"errors: {len(record.errors)}, lost rows: {record.done['rows lost']}")
    return not record.errors


def main() -> int:
    """Start a server, soak it, end it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=20.0)
    asked = parser.parse_args()
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    command = [sys.executable, "-m", "tilewise", "serve", "--port", "0"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cache = folder / "cache"
        cache.mkdir()
        written = folder / "stderr"
        environment = {**os.environ, "TILEWISE_CACHE": str(cache)}
        with (
            written.open("w") as errors,
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment
            ) as server,
        ):
            address = server.stdout.readline() if server.stdout else ""
            port = int(address.rpartition(":")[2].partition("/")[0])
            try:
                work = soak(port, server.pid, folder, cache, 60 * asked.minutes)
                record = asyncio.run(work)
            finally:
                server.terminate()
        return 0 if report(record, written.read_text()) else 1


if __name__ == "__main__":
    sys.exit(main())
