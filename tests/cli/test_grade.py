"""`tilewise grade` as a process: honest classes, hostile folders, and what may not change."""

from __future__ import annotations

import csv
import json
import os
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tilewise.cli.app import run

Run = Callable[..., subprocess.CompletedProcess[str]]

Inside = Callable[..., tuple[int, str, str]]

ASSIGNMENT = """\
title = "Search"
profile = "columbia"
[policy]
diagnose = 0
megabytes = 0.25
[[questions]]
name = "q1"
board = "1,2,5,3,4,0,6,7,8"
method = "bfs"
points = { path = 4, optimal = 2, length = 1, expanded = 2, output = 1 }
"""
RIGHT = """\
path_to_goal: ['Up', 'Left', 'Left']
cost_of_path: 3
nodes_expanded: 10
search_depth: 3
max_search_depth: 4
running_time: 0.00188088
max_ram_usage: 0.07812500
"""


@pytest.fixture
def homework(tmp_path: Path) -> Path:
    """A folder with an assignment and the answer of ann, which is right."""
    (tmp_path / "homework.toml").write_text(ASSIGNMENT)
    (tmp_path / "answers").mkdir()
    (tmp_path / "answers" / "ann.txt").write_text(RIGHT)
    return tmp_path


@pytest.fixture
def inside(
    homework: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Inside:
    """Run a command in this process, which is quicker: exit code, output, errors."""
    monkeypatch.chdir(homework)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments))
        return code, *capsys.readouterr()

    return call


