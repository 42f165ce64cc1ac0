"""`tilewise menu` prints what the course's program printed, and survives every kind of answer."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from tilewise.cli.menu import StandardStreams
from tilewise.core.limits import Limits
from tilewise.core.result import Status
from tilewise.courses.cs170 import COURSE
from tilewise.courses.cs170.dialogue import Dialogue
from tilewise.puzzle.board import Board

Run = Callable[..., subprocess.CompletedProcess[str]]

HANG_GUARD = 120
MENU = [sys.executable, "-m", "tilewise", "menu"]

TRANSCRIPT = """\
Welcome to the tilewise 8-puzzle solver.
Type "1" to use a default puzzle, or "2" to enter your own puzzle.
Enter your puzzle, use a zero to represent the blank
Enter row 1, use space or tabs between numbers
Enter row 2, use space or tabs between numbers
Enter row 3, use space or tabs between numbers
Enter your choice of algorithm
1. Uniform Cost Search
2. A* with the Misplaced Tile heuristic
3. A* with the Manhattan distance heuristic
Expanding Node
1 2 3
4 b 6
7 5 8

The best state to expand with a g(n) = 1 and h(n) = 1
1 2 3
4 5 6
7 b 8

Goal State Reached!!
1 2 3
4 5 6
7 8 b

Solved in 2 steps!
Number of nodes expanded: 2
Max size of queue: 5
Type "1" to run solver again, or "2" to exit.
"""

SOURCE = 'Type "1" to use a default puzzle, or "2" to enter your own puzzle.'
AGAIN = 'Type "1" to run solver again, or "2" to exit.'


def trimmed(text: str) -> str:
    """Without the spaces at the ends of lines, which do not count."""
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


def own(board: str, *more: str) -> str:
    """The answers that enter a board given as in `123 456 78b`, and others after it."""
    rows = [" ".join(row) for row in board.split()]
    return "\n".join(("2", *rows, *more)) + "\n"


def test_the_transcript_is_printed_without_the_typed_answers(tilewise: Run) -> None:
    done = tilewise("menu", input="2\n1 2 3\n4 0 6\n7 5 8\n3\n2\n")
    assert trimmed(done.stdout) == TRANSCRIPT
    assert (done.returncode, done.stderr) == (0, "")


def on_a_terminal(answers: list[tuple[str, bytes]]) -> tuple[str, int]:
    """What a terminal shows when each answer is typed after its question, and the exit code."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(MENU, stdin=theirs, stdout=theirs, stderr=theirs) as menu:
        os.close(theirs)
        shown, waiting = b"", list(answers)
        while select.select([ours], [], [], HANG_GUARD)[0]:
            try:
                read = os.read(ours, 4096)
            except OSError:  # how Linux says that the other side has closed
                break
            if not read:
                break
            shown += read
            if waiting and shown.replace(b"\r", b"").rstrip(b"\n").endswith(waiting[0][0].encode()):
                os.write(ours, waiting.pop(0)[1])
    os.close(ours)
    return shown.decode().replace("\r\n", "\n"), menu.returncode


def test_a_terminal_shows_the_transcript_with_the_typed_answers() -> None:
    shown, code = on_a_terminal(
        [
            ("own puzzle.", b"2\n"),
            ("Enter row 1, use space or tabs between numbers    ", b"1 2 3\n"),
            ("Enter row 2, use space or tabs between numbers    ", b"4 0 6\n"),
            ("Enter row 3, use space or tabs between numbers    ", b"7 5 8\n"),
            ("Manhattan distance heuristic", b"3\n"),
            ('or "2" to exit.', b"2\n"),
        ]
    )
    typed = TRANSCRIPT
    for after, answer in (
        ("own puzzle.", "\n2"),
        ("row 1, use space or tabs between numbers", "    1 2 3"),
        ("row 2, use space or tabs between numbers", "    4 0 6"),
        ("row 3, use space or tabs between numbers", "    7 5 8"),
        ("Manhattan distance heuristic", "\n3"),
        ('or "2" to exit.', "\n2"),
    ):
        typed = typed.replace(after, after + answer)
    assert shown == typed
    assert code == 0


def test_the_end_of_input_on_a_terminal_ends_the_line() -> None:
    shown, code = on_a_terminal([("own puzzle.", b"2\n"), ("between numbers    ", b"\x04")])
    assert shown.endswith("Enter row 1, use space or tabs between numbers    \n")
    assert code == 0


