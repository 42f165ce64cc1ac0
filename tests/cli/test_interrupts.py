"""Ctrl-C in real processes: while native code does not look, and while workers start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import HANG_GUARD
from tests.laboratory import SLOW, until

WATCHED = """
import hashlib, os, signal, time
from tilewise.cli import interrupts

signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored where tests run
interrupts.watch(lambda: os._exit(130))
seen = 0

def native(rounds):  # runs without Python for a while, and does not look for signals
    hashlib.pbkdf2_hmac("sha256", b"", b"", rounds)
"""


def interrupted(script: str) -> tuple[int, str]:
    """The exit code and the output of a script that gets SIGINT again and again after `now`."""
    with subprocess.Popen(
        [sys.executable, "-c", WATCHED + script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "now\n"
        while process.poll() is None:
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(0.5)
        output, _ = process.communicate(timeout=HANG_GUARD)
    return process.returncode, output


def test_native_code_that_does_not_look_for_ctrl_c_is_ended() -> None:
    script = """
interrupts.nothing_is_kept()
while True:
    try:
        if not seen:
            print("now", flush=True)
        native(2_000_000_000)
    except KeyboardInterrupt:  # it came before
        seen += 1
"""
    assert interrupted(script) == (130, "")


def test_a_command_that_may_keep_something_is_waited_for() -> None:
    script = """
for each in range(3):
    try:
        if each == 0:
            print("now", flush=True)
        native(2_000_000)
    except KeyboardInterrupt:
        seen += 1
signal.signal(signal.SIGINT, signal.SIG_IGN)
print("kept", seen > 0)
"""
    assert interrupted(script) == (0, "kept True\n")


def test_who_has_seen_ctrl_c_may_take_its_time() -> None:
    script = """
try:
    print("now", flush=True)
    time.sleep(100)
except KeyboardInterrupt:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    time.sleep(0.5)
    print("seen")
"""
    assert interrupted(script) == (0, "seen\n")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to see the workers")
@pytest.mark.parametrize("how", [["--workers", "2"], ["--cluster", "local", "--workers", "2"]])
def test_ctrl_c_while_workers_start_is_answered_without_a_word(
    how: list[str], tmp_path: Path
) -> None:
    (tmp_path / "slow.toml").write_text(SLOW, encoding="utf-8")
    command = [sys.executable, "-m", "tilewise", "experiment", "run", "slow.toml", "--out", "out"]
    with subprocess.Popen(
        [*command, *how],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        children = Path(f"/proc/{process.pid}/task")
        until(
            lambda: sum(len(each.read_text().split()) for each in children.glob("*/children")) == 3
        )
        os.killpg(process.pid, signal.SIGINT)
        output, _ = process.communicate(timeout=HANG_GUARD)
    assert (process.returncode, b"Traceback" in output) == (130, False), output
