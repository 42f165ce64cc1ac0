"""Grading, part by part: assignments, the courses' forms, which answer is whose, marks."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tilewise.board import Goal
from tilewise.errors import SpecError
from tilewise.frontends.cli.app import run
from tilewise.patterns.distances import distance_table
from tilewise.teaching.grading import Graded, grade, models, read_assignment
from tilewise.teaching.grading.answers import number_in
from tilewise.teaching.grading.courses import COURSES
from tilewise.teaching.grading.reports import file_name, plain
from tilewise.teaching.grading.samples import DRAFTS, sample

COLUMBIA = """\
title = "Search"
profile = "columbia"
{policy}
[[questions]]
name = "short"
board = "1,2,5,3,4,0,6,7,8"
method = "bfs"
points = {{ path = 4, optimal = 3, length = 2, expanded = 1 }}
[[questions]]
name = "far"
board = "8,6,4,2,1,3,5,7,0"
method = "ast"
points = {{ path = 4, length = 2, expanded = 1, max_depth = 1 }}
"""
FAR = "LUULDRDLURRULLDRRULDDRULUL"

Lost = Callable[..., list[str]]


def graded(tmp_path: Path, assignment: str, **files: str) -> Graded:
    """One student, called s, with files of these names (`__` stands for the dot)."""
    folder = tmp_path / "answers" / "s"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    book = grade(read_assignment(assignment), folder.parent)
    return book.students[0]


@pytest.fixture
def lost(tmp_path: Path) -> Lost:
    """The reasons for the points that a student loses in the two columbia questions."""

    def reasons(policy: str = "diagnose = 0", **files: str) -> list[str]:
        student = graded(tmp_path, COLUMBIA.format(policy=f"[policy]\n{policy}"), **files)
        return [
            f"{mark.question} {mark.item}: {mark.reason}"
            for mark in student.marks
            if mark.points < mark.worth
        ]

    return reasons


def csv_of(short: str, far: str) -> str:
    return f"question,path,cost,nodes_expanded,max_search_depth\nshort,{short}\nfar,{far}\n"


# ---- assignments


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "Search"', "", "expected title as a text, got nothing"),
        ('title = "Search"', "title = 3", "expected title as a text, got 3"),
        ('"columbia"', '"columbi"', r"got 'columbi' \(did you mean columbia\?\)"),
        ('name = "far"', 'name = "SHORT"', "expected every question to have its own name"),
        ('name = "far"', 'name = "../far"', "expected a name of letters, digits, - and _"),
        ('"ast"', '"dijkstra"', "question far: expected a method bfs, dfs, ast or ida"),
        ("8,6,4,2", "8,6,4,4", "question far: expected each tile"),
        ("8,6,4,2,1,3,5,7,0", "8,6,4,1,2,3,5,7,0", "far: expected no points but for no_solution"),
        ("length = 2, expanded = 1 }", "shortest = 2 }", "got 'shortest'"),
        ("path = 4", "path = -1", "path as a number from 0 to 1e"),
        ("path = 4", "path = inf", "path as a number from 0 to 1e"),
        ("path = 4", "path = true", "path as a number from 0 to 1e"),
        ("max_depth = 1", "no_solution = 1", "the profile columbia solves it in 26 moves"),
        ('method = "bfs"', 'method = "bfs"\nmax_nodes = 0', "max_nodes as a whole number from 1"),
        ("[[questions]]", "[[question]]", r"got 'question' \(did you mean questions\?\)"),
        ("{policy}", '[policy]\ncounts = "all"', "expected counts profile, sound, known; got"),
        ("{policy}", '[policy]\ntolerance = "5"', 'expected tolerance as a number or as in "5%"'),
        ("{policy}", "[policy]\nmegabytes = nan", "megabytes as a number from 0.001 to 1024"),
        ("{policy}", "policy = 3", "expected policy as a table of keys, got 3"),
        ("{policy}", "x = [", "expected an assignment in TOML"),
        ("{policy}", f"x = {'[' * 5000}", "expected an assignment in TOML"),
        ("{policy}", f"x = {'9' * 5000}", "expected an assignment in TOML"),
    ],
)
def test_a_wrong_assignment_is_refused_with_its_place(old: str, new: str, message: str) -> None:
    text = COLUMBIA.replace(old, new).replace("{policy}", "")
    text = text.replace("{{", "{").replace("}}", "}")
    with pytest.raises(SpecError, match=message):
        models(read_assignment(text))


def test_points_for_all_questions_can_stand_in_one_place() -> None:
    text = (
        'title = "T"\nprofile = "cs170"\npoints = { length = 2, expanded = 0.5 }\n'
        '[[questions]]\nboard = "1 2 3/4 5 6/7 0 8"\nmethod = "1"\n'
        '[[questions]]\nboard = "1 2 3/4 5 6/0 7 8"\nmethod = "A* Manhattan"\npoints={length=1}\n'
    )
    questions = read_assignment(text).questions
    assert [(each.name, each.method, each.worth) for each in questions] == [
        ("q1", "ucs", 2.5),
        ("q2", "manhattan", 1),
    ]


def test_a_count_that_the_profile_does_not_have_is_refused() -> None:
    text = (
        'title = "T"\nprofile = "eecs391"\n'
        '[[questions]]\nboard = "1b2 345 678"\nmethod = "h1"\npoints = { expanded = 1 }\n'
    )
    with pytest.raises(SpecError, match=r"a count that eecs391 has \(generated\), got expanded"):
        models(read_assignment(text))


def test_the_teacher_is_told_where_the_course_misses_the_optimum_it_asks_for() -> None:
    text = COLUMBIA.format(policy="").replace("8,6,4,2,1,3,5,7,0", "4,6,2,7,1,5,3,0,8")
    text = text.replace("max_depth = 1", "optimal = 1")
    warning = models(read_assignment(text))["far"].warning
    assert warning is not None and "finds 15 moves where 13 are enough" in warning


# ---- samples, and model answers of the real programs


@pytest.mark.parametrize("profile", DRAFTS)
@pytest.mark.parametrize("seed", [1, 77])
def test_a_sample_has_boards_of_exact_depth_and_its_model_answers_get_all_points(
    profile: str,
    seed: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assignment = read_assignment(sample(profile, seed))
    files = {}
    for question, draft in zip(assignment.questions, DRAFTS[profile], strict=True):
        goal = assignment.course.goal(question.board)
        if draft.depth is None:
            assert not goal.reachable_from(question.board)
        else:
            assert distance_table(goal).distance(question.board.tiles) == draft.depth
    for name, model in models(assignment).items():
        files[f"{name}__txt"] = printed_by(model.command, monkeypatch, capsys)
    student = graded(tmp_path, sample(profile, seed), **files)
    assert (student.points, student.notes) == (assignment.worth, ())
    together = "".join(files.values())
    student = graded(tmp_path / "together", sample(profile, seed), session__log=together)
    assert (student.points, student.notes) == (assignment.worth, ())


def printed_by(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:
    """What a command of a model answer prints; it is run in this process."""
    typed, _, program = command.rpartition(" | ")
    answers = typed.removeprefix("printf '").removesuffix("'").replace("\\n", "\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
    words = re.findall(r'"[^"]*"|\S+', program)[1:]
    run([word.strip('"') for word in words])
    return capsys.readouterr().out


# ---- answers in other forms


@pytest.mark.parametrize(
    "text",
    [
        csv_of("U L L,3,10,4", f"{FAR},26,1585,26"),
        csv_of("U L L,3,10,4", f"{FAR},26,1585,26").replace(",", ";"),
        csv_of("U L L,3,10,4", f"{FAR},26,1585,26").replace(",", "\t"),
        '\n# mine\nBoard,Method,Moves,Cost,Expanded,Max Depth\n"1,2,5,3,4,0,6,7,8",bfs,ULL,3,10,4\n'
        f'"8,6,4,2,1,3,5,7,0",ast,{FAR},26,"1,585",26.0\n',
    ],
    ids=["commas", "semicolons", "tabs", "boards"],
)
def test_csv_files_are_read(lost: Lost, text: str) -> None:
    assert lost(a__csv=text) == []


SHORT_JSON = '{"path": ["Up", "Left", "Left"], "cost": 3, "expanded": 10}'
FAR_JSON = f'{{"moves": "{FAR}", "length": "26", "stats": {{"expanded": 1585, "max_depth": 26}}}}'


@pytest.mark.parametrize(
    "text",
    [
        f'{{"short": {SHORT_JSON}, "far": {FAR_JSON}}}',
        f'{{"answers": {{"Short": {SHORT_JSON}, "FAR": {FAR_JSON}}}}}',
        f"[{SHORT_JSON}, {FAR_JSON}]",
        f"{SHORT_JSON}\n{FAR_JSON}\n",
        f'[{{"question": "far", {FAR_JSON[1:]}, {SHORT_JSON}]',
    ],
    ids=["by name", "answers", "list", "lines", "named first"],
)
def test_json_files_are_read(lost: Lost, text: str) -> None:
    assert lost(a__json=text) == []


def test_what_tilewise_solve_prints_as_json_is_an_answer(
    lost: Lost, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["solve", "1,2,5,3,4,0,6,7,8", "-a", "bfs", "--goal", "first", "--json"])
    run(["solve", "8,6,4,2,1,3,5,7,0", "-a", "astar", "-H", "h2", "--rules", "columbia", "--json"])
    assert lost(a__jsonl=capsys.readouterr().out) == []


def output(path: str, cost: int, expanded: int, depth: int) -> str:
    return (
        f"path_to_goal: {path}\ncost_of_path: {cost}\nnodes_expanded: {expanded}\n"
        f"search_depth: {cost}\nmax_search_depth: {depth}\n"
    )


SHORT, FAR_OUTPUT = output("['Up', 'Left', 'Left']", 3, 10, 4), output(FAR, 26, 1585, 26)


@pytest.mark.parametrize(
    "files",
    [
        {"output_far__txt": FAR_OUTPUT, "output_short__txt": SHORT},
        {"ast__txt": FAR_OUTPUT, "bfs__txt": SHORT},
        {"output1__txt": FAR_OUTPUT, "output2__txt": SHORT},
        {"log__txt": FAR_OUTPUT + SHORT},
        {"log__txt": f"$ driver.py ast 8,6,4,2,1,3,5,7,0\n{FAR_OUTPUT}{SHORT}"},
    ],
    ids=["names", "methods", "paths", "one file", "command lines"],
)
def test_an_answer_finds_its_question(lost: Lost, files: dict[str, str]) -> None:
    assert lost(**files) == []


def test_answers_that_nothing_tells_apart_are_taken_in_order(lost: Lost) -> None:
    empty = SHORT.replace("['Up', 'Left', 'Left']", "[]"), FAR_OUTPUT.replace(FAR, "[]")
    reasons = lost(log__txt="".join(empty))
    assert [reason.split(":")[0] for reason in reasons] == [
        "short path",
        "short optimal",
        "far path",
    ]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (csv_of("ULL,3,10,4", "x,1,1,1") + "near,U,1,1,1\n", "an answer to 'near', which is no"),
        (csv_of("ULL,3,10,4", "x,1,1,1") + "far,U,1,1,1\n", "a second answer to far; the first"),
        (csv_of("ULL,3,10,4", "x,1,1,1") + "far,U,1\n", "a.csv:4: expected 5 fields, got 3"),
        ('board,path\n"1,0,2,3,4,5,6,7,8",L\n', "a board that is not asked for: 1b2 345 678"),
        ("question,path\n", "a.csv: no rows with answers"),
        ("import os\nprint('hello')\n", "a.csv: no answer in a form that is known"),
        ('{"path": ', "a.csv: expected JSON: "),
    ],
)
def test_what_belongs_to_no_question_is_told(tmp_path: Path, text: str, note: str) -> None:
    student = graded(tmp_path, COLUMBIA.format(policy="[policy]\ndiagnose = 0"), a__csv=text)
    assert len(student.notes) == 1 and note in student.notes[0]


TYPED = """\
Type "1" to use a default puzzle, or "2" to enter your own puzzle.
2
Enter row 1, use space or tabs between numbers    1 2 3
Enter row 2, use space or tabs between numbers    4 0 6
Enter row 3, use space or tabs between numbers    7 5 8
Enter your choice of algorithm
1. Uniform Cost Search
2. A* with the Misplaced Tile heuristic
3. A* with the Manhattan distance heuristic
{choice}
Solved in 2 steps!
Number of nodes expanded: {expanded}
Max size of queue: {queue}
Type "1" to run solver again, or "2" to exit.
1
"""


def test_a_typed_dialogue_tells_board_and_method(tmp_path: Path) -> None:
    question = '[[questions]]\nboard = "1 2 3/4 0 6/7 5 8"\nmethod = "{}"\npoints={{expanded=1}}\n'
    text = 'title = "T"\nprofile = "cs170"\n[policy]\ndiagnose = 0\n'
    text += question.format("ucs") + question.format("manhattan")
    counts = {
        name: model.found.counts["expanded"]
        for name, model in models(read_assignment(text)).items()
    }
    session = TYPED.format(choice=3, expanded=counts["q2"], queue=5)
    session += TYPED.format(choice=1, expanded=counts["q1"], queue=9)
    assert counts["q1"] != counts["q2"]
    assert graded(tmp_path, text, session__txt=session).points == 2


# ---- marks


@pytest.mark.parametrize(
    ("short", "reasons"),
    [
        (
            "UUL,3,10,4",
            [
                "short path: illegal move at position 2: up, but on 1,2,0,3,4,5,6,7,8 the blank "
                "can go down or left",
                "short optimal: the path is no solution",
            ],
        ),
        (
            "ULLR,4,10,4",
            [
                "short path: reaches another board: its 4 moves lead to 1,0,2,3,4,5,6,7,8, not to "
                "0,1,2,3,4,5,6,7,8 (it was there after 3)",
                "short optimal: the path is no solution",
                "short length: cost_of_path is 4, expected 3",
            ],
        ),
        (
            "DRR,3,10,4",
            [
                "short path: illegal move at position 2: right, but on 1,2,5,3,4,8,6,7,0 the "
                "blank can go up or left; read as moves of the tiles it would be a solution",
                "short optimal: the path is no solution",
            ],
        ),
        ("DUULL,5,10,4", ["short optimal: 5 moves where 3 is optimal"]),
        (
            "DUULL,3,10,4",
            [
                "short optimal: 5 moves where 3 is optimal",
                "short length: cost_of_path is 3, but the path has 5 moves",
            ],
        ),
        (
            ",3,10,4",
            [
                "short path: reaches another board: its 0 moves lead to 1,2,5,3,4,0,6,7,8, not to "
                "0,1,2,3,4,5,6,7,8",
                "short optimal: the path is no solution",
            ],
        ),
        (
            "unsolvable,,10,4",
            [
                "short path: says that there is no solution, but 3 moves are one",
                "short optimal: says that there is no solution, but 3 moves are one",
                "short length: says that there is no solution, but 3 moves are one",
            ],
        ),
        ("ULL,3,,4", ["short expanded: nodes_expanded is not given"]),
        ("ULL,3,1e9,4", ["short expanded: nodes_expanded: expected a whole number, got '1e9'"]),
        ("ULL,3,-10,4", ["short expanded: nodes_expanded: expected a whole number, got '-10'"]),
        ("ULL,3,11,4", ["short expanded: nodes_expanded is 11, expected 10"]),
        (
            "ULL,3,1585,4",
            ["short expanded: nodes_expanded is 1,585, expected 10; that is the answer to far"],
        ),
        (
            "ULL,3,4,4",
            [
                "short expanded: nodes_expanded is 4, expected 10; that is the profile's number "
                "for max_search_depth"
            ],
        ),
        (
            "UXL,3,10,4",
            [
                f"short {item}: the path cannot be read: expected moves U, D, L, R or up, down, "
                "left, right, got 'XL' at character 2: 'UXL'"
                for item in ("path", "optimal")
            ],
        ),
        (
            f"{'UD' * 200_000},3,10,4",
            [
                f"short {item}: the path cannot be read: expected a path of at most 250,000 moves, "
                "got 400,000, which were not played"
                for item in ("path", "optimal")
            ],
        ),
    ],
)
def test_every_lost_point_has_its_reason(lost: Lost, short: str, reasons: list[str]) -> None:
    assert lost(a__csv=csv_of(short, f"{FAR},26,1585,26")) == reasons


@pytest.mark.parametrize(
    ("policy", "count", "accepted"),
    [
        ("tolerance = 2", 12, True),
        ("tolerance = 2", 13, False),
        ("tolerance = '20%'", 8, True),
        ("tolerance = '20%'", 13, False),
    ],
)
def test_a_count_may_be_off_by_the_tolerance(
    lost: Lost, policy: str, count: int, accepted: bool
) -> None:
    text = csv_of(f"ULL,3,{count},4", f"{FAR},26,1585,26")
    assert (lost(f"diagnose = 0\n{policy}", a__csv=text) == []) == accepted


def test_moves_of_the_tiles_are_taken_where_the_teacher_says_so(lost: Lost) -> None:
    opposite = FAR.translate(str.maketrans("UDLR", "DURL"))
    text = csv_of("DRR,3,10,4", f"{opposite},26,1585,26")
    assert lost("diagnose = 0\nmoves = 'tile'", a__csv=text) == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        *[("1585", 1585), (" 1,585 ", 1585), ("1585.00", 1585), ("1585.5", None), ("", None)],
        *[("-1", None), ("1e3", None), ("nan", None), ("9" * 16, None), ("\u0661", None)],
    ],
)
def test_a_number_is_read_only_if_it_is_whole(text: str, number: int | None) -> None:
    assert number_in(text) == number


@pytest.mark.parametrize(
    ("profile", "text", "method"),
    [
        ("columbia", "A*", "ast"),
        ("columbia", "greedy", None),
        ("eecs391", "astar h1", "solveAStar h1"),
        ("eecs391", "H2", "solveAStar h2"),
        ("eecs391", "beam 10", "solveBeam 10"),
        ("eecs391", "beam(width=10)", "solveBeam 10"),
        ("eecs391", "solveBeam 0", None),
        ("cs170", "Uniform Cost Search", "ucs"),
        ("cs170", "2", "misplaced"),
        ("cs170", "A* with the Manhattan distance heuristic", "manhattan"),
        ("cs170", "4", None),
    ],
)
def test_methods_are_known_by_several_names(profile: str, text: str, method: str | None) -> None:
    assert COURSES[profile].read_method(text) == method


def test_every_course_has_the_goal_of_its_profile() -> None:
    board = Goal.blank_last(3, 3).board
    goals = {name: course.goal(board).name for name, course in COURSES.items()}
    assert goals == {
        "columbia": "first",
        "eecs391": "first",
        "eecs391-table": "first",
        "cs170": "last",
    }


# ---- reports


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("nodes_expanded is 1", "nodes_expanded is 1"),
        ("_x_ *b* `c`", "\\_x\\_ \\*b\\* \\`c\\`"),
        ("[a](http://b) <b>|", "\\[a\\](http\\://b) \\<b\\>\\|"),
        ("two\nlines", "two lines"),
        ("&lt;", "\\&lt;"),
    ],
)
def test_a_text_in_a_report_is_no_markup(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_names_of_reports_are_distinct_whatever_the_file_system_ignores() -> None:
    taken: set[str] = set()
    names = [file_name(name, taken) for name in ("Ann", "ann", "a/b", "a:b", "", "..", "nul.x")]
    assert len({name.lower() for name in names}) == 7
    assert not any(set(name) & set("/\\:") or name in ("", ".", "..") for name in names)
