"""Who works on a request, and when: two lanes of threads, each with a bounded queue.

Every job starts in the quick lane. A search that outstays its slice there is stopped and begins
again in the long lane, so that long searches never keep short ones waiting. The native engine
runs without Python's lock; the Python engine gives it up often enough for the server to answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event as CancelFlag
from typing import Any

from tilewise.core.stats import Stats

SLICE = 0.5
"""Seconds that a search may take in the quick lane."""
LONG_THREADS = 4
"""Threads of the long lane for each of the quick one: long searches share the processors."""

Work = Callable[["Job"], bytes]
"""Makes the body of an answer; it hands `job.stop` and `job.watch` to the searches it runs."""


class BusyError(Exception):
    """The queue is full."""


class GoneError(Exception):
    """Nobody waits for the answer any more."""


class OutstayedError(Exception):
    """A search took longer than its slice of the quick lane."""


class Job:
    """One request on its way through the lanes."""

    def __init__(self, work: Work, *, long: bool = False) -> None:
        self.work = work
        self.long = long
        self.stop = CancelFlag()
        self.stats: Stats | None = None
        self.search: int | None = None
        self.lane: Lane | None = None
        self._cancelled = False
        self._began = 0.0
        self._ends: float | None = None

    def begin(self, seconds: float | None) -> None:
        """Start the clock; after so many seconds a search is stopped."""
        now = time.monotonic()
        self._began = self._began or now
        self._ends = None if seconds is None else now + seconds
        self.stats = None
        self.stop.clear()
        if self._cancelled:  # perhaps only just now, by another thread
            self.stop.set()

    def cancel(self) -> None:
        """Stop the work; its thread is free as soon as the search looks up."""
        self._cancelled = True
        self.stop.set()

    def watch(self, stats: Stats) -> None:
        """What a running search reports its counters to."""
        self.stats = stats
        self._look_at_clock()

    def look_up(self) -> None:
        """End work that is no search here, if it was stopped or has outstayed its slice."""
        self._look_at_clock()
        self.check()

    def _look_at_clock(self) -> None:
        if self._ends is not None and time.monotonic() > self._ends:
            self.stop.set()

    def check(self) -> None:
        """End the work here if it was stopped."""
        if self._cancelled:
            raise GoneError
        if self.stop.is_set():
            raise OutstayedError

    def progress(self) -> dict[str, Any]:
        """How far it is, as the page is told."""
        before = self.lane.before(self) if self.lane else None
        if before is not None:
            return {"state": "waiting", "waiting": before}
        progress: dict[str, Any] = {
            "state": "running",
            "seconds": round(time.monotonic() - self._began, 3),
            "stats": None,
        }
        stats = self.stats
        if stats is not None:
            progress["stats"] = {
                name: getattr(stats, name) for name in ("expanded", "generated", "stored")
            }
        if self.search is not None:
            progress["search"] = self.search
        return progress


class Lane:
    """Threads, and the jobs that wait for one of them in the order in which they came."""

    def __init__(self, name: str, threads: int, room: int, seconds: float | None = None) -> None:
        self._threads = threads
        self._running = 0
        self._room = room
        self._seconds = seconds
        self._free = asyncio.Semaphore(threads)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=f"tilewise-{name}")
        self._waiting: dict[Job, None] = {}

    def before(self, job: Job) -> int | None:
        """How many jobs wait before one that waits; None for one that does not."""
        return list(self._waiting).index(job) if job in self._waiting else None

    async def run(self, job: Job) -> bytes:
        """Wait for a thread and do the work there."""
        if self._free.locked() and len(self._waiting) >= self._room:
            raise BusyError
        job.lane = self
        self._waiting[job] = None
        try:
            await self._free.acquire()
        finally:
            del self._waiting[job]
        self._running += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._do, job)
        finally:
            self._running -= 1
            self._free.release()

    def status(self) -> dict[str, int]:
        """How busy the lane is."""
        return {
            "threads": self._threads,
            "running": self._running,
            "waiting": len(self._waiting),
            "room": self._room,
        }

    def _do(self, job: Job) -> bytes:
        job.begin(self._seconds)
        if job.stop.is_set():
            raise GoneError
        return job.work(job)

    def close(self) -> None:
        """End the threads; what still waits is not begun."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Lanes:
    """The quick lane and the long one."""

    def __init__(self, threads: int, room: int) -> None:
        self._quick = Lane("quick", threads, room, SLICE)
        self._long = Lane("long", LONG_THREADS * threads, room)
        self._jobs: dict[asyncio.Task[bytes], Job] = {}

    def start(self, job: Job) -> asyncio.Task[bytes]:
        """Put a job in its lane."""
        task = asyncio.create_task(self._through(job))
        self._jobs[task] = job
        task.add_done_callback(self._finished)
        return task

    def give_up(self, task: asyncio.Task[bytes]) -> None:
        """Cancel a job whose client has gone; one that only waits leaves the queue at once."""
        job = self._jobs.get(task)
        if job is None:
            return
        job.cancel()
        if job.lane is None or job.lane.before(job) is not None:
            task.cancel()

    def status(self) -> dict[str, dict[str, int]]:
        """How busy the lanes are."""
        return {"quick": self._quick.status(), "long": self._long.status()}

    def close(self) -> None:
        """Stop all work."""
        for task in list(self._jobs):
            self.give_up(task)
        self._quick.close()
        self._long.close()

    async def _through(self, job: Job) -> bytes:
        if not job.long:
            try:
                return await self._quick.run(job)
            except OutstayedError:
                pass
        return await self._long.run(job)

    def _finished(self, task: asyncio.Task[bytes]) -> None:
        del self._jobs[task]
        if not task.cancelled():
            task.exception()  # seen, also when nobody waits for it any more
