"""The commands of `limits`: everything that has a limit of time and could take longer."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import click

from benchmarks.long_commands import FAR, KORF24, LONG, NEEDS, NEW, Case, cases, drawn
from tilewise import solve
from tilewise.cli.app import program
from tilewise.core.registry import ALGORITHMS, HEURISTICS
from tilewise.courses import COURSES

MOST_SEARCHES = 12
"""Commands with more searches, each with its limit, take too long here."""
SHAPES = ("3x3", "4x4", "5x5", "8x8", "16x16")
FAMILIES = (
    "zero",
    "misplaced",
    "manhattan",
    "gaschnig",
    "linear_conflict",
    "walking_distance",
    "learned",
    "max(walking_distance, linear_conflict)",
    "sum(misplaced, manhattan)",
)
TABLES = {
    "3x3": ("pdb(4-4)", "perfect", "learned(network)", "learned(policy)", "learned(linear)"),
    "3x4": ("perfect", "pdb(6-5)"),
    "4x4": ("pdb(7-8)", "pdb(6-6-3)", "pdb(5-5-5, 6-6-3)", "learned(network)", "learned(linear)"),
    "5x5": ("pdb(6-6-6-6)", "pdb(6-6-6-6x4)"),
    "8x8": ("pdb(4-4-4-4-4-4-4-4-4-4-4-4-4-4-4-3)",),
}
SLOW = """
import time
import tilewise as tw

@tw.heuristic("slow", on_boards=False)
def slow(goal):
    def h(state):
        time.sleep(0.02)
        return 0
    return h

@tw.heuristic("slow_to_make", on_boards=False)
def slow_to_make(goal):
    time.sleep(0.2)
    return lambda state: 0
