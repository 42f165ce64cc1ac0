"""Commands that take long, and running them as a terminal does: for `interrupts` and `limits`."""

from __future__ import annotations

import os
import shlex
import shutil
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

PYTHON = [sys.executable, "-m", "tilewise"]
STAYS = 2.0
"""Seconds that processes of the group may take to end after the command."""
INTERRUPTED, OK, NEW = 130, 0, "{new}"
"""Exit codes, and what stands for a folder that is not there yet."""
FAR = f"{str(suites.load('hardest15').instances[0].board)!r} --goal last"
KORF24 = [str(each.board) for each in suites.load("korf24").instances]
LONG = KORF24[-1]
SIDES = (5, 6, 8, 10, 16)
STUDENTS = 1500
"""Their grading takes longer than any command is left to run."""
MODELS = ("6x6", "8x8", "4x4 --model linear", "3x3 --model network", "4x4 --model policy")
NEEDS = {"beam": "(width=100000)", "depth_limited": "(depth=60)", "climbing": "(climbs=10000000)"}
NEEDS |= {"annealing": "(temperature=20, steps=1000000000)"}
"""Parameters with which a search takes long."""
SHORT = {"human", "greedy", "lrtastar", "hill_climbing", "anytime", "stochastic_beam", "climbing"}
SHORT |= {"bulb"}
"""Searches that end at once on any board, or have a row of their own."""
ASSIGNMENT = """
title = "Boards"
profile = "columbia"
[[questions]]
name = "q1"
board = "1,2,5,3,4,0,6,7,8"
method = "bfs"
points = { path = 4, length = 1, expanded = 3 }
"""
STAND_IN = """#!/bin/sh
# in place of bubblewrap: it contains nothing and never ends, but for the first try
case "$*" in *"exit 7") exit 7 ;; *--help) exit 0 ;; esac
exec sleep 1000
"""


@dataclass(frozen=True)
class Case:
    """A command."""

    name: str
    command: str
    kind: str = ""
    """The row of a table that it belongs to."""
    codes: tuple[int, ...] = (INTERRUPTED,)
    before: str = ""
    """A command that is carried out first."""
    fresh: bool = False
    """Whether it needs a cache with nothing in it."""
    key: bool = False
    """Whether it runs in a terminal of its own and gets Ctrl-C as a key."""
    busy: bool = False
    """Whether it is a server that gets a long request."""
    quick: bool = False
    """Whether it ends by itself soon: only its start can be interrupted."""
    searches: int = 1
    """How many there are, each with a limit of time of its own."""


def cases(folder: Path) -> list[Case]:
    """The commands; files that they need are made in the folder."""
    _write_files(folder)
    return [*_searches(), *_solving(), *_tables(), *_proofs(), *_studies(), *_others(), *_starts()]


def drawn(shape: str, goal: str = "first") -> str:
    """A random board, always the same."""
    return str(next(scramble(shape, goal=goal, seed=1)))


def _write_files(folder: Path) -> None:
    (folder / "boards.txt").write_text("\n".join(KORF24), encoding="utf-8")
    (folder / "homework.toml").write_text(ASSIGNMENT, encoding="utf-8")
    for number in range(STUDENTS):
        student = folder / "answers" / f"student{number}"
        student.mkdir(parents=True)
        text = "path_to_goal: ['Up', 'Left', 'Left']\ncost_of_path: 3\nnodes_expanded: 11\n"
        (student / "output.txt").write_text(text, encoding="utf-8")
    (folder / "programs" / "ann").mkdir(parents=True)
    (folder / "programs" / "ann" / "driver.py").write_text("while True: pass\n", encoding="utf-8")


def make_stand_in(folder: Path) -> None:
    """A program in place of bubblewrap, where that is not installed."""
    (folder / "bin").mkdir()
    if shutil.which("bwrap") is None:
        print("bubblewrap is not installed: a stand-in is interrupted in its place")
        (folder / "bin" / "bwrap").write_text(STAND_IN, encoding="utf-8")
        for each in (folder, folder / "bin" / "bwrap"):
            each.chmod(0o755)  # root becomes nobody for it


