"""How a process ends at Ctrl-C: what is not waited for, what is, and what is left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from textwrap import indent

import pytest

from tests.conftest import HANG_GUARD
from tilewise.native import NATIVE

WATCHED = """
import hashlib, os, signal, subprocess, sys, time
from collections import deque
from itertools import repeat
from pathlib import Path
from tilewise.cli import app, interrupts

signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where tests run
interrupts.watch(app._leave)
seen = 0

def native(rounds):  # runs without Python for a while, and does not look for signals
    hashlib.pbkdf2_hmac("sha256", b"", b"", rounds)

try:
{script}
except KeyboardInterrupt:  # as the program does it
    app._leave()
"""


def interrupted(script: str, folder: Path | None = None) -> tuple[int, str, str]:
    """The exit code and the output of a script that gets SIGINT again and again after `now`."""
    with subprocess.Popen(
        [sys.executable, "-c", WATCHED.format(script=indent(script, "    "))],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "now\n"
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.5)
        output, errors = process.communicate(timeout=HANG_GUARD)
    return process.returncode, output, errors


def test_native_code_that_does_not_look_for_ctrl_c_is_ended() -> None:
    script = """
print("now", flush=True)
native(2_000_000_000)
"""
    assert interrupted(script) == (130, "", "")


@pytest.mark.skipif(not NATIVE, reason="Python alone cannot do it")
def test_native_code_that_holds_pythons_lock_is_ended() -> None:
    script = """
print("now", flush=True)
deque(repeat(None, 10**13), maxlen=0)
"""
    assert interrupted(script) == (130, "", "")


@pytest.mark.skipif(not NATIVE, reason="Python alone cannot do it")
def test_code_that_holds_pythons_lock_and_keeps_something_is_ended_by_the_second() -> None:
    script = """
interrupts.keep()
print("now", flush=True)
deque(repeat(None, 10**13), maxlen=0)
"""
    assert interrupted(script) == (130, "", "")


def test_what_swallows_ctrl_c_is_ended_all_the_same() -> None:
    script = """
print("now", flush=True)
while True:
    try:
        time.sleep(100)
    except KeyboardInterrupt:
        pass
"""
    assert interrupted(script) == (130, "", "")


def test_a_finalizer_that_swallows_ctrl_c_says_nothing() -> None:
    script = """
class Finalized:
    def __del__(self):
        print("now", flush=True)
        time.sleep(100)

Finalized()
time.sleep(100)
"""
    assert interrupted(script) == (130, "", "")


def test_a_command_that_keeps_something_is_waited_for() -> None:
    script = """
with interrupts.keeping():
    try:
        print("now", flush=True)
        time.sleep(100)
    except KeyboardInterrupt:
        time.sleep(0.3)
        print("kept", flush=True)
        os._exit(0)
"""
    assert interrupted(script) == (0, "kept\n", "")


def test_what_is_kept_in_a_finalizer_that_swallows_ctrl_c_is_kept() -> None:
    script = """
class Finalized:
    def __del__(self):
        print("now", flush=True)
        time.sleep(100)

with interrupts.keeping():
    try:
        Finalized()
        time.sleep(100)
    except KeyboardInterrupt:
        print("kept", flush=True)
        os._exit(0)
"""
    assert interrupted(script) == (0, "kept\n", "")


def test_the_second_ctrl_c_ends_also_what_keeps_something() -> None:
    script = """
interrupts.keep()
print("now", flush=True)
while True:
    try:
        time.sleep(100)
    except KeyboardInterrupt:
        pass
"""
    assert interrupted(script) == (130, "", "")


def test_an_import_that_would_turn_ctrl_c_into_an_error_is_ended(tmp_path: Path) -> None:
    (tmp_path / "library.py").write_text(
        "import time\nprint('now', flush=True)\n"
        "try:\n    time.sleep(100)\nexcept BaseException:\n    print('an odd error')\n"
    )
    assert interrupted("import library", tmp_path) == (130, "", "")


def test_what_is_kept_outlives_an_import(tmp_path: Path) -> None:
    (tmp_path / "library.py").write_text(
        "import time\nprint('now', flush=True)\n"
        "try:\n    time.sleep(0.02)\nexcept BaseException:\n    print('an odd error')\n"
    )
    script = """
with interrupts.keeping():
    try:
        import library
        time.sleep(100)
    except KeyboardInterrupt:
        print("kept", flush=True)
        os._exit(0)
"""
    assert interrupted(script, tmp_path) == (0, "kept\n", "")


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    script = """
from tilewise.files import replacing, temporary_folder

with replacing(Path("wanted")) as unfinished, temporary_folder("unfinished-") as folder:
    unfinished.write_text("half")
    (folder / "more").write_text("half")
    Path("where").write_text(str(folder))
    print("now", flush=True)
    native(2_000_000_000)
"""
    assert interrupted(script, tmp_path) == (130, "", "")
    assert [each.name for each in tmp_path.iterdir()] == ["where"]
    assert not Path((tmp_path / "where").read_text()).exists()


def test_text_that_nobody_reads_is_not_waited_for() -> None:
    script = """
reading, writing = os.pipe()
print("now", flush=True)
os.dup2(writing, 1)
while True:
    print("more " * 1000)
"""
    assert interrupted(script) == (130, "", "")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to see children")
def test_children_are_ended_but_not_those_of_another_session() -> None:
    script = """
from tilewise.child_processes import end_children

signal.signal(signal.SIGINT, signal.SIG_IGN)
ours = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
browser = subprocess.Popen(
    [sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True
)
found = end_children(), ours.wait(), browser.poll()
browser.kill()
print("now", flush=True)
os._exit(found != (True, -signal.SIGKILL, None))
"""
    assert interrupted(script) == (0, "", "")
