"""How soon Ctrl-C is answered: commands that take long, interrupted as a terminal does it.

    python -m benchmarks.interrupts                     all of them, after 1 second (minutes)
    python -m benchmarks.interrupts prove learn         those whose name has one of the words
    python -m benchmarks.interrupts --after 1 2.5       at these moments
    python -m benchmarks.interrupts --random 3          and at three random moments each
    python -m benchmarks.interrupts --start-up 5        only at five moments of the start of each
    python -m benchmarks.interrupts --how twice         Ctrl-C twice; `term`: SIGTERM instead;
                                                        `closed`: nobody reads the output
    python -m benchmarks.interrupts --list              the commands

Each command is a process group of its own that gets SIGINT. A line says after how many
milliseconds the command had ended, the processor time that it used from the signal on, and its
exit code. Beside it, a process that only sleeps is interrupted at the same moment: what that takes
is the machine's own disturbance. What counts is the first try. One that took longer than 200 ms is
tried twice more, and that is shown, no more. It is an error if a first try takes longer, if there
is a traceback, a wrong exit code, or a process that stays behind.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import pty
import random
import select
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import termios
import threading
import time
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import tilewise
from benchmarks.long_commands import (
    LONG,
    PYTHON,
    Case,
    cases,
    environment,
    make_stand_in,
    prepare,
    stays_behind,
)

MOST, AGAIN = 200.0, 2
"""Milliseconds that are allowed; how often a longer one is tried again."""
EARLIEST, LATEST = 0.3, 5.0
"""Seconds after the start between which random moments are."""
START_UP = (0.03, 0.8)
"""Those of the start."""
HANGS = 20.0
"""Seconds after which a command is taken to hang, and is killed."""
BETWEEN = 0.06
"""Seconds between two signals of `--how twice`."""
PACKAGE = str(Path(tilewise.__file__).parent)
CONTROL = "import os, signal, time; signal.signal(2, lambda *_: os._exit(0)); time.sleep(1000)"
TICKS = os.sysconf("SC_CLK_TCK")


class Answer(NamedTuple):
    """How a command ended; `control` is how long the process took that only sleeps."""

    milliseconds: float
    control: float
    cpu: float
    code: int
    wrong: str

    @property
    def errors(self) -> str:
        """What is wrong with it, and whether it took too long."""
        slow = "too slow" if self.milliseconds > MOST else ""
        return ", ".join(filter(None, (slow, self.wrong)))


@dataclass
class Run:
    """How all commands are interrupted, and what came of it."""

    folder: Path
    how: str
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    before_tilewise: int = 0
    _terminal: int = -1

    def interrupt(self, case: Case, moment: float) -> None:
        """Interrupt a command, and say what came of it."""
        answer = self.answered(case, moment)
        title = f"{case.name:28} after {moment:4.2f} s:"
        if answer is None:
            print(f"{title} had ended", flush=True)
            return
        if answer.wrong == OF_PYTHON:
            self.before_tilewise += 1
            print(f"{title} {OF_PYTHON}", flush=True)
            return
        self.answers.setdefault(case.kind, []).append(answer)
        errors = f"  <- {answer.errors}" if answer.errors else ""
        print(f"{title} {_text(answer)}{errors}", flush=True)
        for _ in range(AGAIN if answer.errors else 0):
            again = self.answered(case, moment)
            if again is not None:
                print(f"{'':28} tried again: {_text(again)}  {again.errors}", flush=True)

    def answered(self, case: Case, moment: float) -> Answer | None:
        """Interrupt a command so many seconds after its start; None if it had ended by then."""
        with ExitStack() as stack:
            cache = self.folder / "cache"
            if case.fresh:
                cache = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=self.folder)))
            text = stack.enter_context(tempfile.TemporaryFile())
            files = self._files(case, text.fileno(), stack)
            command = [*PYTHON, *shlex.split(case.command)]
            if self.how == "closed":
                command = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command]
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env=environment(self.folder, cache),
                start_new_session=True,
                stdin=files["stdin"],
                stdout=files["stdout"],
                stderr=files["stderr"],
                preexec_fn=_take_terminal if case.key else None,
            )
            control = subprocess.Popen(
                [sys.executable, "-c", CONTROL], stderr=subprocess.DEVNULL, start_new_session=True
            )
            try:
                return self._ended(case, moment, process, control, text.fileno())
            finally:
                control.kill()
                control.wait()

    def _files(self, case: Case, text: int, stack: ExitStack) -> dict[str, int]:
        """The streams of a command: a file, a terminal, or a pipe that nobody reads."""
        if case.key:
            ours, theirs = pty.openpty()
            stack.callback(os.close, ours)
            stack.callback(os.close, theirs)
            threading.Thread(target=_drain, args=(ours, text), daemon=True).start()
            self._terminal = ours
            return {"stdin": theirs, "stdout": theirs, "stderr": theirs}
        if self.how == "closed":
            reading, writing = os.pipe()
            os.close(reading)
            stack.callback(os.close, writing)
            return {"stdin": subprocess.DEVNULL, "stdout": writing, "stderr": text}
        return {"stdin": subprocess.DEVNULL, "stdout": text, "stderr": text}

    def _ended(
        self,
        case: Case,
        moment: float,
        process: subprocess.Popen[bytes],
        control: subprocess.Popen[bytes],
        text: int,
    ) -> Answer | None:
        began = time.perf_counter()
        ends = {each: os.pidfd_open(each.pid) for each in (process, control)}
        if case.busy:
            _ask_for_something_long(text, began + moment - 0.3)
        early = select.select([ends[process]], [], [], max(0, began + moment - time.perf_counter()))
        if early[0]:
            process.wait()
            _close(ends.values())
            return None
        used = _processor_seconds(process.pid)
        began = time.perf_counter()
        self._send(case, process)
        os.kill(control.pid, signal.SIGINT)
        taken = {process: 1000 * HANGS, control: 1000 * HANGS}
        second = began + BETWEEN if self.how == "twice" else None
        while ends and time.perf_counter() - began < HANGS:
            ready = select.select(list(ends.values()), [], [], 0.01)[0]
            for each in [each for each, end in ends.items() if end in ready]:
                taken[each] = 1000 * (time.perf_counter() - began)
                os.close(ends.pop(each))
            if second is not None and time.perf_counter() > second:
                second = None
                if process in ends:
                    self._send(case, process)
        _close(ends.values())
        hangs = process in ends
        if hangs:
            os.killpg(process.pid, signal.SIGKILL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = code = os.waitstatus_to_exitcode(status)
        cpu = max(0.0, usage.ru_utime + usage.ru_stime - used)
        wrong = _wrong(case, code, text)
        if hangs:
            wrong = "it hangs"
        elif wrong != OF_PYTHON and stays_behind(process.pid):
            wrong = ", ".join(filter(None, (wrong, "a process stayed behind")))
        return Answer(taken[process], taken[control], cpu, code, wrong)

    def _send(self, case: Case, process: subprocess.Popen[bytes]) -> None:
        with suppress(ProcessLookupError):
            if case.key and "signal" not in case.name and self.how != "term":
                os.write(self._terminal, b"\x03")
            else:
                number = signal.SIGTERM if self.how == "term" else signal.SIGINT
                os.killpg(process.pid, number)

    def summary(self) -> Iterator[str]:
        """A table of all kinds, and the whole in a line."""
        every = [each for answers in self.answers.values() for each in answers]
        if not every:
            return
        yield ""
        yield "| commands | answers | median, ms | longest, ms | above 200 ms or wrong |"
        yield "|---|---:|---:|---:|---:|"
        for kind, answers in [*self.answers.items(), ("all", every)]:
            times = [each.milliseconds for each in answers]
            bad = sum(bool(each.errors) for each in answers)
            numbers = f"{statistics.median(times):.0f} | {max(times):.0f} | {bad}"
            yield f"| {kind} | {len(answers)} | {numbers} |"
        controls = [each.control for each in every]
        yield ""
        yield (
            f"a process that sleeps: median {statistics.median(controls):.0f} ms, "
            f"longest {max(controls):.0f} ms; processor time after the signal: "
            f"longest {1000 * max(each.cpu for each in every):.0f} ms; "
            f"load {os.getloadavg()[0]:.1f}"
        )
        if self.before_tilewise:
            yield f"{self.before_tilewise} more came before tilewise's first line"

    @property
    def failed(self) -> bool:
        """Whether a first try was too slow or wrong."""
        return any(each.errors for answers in self.answers.values() for each in answers)


OF_PYTHON = "before tilewise's first line"


def _text(answer: Answer) -> str:
    return (
        f"{answer.milliseconds:6.0f} ms (sleeping {answer.control:.0f}, "
        f"processor {1000 * answer.cpu:.0f}), exit code {answer.code}"
    )


def _wrong(case: Case, code: int, text: int) -> str:
    """What is wrong with an end. Before its first line, Python itself answers."""
    os.lseek(text, 0, os.SEEK_SET)
    said = os.read(text, 2**20)
    traceback = b"Traceback" in said or b"Exception ignored" in said
    ours = f'File "{PACKAGE}'.encode() in said
    if not ours and (code in (-signal.SIGINT, -signal.SIGTERM) or (code == 1 and traceback)):
        return OF_PYTHON
    wrong = [] if code in case.codes else [f"exit code {code}"]
    wrong += [f"a traceback: {said[-300:]!r}"] if traceback else []
    return ", ".join(wrong)


def _close(files: Iterable[int]) -> None:
    for each in files:
        os.close(each)


def _take_terminal() -> None:
    """Let the keys of a terminal be signals, as long as no program takes them."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _drain(terminal: int, text: int) -> None:
    """Read what a game draws, as a terminal does."""
    with suppress(OSError):
        while shown := os.read(terminal, 65_536):
            os.write(text, shown)


