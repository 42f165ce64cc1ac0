"""Answers in transcripts of the command language, read line by line."""

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
from tilewise.courses.eecs391.methods import read_method
from tilewise.errors import shortened
from tilewise.puzzle.board import Board

_STATE_SHOWN = re.compile(r"\s*current (?:puzzle )?state:\s*(.*)", re.IGNORECASE)
_COMMAND = re.compile(
    r"\b(setState|randomizeState|move|solveAStar|solveBeam)\b[ \t]*"
    r"(\"[^\"]{0,60}\"|'[^']{0,60}'|[b0-9]{3} [b0-9]{3} [b0-9]{3}|[\w]{1,20})?",
    re.IGNORECASE,
)
_DIRECTIONS = ("up", "down", "left", "right")
_FOUND = re.compile(r"\s*solution (?:found|is below)", re.IGNORECASE)
_LENGTH = re.compile(r"\s*solution length:\s*(.*)", re.IGNORECASE)
_PATH = re.compile(r"\s*solution path:?\s*(.*)", re.IGNORECASE)
_NODES = re.compile(r"\s*total nodes generated:\s*(.*)", re.IGNORECASE)
_NOT_FOUND = re.compile(
    r"\s*(no solution found|this solution could not be found|the solution was not found)",
    re.IGNORECASE,
)
_START = re.compile(r"\s*starting state", re.IGNORECASE)


class _Session:
    """Follows a transcript of the command language: which board is set, what is solved."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Answer] = []
        self._board: Board | None = None
        self._shown: Board | None = None
        self._solves: list[tuple[Board | None, str | None]] = []
        self._open = False

    def command(self, word: str, argument: str) -> None:
        """A command that stands in the transcript: what it prints comes later."""
        if word == "setstate":
            self._board = board_in(argument.strip("\"'"))
        elif word == "randomizestate" or argument.strip("\"'").lower() in _DIRECTIONS:
            self._board = None
        elif word == "move":  # a word of prose
            return
        elif len(self._solves) < MOST_ANSWERS:
            name = read_method(f"{word} {argument}")
            self._solves.append((self._board, name))

    def shown(self, text: str) -> None:
        """The state that a program has printed."""
        self._shown = board_in(text)

    def result(self, number: int, first: bool) -> Answer:
        """The answer that a line belongs to; the first line of one begins it."""
        if not self._open or first or not self.found:
            board, method = self._solves.pop(0) if self._solves else (None, None)
            board = board or self._shown
            self._shown = None  # what comes next may be about another board
            answer = Answer(self.file, number, board=board, method=method, native=True)
            self.found.append(answer)
            self._open = True
        return self.found[-1]

    def start(self, board: Board | None) -> None:
        """The first board of a printed solution."""
        if self.found and self.found[-1].board is None:
            self.found[-1].board = board


def read_answers(file: str, text: str) -> list[Answer]:
    """The solutions of a transcript; boards come from commands, printed states or solutions."""
    state = _Session(file)
    lines = text.splitlines()
    for number, full in enumerate(lines, start=1):
        if len(state.found) > MOST_ANSWERS:
            break
        if len(full) < SHORTEST_LINE:
            continue
        line = full[:LONGEST_VALUE]
        if shown := _STATE_SHOWN.match(line):
            following = lines[number].strip() if number < len(lines) else ""
            state.shown(shown[1].strip() or following[:LONGEST_VALUE])
        elif _FOUND.match(line):
            state.result(number, first=True)
        elif _NOT_FOUND.match(line):
            state.result(number, first=True).no_solution = True
        elif length := _LENGTH.match(line):
            answer = state.result(number, first=False)
            if "length" in answer.values or answer.no_solution:
                answer = state.result(number, first=True)
            answer.values["length"] = length[1].strip()
        elif path := _PATH.match(full):
            state.result(number, first=False).path = path[1].strip()
        elif nodes := _NODES.match(line):
            state.result(number, first=False).values["generated"] = nodes[1].strip()
        elif _START.match(line):
            state.start(grid_below(lines, number))
        else:
            for found in _COMMAND.finditer(full[:2000]):
                state.command(found[1].lower(), found[2] or "")
    for answer in state.found:
        answer.faults += _faults(answer)
    return state.found[:MOST_ANSWERS]


def _faults(answer: Answer) -> list[str]:
    if answer.no_solution:
        return []
    faults = []
    for name, word in (("length", "Solution Length"), ("generated", "Total nodes generated")):
        if name not in answer.values:
            faults.append(f"the line {word!r} is missing")
        elif number_in(answer.values[name]) is None:
            shown = shortened(answer.values[name], 40)
            faults.append(f"{word!r} is no whole number: {shown}")
    if answer.path is None:
        faults.append("the line 'Solution Path' is missing")
    elif not (answer.path.startswith("[") and answer.path.endswith("]")):
        faults.append(f"'Solution Path' is no list in brackets: {shortened(answer.path, 40)}")
    return faults
