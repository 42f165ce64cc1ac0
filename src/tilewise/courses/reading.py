"""Reads answers in the form of a course's output templates, line by line.

The template that writes a line also reads it: white space and case do not matter, other lines may
stand between. A value that is there already begins the next answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tilewise.courses.answers import (
    ITEMS,
    LONGEST_VALUE,
    MOST_ANSWERS,
    NUMBERS,
    Answer,
    board_in,
    number_in,
)
from tilewise.courses.board_sequences import boards_in, moves_between
from tilewise.courses.course import Method, Output
from tilewise.courses.templates import Template
from tilewise.errors import shortened
from tilewise.puzzle.board import Board

_WORDS = re.compile(r"[a-z0-9*]+")
_LETTERS = re.compile(r"[^\W\d_]+")
LONGEST_AMBIGUOUS = 20_000
"""Characters of a line that are read where two of its fields may have spaces in them."""


def read_method(methods: Sequence[Method], text: str) -> str | None:
    """The course's word for a method that a text means, None for none: names, titles, aliases."""
    clean = _words(text)
    for method in methods:
        for name in (method.name, method.title, *method.aliases):
            if clean and clean == _words(name):
                return method.word
    return None


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORDS.findall(text[:LONGEST_VALUE].lower()))


def read_back(output: Output) -> set[str]:
    """The items of an answer that the lines of an output give when they are read."""
    lines = [line for line in output.solved.lines() if line.labelled]
    fields = {name for line in (*lines, *output.also) for name in line.fields}
    if "path" in fields or "boards" in output.solved.fields:
        fields |= {"path", "optimal"}
    return fields & ITEMS.keys() | {"no_solution", "output"}


@dataclass(frozen=True)
class OutputReader:
    """Reads what a course's program prints."""

    output: Output
    methods: tuple[Method, ...]
    shape: tuple[int, int] | None

    @cached_property
    def _lines(self) -> list[tuple[Template, re.Pattern[str]]]:
        """The lines with values that are read, each with what recognises it."""
        own = [
            line
            for line in self.output.solved.lines()
            if line.labelled and set(line.fields) - {"boards"}
        ]
        return [(line, line.reader()) for line in (*own, *self.output.also)]

    @cached_property
    def _none(self) -> list[re.Pattern[str]]:
        """What recognises the sentence that there is no solution."""
        labelled = (line for line in self.output.unsolvable.lines() if line.labelled)
        first = next((line for line in labelled if "method" not in line.fields), None)
        made = [first.reader().pattern] if first else []
        made += [
            r".{0,60}?" + r"\s+".join(map(re.escape, text.split()))
            for text in self.output.also_unsolvable
        ]
        return [re.compile(pattern, re.IGNORECASE) for pattern in made]

    @cached_property
    def _hint(self) -> re.Pattern[str]:
        """A word of each line that is read: files may have millions of lines with none of them."""
        unsolvable = self.output.unsolvable.lines()
        texts = [line.literals for line in (*(line for line, _ in self._lines), *unsolvable)]
        words = [max(_LETTERS.findall(text), key=len, default="") for text in texts]
        words += [
            max(_LETTERS.findall(text), key=len, default=re.escape(text))
            for text in self.output.also_unsolvable
        ]
        return re.compile("|".join(dict.fromkeys(filter(None, words))) or r"\Z.", re.IGNORECASE)

    @property
    def _draws(self) -> bool:
        return "boards" in self.output.solved.fields

    def answers(self, file: str, text: str) -> list[Answer]:
        """The answers of a text."""
        lines = text.splitlines()
        reading = _Reading(file)
        drawn = list(boards_in(lines, self.shape)) if self._draws else []
        for number, full in enumerate(lines, start=1):
            if len(reading.found) > MOST_ANSWERS:
                break
            if not self._hint.search(full):
                continue
            if any(each.match(full[:LONGEST_VALUE]) for each in self._none):
                reading.none(number)
                continue
            for line, pattern in self._lines:
                if found := pattern.match(_readable(line, full)):
                    reading.values(number, line, found.groupdict())
                    break
        if drawn and not reading.found:  # the boards alone are an answer, too
            reading.none_but_boards(drawn[0][0])
        self._share_out(drawn, reading)
        for answer, seen in zip(reading.found, reading.seen, strict=True):
            self._finish(answer, seen)
        return reading.found[:MOST_ANSWERS]

    def _share_out(self, drawn: list[tuple[int, Board]], reading: _Reading) -> None:
        """Give each answer the boards that are drawn near it: below its values, or above them."""
        names = self.output.solved.fields
        above = "boards" in names and names.index("boards") < len(names) / 2
        ends = [seen.first for seen in reading.seen]
        for number, board in drawn:
            if reading.seen and reading.seen[0].alone:
                place: int | None = 0
            elif above:
                place = next((at for at, end in enumerate(ends) if number < end), None)
            else:
                place = next((at for at in reversed(range(len(ends))) if ends[at] < number), None)
            if place is not None:
                reading.seen[place].boards.append(board)

    def _finish(self, answer: Answer, seen: _Seen) -> None:
        """Make moves of the boards, and say what of the form is missing."""
        method = answer.values.pop("method", None)
        if method is not None:
            answer.method = read_method(self.methods, method)
        if board := answer.values.pop("board", None):
            answer.board = board_in(board)
        if self._draws and not answer.no_solution:
            if seen.boards:
                answer.board = answer.board or seen.boards[0]
                answer.moves, answer.path_fault = moves_between(seen.boards)
            else:
                answer.faults.append("the boards of the solution are missing")
        if answer.no_solution:
            return
        for line, _ in self._lines[: len(self._lines) - len(self.output.also)]:
            if not set(line.fields) & seen.fields:
                answer.faults.append(f"the line {line.text.strip()!r} is missing")
        for name in NUMBERS:
            text = answer.values.get(name)
            if text is not None and number_in(text) is None:
                answer.faults.append(f"{name} is no whole number: {shortened(text, 40)}")