FIGURES = {
    "120 453 786": (2, {"1": (3, 4), "2": (2, 3), "3": (2, 3)}),
    "012 453 786": (4, {"1": (28, 18), "2": (4, 4), "3": (4, 4)}),
    "703 215 846": (11, {"1": (1739, 1158), "2": (60, 47), "3": (17, 17)}),
    "751 230 846": (15, {"1": (13214, 9168), "2": (352, 259), "3": (52, 39)}),
}


@pytest.mark.parametrize("board", FIGURES)
def test_steps_expanded_and_queue_are_those_of_the_course(tilewise: Run, board: str) -> None:
    steps, figures = FIGURES[board]
    answers = "1\n".join(own(board, choice) for choice in figures)
    done = tilewise("menu", input=answers + "2\n")
    printed = re.findall(
        r"^Solved in (\d+) steps!\nNumber of nodes expanded: (\d+)\nMax size of queue: (\d+)$",
        done.stdout,
        flags=re.MULTILINE,
    )
    expected = [(steps, expanded, queue) for expanded, queue in figures.values()]
    assert [tuple(map(int, found)) for found in printed] == expected
    traced = done.stdout.count("Expanding Node\n") + done.stdout.count("The best state to expand")
    assert traced == sum(expanded for _, expanded, _ in expected)


def test_uniform_cost_search_is_traced_with_h_zero(tilewise: Run) -> None:
    done = tilewise("menu", input=own("120 453 786", "1", "2"))
    headlines = re.findall(r"^The best .*", done.stdout, flags=re.MULTILINE)
    assert headlines == ["The best state to expand with a g(n) = 1 and h(n) = 0"] * 2


def test_the_default_puzzle_takes_five_steps(tilewise: Run) -> None:
    done = tilewise("menu", input="1\n2\n2\n")
    assert "Expanding Node\n1 2 3\n4 8 b\n7 6 5\n\n" in done.stdout
    assert "Solved in 5 steps!\n" in done.stdout
    assert done.returncode == 0


def test_a_start_on_the_goal_is_not_expanded(tilewise: Run) -> None:
    done = tilewise("menu", input=own("123 456 78b", "3", "2"))
    tail = done.stdout.partition("Manhattan distance heuristic\n")[2]
    assert tail == (
        "Goal State Reached!!\n1 2 3\n4 5 6\n7 8 b\n\n"
        f"Solved in 0 steps!\nNumber of nodes expanded: 0\nMax size of queue: 0\n{AGAIN}\n"
    )


@pytest.mark.parametrize(
    ("board", "choice"), [("123 456 87b", "1"), ("812 b43 765", "2"), ("213 456 78b", "3")]
)
def test_an_unsolvable_board_is_answered_by_parity(tilewise: Run, board: str, choice: str) -> None:
    done = tilewise("menu", input=own(board, choice, "2"))
    tail = done.stdout.partition("Manhattan distance heuristic\n")[2].splitlines()
    assert tail[0] == "This problem has no solution!"
    assert "swaps" in tail[1] and "every move changes both parities" in tail[1]
    assert tail[2:] == [AGAIN]
    assert done.returncode == 10


def test_the_solver_can_be_run_again_after_an_unsolvable_board(tilewise: Run) -> None:
    done = tilewise("menu", input=own("123 456 87b", "1", "1") + "1\n3\n2\n")
    assert done.stdout.count(SOURCE) == 2
    assert done.stdout.index("no solution!") < done.stdout.index("Solved in 5 steps!")
    assert done.returncode == 10


@pytest.mark.parametrize("kept", range(7))
def test_the_dialogue_ends_cleanly_wherever_its_input_ends(tilewise: Run, kept: int) -> None:
    answers = ["2", "1 2 3", "4 0 6", "7 5 8", "3", "1"][:kept]
    done = tilewise("menu", input="\n".join(answers))
    questions = [SOURCE, "Enter row 1", "Enter row 2", "Enter row 3", "3. A*", AGAIN, SOURCE]
    assert done.stdout.splitlines()[-1].startswith(questions[kept])
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("3", 'expected "1" or "2", got \'3\''),
        ("", 'expected "1" or "2", got \'\''),
        ("one", 'expected "1" or "2", got \'one\''),
        ("12", 'expected "1" or "2", got \'12\''),
        ("\u0661", 'expected "1" or "2", got \'\u0661\''),
    ],
)
def test_a_wrong_choice_is_asked_again(tilewise: Run, wrong: str, message: str) -> None:
    env = {"PYTHONUTF8": "1"}
    done = tilewise("menu", input=f"{wrong}\n1\n3\n2\n", env=env)
    assert done.stderr.splitlines() == [message]
    assert done.stdout.count(SOURCE) == 2
    assert "Solved in 5 steps!" in done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("4 0", "expected 3 numbers with spaces or tabs between them, got 2: '4 0'"),
        ("4 0 6 7", "expected 3 numbers with spaces or tabs between them, got 4: '4 0 6 7'"),
        ("", "expected 3 numbers with spaces or tabs between them, got 0: ''"),
        ("4 x 6", "expected numbers 0 to 8, got 'x': '4 x 6'"),
        ("4 -1 6", "expected numbers 0 to 8, got '-1': '4 -1 6'"),
        ("4 9 6", "expected numbers 0 to 8, got '9': '4 9 6'"),
        ("4 0 b", "expected each tile once, got the blank twice: '4 0 b'"),
        ("4 4 6", "expected each tile once, got 4 twice: '4 4 6'"),
        ("4 0 1", "expected each tile once, got 1 in a row above as well: '4 0 1'"),
    ],
)
def test_a_bad_row_is_asked_again(tilewise: Run, wrong: str, message: str) -> None:
    done = tilewise("menu", input=f"2\n1 2 3\n{wrong}\n4 0 6\n7 5 8\n3\n2\n")
    assert done.stderr.splitlines() == [message]
    assert done.stdout.count("Enter row 2,") == 2
    assert "Number of nodes expanded: 2\nMax size of queue: 5\n" in done.stdout
    assert done.returncode == 0


