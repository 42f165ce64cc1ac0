"""What `tilewise classic` reads: words, command files and typed lines, right and wrong ones."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

UNSOLVABLE = "7b2 853 641"


def state(text: str) -> str:
    return f"Current puzzle state:\n{text}\n"


def test_a_command_word_is_never_taken_for_an_argument(tilewise: Run) -> None:
    words = ["setState", "printState", "1b2 345 678"]
    typed = tilewise("classic", input='setState printState "1b2 345 678"')
    assert typed.stderr.splitlines() == [
        'tilewise: error: line 1: setState: expected a state such as "b12 345 678", got nothing',
        "tilewise: error: line 1: expected a command, got '1b2 345 678'",
    ]
    for dash in ("-", "--"):
        given = tilewise("classic", *(dash + words[0], dash + words[1], words[2]))
        assert given.stdout == typed.stdout == state("b12 345 678")
        assert given.returncode == typed.returncode == 2
        assert len(given.stderr.splitlines()) == 2


def test_a_state_may_stand_without_quotes_and_in_other_notations(tilewise: Run) -> None:
    done = tilewise(
        "classic",
        input="setState 1b2 345 678 printState\nsetState '1,2,5,3,4,0,6,7,8' printState\n"
        "-setState=12b345678 --printState\n",
    )
    boards = ("1b2 345 678", "125 34b 678", "12b 345 678")
    assert done.stdout == "".join(map(state, boards))
    assert (done.returncode, done.stderr) == (0, "")


WRONG = {
    "setState '325 678 b1'": "expected 9 tiles for a 3x3 board, got 8: '325 678 b1'",
    "setState '325 678 bb4'": "got the blank at positions 7 and 8: '325 678 bb4'",
    "setState '325 678 x14'": "at position 7, got 'x': '325 678 x14'",
    "setState '12 3b'": "expected a 3x3 board, since the goal is b12 345 678, got a 2x2 board",
    "setState ''": 'setState: expected a state such as "b12 345 678", got nothing',
    "setState": "got nothing",
    "move": "move: expected up, down, left or right, got nothing",
    "move sideways": "move: expected up, down, left or right, got 'sideways'",
    "solveAStar": "solveAStar: expected a heuristic h1 or h2, got nothing",
    "solveAStar h3": "solveAStar: expected a heuristic h1 or h2, got 'h3'",
    "solveBeam": "solveBeam: expected a width such as 10, got nothing",
    "solveBeam 0": "solveBeam: expected a whole number from 1 to 1000000000, got '0'",
    "solveBeam -3": "solveBeam: expected a whole number from 1 to 1000000000, got '-3'",
    "solveBeam 2.5": "solveBeam: expected a whole number from 1 to 1000000000, got '2.5'",
    "maxNodes": "maxNodes: expected a number of nodes such as 10000, got nothing",
    "maxNodes 0": "maxNodes: expected a whole number from 1 to 1000000000, got '0'",
    "maxNodes many": "maxNodes: expected a whole number from 1 to 1000000000, got 'many'",
    f"maxNodes {'9' * 5000}": "maxNodes: expected a whole number from 1 to 1000000000, got '999",
    "randomizeState": "randomizeState: expected a number of moves such as 50, got nothing",
    "randomizeState -1": "randomizeState: expected a whole number from 0 to 10000000, got '-1'",
    "randomizeState 1e3": "randomizeState: expected a whole number from 0 to 10000000, got '1e3'",
    "randomizeState 10000001": "from 0 to 10000000, got '10000001'",
    "seed": "seed: expected a seed such as 42, got nothing",
    "seed -1": "seed: expected a whole number from 0 to 4294967295, got '-1'",
    "seed ²": "seed: expected a whole number from 0 to 4294967295, got '²'",
    "readCommands": "readCommands: expected the name of a file, got nothing",
    "readCommands missing.txt": "got 'missing.txt': No such file or directory",
    "readCommands .": "readCommands: expected a readable command file, got '.'",
    "printStat": "expected a command, got 'printStat'; did you mean printState?",
    "-tablePrintState": "got '-tablePrintState'; the profile eecs391-table has it",
    "what is this": "expected a command, got 'what is this'",
    'setState "1b2 345 678': "setState: expected a closing \", got '\"1b2 345 678'",
    "printState 'a": 'expected a command, got "\'a"',
}


def test_what_is_wrong_is_said_in_one_line_and_changes_nothing(tilewise: Run) -> None:
    lines = [f"{line}\n" for line in WRONG]
    done = tilewise("classic", input='setState "15b 324 678"\n' + "".join(lines) + "printState\n")
    said = done.stderr.splitlines()
    for number, (line, (wrong, message)) in enumerate(
        zip(said, WRONG.items(), strict=True), start=2
    ):
        assert line.startswith(f"tilewise: error: line {number}: "), wrong
        assert message in line, wrong
    assert done.stdout == state("15b 324 678") * 2
    assert done.returncode == 2


def test_a_bad_command_line_still_carries_out_the_rest(tilewise: Run) -> None:
    done = tilewise(
        "classic",
        *("-move", "right", "-setState", "b12 345 67", "-printState", "-path", "-seed", "-1"),
    )
    assert done.stdout == state("1b2 345 678")
    assert done.stderr.splitlines() == [
        "tilewise: error: expected a command, got '-path'",
        "tilewise: error: seed: expected a whole number from 0 to 4294967295, got '-1'",
        "tilewise: error: setState: expected 9 tiles for a 3x3 board, got 8: 'b12 345 67'",
    ]
    assert done.returncode == 2


def test_an_unknown_profile_is_refused(tilewise: Run) -> None:
    done = tilewise("classic", "--profile", "columbia", "-printState")
    assert done.stderr == (
        "tilewise: error: expected a profile eecs391 or eecs391-table, got 'columbia'\n"
    )
    assert (done.returncode, done.stdout) == (2, "")


def test_command_files_of_windows_with_comments_are_read(tilewise: Run, tmp_path: Path) -> None:
    text = "# a state\r\nsetState '1b2 345 678' # in quotes\r\n\r\nprintState\r\n"
    for name, data in {
        "utf8.txt": b"\xef\xbb\xbf" + text.encode(),
        "utf16.txt": text.encode("utf-16"),
        "old-mac.txt": text.replace("\r\n", "\r").encode(),
    }.items():
        (tmp_path / name).write_bytes(data)
        done = tilewise("classic", "-readCommands", name)
        assert (done.stdout, done.stderr) == (state("1b2 345 678"), ""), name


def test_a_file_that_is_no_text_is_refused(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "nul.txt").write_bytes(b"printState\0")
    (tmp_path / "bytes.txt").write_bytes(bytes(range(128, 256)))
    done = tilewise("classic", input="readCommands nul.txt\nreadCommands bytes.txt printState")
    assert done.stderr.splitlines() == [
        "tilewise: error: line 1: readCommands: expected a text file, got a NUL byte: 'nul.txt'",
        "tilewise: error: line 2: readCommands: expected a text file, got other bytes: 'bytes.txt'",
    ]
    assert done.stdout == state("b12 345 678")


def test_files_may_read_files_but_not_themselves(tilewise: Run, tmp_path: Path) -> None:
    (tmp_path / "outer.txt").write_text("move right readCommands inner.txt readCommands inner.txt")
    (tmp_path / "inner.txt").write_text("printState\nreadCommands ./outer.txt\nmove down")
    done = tilewise("classic", "-readCommands", "outer.txt")
    assert done.stdout == state("1b2 345 678") + state("142 3b5 678")
    message = (
        "tilewise: error: line 2 of 'inner.txt': readCommands: "
        "expected a file that is not being read already, got './outer.txt'"
    )
    assert done.stderr.splitlines() == [message, message]
    assert done.returncode == 2


def test_a_long_chain_of_files_ends_with_a_message(tilewise: Run, tmp_path: Path) -> None:
    for number in range(25):
        (tmp_path / f"{number}.txt").write_text(f"readCommands {number + 1}.txt printState")
    done = tilewise("classic", "-readCommands", "0.txt")
    assert "expected at most 20 command files inside each other" in done.stderr
    assert done.stdout == state("b12 345 678") * 20


def test_piped_input_is_not_prompted_and_ends_with_quit_or_its_end(tilewise: Run) -> None:
    assert tilewise("classic", input="").returncode == 0
    done = tilewise("classic", input="\ufeffprintState\n\nmove right printState quit\nprintState\n")
    assert done.stdout == state("b12 345 678") + state("1b2 345 678")
    assert (done.returncode, done.stderr) == (0, "")


def test_help_names_every_command(tilewise: Run) -> None:
    listed = tilewise("classic", input="help\nexit").stdout
    page = tilewise("classic", "--help").stdout
    for line in listed.splitlines():
        assert f"-{line.split()[0]}" in page
    assert len(listed.splitlines()) == 12
    assert 'tilewise classic -setState "312 475 68b" -solveAStar h1 -prettyPrintSolution' in page
    assert tilewise("classic", "-h").stdout == listed


# Where tests run in the background, SIGINT is ignored, and new processes inherit that.
ON_TERMINAL = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from tilewise.cli.app import main
main()
"""


