"""Twenty answers drawn for each course get all points; ten planted mistakes are found, each with
the right reason, and cost nobody else a point."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tests.course_file import EVENING, FILE
from tilewise.courses import BUILT_IN, COURSES
from tilewise.courses.course import Course
from tilewise.courses.files import find_course
from tilewise.courses.printed_output import output_text
from tilewise.courses.running import run_course
from tilewise.grading import grade, read_assignment
from tilewise.puzzle.board import Board
from tilewise.scrambling import scramble

ANSWERS = 20
PATHS = ("columbia", "eecs391", "eecs391-table", "princeton", "n-puzzle", "aima", "evening")
"""The courses whose programs print a path."""
LINES: dict[str, dict[str, str]] = {
    "columbia": {
        "length": "cost_of_path: ",
        "expanded": "nodes_expanded: ",
        "max_depth": "max_search_depth: ",
    },
    "eecs391": {"length": "Solution Length: +", "generated": "Total nodes generated: "},
    "eecs391-table": {"length": "Solution Length: ", "generated": "Total nodes generated: "},
    "cs170": {
        "length": "Solved in ",
        "expanded": "Number of nodes expanded: ",
        "max_frontier": "Max size of queue: ",
    },
    "princeton": {"length": "Minimum number of moves = "},
    "n-puzzle": {"length": "Number of moves required: ", "expanded": "opened set: "},
    "aima": {"length": "path cost: ", "generated": "nodes generated: ", "expanded": "expanded: "},
    "evening": {"length": "solved it in ", "generated": "made ", "expanded": "expanded "},
}
"""The lines of each program with numbers that are graded."""
Mistake = tuple[Callable[[str], str], str]


def numbers(course: str) -> list[Mistake]:
    """A number that is wrong, that is none, and that is missing, for every line."""
    found: list[Mistake] = []
    for item, line in LINES[course].items():
        pattern = re.compile(rf"^(.*?{line})(\d+)", re.MULTILINE)
        whole = re.compile(rf"^.*?{line}.*\n?", re.MULTILINE)
        if (course, item) == ("columbia", "length"):  # search_depth says it, too
            whole = re.compile(r"^(cost_of_path|search_depth): .*\n", re.MULTILINE)
        found += [
            (partial(pattern.sub, lambda each: each[1] + str(int(each[2]) + 1)), "expected|has"),
            (partial(pattern.sub, r"\g<1>many"), "expected a whole number|not given"),
            (partial(whole.sub, ""), "not given"),
        ]
    return found


def blocks(text: str) -> tuple[str, list[str]]:
    """The lines before the boards, and the boards as they are drawn."""
    rows = re.compile(r"(?:^3\n)?(?:^ *[\d.] +[\d.] +[\d.] *\n?){3}", re.MULTILINE)
    return text[: next(rows.finditer(text)).start()], rows.findall(text)


def with_boards(change: Callable[[list[str]], list[str]]) -> Callable[[str], str]:
    def changed(text: str) -> str:
        head, boards = blocks(text)
        return head + "\n".join(change(boards))

    return changed


DRAWN: list[Mistake] = [
    (with_boards(lambda b: b[:2] + b[3:]), "does not follow from the one before it by one move"),
    (with_boards(lambda b: b[:-1]), "reaches another board"),
    (with_boards(lambda b: b[1:]), "it begins with another board"),
    (with_boards(lambda b: [*b, b[-2]]), "reaches another board"),
    (with_boards(lambda b: [*b[:2], b[2].translate({49: 50, 50: 49}), *b[3:]]), "does not follow"),
    (with_boards(lambda b: b[:1]), "reaches another board"),
    (with_boards(lambda b: [*b[::-1]]), "it begins with another board"),
]
LISTED: list[Mistake] = [
    (lambda text: re.sub(r"(, '\w+')(\]|, 'goal'\])", r"\2", text, count=1), "reaches|illegal"),
    (lambda text: re.sub(r"'(up|Up)'", r"'sideways'", text), "the path cannot be read|reaches"),
    (lambda text: re.sub(r"(\[('start', )?)", r"\1'Up', 'Up', 'Up', ", text), "illegal move"),
]
SPOKEN: list[Mistake] = [
    (lambda text: re.sub(r"^(solution: .*) \w+$", r"\1", text, flags=re.M), "reaches|illegal"),
    (lambda text: re.sub(r"^solution: ", "solution: up up up ", text, flags=re.M), "illegal move"),
]


def mistakes(course: Course) -> list[Mistake]:
    found = numbers(course.name)
    if "boards" in str(course.output and course.output.solved.fields):
        found += DRAWN
    elif course.name == "aima":
        found += SPOKEN
    elif course.name != "cs170":
        found += LISTED
    assert course.output is not None
    none = course.output.unsolvable.text
    if course.name == "columbia":
        none = "path_to_goal: none\n"
    none = none.replace("{method}", course.usual.name)
    words = "says that there is no solution|not given|no path is given|cannot be read|no answer"
    return [*found, (lambda _: none, words), (lambda _: "I did not finish.\n", "no answer to this")]


def assignment(course: Course) -> tuple[str, dict[str, str]]:
    """An assignment with boards of all depths up to 14, and what the course's program prints."""
    random = Random(f"twenty {course.name}")
    points = {"path": 4} if course.name in PATHS else {}
    points |= dict.fromkeys(LINES[course.name], 2)
    parts = [
        'title = "Twenty"',
        f'profile = "{course.source or course.name}"',
        "[policy]",
        "diagnose = 0",
    ]
    printed: dict[str, str] = {}
    seen: set[Board] = set()
    methods = [each for each in course.methods if each.algorithm not in ("dfs", "hill_climbing")]
    while len(printed) < ANSWERS:
        depth, method = random.randint(6, 14), methods[len(printed) % len(methods)]
        board = next(
            iter(scramble("3x3", goal=course.goal, depth=depth, seed=random.getrandbits(32)))
        )
        result = run_course(course, method, board)
        near = {board, *(board.after(move) for move in board.legal_moves())}
        if near & seen or result.moves is None:
            continue
        seen.add(board)
        name = f"q{len(printed) + 1}"
        listed = ", ".join(f"{item} = {worth}" for item, worth in points.items())
        parts += ["[[questions]]", f'name = "{name}"', f'board = "{course.text(board)}"']
        parts += [f'method = "{method.word}"', f"points = {{ {listed} }}"]
        printed[name] = output_text(course, method, result) + "\n"
    return "\n".join(parts), printed


