"""The line of progress on terminals of any width."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

HANG_GUARD = 60
SHOW = """
from tilewise.cli.progress import BoardsLine
line = BoardsLine(1000)
for done in (400, 500):
    line._done = done
    line.write(line._text())
line.clear()
"""


def shown_on_a_terminal(columns: int, tmp_path: Path) -> str:
    """What a bar writes to standard error, a terminal of that width; the output is a file."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {name: text for name, text in os.environ.items() if name != "COLUMNS"}
    with (tmp_path / "out").open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", SHOW], stdout=output, stderr=slave, env=env
        )
        os.close(slave)
        written = b""
        try:
            while piece := os.read(master, 4096):
                written += piece
        except OSError:  # the last user has closed the terminal
            pass
    os.close(master)
    assert process.wait(HANG_GUARD) == 0
    return written.decode()


@pytest.mark.parametrize("columns", [20, 30, 200])
def test_a_line_of_progress_never_reaches_the_end_of_the_line(columns: int, tmp_path: Path) -> None:
    shown = shown_on_a_terminal(columns, tmp_path)
    assert "[####" in shown and "\n" not in shown
    assert max(map(len, re.split("\r", shown))) < columns


def test_on_a_wide_terminal_nothing_is_cut(tmp_path: Path) -> None:
    assert "] 500 of 1,000, 0 s left" in shown_on_a_terminal(200, tmp_path)
