"""`tilewise driver`: the course program that writes a file of statistics (columbia)."""

from __future__ import annotations

import sys

import click

from tilewise.cli import commands, exit_codes
from tilewise.core.rules import Rules
from tilewise.courses import columbia
from tilewise.courses.columbia.statistics import failure, note_if_longer, statistics
from tilewise.courses.running import run_course
from tilewise.errors import TilewiseError, shortened
from tilewise.files import check_writable, explained, write_file
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
    """Solve a board as the driver of ColumbiaX does.

    Path, costs, depths, time and memory are written to a file. The goal is the blank first:
    0,1,2,3,4,5,6,7,8. Breadth-first, depth-first, A* and IDA* with Manhattan distance. The
    course's A* skips a state that is in the frontier already even when the new path is cheaper,
    so its path may be too long; then a line on standard error says so.

    Examples:

        tilewise driver bfs 1,2,5,3,4,0,6,7,8

        tilewise driver ast 8,6,4,2,1,3,5,7,0 --output - --rules fifo
    """
    methods = {each.name: each for each in columbia.METHODS}
    if method not in methods:
        raise TilewiseError(f"expected a method {', '.join(methods)}, got {shortened(method)}")
    start, chosen = Board.parse(board), Rules.parse(rules)
    if output != SCREEN:
        check_writable(output)
    result = run_course(columbia.COURSE, methods[method], start, rules=chosen)
    text = statistics(result, peak_memory())
    if not result.solved:
        _tell(failure(result))
        return exit_codes.OF_STATUS[result.status]
    if output == SCREEN:
        sys.stdout.write(text)
    else:
        with explained(output):
            write_file(output, text)
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
