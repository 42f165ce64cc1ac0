"""The screen of a course's program; front ends implement it and turn endings into exit codes."""

from __future__ import annotations

from typing import Final, Literal, Protocol

from tilewise.core.result import Status

BAD_INPUT: Final = "bad input"
Ending = Status | Literal["bad input"]
"""How a command or a board ended: the status of a search, or input that was refused."""


class Screen(Protocol):
    """Where the texts of a program go."""

    def say(self, text: str) -> None:
        """Show a text that the program prints."""

    def note(self, text: str) -> None:
        """Show what the program does not print: what is wrong, or why there is no solution."""


class Terminal(Screen, Protocol):
    """A screen with a user who answers."""

    def ask(self, question: str) -> str:
        """Show a question and return the answer, on the line of the question; EOFError at the end.

        A question that ends with a line break is answered on the next line.
        """
