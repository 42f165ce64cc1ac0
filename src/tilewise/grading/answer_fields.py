"""Answers in named fields, as CSV and JSON files give them for any course."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from tilewise.courses.answers import LONGEST_VALUE, NUMBERS, Answer, board_in
from tilewise.errors import shortened

FIELDS: dict[str, tuple[str, ...]] = {
    "question": ("question", "name", "id", "problem", "exercise"),
    "board": ("board", "start", "state", "tiles", "puzzle", "initial", "initial_state"),
    "method": ("method", "algorithm", "search"),
    "path": ("path", "moves", "solution", "path_to_goal", "solution_path"),
    "status": ("status", "result", "answer"),
    "length": (
        "length",
        "cost",
        "cost_of_path",
        "path_cost",
        "solution_length",
        "number_of_moves",
        "minimum_number_of_moves",
        "steps",
        "search_depth",
    ),
    "expanded": (
        "expanded",
        "nodes_expanded",
        "number_of_nodes_expanded",
        "states_selected",
        "states_expanded",
    ),
    "generated": ("generated", "nodes_generated", "total_nodes_generated"),
    "stored": ("stored", "nodes_stored"),
    "max_frontier": ("max_frontier", "max_queue", "max_queue_size", "max_size_of_queue"),
    "peak_stored": ("peak_stored", "states_in_memory", "max_states_in_memory"),
    "max_depth": ("max_depth", "max_search_depth"),
}
"""The names under which CSV and JSON files may give a field; the first one that is there counts."""

NO_SOLUTION = ("unsolvable", "no solution", "none", "limit", "not solvable", "impossible")


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