def _searches() -> Iterator[Case]:
    """Every algorithm, by both engines where it has two, and the wide beams."""
    for name, entry in ALGORITHMS.items():
        if name in SHORT or entry.combines:
            continue
        board = f"{drawn('8x8')!r}" if name == "beam" else FAR
        command = f"solve {board} -a {name + NEEDS.get(name, '')!r}"
        python = "`solve` by each algorithm of the Python engine"
        yield Case(f"{name}, Python", f"{command} --engine python", python)
        if entry.native is not None:
            yield Case(f"{name}, native", command, NATIVE)
    yield Case("idastar, threads", f"solve {LONG!r} -a 'idastar(threads=2)' -H manhattan", NATIVE)
    for n in (5, 6, 8):
        command = f"solve {drawn(f'{n}x{n}')!r} -a 'beam(width=500000, threads=2)' -H learned"
        yield Case(f"wide beam {n}x{n}", command, "wide beams, 5x5 to 8x8")


NATIVE = "`solve` by each algorithm of the native engine"


def _solving() -> Iterator[Case]:
    kind = "`anytime`, 5x5 to 16x16"
    for n in SIDES:
        yield Case(f"anytime {n}x{n}", f"solve {drawn(f'{n}x{n}')!r} --seconds 1h", kind)
    kind = "`solve --all`, `--file`, `--suite`, heuristics with tables, words of 12 moves"
    walking = f"solve {drawn('3x5')!r} -a idastar -H walking_distance"
    words = f"solve {LONG!r} -a 'idastar(prune=12)' -H manhattan"
    suite = "solve --suite korf24 -a idastar -H manhattan --threads 4"
    yield Case("solve --all", f"solve {FAR} --all", kind)
    every = len(KORF24)
    by_idastar = "solve --file boards.txt -a idastar -H manhattan"
    by_anytime = "solve --file boards.txt --seconds 1h --threads 1"
    yield Case("solve --file", by_idastar, kind, searches=every)
    yield Case("solve --file, anytime", by_anytime, kind, searches=every)
    yield Case("solve --suite", suite, kind, searches=every)
    yield Case("walking distance", walking, kind)
    yield Case("walking distance, Python", f"{walking} --engine python", kind)
    yield Case("words of 12 moves", words, kind)
    search = f"solve {FAR} -a idastar -H 'pdb(7-8)'"
    yield Case("tables for a search", search, kind, fresh=True)
    yield Case("learned values 16x16", f"check {drawn('16x16')!r} -H learned", kind)
    kind = "`improve`, `check --path`, `compare`"
    large = drawn("8x8")
    path = f"{large!r} --path {solve(large, algorithm='human').moves} --seconds 1h"
    many = "compare --suite korf24 -a idastar -a astar --max-nodes 1e9"
    yield Case("improve", f"improve {path}", kind)
    yield Case("check --path", f"check {path}", kind)
    usual, in_python = f"compare {FAR} --max-nodes 1e9", f"compare {FAR} --max-nodes 1e6"
    yield Case("compare", usual, kind, searches=len(USUAL))
    yield Case("compare, Python", f"{in_python} --engine python", kind, searches=len(USUAL))
    yield Case("compare --suite", many, kind, searches=2 * every)


def _tables() -> Iterator[Case]:
    kind = "`pdb build`, `pdb verify`, `space`, `scramble`"
    yield Case("pdb build 4x4", "pdb build 4x4 7-8", kind, fresh=True)
    yield Case("pdb build 5x5", "pdb build 5x5 6-6-6-6", kind, fresh=True)
    yield Case("pdb verify", "pdb verify 4x4 7-8", kind, before="pdb build 4x4 7-8")
    yield Case("space", "space 3x4", kind, fresh=True)
    yield Case("scramble --depth", "scramble 16x16 --depth 80 --seconds 1h", kind)
    yield Case("scramble, proved", "scramble 4x4 --depth 60 --count 1000", kind)
    yield Case("scramble, many", "scramble 4x4 --count 100000000", kind)


def _proofs() -> Iterator[Case]:
    kind = "`prove`, with tables to build, a checkpoint, a local cluster, a dead address"
    keeps = f"prove {LONG!r} -H manhattan --checkpoint long.proof"
    yield Case("prove", f"prove {LONG!r}", kind)
    yield Case("prove, tables", f"prove {LONG!r}", kind, fresh=True)
    yield Case("prove --checkpoint", keeps, kind)
    yield Case("prove --cluster local", f"prove {LONG!r} -H manhattan --cluster local", kind)
    yield Case("prove, no scheduler", f"prove {LONG!r} --cluster tcp://127.0.0.1:1", kind)


