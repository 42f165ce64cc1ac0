"""Answers in the form of the driver: output files, and command lines before them."""

from __future__ import annotations

import re

from tilewise.courses.answers import LONGEST_VALUE, MOST_ANSWERS, Answer, board_in, number_in
from tilewise.errors import shortened
from tilewise.puzzle.board import Board

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


def read_answers(file: str, text: str) -> list[Answer]:
    """The blocks of an output.txt; a command line before a block gives method and board."""
    found: list[Answer] = []
    method: str | None = None
    board: Board | None = None
    for number, line in enumerate(text.splitlines(), start=1):
        if command := _DRIVER.search(line[:2000]):
            method, board = command[1], board_in(command[2])
        entry = _OUTPUT_LINE.match(line)
        if entry is None:
            continue
        name = _OUTPUT[entry[1].lower()]
        if not found or _has(found[-1], name):
            if len(found) == MOST_ANSWERS:
                return found
            answer = Answer(file, number, board=board, method=method, native=True)
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
