"""`tilewise driver`: the course program that writes a file of statistics (columbia)."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from tilewise.cli import commands, exit_codes
from tilewise.core.rules import Rules
from tilewise.courses import columbia
from tilewise.courses.columbia.statistics import failure, note_if_longer, statistics
from tilewise.courses.running import run_course
from tilewise.errors import TilewiseError, shortened
from tilewise.puzzle.board import Board

SCREEN = "-"


@commands.command("driver")
@click.argument("method", metavar="METHOD", help="bfs, dfs, ast or ida.")
@click.argument("board", metavar="BOARD", help="1,2,5,3,4,0,6,7,8 or any other notation.")
@click.option(
    "--output", "-o", default="output.txt", metavar="FILE|-", help="The file; - is the screen."
)
@click.option(
    "--rules", default="columbia", metavar="RULES", help="Other rules than the course's: fifo ..."
)
def command(method: str, board: str, output: str, rules: str) -> int:
    """Solve a board and write path, costs, depths, time and memory to a file (profile columbia).

    The goal is the blank first: 0,1,2,3,4,5,6,7,8. Breadth-first, depth-first, A* and IDA* with
    Manhattan distance. The course's A* skips a state that is in the frontier already even when the
    new path is cheaper, so its path may be too long; then a line on standard error says so.

    Examples:

        tilewise driver bfs 1,2,5,3,4,0,6,7,8

        tilewise driver ast 8,6,4,2,1,3,5,7,0 --output - --rules fifo
    """
    methods = {each.name: each for each in columbia.METHODS}
    if method not in methods:
        raise TilewiseError(f"expected a method {', '.join(methods)}, got {shortened(method)}")
    start, chosen = Board.parse(board), Rules.parse(rules)
    if output != SCREEN:
        _check_writable(output)
    result = run_course(columbia.COURSE, methods[method], start, rules=chosen)
    text = statistics(result, peak_memory())
    if not result.solved:
        _tell(failure(result))
        return exit_codes.OF_STATUS[result.status]
    if output == SCREEN:
        sys.stdout.write(text)
    else:
        _write_whole(output, text)
        sys.stdout.write(f"Statistics written to {output}\n")
    note = note_if_longer(result)
    if note is not None:
        _tell(note)
    return exit_codes.OK


def _tell(line: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(f"tilewise: {line}\n")


def peak_memory() -> int:
    """The most memory, in bytes, that this process has held so far."""
    if sys.platform == "win32":
        return _windows_peak_memory()
    import resource  # is not there on Windows

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


if sys.platform == "win32":

    def _windows_peak_memory() -> int:
        import ctypes
        from ctypes import wintypes

        class Counters(ctypes.Structure):
            """PROCESS_MEMORY_COUNTERS of psapi.h: two numbers of 32 bits, then eight sizes."""

            _fields_ = [
                ("cb", wintypes.DWORD),
                ("page_faults", wintypes.DWORD),
                ("peak_working_set", ctypes.c_size_t),
                ("others", ctypes.c_size_t * 7),
            ]

        counters = Counters(cb=ctypes.sizeof(Counters))
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.K32GetProcessMemoryInfo.argtypes = (
            wintypes.HANDLE,
            ctypes.POINTER(Counters),
            wintypes.DWORD,
        )
        process = kernel.GetCurrentProcess()
        kernel.K32GetProcessMemoryInfo(process, ctypes.byref(counters), counters.cb)
        return int(counters.peak_working_set)


def _check_writable(name: str) -> None:
    """Refuse a file that cannot be written before a search is run for it."""
    if not name:
        raise TilewiseError("expected the name of a file to write, got ''")
    file = Path(name)
    with _explained(name):
        with suppress(FileNotFoundError):
            file.lstat()  # fails for a name that no file can have
        if name.endswith(("/", os.sep)) or file.is_dir():
            raise TilewiseError(f"expected a file to write, got a folder: {shortened(name)}")
        if file.exists() and not os.access(file, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if not _is_device(file):
            _new_file_beside(file).unlink()


def _write_whole(name: str, text: str) -> None:
    """Write a file that gets its name only when it is complete: never half of one."""
    file = Path(name)
    with _explained(name):
        if _is_device(file):
            file.write_text(text, encoding="utf-8")
            return
        unfinished = _new_file_beside(file)
        try:
            unfinished.write_text(text, encoding="utf-8")
            if file.exists():
                unfinished.chmod(stat.S_IMODE(file.stat().st_mode))
            unfinished.replace(file.resolve())  # through a link, which stays
        except BaseException:
            unfinished.unlink()
            raise


def _is_device(file: Path) -> bool:
    """Whether the name is there and no plain file, such as /dev/null: never to be replaced."""
    return file.exists() and not file.is_file()


def _new_file_beside(file: Path) -> Path:
    """A new empty file in the folder where the given one is or shall be."""
    new = file.resolve().with_name(f".tilewise-{os.urandom(6).hex()}.tmp")
    new.touch(exist_ok=False)
    return new


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn what the system says about a file into one line."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise TilewiseError(f"cannot write {shortened(name)}: {reason}") from None