def rows(folder: Path) -> dict[str, dict[str, str]]:
    with (folder / "grades" / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def snapshot(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Everything below a folder but the grades, with kind, size and time of change."""
    found = {}
    for path, folders, files in os.walk(os.fsencode(folder)):
        for name in folders + files:
            full = os.path.join(path, name)  # noqa: PTH118 - names of bytes
            if b"/grades" not in full:
                status = os.lstat(full)
                found[repr(full)] = (status.st_mode, status.st_size, status.st_mtime_ns)
    return found


def test_a_class_gets_a_table_a_csv_file_and_reports(tilewise: Run, homework: Path) -> None:
    (homework / "answers" / "bob").mkdir()
    wrong = RIGHT.replace("'Up', 'Left', 'Left'", "'Down', 'Up', 'Up', 'Left', 'Left'")
    (homework / "answers" / "bob" / "output.txt").write_text(wrong.replace(": 10", ": eleven"))
    done = tilewise("grade", "answers", "--assignment", "homework.toml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "Search (columbia): 2 students, 1 question, 10 points",
        "student  points  q1",
        "───────────────────",
        "ann          10  10",
        "bob           4   4",
        "",
        "of           10  10",
        "",
        f"{Path('grades/grades.csv')}, and 2 reports in {Path('grades/reports')}",
    ]
    assert rows(homework)["bob"]["reasons"].split(" | ") == [
        "q1 optimal: 5 moves where 3 is optimal",
        "q1 length: cost_of_path is 3, but the path has 5 moves",
        "q1 expanded: nodes_expanded: expected a whole number, got 'eleven'",
        "q1 output: nodes_expanded is no whole number: 'eleven'",
    ]
    report = (homework / "grades" / "reports" / "bob.md").read_text()
    assert "**4 of 10 points**" in report
    assert "- 0 of 2 for optimal: 5 moves where 3 is optimal\n" in report


def test_the_same_class_as_json(inside: Inside) -> None:
    _, output, _ = inside("grade", "answers", "--assignment", "homework.toml", "--json")
    ann = json.loads(output)
    assert (ann["student"], ann["points"], ann["of"], ann["lost"]) == ("ann", 10, 10, [])


def test_grading_again_replaces_the_grades_and_nothing_else(homework: Path, inside: Inside) -> None:
    inside("grade", "answers", "--assignment", "homework.toml")
    own = homework / "grades" / "notes.txt"
    own.write_text("my own")
    (homework / "answers" / "ann.txt").write_text(RIGHT.replace("cost_of_path: 3", ""))
    before = snapshot(homework)
    assert inside("grade", "answers", "--assignment", "homework.toml")[0] == 0
    assert rows(homework)["ann"]["points"] == "9"
    assert own.read_text() == "my own" and snapshot(homework) == before


def hostile(answers: Path, secret: Path) -> None:
    """Files that nobody should trust, each in the folder of a student of its own."""
    for name in [
        "pipe",
        "zero",
        "link",
        "out",
        "loop",
        "binary",
        "sparse",
        "deep",
        "many",
        "json",
        "utf16",
        "latin",
        "quote",
    ]:
        (answers / name).mkdir()
    os.mkfifo(answers / "pipe" / "output.txt")
    os.mkfifo(answers / "endless.txt")
    (answers / "zero" / "output.txt").symlink_to("/dev/zero")
    (answers / "link" / "output.txt").symlink_to(secret)
    (answers / "out" / "folder").symlink_to(secret.parent)
    (answers / "outside").symlink_to(secret.parent)
    (answers / "loop" / "loop").symlink_to(answers / "loop")
    (answers / "empty.txt").touch()
    (answers / "binary" / "output.txt").write_bytes(bytes(range(256)) * 40)
    with (answers / "sparse" / "output.txt").open("wb") as file:
        file.truncate(2**30)
    (answers / "long.txt").write_text(RIGHT + "still searching\n" * 100_000)
    inside = answers / "deep"
    for _ in range(30):
        inside /= "d"
        inside.mkdir()
    for number in range(300):
        (answers / "many" / f"{number:03}.txt").touch()
    (answers / "json" / "a.json").write_text("[" * 100_000)
    (answers / "json" / "b.json").write_text('{"q1": {"path": "ULL", "expanded": 1' + "0" * 9999)
    (answers / "json" / "c.json").write_text('{"path": "ULL", "expanded": 1' + "0" * 9999 + "}")
    (answers / "utf16" / "output.txt").write_bytes(RIGHT.encode("utf-16"))
    (answers / "latin" / "output.txt").write_bytes("Frédéric\n".encode("latin-1") + RIGHT.encode())
    (answers / "quote" / "a.csv").write_text('question,path\n"q1,' + "U" * 200_000)
    server = socket.socket(socket.AF_UNIX)
    os.chdir(answers)  # the name of a socket must be short
    server.bind("socket.txt")
    server.close()


def test_hostile_files_harm_nobody_else(
    tilewise: Run, homework: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(homework)
    secret = homework / "secret" / "model.txt"
    secret.parent.mkdir()
    secret.write_text(RIGHT)
    hostile(homework / "answers", secret)
    before = snapshot(homework)
    done = tilewise("grade", "answers", "--assignment", "homework.toml")
    assert (done.returncode, done.stderr) == (0, "")
    assert snapshot(homework) == before
    graded = rows(homework)
    full = {name for name, row in graded.items() if row["points"] == "10"}
    assert full == {"ann", "long", "utf16", "latin"}
    said = {name: row["notes"] for name, row in graded.items()}
    assert said["pipe"] == "output.txt: no regular file but a pipe, which was not opened"
    assert said["endless"] == "endless.txt: no regular file but a pipe, which was not opened"
    assert said["socket"] == "socket.txt: no regular file but a socket, which was not opened"
    link = "a symbolic link, which was not followed"
    assert said["zero"] == said["link"] == f"output.txt: {link}"
    assert (said["out"], said["loop"]) == (f"folder: {link}", f"loop: {link}")
    assert said["outside"] == f"outside: {link}"
    assert said["empty"] == "empty.txt: an empty file"
    assert said["binary"] == "output.txt: binary data, not a text"
    assert said["sparse"].startswith("output.txt: only the first 262,144 bytes were read")
    assert said["long"].startswith("long.txt: only the first 262,144 bytes were read")
    assert said["deep"] == "d/d/d/d/d/d: more than 6 folders deep, which was not looked into"
    assert "more of the kind" in said["many"]
    assert "a.json: expected JSON: it is too deep" in said["json"]
    assert "expected a whole number, got '1000000" in graded["json"]["reasons"]
    assert said["latin"] == "output.txt: not in UTF-8; the wrong bytes were replaced"
    assert graded["quote"]["points"] == "0"
    reports = {path.stem for path in (homework / "grades" / "reports").iterdir()}
    assert reports == set(graded)


def test_names_of_students_are_shown_and_written_safely(tilewise: Run, homework: Path) -> None:
    answers = os.fsencode(homework / "answers")
    names = [
        b"red\x1b[31m\nline",
        b"wrong\xff\xfebytes",
        "turned\u202earound".encode(),
        b"=cmd|calc",
        b"+1",
        b"-rf",
        b"@sum",
        b"<img src=x onerror=alert(1)>",
        b"[here](http:evil)",
        b"CON",
        b"Ann",
        b"x" * 250,
    ]
    for name in names:
        Path(os.fsdecode(answers + b"/" + name + b".txt")).write_text(RIGHT)
    done = tilewise("grade", "answers", "--assignment", "homework.toml")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\x1b" not in done.stdout and "\u202e" not in done.stdout
    assert "red\\x1b[31m\\x0aline" in done.stdout and "wrong\\xff\\xfebytes" in done.stdout
    graded = rows(homework)
    assert {row["points"] for row in graded.values()} == {"10"} and len(graded) == 13
    assert not [name for name in graded if name[0] in "=+-@"]
    assert {"'=cmd|calc", "'+1", "'-rf", "'@sum"} <= set(graded)
    reports = list((homework / "grades" / "reports").iterdir())
    stems = [path.stem for path in reports]
    assert len({stem.lower() for stem in stems}) == 13 and "CON" not in stems
    assert all(stem.isprintable() and not set(stem) & set('<>:"/\\|?*') for stem in stems)
    titles = [path.read_text(encoding="utf-8").splitlines()[0] for path in reports]
    assert "# Search: \\<img src=x onerror=alert(1)\\>" in titles
    assert "# Search: \\[here\\](http:evil)" in titles


def test_a_file_that_may_not_be_read_is_told(homework: Path, inside: Inside) -> None:
    locked = homework / "answers" / "bob.txt"
    locked.write_text(RIGHT)
    locked.chmod(0)
    expected = "" if os.access(locked, os.R_OK) else "bob.txt: could not be read: Permission denied"
    assert inside("grade", "answers", "--assignment", "homework.toml")[0] == 0
    assert (rows(homework)["bob"]["notes"], rows(homework)["ann"]["points"]) == (expected, "10")


def test_a_link_in_the_folder_of_the_grades_is_replaced_not_followed(
    homework: Path, inside: Inside
) -> None:
    precious = homework / "precious.txt"
    precious.write_text("keep")
    (homework / "grades" / "reports").mkdir(parents=True)
    (homework / "grades" / "reports" / "ann.md").symlink_to(precious)
    assert inside("grade", "answers", "--assignment", "homework.toml")[0] == 0
    assert precious.read_text() == "keep"
    assert "10 of 10" in (homework / "grades" / "reports" / "ann.md").read_text()


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("answers", "expected a folder for the grades outside of the answers, got 'answers'"),
        ("answers/ann", "expected a folder for the grades outside of the answers"),
        ("homework.toml", "expected a folder for the grades, got a file: 'homework.toml'"),
        ("linked", "expected a folder for the reports, got a link"),
        ("own", "expected 'own/grades.csv' to be a table of grades, got something else"),
    ],
)
def test_grades_are_not_written_where_they_harm(
    homework: Path, inside: Inside, out: str, message: str
) -> None:
    (homework / "linked").mkdir()
    (homework / "elsewhere").mkdir()
    (homework / "linked" / "reports").symlink_to(homework / "elsewhere")
    (homework / "own").mkdir()
    (homework / "own" / "grades.csv").write_text("name;grade\n")
    before = snapshot(homework)
    code, _, errors = inside("grade", "answers", "--assignment", "homework.toml", "--out", out)
    assert code == 2 and message in errors
    assert snapshot(homework) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["answers"], "expected --assignment FILE.toml"),
        (
            ["--assignment", "homework.toml"],
            "expected a folder with answers, or --key, or --new COURSE",
        ),
        (["nowhere", "--assignment", "homework.toml"], "got 'nowhere': No such file or directory"),
        (["homework.toml", "--assignment", "homework.toml"], "expected a folder with answers, got"),
        (["void", "--assignment", "homework.toml"], "got an empty one"),
        (
            ["answers", "--assignment", "nothing.toml"],
            "expected a readable assignment: No such file",
        ),
        (["answers", "--assignment", "answers"], "expected a readable assignment: Is a directory"),
        (["answers", "--assignment", "bytes.toml"], "expected a UTF-8 text file, got other bytes"),
        (["--new", "mit"], "expected a profile eecs391, eecs391-table, columbia, cs170, princeton"),
        (["--new", "columbia", "--seed", "x"], "expected a whole number of at least 0 for --seed"),
        (
            ["--new", "columbia", "--assignment", "homework.toml"],
            "got one that is there: 'homework.toml'",
        ),
        (
            ["--new", "columbia", "--assignment", "no/x.toml"],
            "cannot write 'no/x.toml': No such file",
        ),
        (["answers", "--seed", "1"], "expected --seed N together with --new COURSE"),
        (
            ["answers", "--key", "--assignment", "homework.toml"],
            "expected a folder to grade or --key",
        ),
    ],
)
def test_a_request_that_makes_no_sense_is_refused_in_one_line(
    homework: Path, inside: Inside, arguments: list[str], message: str
) -> None:
    (homework / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    (homework / "void").mkdir()
    code, output, errors = inside("grade", *arguments)
    assert code == 2 and message in errors and output == ""
    assert len(errors.splitlines()) == 1


def test_a_sample_is_kept_unless_forced_and_the_same_seed_gives_the_same(
    tmp_path: Path, inside: Inside
) -> None:
    assert inside("grade", "--new", "cs170", "--seed", "5")[0] == 0
    first = (tmp_path / "cs170.toml").read_text()
    code, output, _ = inside("grade", "--new", "cs170", "--seed", "5", "--force")
    assert code == 0 and (tmp_path / "cs170.toml").read_text() == first
    assert output.splitlines()[-1] == (
        "grade a folder:     tilewise grade FOLDER --assignment cs170.toml --out grades"
    )
    assert inside("grade", "--new", "cs170", "--seed", "6")[0] == 2
    assert (tmp_path / "cs170.toml").read_text() == first


def test_files_of_one_student_are_recognised_by_their_names(homework: Path, inside: Inside) -> None:
    (homework / "answers" / "ann.txt").rename(homework / "answers" / "q1.txt")
    code, _, errors = inside("grade", "answers", "--assignment", "homework.toml")
    assert code == 0 and "grade the folder above" in errors


def test_a_narrow_terminal_shows_the_points_only(tilewise: Run, homework: Path) -> None:
    question = ASSIGNMENT[ASSIGNMENT.index("[[") :]
    many = [question.replace("q1", f"question-number-{number}") for number in range(9)]
    (homework / "homework.toml").write_text(ASSIGNMENT + "".join(many))
    done = tilewise("grade", "answers", "--assignment", "homework.toml", env={"COLUMNS": "40"})
    assert done.stdout.splitlines()[1:4] == [
        "student  points",
        "───────────────",
        "ann          10",
    ]


def test_programs_do_not_crowd_out_the_answer(homework: Path, inside: Inside) -> None:
    folder = homework / "answers" / "bob"
    (folder / "env").mkdir(parents=True)
    for number in range(250):
        (folder / f"a{number}.py").write_text("print()\n")
        (folder / "env" / f"{number}.txt").write_text("x\n")
    (folder / "z.txt").write_text(RIGHT)
    inside("grade", "answers", "--assignment", "homework.toml")
    assert rows(homework)["bob"]["points"] == "10"


def test_names_that_the_output_cannot_show_are_escaped_there(tilewise: Run, homework: Path) -> None:
    (homework / "answers" / "Zo\u00eb.txt").write_text(RIGHT)
    done = tilewise(
        "grade", "answers", "--assignment", "homework.toml", env={"PYTHONIOENCODING": "ascii"}
    )
    assert done.returncode == 0 and "Zo\\xeb" in done.stdout
    assert rows(homework)["Zo\u00eb"]["points"] == "10"
