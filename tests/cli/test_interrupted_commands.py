"""Ctrl-C and SIGTERM in commands as they are: what they keep, and that nothing stays behind."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tilewise as tw
from tests.conftest import HANG_GUARD
from tests.laboratory import SLOW, until
from tilewise.cli import app
from tilewise.cli import solve as solve_command
from tilewise.suites import load

TILEWISE = [sys.executable, "-m", "tilewise"]
HAS_PROC = Path("/proc/self/task").exists()
BOTH = [signal.SIGINT, signal.SIGTERM]
LARGE = load("korf24").instances[0]
STAND_IN = """#!/bin/sh
case "$*" in *"exit 7") exit 7 ;; *--help) exit 0 ;; esac
touch {folder}/began
exec sleep 1000
"""
ASSIGNMENT = """
title = "One board"
profile = "columbia"
[[questions]]
name = "q1"
board = "1,2,5,3,4,0,6,7,8"
method = "bfs"
points = { path = 4 }
"""


@contextmanager
def started(*args: str, cwd: Path, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A command as the first of a process group, which is gone at the end."""
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    with subprocess.Popen(
        [*TILEWISE, *args], cwd=cwd, start_new_session=True, **streams
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def children_of(process: int) -> list[int]:
    """The processes that a process has started."""
    found: list[int] = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, thread.read_text().split())
    return found