def test_input_that_ends_after_a_refused_answer_is_bad_input(tilewise: Run) -> None:
    done = tilewise("menu", input="2\n1 2 3\n4 4 6\n")
    assert len(done.stderr.splitlines()) == 1
    assert done.returncode == 2


def test_tabs_letters_windows_line_ends_and_a_byte_order_mark_are_understood(tilewise: Run) -> None:
    answers = "\ufeff2\r\n1\t2\t3\r\n  4 b\t 6 \r\n7 5 8\r\n 3 \r\n2\r\n"
    done = tilewise("menu", input=answers, env={"PYTHONUTF8": "1"})
    assert trimmed(done.stdout) == TRANSCRIPT


def test_binary_input_is_refused_without_a_traceback() -> None:
    junk = bytes(range(128, 256)) + b"\n\0\xff\n"
    done = subprocess.run(MENU, input=junk, capture_output=True, timeout=HANG_GUARD)
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") == 2


def searching(board: str) -> subprocess.Popen[str]:
    """A menu that has been given a board and uniform cost search, and shows its first node."""
    pipe = subprocess.PIPE
    menu = subprocess.Popen(MENU, text=True, stdin=pipe, stdout=pipe, stderr=pipe)
    assert menu.stdin and menu.stdout
    menu.stdin.write(own(board, "1"))
    menu.stdin.flush()
    while (line := menu.stdout.readline()) != "Expanding Node\n":
        assert line
    return menu


def test_a_closed_pipe_is_silent() -> None:
    with searching("751 230 846") as menu:
        assert menu.stdin and menu.stdout and menu.stderr
        menu.stdout.close()
        menu.stdin.close()
        assert menu.stderr.read() == ""
    assert menu.returncode == 0


def test_an_interrupted_search_exits_with_130() -> None:
    with searching("867 254 3b1") as menu:
        menu.send_signal(signal.SIGINT)
        _, complaint = menu.communicate(timeout=HANG_GUARD)
    assert menu.returncode == 130
    assert "Traceback" not in complaint


def test_a_reached_limit_of_memory_is_said_with_the_figures_so_far() -> None:
    out = io.StringIO()
    answers = io.StringIO(own("867 254 3b1", "1", "1") + "1\n3\n2\n")
    console = StandardStreams(answers, out, io.StringIO())
    endings = Dialogue(COURSE, console, Limits(memory=500_000)).run()
    lines = out.getvalue().splitlines()
    stopped = lines.index("Stopped at the memory limit, without a solution.")
    assert re.fullmatch(r"Number of nodes expanded: [1-9]\d*", lines[stopped + 1])
    assert re.fullmatch(r"Max size of queue: [1-9]\d*", lines[stopped + 2])
    assert "Solved in 5 steps!" in lines[stopped:]
    assert endings == [Status.LIMIT, Status.SOLVED]


def test_each_traced_node_is_a_move_away_from_one_traced_before(tilewise: Run) -> None:
    done = tilewise("menu", input=own("012 453 786", "2", "2"))
    blocks = re.findall(r"(?:Node|\d|!!)\n((?:[b1-8] [b1-8] [b1-8]\n){3})\n", done.stdout)
    boards = [Board.parse(block) for block in blocks]
    for number, board in enumerate(boards[1:], start=1):
        reached = {boards[k].move(move) for k in range(number) for move in boards[k].legal_moves()}
        assert board in reached
    assert len(boards) == 5
