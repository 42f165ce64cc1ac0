"""Answers in transcripts of the menu, read line by line."""

from __future__ import annotations

import re

from tilewise.courses.answers import (
    LONGEST_VALUE,
    MOST_ANSWERS,
    SHORTEST_LINE,
    Answer,
    board_in,
    grid_below,
    number_in,
)
from tilewise.courses.cs170.methods import METHODS
from tilewise.errors import shortened

_ROW_TYPED = re.compile(
    r"\s*enter row ([123])\b.{0,80}?((?:[0-8b][ \t]+){2}[0-8b])[ \t]*", re.IGNORECASE
)
_CHOICE = re.compile(r"\s*([123])\s*")
_MENU_LAST = re.compile(r"\s*3\.\s*A\*", re.IGNORECASE)
_EXPANDING = re.compile(r"\s*expanding (?:node|state)", re.IGNORECASE)
_STEPS = re.compile(r"\s*solved in\s+(\S{1,40})\s+steps?", re.IGNORECASE)
_EXPANDED = re.compile(r".{0,60}?nodes expanded\s*[:=]\s*(.*)", re.IGNORECASE)
_QUEUE = re.compile(r"\s*max(?:imum)? (?:queue size|size of (?:the )?queue)\s*[:=]\s*(.*)", re.I)
_UNSOLVABLE = re.compile(r".{0,60}?\bhas no solution", re.IGNORECASE)
_AGAIN = re.compile(r"\s*type \"?1\"? to run solver again", re.IGNORECASE)


_LINES = {
    "length": "Solved in N steps!",
    "expanded": "Number of nodes expanded",
    "max_frontier": "Max size of queue",
}


class _Menu:
    """Follows a transcript of the menu: rows that are typed, the choice, what is printed."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Answer] = []
        self.rows: dict[str, str] = {}
        self.method: str | None = None
        self._open = False

    def close(self) -> None:
        """The next board is another one."""
        self._open = False
        self.rows, self.method = {}, None

    def answer(self, number: int, start: bool = False) -> Answer:
        """The answer that a line belongs to; the start of a search follows no result."""
        if start and self._open and (self.found[-1].values or self.found[-1].no_solution):
            self.close()
        if not self._open:
            board = None
            if len(self.rows) == 3:
                board = board_in("\n".join(self.rows[row] for row in "123"))
            answer = Answer(self.file, number, board=board, native=True)
            answer.method = self.method
            self.found.append(answer)
            self._open = True
        return self.found[-1]

    def value(self, number: int, name: str, text: str) -> None:
        """A number that was printed; one that is there already belongs to the next board."""
        if self._open and name in self.found[-1].values:
            self.close()
        self.answer(number).values[name] = text.strip()[:LONGEST_VALUE]


def read_answers(file: str, text: str) -> list[Answer]:
    """The boards of a transcript of the menu; typed answers are understood where they stand."""
    state = _Menu(file)
    lines = text.splitlines()
    after_menu = False
    for number, full in enumerate(lines, start=1):
        if len(state.found) > MOST_ANSWERS:
            break
        if len(full) < SHORTEST_LINE and not after_menu:
            continue
        line = full[:LONGEST_VALUE]
        if typed := _ROW_TYPED.match(line):
            state.rows[typed[1]] = typed[2]
        elif after_menu and (choice := _CHOICE.fullmatch(line)):
            state.method = METHODS[int(choice[1]) - 1].name
        elif _EXPANDING.match(line):
            answer = state.answer(number, start=True)
            answer.board = answer.board or grid_below(lines, number)
        elif steps := _STEPS.match(line):
            state.value(number, "length", steps[1])
        elif expanded := _EXPANDED.match(line):
            state.value(number, "expanded", expanded[1])
        elif queue := _QUEUE.match(line):
            state.value(number, "max_frontier", queue[1])
        elif _UNSOLVABLE.match(line):
            state.answer(number).no_solution = True
        elif _AGAIN.match(line):
            state.close()
        after_menu = bool(_MENU_LAST.match(line))
    for answer in state.found:
        answer.faults += _faults(answer)
    return state.found[:MOST_ANSWERS]


def _faults(answer: Answer) -> list[str]:
    if answer.no_solution:
        return []
    faults = []
    for name, word in _LINES.items():
        if name not in answer.values:
            faults.append(f"the line {word!r} is missing")
        elif number_in(answer.values[name]) is None:
            shown = shortened(answer.values[name], 40)
            faults.append(f"{word!r} is no whole number: {shown}")
    return faults