def is_running(process: int) -> bool:
    """Whether a process is there and has not ended."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc to see the workers")
@pytest.mark.parametrize("number", BOTH)
@pytest.mark.parametrize("how", [["--workers", "2"], ["--cluster", "local", "--workers", "2"]])
def test_workers_that_start_are_ended_without_a_word(
    how: list[str], number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "slow.toml").write_text(SLOW, encoding="utf-8")
    command = ["experiment", "run", "slow.toml", "--out", "out", *how]
    with started(*command, cwd=tmp_path, stderr=subprocess.STDOUT) as process:
        until(lambda: len(children_of(process.pid)) == 3)
        children = children_of(process.pid)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does it
        else:
            process.send_signal(number)
        output, _ = process.communicate(timeout=HANG_GUARD)
        until(lambda: not any(map(is_running, children)))
    assert (process.returncode, b"Traceback" in output) == (130, False), output


@pytest.mark.parametrize("number", BOTH)
def test_a_heuristic_that_makes_an_error_of_ctrl_c_does_not_change_the_code(
    number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(
        "import time\n"
        "def own(board):\n"
        "    print('now', flush=True)\n"
        "    try:\n"
        "        time.sleep(1000)\n"
        "    except KeyboardInterrupt:\n"
        "        raise ValueError('what is that?')\n"
    )
    with started("solve", "8b6 547 231", "-a", "astar", "-H", "mine.py:own", cwd=tmp_path) as run:
        assert run.stdout is not None and run.stdout.readline() == b"now\n"
        run.send_signal(number)
        output, errors = run.communicate(timeout=HANG_GUARD)
    assert (run.returncode, output, errors) == (130, b"", b"")


def test_ctrl_c_does_not_wait_for_a_full_pipe(tmp_path: Path) -> None:
    with started("scramble", "3x3", "--count", "1000000", cwd=tmp_path) as process:
        assert process.stdout is not None
        waiting = process.stdout.fileno()
        most = fcntl.fcntl(waiting, getattr(fcntl, "F_GETPIPE_SZ", 1032))
        until(lambda: _bytes_in(waiting) > most - 4096)
        process.send_signal(signal.SIGINT)
        assert process.wait(HANG_GUARD) == 130


def _bytes_in(pipe: int) -> int:
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4), sys.byteorder)


@pytest.mark.skipif(not HAS_PROC, reason="needs /proc to see files")
def test_a_closed_stream_is_not_taken_for_the_pipe_of_signals(tmp_path: Path) -> None:
    command = ["sh", "-c", 'exec "$@" 2>&-', "sh", *TILEWISE, "solve", "--file", "-"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"1b2 345 678\n")
        process.stdin.flush()
        process.stdout.readline()
        assert Path(f"/proc/{process.pid}/fd/2").readlink() == Path(os.devnull)
        process.send_signal(signal.SIGINT)
        process.stdout.close()
        assert process.wait(HANG_GUARD) == 130
        process.stdin.close()


def test_a_network_is_kept_though_its_library_swallows_ctrl_c(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TILEWISE_CACHE": str(tmp_path / "cache")}
    command = ["learn", "train", "2x3", "--model", "network", "--seconds", "1h"]
    with started(*command, cwd=tmp_path, stderr=theirs, env=environment) as process:
        os.close(theirs)
        _shown(ours, b"loss")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=HANG_GUARD)
    assert process.returncode == 130 and b"trained on 324 states" in output
    assert [each.name for each in (tmp_path / "cache").glob("*.model")]


@pytest.mark.parametrize("number", BOTH)
def test_the_best_solution_so_far_is_shown(number: signal.Signals, tmp_path: Path) -> None:
    known = tw.solve(tw.read_position(LARGE.board, "first"), algorithm="human").moves
    assert known is not None
    ours, theirs = pty.openpty()
    command = ["solve", str(LARGE.board), "--goal", "first", "--seconds", "1h"]
    with started(*command, "--incumbent", known, cwd=tmp_path, stderr=theirs) as process:
        os.close(theirs)
        _shown(ours, b"found by")
        process.send_signal(number)
        output, _ = process.communicate(timeout=HANG_GUARD)
    assert process.returncode == 130
    assert b"interrupted: this is the best solution so far" in output


def _shown(terminal: int, wanted: bytes) -> None:
    """Come back when the text is on the terminal, which is read to the end all the same."""
    shown = b""
    while wanted not in shown:
        shown += _read(terminal)
    threading.Thread(target=_drain, args=(terminal,), daemon=True).start()


def _read(terminal: int) -> bytes:
    assert select.select([terminal], [], [], HANG_GUARD)[0], "nothing is shown"
    return os.read(terminal, 10_000)


def _drain(terminal: int) -> None:
    with suppress(OSError):
        while os.read(terminal, 65_536):
            pass


def test_no_other_board_is_begun_after_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    boards: list[str] = []

    def cancelled(position: tw.Position, **_: Any) -> tw.Result:
        boards.append(str(position.board))
        return replace(tw.solve(position), status=tw.Status.CANCELLED)

    monkeypatch.setattr(solve_command, "solve_board", cancelled)
    code = app.run(["solve", "1b2 345 678", "312 b45 678", "--threads", "1"])
    assert (code, len(boards)) == (130, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")
@pytest.mark.parametrize("number", BOTH)
def test_the_program_of_a_student_is_ended(number: signal.Signals) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bin").mkdir()
        (folder / "bin" / "bwrap").write_text(STAND_IN.format(folder=folder))
        (folder / "bin" / "bwrap").chmod(0o755)
        folder.chmod(0o777)  # root becomes nobody for it
        (folder / "hw.toml").write_text(ASSIGNMENT)
        (folder / "programs" / "ann").mkdir(parents=True)
        (folder / "programs" / "ann" / "driver.py").write_text("while True: pass\n")
        (folder / "temporary").mkdir(mode=0o755)
        command = ["grade", "programs", "--assignment", "hw.toml", "--run", "python3 {file}"]
        path = f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "TMPDIR": str(folder / "temporary")}
        with started(*command, "--run-seconds", "1000", cwd=folder, env=environment) as process:
            until((folder / "began").exists)
            children = children_of(process.pid)
            process.send_signal(number)
            output, errors = process.communicate(timeout=HANG_GUARD)
            until(lambda: not any(map(is_running, children)))
        assert (process.returncode, output, errors) == (130, b"", b"")
        assert list((folder / "temporary").iterdir()) == [] != children
        assert not (folder / "grades").exists()


def _by_key(terminal: int, process: subprocess.Popen[bytes]) -> None:
    os.write(terminal, b"\x03")


def _by_signal(terminal: int, process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize("end", [_by_key, _by_signal])
def test_the_game_ends_and_leaves_the_terminal_as_it_was(
    end: Callable[[int, subprocess.Popen[bytes]], None], tmp_path: Path
) -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with started("play", "3x3", "--seed", "1", cwd=tmp_path, **streams) as process:
        shown = b""
        while b"quit" not in shown:
            shown += _read(ours)
        assert b"\x1b[?1049h" in shown and termios.tcgetattr(theirs) != before
        end(ours, process)
        while b"\x1b[?1049l" not in shown:
            shown += _read(ours)
        assert process.wait(HANG_GUARD) == 130
    assert termios.tcgetattr(theirs) == before
    assert b"Traceback" not in shown
    os.close(ours)
    os.close(theirs)


UNHEARD_GAME = """
import signal, sys
signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as under nohup
from tilewise.cli import app
sys.argv = ["tilewise", "play", "3x3"]
app.main()
"""


def test_a_game_ends_when_its_terminal_is_closed(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", UNHEARD_GAME]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as process:
        os.close(theirs)
        shown = b""
        while b"quit" not in shown:
            shown += _read(ours)
        os.close(ours)
        try:
            assert process.wait(HANG_GUARD) == 130
        finally:
            process.kill()


BUSY_GAME = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where tests run
from tilewise.cli import app
from tilewise.play.screen import PlayScreen
def draw(screen):
    open("drawing", "w").close()
    time.sleep(1000)
PlayScreen.on_mount = draw
sys.argv = ["tilewise", "play", "3x3"]
app.main()
"""


def test_a_game_that_is_busy_drawing_ends_at_once(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    threading.Thread(target=_drain, args=(ours,), daemon=True).start()
    command = [sys.executable, "-c", BUSY_GAME]
    with subprocess.Popen(
        command, cwd=tmp_path, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as process:
        try:
            until((tmp_path / "drawing").exists)
            process.send_signal(signal.SIGINT)
            assert process.wait(HANG_GUARD) == 130
        finally:
            process.kill()
    assert termios.tcgetattr(theirs) == before
    os.close(theirs)
