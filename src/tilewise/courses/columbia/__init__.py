"""The course at Columbia: a driver with bfs, dfs, ast and ida that writes a file of statistics.

The five knobs say all of it, so its searches are those of tilewise under the course's rules.
"""

from __future__ import annotations

from tilewise.core.rules import Rules
from tilewise.courses.answers import Answer
from tilewise.courses.course import Course, Draft, Grading, Method
from tilewise.puzzle.board import Board

METHODS = (
    Method("bfs", "bfs", diagnosed=("bfs", None)),
    Method("dfs", "dfs", diagnosed=("dfs", None)),
    Method("ast", "astar", "manhattan", "manhattan", diagnosed=("astar", "manhattan")),
    Method("ida", "idastar", "manhattan", "manhattan"),
)
_OTHER_NAMES = {"astar": "ast", "a*": "ast", "idastar": "ida", "ida*": "ida"}
_POINTS = "path = 4, length = 1, expanded = 3, max_depth = 1, output = 1"
_BEST = "path = 3, optimal = 2, length = 1, expanded = 2, max_depth = 1, output = 1"


def read_method(text: str) -> str | None:
    """The driver's word for a method, however it is spelt."""
    word = text.strip().lower()
    word = _OTHER_NAMES.get(word, word)
    return word if any(word == method.name for method in METHODS) else None


def _command_line(board: Board, method: Method, max_nodes: int | None) -> str:
    return f"tilewise driver {method.name} {board.to('columbia')} --output -"


def _read_answers(file: str, text: str) -> list[Answer]:
    from tilewise.courses.columbia.transcripts import read_answers

    return read_answers(file, text)


COURSE = Course(
    name="columbia",
    about="the course driver: bfs, dfs, ast, with an output file of statistics",
    command="tilewise driver",
    goal="first",
    heuristics={"ast": "manhattan"},
    differences=(
        "ties go to the oldest node",
        "a state that is in the frontier is skipped even when the new path is cheaper, "
        "so ast can miss the optimum",
        "max_search_depth is the depth of the deepest state ever put in the frontier",
    ),
    methods=METHODS,
    usual=METHODS[2],
    rule_set="columbia",
    rules=Rules(ties="oldest", duplicates="skip-if-in-frontier", given=frozenset()),
    any_goal=True,
    grading=Grading(
        methods="bfs, dfs, ast or ida",
        read_method=read_method,
        read_answers=_read_answers,
        command=_command_line,
        words={
            "path": "path_to_goal",
            "length": "cost_of_path",
            "expanded": "nodes_expanded",
            "max_depth": "max_search_depth",
        },
        notation="columbia",
        sample=(
            Draft("bfs", 6, _BEST),
            Draft("dfs", 6, _POINTS),
            Draft("ast", 14, _POINTS),
            Draft("ast", 20, _POINTS),
        ),
        shape=None,
    ),
)
