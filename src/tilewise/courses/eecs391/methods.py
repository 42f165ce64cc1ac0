"""The methods of eecs391: the words that name them, and the command lines made from them."""

from __future__ import annotations

import re

from tilewise.courses.course import Method
from tilewise.puzzle.board import Board

_ASTAR = re.compile(r"(?:solve)?\s*a(?:star|\*)?\W*(h[12])|(h[12])", re.IGNORECASE)
_BEAM = re.compile(r"(?:solve)?\s*beam[\s\w=(]{0,20}?(\d{1,9})\)?", re.IGNORECASE)


def read_method(text: str) -> str | None:
    """The command that a text means, however it is spelt: `solveAStar h1`, `solveBeam 10`."""
    clean = text.strip().lstrip("-")[:60]
    if found := _ASTAR.fullmatch(clean):
        return f"solveAStar {(found[1] or found[2]).lower()}"
    if (found := _BEAM.fullmatch(clean)) and int(found[1]):
        return f"solveBeam {int(found[1])}"
    return None


def command_line(command: str, board: Board, method: Method, max_nodes: int | None) -> str:
    """The command line that solves a board by a method."""
    limit = f" -maxNodes {max_nodes}" if max_nodes else ""
    return f'{command} -setState "{board.to("eecs391")}" -{method.word}{limit}'
