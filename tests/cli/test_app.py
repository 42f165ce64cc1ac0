"""The program as a whole: start page, help, pipes, interrupts, terminals, and a quick start."""

from __future__ import annotations

import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import click
import pytest

from tilewise.cli.app import COMMANDS, SECTIONS, START_PAGE, program

Run = Callable[..., subprocess.CompletedProcess[str]]

HANG_GUARD = 60
TILEWISE = [sys.executable, "-m", "tilewise"]
EASY = "1b2 345 678"
HARD = "8b6 547 231"
SLOW = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0"
COLOUR = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;\d+)*m")


@contextmanager
def started(
    *args: str, stdin: int = subprocess.DEVNULL, stdout: int = subprocess.PIPE
) -> Iterator[subprocess.Popen[str]]:
    """The program while it runs; whatever happens, it does not outlive the test."""
    process = subprocess.Popen(
        [*TILEWISE, *args], stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def next_line(process: subprocess.Popen[str]) -> str:
    """The next line of the output, or nothing if none comes."""
    assert process.stdout is not None
    guard = Timer(HANG_GUARD / 4, process.kill)
    guard.start()
    try:
        return process.stdout.readline()
    finally:
        guard.cancel()


def on_a_terminal(*args: str, **changes: str) -> str:
    """What the program writes on a terminal of 80 columns."""
    master, slave = pty.openpty()
    env = {name: text for name, text in os.environ.items() if name not in {"NO_COLOR", "COLUMNS"}}
    env |= {"TERM": "xterm-256color", **changes}
    process = subprocess.Popen([*TILEWISE, *args], stdout=slave, stderr=slave, env=env)
    os.close(slave)
    written = all_of(master)
    assert process.wait(HANG_GUARD) == 0
    return written.decode()


def all_of(terminal: int) -> bytes:
    """Everything that is written to a terminal until its last user closes it."""
    written = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # Linux says so that nobody has the terminal open any more
            piece = b""
        if not piece:
            os.close(terminal)
            return written
        written += piece


def test_the_version_is_that_of_the_project(tilewise: Run) -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    version = re.search(r'^version = "(.+)"$', project, re.MULTILINE)
    run = tilewise("--version")
    assert version and run.stdout == f"tilewise {version[1]}\n"
    assert (run.returncode, run.stderr) == (0, "")


def test_without_arguments_a_start_page_shows_what_to_try_and_it_works(tilewise: Run) -> None:
    page = tilewise()
    assert (page.returncode, page.stderr) == (0, "")
    lines = re.findall(r"^  tilewise (.+?)   ", page.stdout, re.MULTILINE)
    assert len(lines) >= 5
    for line in lines:
        theirs = re.search(r"\.(py|toml|jsonl)\b", line)  # files of the reader
        if "korf100" not in line and not theirs:  # the suite takes minutes
            run = tilewise(*shlex.split(line))
            assert (run.returncode, run.stderr) == (0, ""), line


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_the_help_names_every_sub_command(tilewise: Run, flag: str) -> None:
    run = tilewise(flag)
    assert (run.returncode, run.stderr) == (0, "")
    for command in COMMANDS:
        assert re.search(rf"^\W*{command}\b", run.stdout, re.MULTILINE)


def test_every_sub_command_stands_in_one_section_of_the_help() -> None:
    listed = [name for names in SECTIONS.values() for name in names.split()]
    assert sorted(listed) == sorted(COMMANDS)


def test_the_help_of_a_sub_command_shows_its_examples_before_its_options(tilewise: Run) -> None:
    help_text = tilewise("solve", "--help").stdout
    assert help_text.index("Examples:") < help_text.index("Options:")


def pages_of_help(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    """The words of every command, and its help on a terminal of 80 columns."""
    context = click.Context(command, info_name=" ".join(words), terminal_width=80)
    yield " ".join(words), command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from pages_of_help(found, (*words, name))


def test_every_page_of_help_fits_80_columns_and_has_no_types_in_place_of_words() -> None:
    pages = dict(pages_of_help(program, ("tilewise",)))
    assert len(pages) > len(COMMANDS)
    for words, text in {**pages, "start page": START_PAGE}.items():
        too_long = [each for each in text.splitlines() if len(each) > 80]
        assert too_long == [], words
        assert not re.search(r"<\w+>|\b(BOOLEAN|INTEGER|FLOAT|TEXT)\b", text), words


def test_every_command_is_one_line_in_the_help_of_its_group() -> None:
    for words, text in pages_of_help(program, ("tilewise",)):
        _, listed, commands = text.partition("\nCommands:\n" if " " in words else "\nSolve:\n")
        wrapped = [line for line in commands.splitlines() if line.startswith("      ")]
        assert (wrapped if listed else []) == [], words


def test_a_short_option_means_one_thing_in_every_command() -> None:
    def short_options(command: click.Command) -> Iterator[tuple[str, str]]:
        for each in command.params:
            for option in each.opts:
                if re.fullmatch(r"-\w", option):
                    yield option, max(each.opts, key=len)
        if isinstance(command, click.Group):
            for name in command.list_commands(click.Context(command)):
                found = command.get_command(click.Context(command), name)
                assert found is not None
                yield from short_options(found)

    meanings: dict[str, set[str]] = {}
    for option, meaning in short_options(program):
        meanings.setdefault(option, set()).add(meaning)
    assert meanings["-a"] == {"--algorithm"}
    assert meanings["-H"] == {"--heuristic"}


@pytest.mark.parametrize("command", ["solve", "list"])
def test_the_help_of_a_sub_command_has_examples_that_work(tilewise: Run, command: str) -> None:
    run = tilewise(command, "--help", env={"COLUMNS": "120"})
    assert run.returncode == 0 and "Examples:" in run.stdout
    examples = re.findall(rf"^ *tilewise ({command}\b.*?) *$", run.stdout, re.MULTILINE)
    assert len(examples) >= 3
    for example in examples:
        if ".txt" not in example and ".py" not in example:  # files of the reader
            assert tilewise(*shlex.split(example)).returncode == 0, example


@pytest.mark.parametrize(
    ("typed", "meant"), [("sovle", "solve"), ("lst", "list"), ("Solve", "solve")]
)
def test_a_wrong_sub_command_gets_a_suggestion(tilewise: Run, typed: str, meant: str) -> None:
    run = tilewise(typed)
    assert (run.returncode, run.stdout) == (2, "")
    assert f"'{typed}'" in run.stderr and f"'{meant}'" in run.stderr


@pytest.mark.parametrize("board", [EASY, "1,0,2,3,4,5,6,7,8", "102345678", "1 2 3\n4 5 6\n7 0 8"])
def test_a_bare_board_means_solve(tilewise: Run, board: str) -> None:
    bare, solve = tilewise(board, "-a", "bfs"), tilewise("solve", board, "-a", "bfs")
    assert bare.returncode == 0
    assert bare.stdout.splitlines()[:3] == solve.stdout.splitlines()[:3]


def test_the_completion_for_bash_can_be_shown_and_completes(tilewise: Run) -> None:
    run = tilewise("--show-completion", env={"SHELL": "/bin/bash"})
    assert (run.returncode, run.stderr) == (0, "")
    assert re.search(r"^ *complete .*_tilewise_completion tilewise$", run.stdout, re.MULTILINE)
    assert run.stdout == tilewise("--show-completion", "bash").stdout
    asked = {"_TILEWISE_COMPLETE": "bash_complete", "COMP_CWORD": "1", "COMP_WORDS": "tilewise so"}
    assert tilewise(env=asked).stdout.split() == ["plain,solve"]
    asked |= {"COMP_CWORD": "2", "COMP_WORDS": "tilewise solve --heu"}
    assert tilewise(env=asked).stdout.split() == ["plain,--heuristic"]


@pytest.mark.parametrize(
    ("shell", "file"),
    [
        ("bash", ".bashrc"),
        ("zsh", ".zshrc"),
        ("fish", ".config/fish/completions/tilewise.fish"),
    ],
)
def test_the_completion_is_installed_once_and_what_is_there_is_kept(
    tilewise: Run, tmp_path: Path, shell: str, file: str
) -> None:
    start = tmp_path / file
    start.parent.mkdir(parents=True, exist_ok=True)
    start.write_text("alias ll='ls -l'")
    for _ in range(2):
        run = tilewise("--install-completion", shell, env={"HOME": str(tmp_path)})
        assert (run.returncode, run.stderr) == (0, "") and file in run.stdout
    first, second = start.read_text().splitlines()
    assert first == "alias ll='ls -l'" and f"_TILEWISE_COMPLETE={shell}_source" in second


def test_the_completion_for_an_unknown_shell_is_refused(tilewise: Run) -> None:
    run = tilewise("--install-completion", "tcsh")
    assert (run.returncode, run.stdout) == (2, "")
    assert "expected a shell bash, zsh, fish; got 'tcsh'" in run.stderr


def test_a_file_to_load_is_not_run_while_a_word_is_completed(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("print('run')\n")
    words = "tilewise solve --load own.py --heu"
    asked = {"_TILEWISE_COMPLETE": "bash_complete", "COMP_CWORD": "4", "COMP_WORDS": words}
    assert tilewise(env=asked).stdout.split() == ["plain,--heuristic"]


def test_no_color_is_obeyed() -> None:
    assert COLOUR.search(on_a_terminal("--help"))
    assert not COLOUR.search(on_a_terminal("--help", NO_COLOR="1"))
    assert not COLOUR.search(on_a_terminal("list", NO_COLOR="1"))


def test_there_are_no_escapes_in_a_pipe(tilewise: Run) -> None:
    for args in (["--help"], ["list"], ["solve", HARD, "--pretty"], ["nonsense"]):
        run = tilewise(*args, env={"NO_COLOR": "", "TERM": "xterm-256color"})
        assert "\x1b" not in run.stdout + run.stderr


PIPED = {
    "list": ["list"],
    "help": ["--help"],
    "start page": [],
    "page": ["solve", HARD, "--pretty"],
    "lines": ["solve", *[EASY] * 300],
    "suite": ["solve", "--suite", "korf100", "--max-nodes", "20"],
    "file": ["solve", "--file", "boards.txt"],
    "input": ["solve", "--file", "-"],
    "long trace": ["solve", HARD, "--trace", "9999"],
}


@pytest.mark.parametrize(
    "args",
    [
        pytest.param(args, id=name, marks=pytest.mark.full if name in ("help", "suite") else ())
        for name, args in PIPED.items()
    ],
)
def test_a_pipe_that_is_closed_early_is_silent(
    args: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    boards = tmp_path / "boards.txt"
    boards.write_text(f"{EASY}\n" * 2000)
    reading, writing = os.pipe()
    os.close(reading)
    with (
        boards.open("rb") as stdin,
        started(*args, stdout=writing, stdin=stdin.fileno()) as process,
    ):
        os.close(writing)
        _, complaint = process.communicate(timeout=HANG_GUARD)
    assert (process.returncode, complaint) == (0, "")


@pytest.mark.parametrize("args", [["solve", EASY], ["list"], ["--help"], []], ids=" ".join)
def test_a_closed_output_is_no_defect_of_tilewise(args: list[str]) -> None:
    run = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *TILEWISE, *args],
        stderr=subprocess.PIPE,
        text=True,
        timeout=HANG_GUARD,
        check=False,
    )
    assert run.returncode in {0, 2}, run.stderr
    assert "internal error" not in run.stderr and "Traceback" not in run.stderr


def test_a_closed_input_is_bad_input() -> None:
    run = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", *TILEWISE, "solve", "--file", "-"],
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=False,
    )
    assert run.returncode == 2
    assert run.stderr.startswith("tilewise: error: ") and "internal error" not in run.stderr


@pytest.mark.parametrize("algorithm", ["idastar", "astar", "bfs", "rbfs", "bidirectional"])
def test_an_interrupt_ends_a_long_search_with_130_and_no_traceback(algorithm: str) -> None:
    with started("solve", EASY, SLOW, "-a", algorithm) as process:
        assert next_line(process).startswith(f"{EASY}: 1 move")  # now the long search runs
        process.send_signal(signal.SIGINT)
        rest, complaint = process.communicate(timeout=HANG_GUARD)
    assert (process.returncode, rest, complaint) == (130, "", "")


def test_an_interrupt_while_waiting_for_input_ends_with_130() -> None:
    with started("solve", "--file", "-", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(f"{EASY}\n{EASY}\n")
        process.stdin.flush()
        assert next_line(process) == "-:1: 1 move, optimal: L\n"
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=HANG_GUARD)
    assert (process.returncode, complaint) == (130, "")


def test_results_come_while_later_boards_are_still_searched() -> None:
    with started("solve", EASY, HARD, SLOW, "-a", "astar", "--json") as process:
        assert f'"name": "{EASY}"' in next_line(process)
        assert f'"name": "{HARD}"' in next_line(process)
        assert process.poll() is None


def test_results_of_a_file_come_while_later_boards_are_still_searched(tmp_path: Path) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_text(f"{EASY}\n\n{SLOW}\n")
    with started("solve", "--file", str(boards), "-a", "astar") as process:
        assert next_line(process) == f"{boards}:1: 1 move, optimal: L\n"
        assert process.poll() is None


def test_a_board_from_a_pipe_is_answered_before_the_next_one_comes() -> None:
    with started("solve", "--file", "-", stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        for number, board in enumerate([EASY, "12b 345 678"], start=1):
            process.stdin.write(f"{board}\n")
            process.stdin.flush()
            assert next_line(process).startswith(f"-:{number}: {number} move")


def test_a_progress_bar_does_not_take_the_results_away_from_the_output(tmp_path: Path) -> None:
    answers = tmp_path / "answers.txt"
    master, slave = pty.openpty()
    args = ["solve", "--suite", "korf100", "-a", "astar", "--max-nodes", "20"]
    with answers.open("wb") as output:
        process = subprocess.Popen([*TILEWISE, *args], stdout=output, stderr=slave)
        os.close(slave)
        shown = all_of(master).decode()
    assert process.wait(HANG_GUARD) == 20
    assert len(answers.read_text().splitlines()) == 100
    assert "korf100:1:" not in shown


def test_long_lines_are_not_broken_on_a_terminal() -> None:
    shown = on_a_terminal("solve", "--suite", "korf100", "--max-nodes", "20", NO_COLOR="1")
    lines = [line for line in shown.splitlines() if "korf100:1:" in line]
    assert len(lines) == 1 and re.search(r"korf100:1: \d+ moves; .*: [UDLR]{81,}", lines[0])


HEAVY = """numpy rich pydantic typer fastapi starlette uvicorn matplotlib polars dask distributed
PIL textual platformdirs asyncio multiprocessing sqlite3 email importlib.metadata
importlib.resources"""
"""What takes long to import, and has no part in solving a small board."""


RUN_AND_LIST = """
import sys
from tilewise.cli.app import run
code = run(sys.argv[1:])
print(*sys.modules, sep="\\n", file=sys.stderr)
sys.exit(code)
"""


def imported(code: str, *args: str) -> set[str]:
    """The modules that a process has imported; -X importtime would miss those imported by name."""
    run = subprocess.run(
        [sys.executable, "-c", code, *args],
        capture_output=True,
        text=True,
        timeout=HANG_GUARD,
        check=True,
    )
    return set(run.stderr.splitlines())


def heavy(modules: set[str]) -> set[str]:
    """Those of the heavy ones that are among the modules, themselves or in part."""
    return {
        name for name in HEAVY.split() if any(f"{each}.".startswith(f"{name}.") for each in modules)
    }


def test_what_must_not_be_imported_is_installed_here_and_would_be_seen() -> None:
    names = {"numpy", "rich", "pydantic", "fastapi", "polars", "textual"}
    assert names <= heavy(imported(f"import {', '.join(sorted(names))}{RUN_AND_LIST}"))


@pytest.mark.parametrize(
    "args",
    [["solve", HARD], [HARD, "--pretty"], ["solve", EASY, "--json"], [], ["solve", "--help"]],
    ids=" ".join,
)
def test_a_small_board_is_solved_without_heavy_imports(args: list[str]) -> None:
    modules = imported(RUN_AND_LIST, *args)
    assert "tilewise.search.astar" in modules or not args
    assert not heavy(modules)


def test_other_sub_commands_are_not_imported() -> None:
    modules = imported(RUN_AND_LIST, "solve", EASY)
    sub_commands = {target.partition(":")[0] for target in COMMANDS.values()}
    assert sub_commands & modules == {"tilewise.cli.solve"}


def test_the_help_starts_no_other_front_end() -> None:
    modules = imported(RUN_AND_LIST, "--help")
    assert {target.partition(":")[0] for target in COMMANDS.values()} <= modules
    assert not [name for name in modules if name.startswith(("tilewise.web", "tilewise.play"))]