def _ask_for_something_long(text: int, latest: float) -> None:
    """Give a server a search that does not end."""

    def ask() -> None:
        while time.perf_counter() < latest:
            said = os.pread(text, 1000, 0).decode()
            if "http://" in said:
                url = said[said.index("http://") :].split()[0]
                body = {"board": LONG, "algorithm": "idastar", "heuristic": "manhattan"}
                data, json_type = json.dumps(body).encode(), {"Content-Type": "application/json"}
                request = urllib.request.Request(f"{url}api/solve", data, json_type)
                with suppress(OSError):
                    urllib.request.urlopen(request, timeout=HANGS).read()
                return
            time.sleep(0.05)

    threading.Thread(target=ask, daemon=True).start()


def _processor_seconds(process: int) -> float:
    """The processor time that a process has used so far."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / TICKS


def main() -> None:
    """Interrupt everything, print a line each and a summary."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("words", nargs="*", help="only commands whose name has one of these words")
    parser.add_argument("--after", type=float, nargs="+", default=[1.0], metavar="S")
    parser.add_argument("--random", type=int, default=0, help="as many random moments besides")
    parser.add_argument("--start-up", type=int, default=0, help="as many moments of the start")
    parser.add_argument("--how", choices=("once", "twice", "term", "closed"), default="once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="show the commands only")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        run = Run(Path(name), options.how)
        make_stand_in(run.folder)
        for case in cases(run.folder):
            if options.words and not any(word in case.name for word in options.words):
                continue
            if options.list:
                print(f"{case.name:28} tilewise {case.command[:100]}")
                continue
            prepare(case, run.folder)
            moments = [
                *options.after,
                *(chance.uniform(EARLIEST, LATEST) for _ in range(options.random)),
            ]
            if options.start_up:
                moments = [chance.uniform(*START_UP) for _ in range(options.start_up)]
            elif case.quick:
                continue
            for moment in moments:
                run.interrupt(case, moment)
        for line in run.summary():
            print(line)
    raise SystemExit(1 if run.failed else 0)


if __name__ == "__main__":
    main()