@pytest.fixture
def terminal() -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """Our end of a terminal on which `tilewise classic` runs, and its process."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", ON_TERMINAL, "classic"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        yield ours, process
        process.kill()
    os.close(ours)


def shown_until(end: str, terminal: int) -> str:
    """What the program shows until it has shown `end`."""
    text = ""
    while not text.endswith(end):
        text += os.read(terminal, 1).decode()
    return text.replace("\r\n", "\n")


def test_a_terminal_is_prompted_and_ends_with_its_input(
    terminal: tuple[int, subprocess.Popen[bytes]],
) -> None:
    screen, process = terminal
    assert shown_until("> ", screen).startswith("Profile eecs391. Type help")
    os.write(screen, b"printState\n")
    assert shown_until("678\r\n", screen).endswith(state("b12 345 678"))
    shown_until("> ", screen)
    os.write(screen, b"\x04")
    assert process.wait() == 0


def test_ctrl_c_ends_a_search_with_130(terminal: tuple[int, subprocess.Popen[bytes]]) -> None:
    screen, process = terminal
    shown_until("> ", screen)
    os.write(
        screen, f'setState "{UNSOLVABLE}" printState solveAStar h1 maxNodes 1000000\n'.encode()
    )
    shown_until(f"{UNSOLVABLE}\r\n", screen)
    process.send_signal(signal.SIGINT)
    assert process.wait() == 130
