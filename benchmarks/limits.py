"""Whether a limit of time is one: commands with `--seconds`, measured as whole processes.

    python -m benchmarks.limits                  all of them, with 0.5 seconds each (minutes)
    python -m benchmarks.limits --seconds 2      another limit
    python -m benchmarks.limits prove learn      those whose name has one of the words
    python -m benchmarks.limits --every          a line for each command, not only for wrong ones
    python -m benchmarks.limits --list           the commands

A command may take twice its limit and what starting takes, which is measured first: the same
command line on a board that is solved at once. Where a limit is documented as that of each board
or search, it counts as often. A command that took longer is repeated, up to three times, and the
best counts: other programs may have been in its way, which the CPU time tells. It is an error if
even that is longer, if there is a traceback, an exit code other than 0, 1, 2, 10 or 20, a process
that stays behind, or a command with `--seconds` of which this file knows no case.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from benchmarks.limit_cases import command_of, limit_cases, with_seconds
from benchmarks.long_commands import Case, ending, make_stand_in, prepare, started

TRIES, STARTS = 3, 5
GIVEN_UP = 30.0
"""Seconds after which a command is ended that has not ended itself."""
CODES = (0, 1, 2, 10, 20)


class Took(NamedTuple):
    """How long a command took, and what was wrong with it."""

    seconds: float
    cpu: float
    code: int | None
    wrong: str


def took(case: Case, folder: Path) -> Took:
    """Run a command to its end."""
    began, before = time.perf_counter(), _cpu()
    with started(case, folder) as (process, text):
        try:
            process.wait(GIVEN_UP * case.searches)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            return Took(time.perf_counter() - began, _cpu() - before, None, "did not end")
        seconds = time.perf_counter() - began
        return Took(seconds, _cpu() - before, process.returncode, ending(case, process, text))


def _cpu() -> float:
    """Seconds of CPU time that ended processes have used, all of their cores together."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def best_of(case: Case, folder: Path, most: float, tries: int) -> Took:
    """The quickest run; a command is repeated only if it was slow."""
    best = took(case, folder)
    for _ in range(tries - 1):
        if best.wrong or best.seconds <= most:
            break
        one = took(case, folder)
        best = one if one.wrong or one.seconds < best.seconds else best
    return best


def start_up(folder: Path) -> float:
    """Seconds that the program takes for nothing."""
    case = Case("start", "solve '1b2 345 678' --seconds 60", codes=CODES)
    return statistics.median(took(case, folder).seconds for _ in range(STARTS))


def main() -> None:
    """Measure everything, print what is wrong and a summary."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("words", nargs="*", help="only commands whose name has one of these words")
    parser.add_argument("--seconds", type=float, default=0.5, help="the limit of each command")
    parser.add_argument("--tries", type=int, default=TRIES, help="of a command that was slow")
    parser.add_argument("--every", action="store_true", help="a line for each command")
    parser.add_argument("--list", action="store_true", help="show the commands only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_stand_in(folder)
        chosen = [replace(each, codes=CODES) for each in limit_cases(folder, options.seconds)]
        unknown = sorted(set(with_seconds()) - {command_of(case.command) for case in chosen})
        chosen = [
            case
            for case in chosen
            if not options.words or any(word in case.name for word in options.words)
        ]
        if options.list:
            for case in chosen:
                print(f"{case.name:40} tilewise {case.command[:100]}")
            return
        start = start_up(folder)
        print(
            f"limit {options.seconds:g} s, start {start:.2f} s, {len(chosen)} commands", flush=True
        )
        late, wrong = [], len(unknown)
        for path in unknown:
            print(f"{path}: has --seconds, and no case here")
        for case in chosen:
            prepare(case, folder)
            limit = case.searches * options.seconds
            found = best_of(case, folder, 2 * limit + start, options.tries)
            slow = found.seconds > 2 * limit + start
            late += [found.seconds - start - limit] if slow else []
            errors = [*(["too slow"] if slow else []), *filter(None, [found.wrong])]
            wrong += bool(errors)
            if errors or options.every:
                print(
                    f"{case.name:40}{found.seconds - start:7.2f} s of {limit:g} (CPU "
                    f"{found.cpu:.2f} s), exit code {found.code}"
                    f"{'  <- ' + ', '.join(errors) if errors else ''}",
                    flush=True,
                )
    worst = f", at most {max(late):.2f} s over the limit" if late else ""
    print(
        f"{len(chosen)} commands: {len(late)} took longer than twice their limit{worst}; "
        f"{wrong} wrong in all; load {os.getloadavg()[0]:.1f}"
    )
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
