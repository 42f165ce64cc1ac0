"""The texts of the driver: the file of statistics, and the warnings."""

from __future__ import annotations

from tilewise.core.made_heuristic import build_heuristic
from tilewise.core.result import Result, Status
from tilewise.puzzle.parity import why_unsolvable
from tilewise.solving import solve

WORDS = {"U": "Up", "D": "Down", "L": "Left", "R": "Right"}
_MEGABYTE = 2**20


def statistics(result: Result, memory: int) -> str:
    """The text of the file, in the course's words; memory in bytes."""
    moves = result.moves or ""
    lines = {
        "path_to_goal": [WORDS[move] for move in moves],
        "cost_of_path": len(moves),
        "nodes_expanded": result.stats.expanded,
        "search_depth": len(moves),
        "max_search_depth": result.stats.max_depth,
        "running_time": f"{result.stats.seconds:.8f}",
        "max_ram_usage": f"{memory / _MEGABYTE:.8f}",
    }
    return "".join(f"{name}: {value}\n" for name, value in lines.items())


def failure(result: Result) -> str:
    """The one line for a board without an answer."""
    if result.status is Status.UNSOLVABLE:
        return f"unsolvable: {why_unsolvable(result.board, result.goal)}"
    stats = result.stats
    return (
        f"no solution within the memory limit: {stats.expanded} nodes expanded, "
        f"{stats.generated} generated, max depth {stats.max_depth}"
    )


def note_if_longer(result: Result) -> str | None:
    """Where the rules may miss the optimum, compare with it if that is quick, and say so."""
    board = result.board
    sure = result.optimal or result.algorithm != "astar"
    if sure or build_heuristic("manhattan", result.goal)(board) == result.cost:
        return None  # no path is shorter than the heuristic says
    warning = f"under the rules {result.rules} A* can miss the shortest path; --rules fifo cannot"
    if max(board.rows, board.columns) > 3:
        return f"note: {warning}"
    best = solve(board, algorithm="astar", heuristic="manhattan", goal=result.goal)
    if best.cost == result.cost:
        return None
    return f"note: {result.cost} moves, but {best.cost} are enough: {warning}"
