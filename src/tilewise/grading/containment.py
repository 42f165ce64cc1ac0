"""Runs a program of a stranger inside bubblewrap: no network, no files of this machine, limits.

What holds it: namespaces of its own for users, processes, network, host name and messages between
processes; a file system of programs and libraries that cannot be written, and folders in memory
that vanish; no capabilities; limits of time, memory, processes, output and files. What does not:
it runs on this machine's kernel, so a defect of the kernel is a way out, and it can use a core.
"""

from __future__ import annotations

import os
import selectors
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tilewise.errors import TilewiseError

PROGRAM = "bwrap"
NOBODY = 65534
WORK, HANDED_IN, BOARD = "/work", "/handed-in", "/board.txt"
"""Inside: where it runs, a copy of what was handed in, and the board."""
_LOOK = 0.05
"""Seconds between two looks at its processes and memory."""
_LAST_WORDS = 5.0
"""Seconds in which what a stopped program wrote is read."""
_MEGABYTE = 2**20
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d")
_SCRIPT = """
cp -R "$1"/. . || exit 125
shift
collected=$1
shift
"$@"
code=$?
if [ -n "$collected" ] && [ -f "$collected" ]; then printf '\\n'; cat -- "$collected"; fi
exit $code
"""


class ContainmentError(TilewiseError):
    """Programs cannot be run here without danger, so they are not run."""


@dataclass(frozen=True)
class Boundaries:
    """What a program may use at most."""

    seconds: float = 10.0
    megabytes: float = 512.0
    processes: int = 32
    output_bytes: int = 1_000_000
    disk_megabytes: float = 64.0


@dataclass(frozen=True)
class Ran:
    """What came of a run: what it printed, its exit code, and what ended it if a limit did."""

    output: str
    errors: str
    code: int | None
    stopped: str | None = None

    @property
    def ending(self) -> str | None:
        """How it ended, in words; None where there is nothing to say."""
        if self.stopped is not None:
            return f"stopped: {self.stopped}"
        if self.code:
            if self.code < 0 or self.code > 128:
                return f"ended by signal {abs(self.code) % 128}"
            return f"ended with exit code {self.code}"
        return None


