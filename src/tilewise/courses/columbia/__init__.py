"""The course at Columbia: a driver with bfs, dfs, ast and ida that writes a file of statistics.

The five knobs say all of it, so its searches are those of tilewise under the course's rules; the
package adds the driver's command line and its reader of output files.
"""

from __future__ import annotations

from dataclasses import replace

from tilewise.courses.answers import Answer
from tilewise.courses.course import Method
from tilewise.courses.form import packaged
from tilewise.puzzle.board import Board


def _command_line(board: Board, method: Method, max_nodes: int | None) -> str:
    return f"tilewise driver {method.name} {board.to('columbia')} --output -"


def _read_answers(file: str, text: str) -> list[Answer]:
    from tilewise.courses.columbia.transcripts import read_answers

    return read_answers(file, text)


_COURSE = packaged(__file__)
METHODS = _COURSE.methods
COURSE = replace(
    _COURSE,
    command="tilewise driver",
    grading=replace(
        _COURSE.grading, read_answers=_read_answers, command=_command_line, points={}, shape=None
    ),
)
