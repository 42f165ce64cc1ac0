"""Students' programs under `grade --run`: contained, reported, and the others graded.

Where bubblewrap does not work, the same command is refused and nothing is run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tilewise.courses import COURSES
from tilewise.errors import SpecError
from tilewise.grading import containment, grade, read_assignment
from tilewise.grading.containment import Boundaries, ContainmentError
from tilewise.grading.programs import Programs

HANG_GUARD = 300
CONTAINED = containment.why_not() is None
ASSIGNMENT = """
title = "One board"
profile = "columbia"
[policy]
diagnose = 0
[[questions]]
name = "q1"
board = "1,2,5,3,4,0,6,7,8"
method = "bfs"
points = { path = 4, optimal = 2, length = 1, expanded = 3 }
"""
OUTPUT = """path_to_goal: ['Up', 'Left', 'Left']
cost_of_path: 3
nodes_expanded: 10
search_depth: 3
max_search_depth: 4
running_time: 0.1
max_ram_usage: 1.0
"""
HONEST = f"import sys\nassert sys.argv[1:] == ['bfs', '1,2,5,3,4,0,6,7,8']\nprint('''{OUTPUT}''')"
TO_A_FILE = f"open('output.txt', 'w').write('''{OUTPUT}''')"
COMMAND = "python3 {file} {method} {board}"

HOSTILE = {
    "fork_bomb": (
        "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass",
        "more than 3 s",
    ),
    "endless_output": ("while True: print('x' * 999)", "bytes of output"),
    "endless_errors": (
        "import sys\nwhile True: print('x' * 999, file=sys.stderr)",
        "bytes of output",
    ),
    "twenty_gigabytes": ("x = bytearray(20 * 10**9)", "MemoryError"),
    "memory_of_many": (
        "import os, time\nfor _ in range(9):\n  if os.fork() == 0: break\n"
        "x = bytearray(90 * 10**6)\nx[::4096] = b'1' * len(x[::4096])\ntime.sleep(60)",
        "MB of memory",
    ),
    "shared_memory": (
        "import mmap, os, time\nfor _ in range(9):\n  if os.fork() == 0: break\n"
        "x = mmap.mmap(-1, 90 * 2**20)\nx.write(b'x' * len(x))\ntime.sleep(60)",
        "MB of memory",
    ),
    "memory_files": (
        "import os\nfor n in range(200):\n  f = os.memfd_create(str(n))\n"
        "  for _ in range(15): os.write(f, b'x' * 10**6)",
        "MB of memory",
    ),
    "full_disk": ("f = open('x', 'wb')\nwhile True: f.write(b'x' * 10**6)", "exit code 1"),
    "network": (
        "import socket\nsocket.create_connection(('127.0.0.1', {port}), 2)\nprint('reached')",
        "exit code 1",
    ),
    "writing_outside": ("open('{outside}', 'w').write('was here')", "exit code 1"),
    "reading_outside": ("print(open('{secret}').read())", "exit code 1"),
    "passwords": ("print(open('/etc/shadow').read())", "exit code 1"),
    "killing_the_parent": (
        "import os, signal\nfor pid in [os.getppid(), {parent}, *range(2, 5000), -1]:\n"
        "  try: os.kill(pid, signal.SIGKILL)\n  except OSError: pass",
        "signal 9",
    ),
    "sleeping": ("import time\ntime.sleep(1000)", "more than 3 s"),
    "escaping_by_a_daemon": (
        "import os, time\nif os.fork() == 0:\n  os.setsid()\n"
        "  if os.fork() == 0: time.sleep(1000)\n  os._exit(0)\ntime.sleep(1000)",
        "more than 3 s",
    ),
}
"""Programs that mean harm, and the words of the note about each."""


def quick(collect: str = "") -> Programs:
    boundaries = Boundaries(seconds=3, megabytes=200, output_bytes=200_000, disk_megabytes=20)
    return Programs(COMMAND, collect=collect, boundaries=boundaries)


@pytest.fixture
def listening() -> Iterator[int]:
    import socket

    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_hostile_programs_are_contained_and_the_others_graded(
    tmp_path: Path, listening: int
) -> None:
    secret, outside = tmp_path / "secret.txt", tmp_path / "outside.txt"
    secret.write_text("the grades of all")
    secret.chmod(0o644)
    tmp_path.chmod(0o755)
    folder = tmp_path / "programs"
    for name, (source, _) in HOSTILE.items():
        (folder / name).mkdir(parents=True)
        for word, value in (
            ("{port}", listening),
            ("{outside}", outside),
            ("{secret}", secret),
            ("{parent}", os.getpid()),
        ):
            source = source.replace(word, str(value))
        (folder / name / "solver.py").write_text(source)
    for name in ("aaa_honest", "zzz_honest"):
        (folder / name).mkdir()
        (folder / name / "solver.py").write_text(HONEST)
    if not CONTAINED:
        with pytest.raises(ContainmentError, match="no program was run"):
            grade(read_assignment(ASSIGNMENT), folder, programs=quick())
        return
    book = grade(read_assignment(ASSIGNMENT), folder, programs=quick())
    graded = {each.student: each for each in book.students}
    for name, (_, words) in HOSTILE.items():
        assert graded[name].points == 0, name
        assert words in " ".join(graded[name].notes), (name, graded[name].notes)
        printed = book.printed[name]["q1"]
        assert "the grades of all" not in printed.output and "reached" not in printed.output
        assert len(printed.output) <= 200_000 and len(printed.errors) <= 200_000
    assert [graded[name].points for name in ("aaa_honest", "zzz_honest")] == [10, 10]
    assert not outside.exists() and secret.read_text() == "the grades of all"
    assert not left_behind()


def left_behind() -> list[str]:
    """Processes that run something of the hostile programs."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            command = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if b"/handed-in" in command and b"bwrap" in command:
            found.append(command.decode(errors="replace"))
    return found