def check(course: Course, tmp_path: Path) -> None:
    text, printed = assignment(course)
    planted = mistakes(course)
    assert len(planted) >= 10
    for student in ("right", *(f"wrong{number}" for number in range(len(planted)))):
        (tmp_path / student).mkdir()
        for name, output in printed.items():
            (tmp_path / student / f"{name}.txt").write_text(output)
    spoiled = {}
    names = list(printed)
    for number, (change, words) in enumerate(planted):
        name = names[number % len(names)]
        changed = change(printed[name])
        assert changed != printed[name], number
        (tmp_path / f"wrong{number}" / f"{name}.txt").write_text(changed)
        spoiled[f"wrong{number}"] = (name, words)
    book = grade(read_assignment(text), tmp_path)
    worth = book.assignment.worth
    for graded in book.students:
        lost = [mark for mark in graded.marks if mark.points < mark.worth]
        if graded.student == "right":
            assert (graded.points, graded.notes) == (worth, ()), lost
            continue
        name, words = spoiled[graded.student]
        assert lost and {mark.question for mark in lost} == {name}, (graded.student, lost)
        assert any(re.search(words, str(mark.reason)) for mark in lost), (graded.student, lost)


@pytest.mark.parametrize("name", [*BUILT_IN, FILE])
def test_twenty_answers_are_graded_without_a_wrong_mark_and_mistakes_are_found(
    name: str, tmp_path: Path
) -> None:
    if name != FILE:
        check(COURSES[name], tmp_path)
        return
    file = tmp_path / FILE
    file.write_text(EVENING, encoding="utf-8")
    (tmp_path / "class").mkdir()
    course = find_course(str(file))
    try:
        check(course, tmp_path / "class")
    finally:
        del COURSES[course.name]
