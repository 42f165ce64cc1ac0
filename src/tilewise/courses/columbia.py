"""The searches of the profile columbia: what its driver calls them, under the course's rules."""

from __future__ import annotations

from tilewise.core.limits import Limits
from tilewise.core.result import Result
from tilewise.core.rules import Rules
from tilewise.puzzle.board import Board, Goal
from tilewise.solving import solve

METHODS = {"bfs": "bfs", "dfs": "dfs", "ast": "astar", "ida": "idastar"}
"""The driver's word for each algorithm; those with a heuristic use Manhattan distance."""


def run(
    method: str, board: Board, rules: Rules | str = "columbia", limits: Limits | None = None
) -> Result:
    """Solve a board to the goal with the blank first, as `tilewise driver METHOD BOARD` does."""
    return solve(
        board,
        algorithm=METHODS[method],
        heuristic="manhattan" if method in ("ast", "ida") else None,
        goal=Goal.blank_first(board.rows, board.columns),
        rules=rules,
        limits=limits,
    )
