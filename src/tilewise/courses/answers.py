"""An answer of a student, as a course's own form or a table gives it. Nothing is judged here.

Texts of students are kept as they came, cut to what a person would read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tilewise.errors import TilewiseError
from tilewise.puzzle import formats
from tilewise.puzzle.board import Board

COUNTERS = ("expanded", "generated", "stored", "max_frontier", "peak_stored", "max_depth")
"""The counters that an assignment may ask for, as tilewise names them."""
NUMBERS = ("length", *COUNTERS)
"""What of an answer must be a whole number."""
ITEMS: dict[str, str] = {
    "path": "legal moves that lead from the board to the goal",
    "optimal": "a path that is as short as can be",
    "length": "the length that is stated: that of the path given, or the course's",
    **{name: f"the count `{name}`, as the course's profile counts" for name in COUNTERS},
    "no_solution": "says that there is none: the board is unsolvable, or a limit ends the search",
    "output": "the course's output, complete and well-formed",
}
"""The items of an answer that can give points."""
MOST_ANSWERS = 500
"""Answers that are read from one file."""
MOST_MOVES = 250_000
"""Moves of a path that are played; on 3x3 no state comes twice in 181,440."""
LONGEST_VALUE = 200
SHORTEST_LINE = 5
"""Shorter lines say nothing, the choice in a menu apart; files may have millions of them."""
_GRID_ROW = re.compile(r"[\s|]*([0-8b_.])[\s|]+([0-8b_.])[\s|]+([0-8b_.])[\s|]*")
_RULE = re.compile(r"[\s+-]*")
_UNIT = re.compile(r"(?<=\d)\s+[a-z]{3,20}[.!]?$", re.IGNORECASE)


@dataclass
class Answer:
    """One answer, and what of it could be understood.

    `path` is the text that was given; `understand` makes `moves` of it, or `path_fault`. `values`
    has the texts of numbers by their item. `native`: it is in the course's own form, whose
    `faults` stand in the report; CSV and JSON are forms of any course.
    """

    file: str
    line: int | None = None
    question: str | None = None
    board: Board | None = None
    method: str | None = None
    path: str | None = None
    moves: str | None = None
    path_fault: str | None = None
    values: dict[str, str] = field(default_factory=dict)
    no_solution: bool = False
    native: bool = False
    faults: list[str] = field(default_factory=list)

    @property
    def place(self) -> str:
        """The file, and the line where the answer begins if there may be others above."""
        return self.file if self.line is None else f"{self.file}:{self.line}"

    def understand(self, perspective: str) -> None:
        """Read the path as moves of the blank and forget its text, which may be long."""
        if self.path is not None:
            try:
                self.moves = moves_in(self.path, perspective)
            except TilewiseError as error:
                self.path_fault = str(error)
            self.path = None


def board_in(text: str) -> Board | None:
    """The board that a text is, None for any other text."""
    try:
        return Board.parse(text)
    except TilewiseError:
        return None


def moves_in(text: str, perspective: str) -> str:
    """The moves of the blank that a student's path names; an error says what is wrong with it."""
    moves = formats.read_moves(text, perspective)
    if len(moves) > MOST_MOVES:
        raise TilewiseError(
            f"expected a path of at most {MOST_MOVES:,} moves, got {len(moves):,}, "
            "which were not played"
        )
    return moves


def number_in(text: str) -> int | None:
    """The whole number that a text is: 1585, 1,585, 1585.0 or 1585 nodes; None for any other."""
    digits = (
        _UNIT.sub("", text.strip()[:LONGEST_VALUE])
        .replace(",", "")
        .replace("_", "")
        .replace(" ", "")
    )
    whole, point, rest = digits.partition(".")
    if point and rest.strip("0"):
        return None
    return int(whole) if whole.isascii() and whole.isdigit() and len(whole) <= 15 else None


def grid_below(lines: list[str], at: int) -> Board | None:
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
