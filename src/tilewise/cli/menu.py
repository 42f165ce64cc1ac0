"""`tilewise menu`: the course program that asks for a puzzle and traces its search (cs170)."""

from __future__ import annotations

import sys
from typing import TextIO

from tilewise.cli import commands, exit_codes, typed
from tilewise.cli.endings import exit_code
from tilewise.courses import cs170
from tilewise.courses.cs170.dialogue import Dialogue


@commands.command("menu")
def command() -> int:
    """Solve 8-puzzles in a dialogue, as the menu of CS170 does.

    Every expanded node is shown. The goal is 1 2 3/4 5 6/7 8 b. Answers may be piped in; the
    dialogue ends with its input.

    Examples:

        tilewise menu

        tilewise menu < answers.txt
    """
    endings = Dialogue(cs170.COURSE, StandardStreams(sys.stdin, sys.stdout, sys.stderr)).run()
    return max(map(exit_code, endings), default=exit_codes.OK)


class StandardStreams:
    """The terminal of a dialogue: the standard streams."""

    def __init__(self, answers: TextIO, out: TextIO, errors: TextIO) -> None:
        self._answers, self._out, self._errors = typed.lines(answers), out, errors
        # A terminal shows what is typed, with its line end; piped answers are not shown.
        self._typed = answers.isatty()

    def say(self, text: str) -> None:
        """Print a text of the program."""
        self._out.write(text + "\n")

    def note(self, text: str) -> None:
        """Print why an answer is refused."""
        self._out.flush()
        self._errors.write(text + "\n")
        self._errors.flush()

    def ask(self, question: str) -> str:
        """The next answer, without the white space around it; EOFError when there is none."""
        self._out.write(question)
        self._out.flush()
        line = next(self._answers, "")
        same_line = not question.endswith("\n")
        if not line if self._typed else same_line:
            self._out.write("\n")
        if not line:
            raise EOFError
        return line.removeprefix("\ufeff").strip()