def _readable(line: Template, text: str) -> str:
    """As much of a line as a template reads without trying for ever: only paths are long."""
    if "path" not in line.fields or len(text) <= LONGEST_VALUE:
        return text[:LONGEST_VALUE]
    return " ".join(text.split())[: LONGEST_AMBIGUOUS if line.ambiguous else None]


@dataclass
class _Seen:
    """What was found of an answer: its first line, its fields and the boards drawn."""

    first: int
    fields: set[str]
    boards: list[Board]
    alone: bool = False
    """Whether there are boards and nothing else."""


class _Reading:
    """The answers so far."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Answer] = []
        self.seen: list[_Seen] = []

    def _begin(self, number: int) -> Answer:
        self.found.append(Answer(self.file, number, native=True))
        self.seen.append(_Seen(number, set(), []))
        return self.found[-1]

    def none(self, number: int) -> None:
        """The sentence that there is no solution; it stands alone or behind board and method."""
        known = bool(self.found) and self.seen[-1].fields <= {"board", "method", "goal"}
        answer = self.found[-1] if known and not self.found[-1].no_solution else None
        (answer or self._begin(number)).no_solution = True

    def none_but_boards(self, number: int) -> None:
        """An answer without any line of the template, drawn from a line on."""
        self._begin(number)
        self.seen[-1].alone = True

    def values(self, number: int, line: Template, values: dict[str, str]) -> None:
        """The values of a line; one that is there already belongs to the next answer."""
        answer = self.found[-1] if self.found else self._begin(number)
        if self.seen[-1].fields & values.keys() or answer.no_solution:
            answer = self._begin(number)
        self.seen[-1].fields |= values.keys()
        for name, value in values.items():
            if name == "path":
                answer.path = value.strip()
            elif name in (*NUMBERS, "method", "board"):
                answer.values[name] = value.strip()[:LONGEST_VALUE]