"""
MANY = """
boards = [{boards}]
algorithms = ["idastar", "astar"]
heuristics = ["manhattan"]
seconds = {seconds}
"""


def limit_cases(folder: Path, seconds: float) -> list[Case]:
    """The commands, each with its limit; files that they need are made in the folder."""
    long = [each for each in cases(folder) if not each.quick]
    known = [each for each in long if each.searches <= MOST_SEARCHES]
    shared = [each for each in known if command_of(each.command)]
    quoted = ", ".join(f'"{board}"' for board in KORF24[:2])
    (folder / "many.toml").write_text(MANY.format(boards=quoted, seconds=seconds))
    (folder / "slow.py").write_text(SLOW)
    (folder / "four.txt").write_text("\n".join(KORF24[:4]))
    path = solve(drawn("8x8"), algorithm="human").moves
    rows = "\n".join(f'"{drawn("8x8")}",{path}' for _ in range(3))
    (folder / "answers.csv").write_text(f"board,path\n{rows}\n")
    found = [*shared, *searches(), *families(), *courses(), *others(), *training()]
    limited = [replace(each, command=_limited(each.command, seconds)) for each in found]
    run = (
        "grade programs --assignment homework.toml --out ran --force --run 'python3 {file} {board}'"
    )
    return [
        *limited,
        Case("grade --run", f"{run} --run-seconds {seconds:g}"),
        Case("experiment run", f"experiment run many.toml --workers 1 --out {NEW}", searches=4),
    ]


@cache
def with_seconds() -> tuple[str, ...]:
    """The commands that have the option, from the program itself."""

    def walk(command: click.Command, context: click.Context, path: str) -> Iterator[str]:
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                if (found := command.get_command(context, name)) is not None:
                    below = click.Context(found, parent=context, info_name=name)
                    yield from walk(found, below, f"{path} {name}".strip())
        elif any("--seconds" in each.opts for each in command.params):
            yield path

    return tuple(walk(program, click.Context(program), ""))


def command_of(line: str) -> str | None:
    """The command of a line, if it has the option."""
    words = shlex.split(line)
    return next(
        (path for path in with_seconds() if words[: len(path.split())] == path.split()), None
    )


def _limited(command: str, seconds: float) -> str:
    return f"{command.replace(' --seconds 1h', '')} --seconds {seconds:g}"


def searches() -> Iterator[Case]:
    """Every algorithm on large boards, by both engines where it has two."""
    for name, entry in ALGORITHMS.items():
        spec = f"-a {name + NEEDS.get(name, '')!r}"
        yield Case(f"{name} 16x16", f"solve {drawn('16x16')!r} {spec}")
        if entry.native is not None and not entry.combines:
            yield Case(f"{name} 8x8, Python", f"solve {drawn('8x8')!r} {spec} --engine python")


def families() -> Iterator[Case]:
    """Every kind of heuristic on every size of board, with nothing in the cache."""
    for shape in SHAPES:
        for number, heuristic in enumerate(FAMILIES):
            search = ("idastar", "astar")[number % 2]
            command = f"solve {drawn(shape)!r} -a {search} -H {heuristic!r}"
            yield Case(f"{heuristic} {shape}", command, fresh=True)
    for shape, specs in TABLES.items():
        for spec in specs:
            command = f"solve {drawn(shape)!r} -a idastar -H {spec!r}"
            yield Case(f"{spec} {shape}, new", command, fresh=True)
    unnamed = sorted(
        set(HEURISTICS)
        - {word for text in str((FAMILIES, TABLES)).split() for word in HEURISTICS if word in text}
    )
    for name in unnamed:
        yield Case(f"{name} 4x4", f"solve {FAR} -a idastar -H {name!r}", fresh=True)


def courses() -> Iterator[Case]:
    """Every method of every course, on a board that it does not solve at once."""
    for name, course in COURSES.items():
        for method in course.methods:
            shape = "3x3" if "eecs391" in name else "4x4"
            board = drawn(shape, course.goal)
            yield Case(
                f"course {name}: {method.word}", f"course run {name} {method.word!r} {board!r}"
            )
        yield Case(
            f"solve --profile {name}", f"solve {drawn('3x3', course.goal)!r} --profile {name}"
        )


def others() -> Iterator[Case]:
    """What is done beside searching: printing, files, pictures, checking, drawing boards."""
    large, huge, middle = drawn("8x8"), drawn("16x16"), drawn("4x4")
    near = drawn("3x3")
    path = solve(huge, algorithm="human").moves
    for name, more in {
        "--trace": "--trace 100000",
        "--trace --json": "--trace 100000 --json",
        "--trace, Python": "--trace 100000 --engine python",
        "--trace --json, Python": "--trace 100000 --json --engine python",
    }.items():
        yield Case(f"solve {name}", f"solve {FAR} -a astar {more}")
        yield Case(f"solve {name} 16x16", f"solve {huge!r} -a astar {more}")
    for kind in ("gif", "html", "svg", "png"):
        yield Case(f"solve --save {kind}", f"solve {drawn('6x6')!r} -a human --save p.{kind}")
        yield Case(f"solve --save {kind}, anytime", f"solve {drawn('7x7')!r} --save p.{kind}")
    yield Case("solve --all 4x4", f"solve {middle!r} --all")
    yield Case("solve --all --json", f"solve {middle!r} --all --json")
    yield Case("solve --all 3x4", f"solve {drawn('3x4')!r} --all")
    yield Case("solve --pretty 16x16", f"solve {huge!r} -a human --pretty")
    yield Case("solve --certificate", f"solve {middle!r} --certificate proof.json")
    yield Case("solve --certificate 3x3", f"solve {near!r} -a bfs --certificate proof.json")
    yield Case("solve --gap", f"solve {large!r} --gap 1%")
    yield Case("solve --incumbent", f"solve {huge!r} --incumbent {path}")
    yield Case(
        "solve --file", "solve --file four.txt -a idastar -H manhattan --threads 1", searches=4
    )
    yield Case("solve --file --json", "solve --file four.txt --json --threads 2", searches=2)
    yield Case(
        "solve --file, tables",
        "solve --file four.txt -a astar -H 'pdb(6-6-6-6)' --threads 2",
        fresh=True,
        searches=2,
    )
    yield Case("solve threads", f"solve {LONG!r} -a 'idastar(threads=1024)'")
    yield Case(
        "solve threads, beam", f"solve {large!r} -a 'beam(width=1000000, threads=64)' -H learned"
    )
    for word in ("slow", "slow_to_make"):
        for search in ("astar", "idastar", "beam", "anytime"):
            uses = f"-a {search} -H {word}" if search != "anytime" else f"-H {word}"
            yield Case(f"{word} heuristic, {search}", f"solve {FAR} {uses} --load slow.py")
        yield Case(f"{word}, compare", f"compare {FAR} -H {word} -a astar --load slow.py")
        yield Case(f"{word}, check", f"check {near!r} --load slow.py")
        yield Case(f"{word}, trace", f"trace export {FAR} -H {word} -o a.jsonl --load slow.py")
    yield Case(
        "compare two",
        f"compare {FAR} -a astar -a idastar -H walking_distance --max-nodes 1e9",
        fresh=True,
        searches=2,
    )
    yield Case(
        "compare --json", f"compare {FAR} -a astar -H 'pdb(7-8)' --max-nodes 1e9 --json", fresh=True
    )
    yield Case(
        "compare --file csv",
        "compare --file four.txt -a idastar --format csv --max-nodes 1e9",
        searches=4,
    )
    yield Case(
        "compare --profile", f"compare {near!r} --profile columbia --max-nodes 1e9", searches=4
    )
    for shape in ("3x3", "3x4", "4x4", "5x5", "8x8", "16x16"):
        yield Case(f"check {shape}", f"check {drawn(shape)!r}", fresh=True)
    yield Case("check --path 16x16", f"check {huge!r} --path {path}", fresh=True)
    yield Case("check --json", f"check {middle!r} --json", fresh=True)
    yield Case("check --file", "check --file answers.csv", searches=3)
    yield Case("check --file --json", "check --file answers.csv --json", searches=3)
    yield Case("improve 16x16", f"improve {huge!r} --path {path}", fresh=True)
    yield Case("improve --json", f"improve {huge!r} --path {path} --json")
    yield Case("prove 4x4", f"prove {FAR}", fresh=True)
    yield Case(
        "prove --certificate",
        f"prove {LONG!r} --checkpoint c.proof --certificate c.json",
        fresh=True,
    )
    yield Case("prove -H walking_distance", f"prove {FAR} -H walking_distance", fresh=True)
    yield Case("prove 8x8", f"prove {large!r}", fresh=True)
    for form in ("jsonl", "dot", "trace.json"):
        yield Case(f"trace export {form}", f"trace export {FAR} --events 10000000 -o b.{form}")
        yield Case(
            f"trace export {form} 16x16",
            f"trace export {huge!r} -a greedy --events 1000000 -o b.{form}",
        )
    yield Case("trace export, screen", f"trace export {FAR} --events 1000000")
    yield Case("trace export, tables", f"trace export {FAR} -H 'pdb(7-8)' -o b.jsonl", fresh=True)
    yield Case("why, one board", "why 8,6,4,2,1,3,5,7,0 --count 1586 --processes 1 --json")
    yield Case("why, two boards", "why 8,6,4,2,1,3,5,7,0 1,2,5,3,4,0,6,7,8 --count 1586 --count 11")
    yield Case("why --profile", "why 8,6,4,2,1,3,5,7,0 --count 1586 --profile columbia -a bfs")
    yield from scrambles()


def scrambles() -> Iterator[Case]:
    """Boards of all kinds, many at once; the limit is for all of them."""
    for command in (
        "3x3 --count 1000000",
        "16x16 --count 1000000",
        "3x4 --count 100000000 --distinct",
        "4x4 --count 100000000 --distinct --json",
        "3x4 --depth 40 --count 1000000",
        "4x4 --depth 16 --count 1000000",
        "4x4 --depth 30 --count 100",
        "5x5 --depth 60 --count 100",
        "4x4 --walk 10000000 --count 3",
        "16x16 --walk 1000000 --no-repeats --count 3",
        "3x3 --walk 20 --distinct --count 100000",
    ):
        yield Case(f"scramble {command}", f"scramble {command}", fresh=True)


def training() -> Iterator[Case]:
    """Models of all kinds, with nothing in the cache."""
    for model in ("linear", "network", "policy"):
        for shape in ("2x3", "3x3", "2x5", "3x4", "4x4", "5x5", "6x6"):
            yield Case(
                f"learn train {shape} {model}", f"learn train {shape} --model {model}", fresh=True
            )
        yield Case(
            f"learn train {model} --epochs",
            f"learn train 3x3 --model {model} --epochs 1000000",
            fresh=True,
        )
    for shape in ("3x3", "4x6", "5x5", "7x7", "8x8", "5x8", "shared"):
        yield Case(f"learn train {shape}", f"learn train {shape}", fresh=True)
    for begin in ("nothing", "shared", "5x5"):
        yield Case(
            f"learn train 8x8 --begin {begin}", f"learn train 8x8 --begin {begin}", fresh=True
        )
