"""CONTRIBUTING says what must be touched to add something: each row of its table is done here."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import tilewise

PACKAGE = Path(tilewise.__file__).parent
PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
ROW = re.compile(r"\| (an? [a-z ]+) \| `(\S+)` \| `(\S+)` \|")
HANG_GUARD = 300

HEURISTIC = '''
"""A heuristic that the package has never seen."""

from __future__ import annotations

from tilewise.core.problem import State
from tilewise.core.entries import Estimate
from tilewise.core.registry import heuristic
from tilewise.puzzle.board import Goal


@heuristic("last_tile", admissible=True, consistent=True, on_boards=False)
def last_tile(goal: Goal) -> Estimate:
    """1 if the last cell has the wrong tile, unless the blank belongs there."""
    home = goal.board.tiles[-1]

    def estimate(state: State) -> int:
        return int(home != 0 and state[-1] != home)

    return estimate
'''
ALGORITHM = '''
"""An algorithm that the package has never seen."""

from __future__ import annotations

from tilewise.core.algorithm_facts import Frontier
from tilewise.core.events import Observer
from tilewise.core.limits import Meter
from tilewise.core.problem import Problem
from tilewise.core.entries import Estimate
from tilewise.core.registry import algorithm
from tilewise.core.result import Outcome
from tilewise.core.rules import KNOBS, Rules
from tilewise.search.best_first import best_first, pseudo_code

CAREFUL = Frontier(g=2, h=1)


@algorithm(
    "careful",
    needs_heuristic=True,
    optimal=True,
    complete=True,
    knobs=KNOBS,
    title="Careful search",
    frontier=CAREFUL,
    pseudo_code=pseudo_code(CAREFUL),
)
def careful(
    problem: Problem, h: Estimate, meter: Meter, rules: Rules, observer: Observer | None
) -> Outcome:
    """The smallest 2g + h first."""
    return best_first(problem, h, meter, rules, observer, CAREFUL)
'''
NOTATION = '''
"""`<1 2><3 0>`: rows in angle brackets, a notation that the package has never seen."""

from __future__ import annotations

from tilewise.puzzle.formats.notation import (
    Grid,
    Notation,
    grid_rows,
    reader,
    rectangle,
    spaced,
    split,
    tiles_of,
)


def _read(text: str) -> Grid:
    rows = text.strip("<>").split("><")
    return rectangle([tiles_of(split(words), row) for row, words in enumerate(rows, start=1)])


ANGLES = Notation(
    name="angles",
    aliases=(),
    goal="last",
    example="<1 2 3><4 5 6><7 0 8>",
    about="rows of numbers in angle brackets, 0 for the blank",
    read=reader("angles", _read),
    write=lambda rows, columns, tiles: "".join(f"<{spaced(r)}>" for r in grid_rows(columns, tiles)),
    recognises=lambda text: text.startswith("<"),
)
'''
COURSE = '''
"""A course that the package has never seen: the driver of columbia with another goal and name."""

from __future__ import annotations

from dataclasses import replace

from tilewise.courses import columbia

COURSE = replace(columbia.COURSE, name="evening", goal="last", rule_set="fifo")
'''


def rows_of_the_table() -> dict[str, tuple[str, str]]:
    return {what: (new, old) for what, new, old in ROW.findall(PAGE.read_text(encoding="utf-8"))}


def run(package: Path, *arguments: str) -> str:
    """What `tilewise ARGUMENTS` prints with the copy of the package."""
    done = subprocess.run(
        [sys.executable, "-S", "-m", "tilewise", *arguments],  # -S: no editable installation
        cwd=package.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(package.parent), *sys.path])},
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def use_heuristic(package: Path) -> None:
    answer = json.loads(run(package, "solve", "312 475 68b", "-H", "last_tile", "--json"))
    assert (answer["cost"], answer["heuristic"], answer["optimal"]) == (4, "last_tile", True)
    assert "last_tile" in run(package, "list", "heuristics")


def use_algorithm(package: Path) -> None:
    answer = json.loads(run(package, "solve", "312 475 68b", "-a", "careful", "--json"))
    assert (answer["cost"], answer["algorithm"], answer["optimal"]) == (4, "careful", True)
    assert "smallest" in run(package, "explain", "312 475 68b", "-a", "careful", "--step", "2")


def use_notation(package: Path) -> None:
    answer = json.loads(run(package, "solve", "<1 2 3><4 0 6><7 5 8>", "--json"))
    assert (answer["cost"], answer["goal"]) == (2, "last")
    assert run(package, "convert", "123 456 7b8", "--to", "angles") == "<1 2 3><4 5 6><7 0 8>\n"


def use_course(package: Path) -> None:
    step = ("--profile", "evening", "-a", "bfs", "--step", "1")
    shown = run(package, "explain", "1,2,3,4,0,6,7,5,8", *step)
    assert "goal: last" in shown or "goal last" in shown, shown
    assert "evening" in run(package, "list", "profiles")


@dataclass(frozen=True)
class Addition:
    """A thing to add: its name, its file, the edit of the other file, and a use of it."""

    name: str
    source: str
    before: str
    after: str
    use: Callable[[Path], None]


ADDITIONS = {
    "a heuristic": Addition(
        "last_tile", HEURISTIC, "    zero,\n)", "    zero,\n    last_tile,\n)", use_heuristic
    ),
    "an algorithm": Addition(
        "careful", ALGORITHM, "    wastar,\n)", "    wastar,\n    careful,\n)", use_algorithm
    ),
    "a notation": Addition(
        "angles",
        NOTATION,
        "NOTATIONS: tuple[Notation, ...] = (",
        "from tilewise.puzzle.formats.angles import ANGLES\n\n"
        "NOTATIONS: tuple[Notation, ...] = (ANGLES, ",
        use_notation,
    ),
    "a course": Addition(
        "evening",
        COURSE,
        "COURSES: dict[str, Course] = {\n    course.name: course\n    for course in (",
        "from tilewise.courses import evening\n\n"
        "COURSES: dict[str, Course] = {\n    course.name: course\n"
        "    for course in (evening.COURSE, ",
        use_course,
    ),
}


def test_every_row_of_the_table_is_done_by_a_test() -> None:
    assert set(rows_of_the_table()) == {*ADDITIONS, "a view of the page"}


@pytest.mark.parametrize("what", ADDITIONS)
def test_two_files_are_enough_to_add(what: str, tmp_path: Path) -> None:
    addition = ADDITIONS[what]
    new_file, old_file = rows_of_the_table()[what]
    package = tmp_path / "tilewise"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    new = package / new_file.replace("NAME", addition.name)
    new.parent.mkdir(exist_ok=True)
    new.write_text(addition.source, encoding="utf-8")
    old = package / old_file
    text = old.read_text(encoding="utf-8")
    assert text.count(addition.before) == 1
    old.write_text(text.replace(addition.before, addition.after), encoding="utf-8")
    addition.use(package)