def _studies() -> Iterator[Case]:
    kind = "`explain`, `trace`, `why`, `audit`, `zoo`, `driver`, `course run`"
    export = f"trace export {FAR} --events 10000000"
    course = f"course run n-puzzle uniform {drawn('4x4', 'snail')!r}"
    yield Case("explain", f"explain {FAR} -H manhattan --steps 100000", kind)
    yield Case("trace export", f"{export} -o a.jsonl", kind)
    before = f"{export} --max-nodes 300000 -o long.jsonl"
    yield Case("trace check", "trace check long.jsonl", kind, before=before)
    yield Case("why", "why 8,6,4,2,1,3,5,7,0 --count 1586 --processes 1", kind)
    yield Case("why, processes", "why 8,6,4,2,1,3,5,7,0 --count 1586", kind)
    yield Case("audit", "audit walking_distance --shape 4x4 --shape 2x5", kind)
    yield Case("zoo", f"zoo g-forgotten {drawn('4x4')!r}", kind)
    yield Case("driver", "driver bfs 8,6,4,2,1,3,5,7,0,9,10,11,12,13,14,15", kind)
    yield Case("course run", course, kind)
    for each in MODELS:
        name, kind = f"learn train: {each}", "`learn train`, five models"
        yield Case(name, f"learn train {each} --seconds 1h", kind)
    kind = "`experiment run`, in one process, two, a local cluster, a dead address"
    for each in ("--workers 1", "--workers 2", "--cluster local"):
        yield Case(f"experiment: {each}", f"experiment run korf24 --out out {each}", kind)
    dead = "experiment run korf24 --out dead --cluster tcp://127.0.0.1:1"
    yield Case("experiment, no scheduler", dead, kind)


def _others() -> Iterator[Case]:
    kind = "`grade`, and `grade --run` of a program that never ends"
    grade = "grade answers --assignment homework.toml --out grades --force"
    runs = "grade programs --assignment homework.toml --out ran --force --run-seconds 1000"
    runs += " --run 'python3 {file} {board}'"
    yield Case("grade", grade, kind)
    yield Case("grade --run", runs, kind)
    both = (OK, INTERRUPTED)
    yield Case("serve", "serve --port 0", "`serve`, idle and with a search", both)
    yield Case("serve, busy", "serve --port 0", "`serve`, idle and with a search", both, busy=True)
    yield Case("play", "play 4x4", "`play`, by the key", key=True)
    yield Case("play, signal", "play 3x3", "`play`, by the key", key=True)


def _starts() -> Iterator[Case]:
    """Commands that are over soon: they are interrupted at their start only."""
    kind = "other commands"
    for command in (
        "--version",
        "--help",
        "check '8b6 547 231'",
        "check 14,13,15,7,11,12,9,5,6,0,2,1,4,8,10,3 -H 'pdb(7-8)' -H learned",
        "convert '8b6 547 231' --to json",
        "list",
        "list engines",
        "proofs .",
        "pdb explain 4x4 7-8",
        "learn list",
        "experiment list",
        "experiment run efficiency --out efficiency",
        "experiment report efficiency",
        "experiment export efficiency rows.parquet",
        "course list",
        "grade --new columbia --assignment new.toml --force",
        "grade --key --assignment homework.toml",
        "verify homework.toml",
        "solve '8b6 547 231' --save a.gif",
        "solve '8b6 547 231' --save a.png",
    ):
        yield Case(command[:28], command, kind, codes=(0, 1, 2, 20, 130), quick=True)


def environment(folder: Path, cache: Path) -> dict[str, str]:
    """The variables of a command: its cache, and a terminal."""
    path = f"{folder / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**os.environ, "TILEWISE_CACHE": str(cache), "PATH": path, "TERM": "xterm"}


def prepare(case: Case, folder: Path) -> None:
    """Carry out what a command needs."""
    if case.before:
        arguments = [*PYTHON, *shlex.split(case.before)]
        variables = environment(folder, folder / "cache")
        subprocess.run(arguments, cwd=folder, env=variables, stdout=subprocess.DEVNULL)


@contextmanager
def started(case: Case, folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """A command in a process group of its own, and a file with everything that it prints."""
    cache = tempfile.TemporaryDirectory(dir=folder) if case.fresh else None
    words = shlex.split(case.command.replace(NEW, f"new-{os.urandom(4).hex()}"))
    with tempfile.TemporaryFile() as text:
        process = subprocess.Popen(
            [*PYTHON, *words],
            cwd=folder,
            env=environment(folder, Path(cache.name) if cache else folder / "cache"),
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