@lru_cache(maxsize=1)
def why_not() -> str | None:
    """Why programs cannot be contained here; None where they can."""
    if not sys.platform.startswith("linux"):
        return "bubblewrap runs on Linux only"
    if shutil.which(PROGRAM) is None:
        return "bubblewrap is not installed (on Debian: apt-get install bubblewrap)"
    if shutil.which("prlimit") is None:
        return "prlimit is not installed (on Debian: apt-get install util-linux)"
    try:
        tried = subprocess.run(
            [*_walls(Boundaries()), "--", "/bin/sh", "-c", "exit 7"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=30,
            check=False,
            **_unprivileged(),
        )
    except (OSError, subprocess.SubprocessError) as error:
        return f"bubblewrap does not work here: {error}"
    if tried.returncode != 7:
        said = tried.stderr.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        return f"bubblewrap does not work here: {said[0][:200]}"
    return None


def check() -> None:
    """Refuse where programs cannot be contained: there is no unprotected run."""
    reason = why_not()
    if reason is not None:
        raise ContainmentError(
            f"expected bubblewrap to contain the programs, but {reason}; no program was run"
        )


def _program() -> str:
    """Where bubblewrap is: it is started without our PATH."""
    return shutil.which(PROGRAM) or PROGRAM


def _unprivileged() -> dict[str, Any]:
    """Root becomes nobody first: root's processes are not counted by the limit of them."""
    if os.geteuid() != 0:
        return {}
    return {"user": NOBODY, "group": NOBODY, "extra_groups": []}


def _walls(boundaries: Boundaries, readable: Sequence[str] = ()) -> list[str]:
    """The command of bubblewrap: what there is inside, and nothing else."""
    disk = str(int(boundaries.disk_megabytes * _MEGABYTE))
    command = [_program(), "--unshare-all", "--unshare-user", *_more_walls(), "--cap-drop", "ALL"]
    command += ["--die-with-parent", "--new-session", "--clearenv"]
    for name, value in (
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("HOME", WORK),
        ("LANG", "C.UTF-8"),
        ("PYTHONDONTWRITEBYTECODE", "1"),
    ):
        command += ["--setenv", name, value]
    for place in _SYSTEM:
        if Path(place).is_symlink():
            command += ["--symlink", str(Path(place).readlink()), place]
        elif Path(place).is_dir():
            command += ["--ro-bind", place, place]
    for place in _SETTINGS:
        command += ["--ro-bind-try", place, place]
    for place in readable:
        command += ["--ro-bind", place, place]
    command += ["--proc", "/proc", "--dev", "/dev"]
    for place in ("/tmp", "/dev/shm", WORK):
        command += ["--size", disk, "--tmpfs", place]
    return [*command, "--chdir", WORK, "--uid", str(NOBODY), "--gid", str(NOBODY)]


@lru_cache(maxsize=1)
def _more_walls() -> tuple[str, ...]:
    """No user namespaces inside, where this bubblewrap can forbid them."""
    said = subprocess.run([_program(), "--help"], capture_output=True, text=True, check=False)
    return ("--disable-userns",) if "--disable-userns" in said.stdout + said.stderr else ()


def run(
    command: Sequence[str],
    files: Path,
    board: Path,
    boundaries: Boundaries,
    *,
    typed: str = "",
    collect: str = "",
    readable: Sequence[str] = (),
) -> Ran:
    """Run a command on a copy of a folder, and return what it printed.

    Args:
        command: The program and its arguments, as seen from inside.
        files: The folder that it finds as its own; links must not be in it.
        board: The file that it finds as `/board.txt`.
        boundaries: What it may use.
        typed: Its standard input.
        collect: A file that it may leave behind, shown behind its output.
        readable: Folders with languages that it may read beside those of the system.

    Raises:
        ContainmentError: It cannot be contained here; it is not run then.
    """
    check()
    limits = [
        "prlimit",
        f"--nproc={boundaries.processes}",
        f"--as={int(boundaries.megabytes * _MEGABYTE)}",
        f"--cpu={int(boundaries.seconds) + 1}",
        f"--fsize={int(boundaries.disk_megabytes * _MEGABYTE)}",
        "--core=0",
        "--nofile=256",
    ]
    walls = _walls(boundaries, readable)
    walls += ["--ro-bind", str(files), HANDED_IN, "--ro-bind", str(board), BOARD]
    script = ["/bin/sh", "-c", _SCRIPT, "sh", HANDED_IN, collect, *command]
    process = subprocess.Popen(
        [*walls, "--", *limits, *script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd="/",
        env={},
        **_unprivileged(),
    )
    try:
        return _Watch(process, boundaries, typed.encode()).finished()
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


class _Watch:
    """Reads what a program prints until it ends or a limit is reached."""

    def __init__(
        self, process: subprocess.Popen[bytes], boundaries: Boundaries, typed: bytes
    ) -> None:
        self._process, self._boundaries, self._typed = process, boundaries, typed
        self._texts = {"output": bytearray(), "errors": bytearray()}
        self._ends = time.monotonic() + boundaries.seconds
        self._files_before = _files_in_memory()

    def finished(self) -> Ran:
        """What came of it."""
        self._type()
        stopped = None
        with selectors.DefaultSelector() as waiting:
            for name, pipe in (("output", self._process.stdout), ("errors", self._process.stderr)):
                if pipe is not None:
                    os.set_blocking(pipe.fileno(), False)
                    waiting.register(pipe, selectors.EVENT_READ, name)
            while waiting.get_map() and stopped is None:
                self._read(waiting)
                stopped = self._trouble()
            if stopped is not None:
                self._process.kill()  # with it all that it started: it is the first of them
                last = time.monotonic() + _LAST_WORDS
                while waiting.get_map() and time.monotonic() < last:
                    self._read(waiting)
        code = self._process.wait()
        output, errors = (
            bytes(text[: self._boundaries.output_bytes]).decode("utf-8", errors="replace")
            for text in self._texts.values()
        )
        return Ran(output, errors, None if stopped else code, stopped)

    def _type(self) -> None:
        """Its input, as far as it fits: a program need not read it."""
        pipe = self._process.stdin
        if pipe is not None:
            try:
                os.set_blocking(pipe.fileno(), False)
                os.write(pipe.fileno(), self._typed)
            except OSError:
                pass
            finally:
                pipe.close()

    def _read(self, waiting: selectors.BaseSelector) -> None:
        for key, _ in waiting.select(_LOOK):
            try:
                data = os.read(key.fd, 65_536)
            except BlockingIOError:
                continue
            text = self._texts[key.data]
            if len(text) <= self._boundaries.output_bytes:
                text += data
            if not data:
                waiting.unregister(key.fileobj)

    def _trouble(self) -> str | None:
        """The limit that is reached."""
        most = self._boundaries
        if any(len(text) > most.output_bytes for text in self._texts.values()):
            return f"more than {most.output_bytes:,} bytes of output"
        if time.monotonic() > self._ends:
            return f"more than {most.seconds:g} s"
        used = sum(_resident(pid) for pid in _family(self._process.pid))
        in_files = _files_in_memory() - self._files_before - 3 * most.disk_megabytes * _MEGABYTE
        if max(used, in_files) > most.megabytes * _MEGABYTE:
            return f"more than {most.megabytes:g} MB of memory"
        return None


def _family(first: int) -> Iterator[int]:
    """A process and all that come from it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                text = (entry / "stat").read_text(errors="replace")
            except OSError:  # it has ended
                continue
            parent = text.rpartition(")")[2].split()[1]
            children.setdefault(int(parent), []).append(int(entry.name))
    waiting = [first]
    while waiting:
        pid = waiting.pop()
        yield pid
        waiting += children.get(pid, [])


def _resident(pid: int) -> int:
    """The memory of a process without its files, in bytes; what it shares counts as its own."""
    return _kilobytes(f"/proc/{pid}/status", ("RssAnon:", "RssShmem:"))


def _files_in_memory() -> int:
    """The memory of the machine that is held by files in memory, some of which no process shows."""
    return _kilobytes("/proc/meminfo", ("Shmem:",))


def _kilobytes(file: str, names: tuple[str, ...]) -> int:
    try:
        lines = Path(file).read_text(errors="replace").splitlines()
    except OSError:  # the process has ended
        return 0
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith(names))
