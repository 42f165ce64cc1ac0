"""When a request is worked on, and by which thread: two bounded queues with threads of their own.

Every job starts in the quick queue. A search that takes longer than its time slice is stopped and
begins again in the long queue, so that long searches never keep short ones waiting. The native
engine runs without Python's lock; the Python engine releases it often enough for the server to
answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event as CancelFlag

from tilewise.core.incumbent import Incumbent
from tilewise.core.stats import Stats
from tilewise.web.responses import IncumbentData, QueueStatus, Running, StatusResponse, Waiting

SLICE = 0.5
"""Seconds that a search may take in the quick queue."""
LONG_THREADS = 4
"""Threads of the long queue for each of the quick one: long searches share the processors."""
REPORTED = ("expanded", "generated", "stored")
"""The counters that progress shows."""

Work = Callable[["Job"], bytes]
"""Makes the body of a response; it hands `job.stop` and `job.watch` to the searches it runs."""


class BusyError(Exception):
    """The queue is full."""


class ClientGoneError(Exception):
    """The client has closed the connection."""


class SliceOverError(Exception):
    """A search took longer than its time slice in the quick queue."""


class Job:
    """One request that goes through the queues."""

    def __init__(self, work: Work, *, long: bool = False) -> None:
        self.work = work
        self.long = long
        self.stop = CancelFlag()
        self.stats: Stats | None = None
        self.search: int | None = None
        self.incumbent: Incumbent | None = None
        self.queue: JobQueue | None = None
        self._cancelled = False
        self._began = 0.0
        self._ends: float | None = None

    def begin(self, seconds: float | None) -> None:
        """Start the clock; a search is stopped when `seconds` are over."""
        now = time.monotonic()
        self._began = self._began or now
        self._ends = None if seconds is None else now + seconds
        self.stats = None
        self.stop.clear()
        if self._cancelled:  # another thread may have done it just now
            self.stop.set()

    def cancel(self) -> None:
        """Stop the work; its thread is free as soon as the search polls the flag."""
        self._cancelled = True
        self.stop.set()

    def watch(self, stats: Stats) -> None:
        """Take the counters of a running search."""
        self.stats = stats
        self._check_clock()

    def improved(self, incumbent: Incumbent) -> None:
        """Take a better solution or a higher bound of a running search."""
        self.incumbent = incumbent

    def stopped(self) -> bool:
        """Whether the work must end, because it was stopped or its time slice is over."""
        self._check_clock()
        return self.stop.is_set()

    def poll(self) -> None:
        """End work that is not a search here, if it was stopped or its time slice is over."""
        self._check_clock()
        self.check()

    def _check_clock(self) -> None:
        if self._ends is not None and time.monotonic() > self._ends:
            self.stop.set()

    def check(self) -> None:
        """End the work here if it was stopped."""
        if self._cancelled:
            raise ClientGoneError
        if self.stop.is_set():
            raise SliceOverError

    def progress(self) -> Waiting | Running:
        """How far the work has come."""
        before = self.queue.before(self) if self.queue else None
        if before is not None:
            return Waiting(waiting=before)
        stats, best = self.stats, self.incumbent
        return Running(
            seconds=round(time.monotonic() - self._began, 3),
            stats=None if stats is None else {name: getattr(stats, name) for name in REPORTED},
            search=self.search,
            incumbent=None if best is None else IncumbentData.from_object(best),
        )


class JobQueue:
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
        """How many jobs wait before this one; None if it does not wait."""
        return list(self._waiting).index(job) if job in self._waiting else None

    async def run(self, job: Job) -> bytes:
        """Wait for a thread and do the work there."""
        if self._free.locked() and len(self._waiting) >= self._room:
            raise BusyError
        job.queue = self
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

    def status(self) -> QueueStatus:
        """How busy the queue is."""
        return QueueStatus(
            threads=self._threads,
            running=self._running,
            waiting=len(self._waiting),
            room=self._room,
        )

    def _do(self, job: Job) -> bytes:
        job.begin(self._seconds)
        if job.stop.is_set():
            raise ClientGoneError
        return job.work(job)

    def close(self) -> None:
        """End the threads; jobs that still wait are not started."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class JobQueues:
    """The quick queue and the long one."""

    def __init__(self, threads: int, room: int) -> None:
        self._quick = JobQueue("quick", threads, room, SLICE)
        self._long = JobQueue("long", LONG_THREADS * threads, room)
        self._jobs: dict[asyncio.Task[bytes], Job] = {}

    def start(self, job: Job) -> asyncio.Task[bytes]:
        """Put a job into its queue."""
        task = asyncio.create_task(self._through(job))
        self._jobs[task] = job
        task.add_done_callback(self._finished)
        return task

    def give_up(self, task: asyncio.Task[bytes]) -> None:
        """Cancel a job whose client has gone; a job that still waits leaves its queue at once."""
        job = self._jobs.get(task)
        if job is None:
            return
        job.cancel()
        if job.queue is None or job.queue.before(job) is not None:
            task.cancel()

    def status(self) -> StatusResponse:
        """How busy the queues are."""
        return StatusResponse(quick=self._quick.status(), long=self._long.status())

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
            except SliceOverError:
                pass
        return await self._long.run(job)

    def _finished(self, task: asyncio.Task[bytes]) -> None:
        del self._jobs[task]
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not log it
