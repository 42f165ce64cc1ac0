"""Commands that take long, and running them as a terminal does: for `interrupts` and `limits`."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from tilewise import solve, suites
from tilewise.comparing import USUAL
from tilewise.core.registry import ALGORITHMS
from tilewise.scrambling import scramble

STAYS = 2.0
"""Seconds that processes of the group may take to end after the command."""
INTERRUPTED, OK, NEW = 130, 0, "{new}"
"""Exit codes, and what stands for a folder that is not there yet."""
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
    searches: int = 1
    """How many there are, each with a limit of time of its own."""


def cases(folder: Path) -> list[Case]:
    """The commands; files that they need are made in the folder."""
    (folder / "boards.txt").write_text("\n".join(KORF24), encoding="utf-8")
    large = drawn("8x8")
    by_rows = solve(large, algorithm="human").moves
    return [
        *searches(),
        *(Case(f"anytime {n}x{n}", f"solve {drawn(f'{n}x{n}')!r} --seconds 1h") for n in SIDES),
        Case("solve --all", f"solve {FAR} --all"),
        Case(
            "solve --file", "solve --file boards.txt -a idastar -H manhattan", searches=len(KORF24)
        ),
        Case(
            "solve --suite",
            "solve --suite korf24 -a idastar -H manhattan --threads 4",
            searches=len(KORF24),
        ),
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
        Case("compare", f"compare {FAR} --max-nodes 1e9", searches=len(USUAL)),
        Case(
            "compare --suite",
            "compare --suite korf24 -a idastar -a astar --max-nodes 1e9",
            searches=2 * len(KORF24),
        ),
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


@contextmanager
def started(case: Case, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """A command in a process group of its own, and a file with everything that it prints."""
    cache = tempfile.TemporaryDirectory(dir=folder) if case.fresh else None
    environment = {**os.environ, "TILEWISE_CACHE": cache.name if cache else str(folder / "cache")}
    words = shlex.split(case.command.replace(NEW, f"new-{os.urandom(4).hex()}"))
    with tempfile.TemporaryFile() as text:
        process = subprocess.Popen(
            [sys.executable, "-m", "tilewise", *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=text,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        yield process, text
    if cache is not None:
        cache.cleanup()


def ending(case: Case, process: subprocess.Popen[bytes], text: IO[bytes]) -> str:
    """What is wrong with the end of a command: its exit code, a traceback, a process behind it."""
    code = process.wait()
    text.seek(0)
    wrong = [] if code in case.codes else [f"exit code {code}"]
    wrong += ["a traceback"] if b"Traceback" in text.read() else []
    wrong += ["a process stayed behind"] if stays_behind(process.pid) else []
    return ", ".join(wrong)


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


def prepare(case: Case, folder: Path) -> None:
    """Carry out what a command needs."""
    if case.before:
        environment = {**os.environ, "TILEWISE_CACHE": str(folder / "cache")}
        arguments = [sys.executable, "-m", "tilewise", *shlex.split(case.before)]
        subprocess.run(arguments, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
