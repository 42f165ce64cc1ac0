"""Answers in the courses' own forms: output files and transcripts, read line by line."""

from __future__ import annotations

import re
from collections.abc import Callable

from tilewise.errors import shortened
from tilewise.grading.answers import LONGEST_VALUE, MOST_ANSWERS, Answer, board_in, number_in
from tilewise.grading.courses import COURSES
from tilewise.grading.files import Document
from tilewise.puzzle.board import Board

Reader = Callable[[Document], list[Answer]]
_SHORTEST = 5
"""Shorter lines say nothing, the choice in a menu apart; files may have millions of them."""

_OUTPUT = {
    "path_to_goal": "path",
    "cost_of_path": "length",
    "nodes_expanded": "expanded",
    "search_depth": "search_depth",
    "max_search_depth": "max_depth",
    "running_time": "seconds",
    "max_ram_usage": "memory",
}
_OUTPUT_LINE = re.compile(rf"\s*[\"']?({'|'.join(_OUTPUT)})[\"']?\s*[:=]\s*(.*)", re.IGNORECASE)
_DRIVER = re.compile(r"\b(bfs|dfs|ast|ida)\s+[\"']?([0-9]+(?:,[0-9]+){3,255})")
_DECIMAL = re.compile(r"[0-9]{1,12}(\.[0-9]{1,20})?(e-?[0-9]{1,2})?", re.IGNORECASE)


def read_columbia(document: Document) -> list[Answer]:
    """The blocks of an output.txt; a command line before a block tells method and board."""
    found: list[Answer] = []
    method: str | None = None
    board: Board | None = None
    for number, line in enumerate(document.text.splitlines(), start=1):
        if command := _DRIVER.search(line[:2000]):
            method, board = command[1], board_in(command[2])
        entry = _OUTPUT_LINE.match(line)
        if entry is None:
            continue
        name = _OUTPUT[entry[1].lower()]
        if not found or _has(found[-1], name):
            if len(found) == MOST_ANSWERS:
                return found
            answer = Answer(document.name, number, board=board, method=method, native=True)
            found.append(answer)
            method = board = None
        if name == "path":
            found[-1].path = entry[2].strip()
        else:
            found[-1].values[name] = entry[2].strip()[:LONGEST_VALUE]
    for answer in found:
        answer.faults += _output_faults(answer)
        answer.values.setdefault("length", answer.values.get("search_depth", ""))
        answer.values = {name: text for name, text in answer.values.items() if text}
    return found


def _has(answer: Answer, name: str) -> bool:
    return answer.path is not None if name == "path" else name in answer.values


def _output_faults(answer: Answer) -> list[str]:
    faults = []
    for word, name in _OUTPUT.items():
        text = answer.path if name == "path" else answer.values.get(name)
        if text is None:
            faults.append(f"the line {word} is missing")
        elif name == "path":
            if not (text.startswith("[") and text.endswith("]")):
                faults.append(f"path_to_goal is no list in brackets: {shortened(text, 40)}")
        elif name in ("seconds", "memory"):
            if not _DECIMAL.fullmatch(text):
                faults.append(f"{word} is no number: {shortened(text, 40)}")
        elif number_in(text) is None:
            faults.append(f"{word} is no whole number: {shortened(text, 40)}")
    return faults


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
_GRID_ROW = re.compile(r"[\s|]*([0-8b_.])[\s|]+([0-8b_.])[\s|]+([0-8b_.])[\s|]*")
_RULE = re.compile(r"[\s+-]*")


class _Eecs391:
    """Follows a transcript of the command language: which board is set, what is solved."""

    def __init__(self, document: Document) -> None:
        self.document = document
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
            name = COURSES["eecs391"].read_method(f"{word} {argument}")
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
            answer = Answer(self.document.name, number, board=board, method=method, native=True)
            self.found.append(answer)
            self._open = True
        return self.found[-1]

    def start(self, board: Board | None) -> None:
        """The first board of a printed solution."""
        if self.found and self.found[-1].board is None:
            self.found[-1].board = board


def read_eecs391(document: Document) -> list[Answer]:
    """The solutions of a transcript; boards come from commands, printed states or solutions."""
    state = _Eecs391(document)
    lines = document.text.splitlines()
    for number, full in enumerate(lines, start=1):
        if len(state.found) > MOST_ANSWERS:
            break
        if len(full) < _SHORTEST:
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
            state.start(_grid_below(lines, number))
        else:
            for found in _COMMAND.finditer(full[:2000]):
                state.command(found[1].lower(), found[2] or "")
    for answer in state.found:
        answer.faults += _eecs391_faults(answer)
    return state.found[:MOST_ANSWERS]


def _eecs391_faults(answer: Answer) -> list[str]:
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


def _grid_below(lines: list[str], at: int) -> Board | None:
    """The board that the next lines draw, rules between its rows left out."""
    rows: list[str] = []
    for line in lines[at : at + 10]:
        row = _GRID_ROW.fullmatch(line[:LONGEST_VALUE])
        if row:
            rows.append(" ".join(row.groups()))
        elif not _RULE.fullmatch(line[:LONGEST_VALUE]):
            break
        if len(rows) == 3:
            return board_in("\n".join(rows))
    return None


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


_CS170_LINES = {
    "length": "Solved in N steps!",
    "expanded": "Number of nodes expanded",
    "max_frontier": "Max size of queue",
}


class _Cs170:
    """Follows a transcript of the menu: rows that are typed, the choice, what is printed."""

    def __init__(self, document: Document) -> None:
        self.document = document
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
            answer = Answer(self.document.name, number, board=board, native=True)
            answer.method = self.method
            self.found.append(answer)
            self._open = True
        return self.found[-1]

    def value(self, number: int, name: str, text: str) -> None:
        """A number that was printed; one that is there already belongs to the next board."""
        if self._open and name in self.found[-1].values:
            self.close()
        self.answer(number).values[name] = text.strip()[:LONGEST_VALUE]


def read_cs170(document: Document) -> list[Answer]:
    """The boards of a transcript of the menu; typed answers are understood where they stand."""
    state = _Cs170(document)
    lines = document.text.splitlines()
    after_menu = False
    for number, full in enumerate(lines, start=1):
        if len(state.found) > MOST_ANSWERS:
            break
        if len(full) < _SHORTEST and not after_menu:
            continue
        line = full[:LONGEST_VALUE]
        if typed := _ROW_TYPED.match(line):
            state.rows[typed[1]] = typed[2]
        elif after_menu and (choice := _CHOICE.fullmatch(line)):
            state.method = COURSES["cs170"].read_method(choice[1])
        elif _EXPANDING.match(line):
            answer = state.answer(number, start=True)
            answer.board = answer.board or _grid_below(lines, number)
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
        answer.faults += _cs170_faults(answer)
    return state.found[:MOST_ANSWERS]


def _cs170_faults(answer: Answer) -> list[str]:
    if answer.no_solution:
        return []
    faults = []
    for name, word in _CS170_LINES.items():
        if name not in answer.values:
            faults.append(f"the line {word!r} is missing")
        elif number_in(answer.values[name]) is None:
            shown = shortened(answer.values[name], 40)
            faults.append(f"{word!r} is no whole number: {shown}")
    return faults


READERS: dict[str, Reader] = {
    "columbia": read_columbia,
    "eecs391": read_eecs391,
    "eecs391-table": read_eecs391,
    "cs170": read_cs170,
}
"""The reader of each course's own form."""
