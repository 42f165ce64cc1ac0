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
import shlex
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tilewise import solve, suites
from tilewise.core.registry import ALGORITHMS
from tilewise.scrambling import scramble

MOST, TRIES = 200.0, 3
"""Milliseconds that are allowed; how often a longer one is repeated."""
EARLIEST, LATEST = 0.3, 5.0
"""Seconds after the start between which random moments are. Before, Python itself is starting."""
STAYS = 2.0
"""Seconds that processes of the group may take to end after the command."""
INTERRUPTED, OK = 130, 0
FAR = f"{str(suites.load('hardest15').instances[0].board)!r} --goal last"
KORF24 = [str(each.board) for each in suites.load("korf24").instances]
LONG = KORF24[-1]


def drawn(shape: str, goal: str = "first") -> str:
    """A random board, always the same."""
    return str(next(scramble(shape, goal=goal, seed=1)))


@dataclass(frozen=True)
class Case:
    """A command that takes long."""

    name: str
    command: str
    codes: tuple[int, ...] = (INTERRUPTED,)
    before: str = ""
    """A command that is carried out first."""
    fresh: bool = False
    """Whether it needs a cache with nothing in it."""


class Answer(NamedTuple):
    """How a command ended."""

    milliseconds: float
    code: int
    wrong: str


def cases(folder: Path) -> list[Case]:
    """The commands; files that they need are made in the folder."""
    (folder / "boards.txt").write_text("\n".join(KORF24), encoding="utf-8")
    large = drawn("8x8")
    by_rows = solve(large, algorithm="human").moves
    return [
        *searches(),
        *(Case(f"anytime {n}x{n}", f"solve {drawn(f'{n}x{n}')!r} --seconds 1h") for n in SIDES),
        Case("solve --all", f"solve {FAR} --all"),
        Case("solve --file", "solve --file boards.txt -a idastar -H manhattan"),
        Case("solve --suite", "solve --suite korf24 -a idastar -H manhattan --threads 4"),
        Case("walking distance", f"solve {drawn('3x5')!r} -a idastar -H walking_distance"),
        Case(
            "walking distance, Python",
            f"solve {drawn('3x5')!r} -a idastar -H walking_distance --engine python",
        ),
        Case("words of 12 moves", f"solve {LONG!r} -a 'idastar(prune=12)' -H manhattan"),
        Case("tables for a search", f"solve {FAR} -a idastar -H 'pdb(7-8)'", fresh=True),
        Case("pdb build 4x4", "pdb build 4x4 7-8", fresh=True),
        Case("pdb build 5x5", "pdb build 5x5 6-6-6-6", fresh=True),
        Case("pdb verify", "pdb verify 4x4 7-8", before="pdb build 4x4 7-8"),
        Case("space", "space 3x4", fresh=True),
        Case("scramble --depth", "scramble 16x16 --depth 80 --seconds 1h"),
        Case("scramble, proved", "scramble 4x4 --depth 60 --count 1000"),
        Case("prove", f"prove {LONG!r}"),
        Case("prove, tables", f"prove {LONG!r}", fresh=True),
        Case("prove --checkpoint", f"prove {LONG!r} -H manhattan --checkpoint long.proof"),
        Case("prove --cluster local", f"prove {LONG!r} -H manhattan --cluster local"),
        Case("prove, no scheduler", f"prove {LONG!r} --cluster tcp://127.0.0.1:1"),
        Case("improve", f"improve {large!r} --path {by_rows} --seconds 1h"),
        Case("check --path", f"check {large!r} --path {by_rows} --seconds 1h"),
        Case("compare", f"compare {FAR} --max-nodes 1e9"),
        Case("compare --suite", "compare --suite korf24 -a idastar -a astar --max-nodes 1e9"),
        Case("explain", f"explain {FAR} -H manhattan --steps 100000"),
        Case("trace export", f"trace export {FAR} --events 10000000 -o a.jsonl"),
        Case(
            "trace check",
            "trace check long.jsonl",
            before=f"trace export {FAR} --max-nodes 300000 --events 10000000 -o long.jsonl",
        ),
        Case("why", "why 8,6,4,2,1,3,5,7,0 --count 1586 --processes 1"),
        Case("why, processes", "why 8,6,4,2,1,3,5,7,0 --count 1586"),
        Case("audit", "audit walking_distance --shape 4x4 --shape 2x5"),
        Case("zoo", f"zoo g-forgotten {drawn('4x4')!r}"),
        Case("driver", "driver bfs 8,6,4,2,1,3,5,7,0,9,10,11,12,13,14,15"),
        Case("course run", f"course run n-puzzle uniform {drawn('4x4', 'snail')!r}"),
        *(Case(f"learn train: {each}", f"learn train {each} --seconds 1h") for each in MODELS),
        *(
            Case(f"experiment: {each}", f"experiment run korf24 --out out {each}")
            for each in ("--workers 1", "--workers 2", "--cluster local")
        ),
        Case(
            "experiment, no scheduler",
            "experiment run korf24 --out dead --cluster tcp://127.0.0.1:1",
        ),
        Case("serve", "serve --port 0", codes=(OK, INTERRUPTED)),
    ]


