"""The methods of cs170: the three searches of its menu, and the words that name them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from tilewise.courses.course import Method, OwnFrontier, OwnSearch
from tilewise.courses.cs170 import search
from tilewise.courses.form import packaged
from tilewise.puzzle.board import Board

NAME, ZERO = "cs170", "zero"
_FRONTIER = OwnFrontier(
    "heap",
    queue=search.PriorityQueue,
    ties="heap",
    last_resort="on top of the heap",
    followed=True,
    takes="This A* takes the node with the smallest f = g + h; its heap decides between equals.",
)


def _own(heuristic: str) -> OwnSearch:
    return OwnSearch(NAME, partial(search.run, heuristic), _FRONTIER, optimal=True)


FORM = packaged(__file__)
METHODS = tuple(
    replace(method, estimate=method.heuristic or ZERO, own=_own(method.heuristic or ZERO))
    for method in FORM.methods
)
"""In the order of the menu, which numbers them from 1."""


def read_method(text: str) -> str | None:
    """The method that a text means: a word of the menu, or its number."""
    clean = text.strip().lower()[:60]
    words = {"uniform": "ucs", **{method.name: method.name for method in METHODS}}
    named = [name for word, name in words.items() if word in clean]
    numbered = [each.name for number, each in enumerate(METHODS, 1) if str(number) == clean]
    return next(iter(named + numbered), None)


def command_line(board: Board, method: Method, max_nodes: int | None) -> str:
    """The command line that solves a board by a method."""
    rows = r"\n".join(" ".join(map(str, row)) for row in board.grid())
    number = [each.name for each in METHODS].index(method.name) + 1
    return rf"printf '2\n{rows}\n{number}\n2\n' | tilewise menu"