def test_links_in_what_is_handed_in_lead_nowhere(tmp_path: Path) -> None:
    if not CONTAINED:
        with pytest.raises(ContainmentError):
            containment.check()
        return
    secret = tmp_path / "secret.txt"
    secret.write_text(OUTPUT)
    folder = tmp_path / "programs"
    for name in ("program", "data", "left"):
        (folder / name).mkdir(parents=True)
    (tmp_path / "real.py").write_text(HONEST)
    (folder / "program" / "solver.py").symlink_to(tmp_path / "real.py")
    (folder / "data" / "solver.py").write_text("print(open('data.txt').read())")
    (folder / "data" / "data.txt").symlink_to(secret)
    (folder / "left" / "solver.py").write_text(
        f"import os\nos.symlink({str(secret)!r}, 'output.txt')"
    )
    book = grade(read_assignment(ASSIGNMENT), folder, programs=quick(collect="output.txt"))
    assert [each.points for each in book.students] == [0, 0, 0]
    notes = {each.student: " ".join(each.notes) for each in book.students}
    assert "a symbolic link, which was not followed" in notes["program"]
    assert "expected one program, got none" in notes["program"]
    assert "a symbolic link, which was not followed" in notes["data"]
    assert "no answer in what the program printed" in notes["left"]


def test_the_command_line_keeps_what_was_printed(tmp_path: Path) -> None:
    (tmp_path / "hw.toml").write_text(ASSIGNMENT)
    for name, source in (("ann", HONEST), ("bob", TO_A_FILE), ("cyd", "print('hello')\n1 / 0")):
        (tmp_path / "programs" / name).mkdir(parents=True)
        (tmp_path / "programs" / name / "driver.py").write_text(source)
    command = [sys.executable, "-m", "tilewise", "grade", "programs", "--assignment", "hw.toml"]
    command += ["--run", COMMAND, "--collect", "output.txt", "--run-seconds", "20"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=HANG_GUARD, check=False
    )
    if not CONTAINED:
        assert done.returncode == 2 and "no program was run" in done.stderr
        assert not (tmp_path / "grades").exists()
        return
    assert done.returncode == 0, done.stderr
    rows = (tmp_path / "grades" / "grades.csv").read_text().splitlines()
    assert [row.split(",")[:2] for row in rows[1:]] == [["ann", "10"], ["bob", "10"], ["cyd", "0"]]
    assert "ZeroDivisionError" in rows[3] and "no answer in what the program printed" in rows[3]
    printed = tmp_path / "grades" / "printed"
    assert (printed / "ann" / "q1.txt").read_text().strip() == OUTPUT.strip()
    assert (printed / "cyd" / "q1.txt").read_text() == "hello\n"
    assert "ZeroDivisionError" in (printed / "cyd" / "q1.errors.txt").read_text()


def test_without_bubblewrap_nothing_is_run(tmp_path: Path) -> None:
    (tmp_path / "hw.toml").write_text(ASSIGNMENT)
    (tmp_path / "programs" / "ann").mkdir(parents=True)
    (tmp_path / "programs" / "ann" / "driver.py").write_text(HONEST)
    (tmp_path / "bin").mkdir()
    command = [sys.executable, "-m", "tilewise", "grade", "programs", "--assignment", "hw.toml"]
    done = subprocess.run(
        [*command, "--run", COMMAND],
        cwd=tmp_path,
        env={**os.environ, "PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("tilewise: error: expected bubblewrap to contain the programs")
    assert "bubblewrap is not installed" in done.stderr and "no program was run" in done.stderr
    assert not (tmp_path / "grades").exists()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"command": "python3 {fiel}"}, "expected {file}, {board}, {method}, {input}"),
        ({"command": ""}, "expected a command such as"),
        ({"command": "python3 'x"}, "expected a command line"),
        ({"command": "x", "collect": "../x"}, "expected the name of a file"),
        ({"command": "x", "program": "/bin/sh"}, "expected the name of a file"),
        ({"command": "x", "readable": ("nowhere",)}, "expected the full path of a folder"),
    ],
)
def test_a_wrong_command_is_refused(settings: dict[str, str], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Programs(**settings)  # type: ignore[arg-type]


def test_programs_of_every_course_of_a_form_are_graded(tmp_path: Path) -> None:
    if not CONTAINED:
        with pytest.raises(ContainmentError):
            containment.check()
        return
    course = COURSES["princeton"]
    output = course.examples[0].output
    text = ASSIGNMENT.replace("columbia", "princeton").replace('"bfs"', '"manhattan"')
    text = text.replace("1,2,5,3,4,0,6,7,8", course.examples[0].board)
    text = text.replace(", expanded = 3", "")
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "solver.py").write_text(
        "import sys\nassert open(sys.argv[1]).read() == sys.stdin.read() == '3\\n0 1 3\\n4 2 5\\n"
        f"7 8 6\\n'\nprint('''{output}''')"
    )
    programs = Programs("python3 {file} {input}")
    book = grade(read_assignment(text), tmp_path, programs=programs)
    assert (book.students[0].points, book.students[0].notes) == (7, ())
