"""How soon Ctrl-C is answered: commands that take long, interrupted as a terminal does it.

    python benchmarks/interrupts.py                  all of them, after 1 second (minutes)
    python benchmarks/interrupts.py prove learn      those whose name has one of the words
    python benchmarks/interrupts.py --random 3       also at three random moments each
    python benchmarks/interrupts.py --list           the commands

Each command is a process group of its own that gets SIGINT. A line says after how many
milliseconds the command had ended, and its exit code. One that took longer than 200 is
interrupted again, up to three times, and the best counts: other programs may have been in its way.
It is an error if even that is longer, if there is a traceback, a wrong exit code, or a process
that stays behind.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.long_commands import Case, cases, ending, prepare, started

MOST, TRIES = 200.0, 3
"""Milliseconds that are allowed; how often a longer one is repeated."""
EARLIEST, LATEST = 0.3, 5.0
"""Seconds after the start between which random moments are. Before, Python itself is starting."""


class Answer(NamedTuple):
    """How a command ended."""

    milliseconds: float
    code: int
    wrong: str


def answered(case: Case, folder: Path, moment: float) -> Answer | None:
    """Interrupt a command so many seconds after its start; None if it had ended by then."""
    with started(case, folder) as (process, text):
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            pass
        else:
            return None
        began = time.perf_counter()
        os.killpg(process.pid, signal.SIGINT)
        code = process.wait()
        milliseconds = 1000 * (time.perf_counter() - began)
        wrong = ending(case, process, text)
    return Answer(milliseconds, code, wrong)


def best_of(case: Case, folder: Path, moment: float) -> Answer | None:
    """The quickest answer; a command is repeated only if it was slow."""
    best = None
    for _ in range(TRIES):
        one = answered(case, folder, moment)
        if one is not None and (best is None or one.wrong or one.milliseconds < best.milliseconds):
            best = one
        if best is None or best.wrong or best.milliseconds <= MOST:
            break
    return best


def main() -> None:
    """Interrupt everything, print a line each and a summary."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("words", nargs="*", help="only commands whose name has one of these words")
    parser.add_argument("--after", type=float, default=1.0, help="seconds after the start")
    parser.add_argument("--random", type=int, default=0, help="as many random moments besides")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="show the commands only")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
    moments = random.Random(options.seed)
    times, wrong = [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for case in cases(folder):
            if options.words and not any(word in case.name for word in options.words):
                continue
            if options.list:
                print(f"{case.name:28} tilewise {case.command[:100]}")
                continue
            prepare(case, folder)
            later = [moments.uniform(EARLIEST, LATEST) for _ in range(options.random)]
            for moment in (options.after, *later):
                answer = best_of(case, folder, moment)
                if answer is None:
                    print(f"{case.name:28} after {moment:4.1f} s: had ended", flush=True)
                    continue
                times.append(answer.milliseconds)
                slow = ["too slow"] if answer.milliseconds > MOST else []
                errors = ", ".join([*slow, *filter(None, [answer.wrong])])
                wrong += bool(errors)
                print(
                    f"{case.name:28} after {moment:4.1f} s:{answer.milliseconds:7.0f} ms, "
                    f"exit code {answer.code}{f'  <- {errors}' if errors else ''}",
                    flush=True,
                )
    if times:
        print(
            f"{len(times)} answers: median {statistics.median(times):.0f} ms, "
            f"at most {max(times):.0f} ms; {wrong} wrong or above {MOST:.0f} ms; "
            f"load {os.getloadavg()[0]:.1f}"
        )
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