SIDES = (5, 6, 8, 10, 16)
MODELS = ("6x6", "4x4 --model linear", "3x3 --model network", "4x4 --model policy")
NEEDS = {"beam": "(width=100000)", "depth_limited": "(depth=60)", "climbing": "(climbs=10000000)"}
NEEDS |= {"annealing": "(temperature=20, steps=1000000000)"}
"""Parameters with which a search takes long."""
SHORT = {
    "human",
    "greedy",
    "lrtastar",
    "hill_climbing",
    "anytime",
    "stochastic_beam",
    "climbing",
    "bulb",
}
"""Searches that end at once on any board, or have a row of their own."""


def searches() -> Iterator[Case]:
    """Every algorithm, by both engines where it has two, and the wide beams."""
    for name, entry in ALGORITHMS.items():
        if name in SHORT or entry.combines:
            continue
        board = f"{drawn('8x8')!r}" if name == "beam" else FAR
        command = f"solve {board} -a {name + NEEDS.get(name, '')!r}"
        yield Case(f"{name}, Python", f"{command} --engine python")
        if entry.native is not None:
            yield Case(f"{name}, native", command)
    yield Case("idastar, threads", f"solve {LONG!r} -a 'idastar(threads=2)' -H manhattan")
    for n in (5, 6, 8):
        spec = "'beam(width=500000, threads=2)'"
        yield Case(f"wide beam {n}x{n}", f"solve {drawn(f'{n}x{n}')!r} -a {spec} -H learned")


def answered(case: Case, folder: Path, moment: float) -> Answer | None:
    """Interrupt a command so many seconds after its start; None if it had ended by then."""
    cache = tempfile.TemporaryDirectory(dir=folder) if case.fresh else None
    environment = {**os.environ, "TILEWISE_CACHE": cache.name if cache else str(folder / "cache")}
    arguments = [sys.executable, "-m", "tilewise", *shlex.split(case.command)]
    with tempfile.TemporaryFile() as text:
        process = subprocess.Popen(
            arguments,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=text,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
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
        text.seek(0)
        wrong = [] if code in case.codes else [f"exit code {code}"]
        wrong += ["a traceback"] if b"Traceback" in text.read() else []
    wrong += ["a process stayed behind"] if stays_behind(process.pid) else []
    if cache is not None:
        cache.cleanup()
    return Answer(milliseconds, code, ", ".join(wrong))


def stays_behind(group: int) -> bool:
    """Whether a process of the group lives on; it is ended then."""
    deadline = time.monotonic() + STAYS
    try:
        while time.monotonic() < deadline:
            os.killpg(group, 0)
            time.sleep(0.05)
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


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


def prepare(case: Case, folder: Path) -> None:
    """Carry out what a command needs."""
    if case.before:
        environment = {**os.environ, "TILEWISE_CACHE": str(folder / "cache")}
        arguments = [sys.executable, "-m", "tilewise", *shlex.split(case.before)]
        subprocess.run(arguments, cwd=folder, env=environment, stdout=subprocess.DEVNULL)


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
