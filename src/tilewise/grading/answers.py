"""Answers: what a file of a student says about boards, whichever of the forms it is written in.

Nothing is judged here. Texts of students are kept as they came, cut to what a person would read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from tilewise.errors import TilewiseError, shortened
from tilewise.puzzle import formats
from tilewise.puzzle.board import Board

MOST_ANSWERS = 500
"""Answers that are read from one file."""
MOST_MOVES = 250_000
"""Moves of a path that are played; on 3x3 no state comes twice in 181,440."""
LONGEST_VALUE = 200

FIELDS: dict[str, tuple[str, ...]] = {
    "question": ("question", "name", "id", "problem", "exercise"),
    "board": ("board", "start", "state", "tiles", "puzzle", "initial", "initial_state"),
    "method": ("method", "algorithm", "search"),
    "path": ("path", "moves", "solution", "path_to_goal", "solution_path"),
    "status": ("status", "result", "answer"),
    "length": ("length", "cost", "cost_of_path", "solution_length", "steps", "search_depth"),
    "expanded": ("expanded", "nodes_expanded", "number_of_nodes_expanded"),
    "generated": ("generated", "nodes_generated", "total_nodes_generated"),
    "stored": ("stored", "nodes_stored"),
    "max_frontier": ("max_frontier", "max_queue", "max_queue_size", "max_size_of_queue"),
    "max_depth": ("max_depth", "max_search_depth"),
}
"""The names under which CSV and JSON files may give a field; the first one that is there counts."""

NO_SOLUTION = ("unsolvable", "no solution", "none", "limit", "not solvable", "impossible")
NUMBERS = ("length", "expanded", "generated", "stored", "max_frontier", "max_depth")


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


def field_of(title: str) -> str | None:
    """The field that a column or key names."""
    word = "_".join(title.strip().lower().replace("-", " ").replace("_", " ").split())[:60]
    return next((name for name, titles in FIELDS.items() if word in titles), None)


def answer_from(
    file: str,
    line: int | None,
    fields: Mapping[str, str],
    read_method: Callable[[str], str | None],
) -> Answer:
    """The answer that named fields give; a board that makes no sense is a fault."""
    answer = Answer(file, line)
    answer.question = fields.get("question", "").strip()[:LONGEST_VALUE] or None
    if text := fields.get("board", "").strip():
        answer.board = board_in(text)
        if answer.board is None:
            answer.faults.append(f"expected a board, got {shortened(text)}")
    if text := fields.get("method", "").strip():
        answer.method = read_method(text)
    path = fields.get("path")
    if path is not None and path.strip().lower() in NO_SOLUTION:
        answer.no_solution, path = True, None
    if fields.get("status", "").strip().lower() in NO_SOLUTION:
        answer.no_solution = True
    answer.path = path
    answer.values = {
        name: fields[name].strip()[:LONGEST_VALUE]
        for name in NUMBERS
        if fields.get(name, "").strip()
    }
    return answer


def gathered(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Titles and texts as fields; of two titles for a field the one named first in the table."""
    found: dict[str, tuple[int, str]] = {}
    for title, text in pairs:
        name = field_of(title)
        if name is None:
            continue
        word = "_".join(title.strip().lower().replace("-", " ").replace("_", " ").split())
        rank = FIELDS[name].index(word)
        if name not in found or rank < found[name][0]:
            found[name] = (rank, text)
    return {name: text for name, (_, text) in found.items()}


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
    """The whole number that a text is: 1585, 1,585 or 1585.0; None for any other text."""
    digits = text.strip().replace(",", "").replace("_", "").replace(" ", "")
    whole, point, rest = digits.partition(".")
    if point and rest.strip("0"):
        return None
    return int(whole) if whole.isascii() and whole.isdigit() and len(whole) <= 15 else None
