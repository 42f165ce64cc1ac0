"""Certificates: an answer with its proof, for a verifier that does not trust tilewise.

Up to 9 cells the proof is that anybody can search all states: the verifier does it. On larger
boards it is the log of an optimal search, which has to be trusted where the verifier's own search
does not reach. docs/certificates.md describes the fields.
"""

from __future__ import annotations

from typing import Any

from tilewise.core.result import Result, Status
from tilewise.proofs.state import ProofState
from tilewise.solving import solve

FORMAT, VERSION = "tilewise-certificate", 1
SMALL = 9
"""Boards of at most this many cells are proved from scratch."""


def certificate(
    result: Result, program: str | None = None, proof: ProofState | None = None
) -> dict[str, Any] | None:
    """State what a result claims, as one JSON object, for `tilewise verify`.

    Args:
        result: What `solve` returned.
        program: Who writes it; not checked.
        proof: The state of the proof, if `prove` made the result: its passes and tables are
            named, so that somebody else can repeat them.

    Returns:
        The certificate; None for a search that gave no answer.

    Example:
        >>> claim = certificate(solve("312 475 68b"))
        >>> claim["cost"], claim["optimal"], claim["proof"]
        (4, True, 'exhaustive')
    """
    board, goal = result.board, result.goal.board
    if result.status not in (Status.SOLVED, Status.UNSOLVABLE):
        return None
    solved = result.solved
    small = len(board.tiles) <= SMALL
    optimal = _is_optimal(result, small) if solved else None
    log = _log(result, proof) if optimal and not small else None
    kind = "parity" if not solved else "exhaustive" if small else "search" if log else "none"
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": program,
        "rows": board.rows,
        "columns": board.columns,
        "board": list(board.tiles),
        "goal": list(goal.tiles),
        "solvable": solved,
        "moves": result.moves,
        "cost": result.cost,
        "optimal": optimal,
        "proof": kind,
        "log": log,
    }


def _is_optimal(result: Result, small: bool) -> bool | None:
    """Whether no fewer moves do; None where that is not known."""
    if result.optimal:
        return True
    return solve(result.board, goal=result.goal).cost == result.cost if small else None


def _log(result: Result, proof: ProofState | None) -> dict[str, Any]:
    """What the search says it did: all nodes with f below the cost, and none was the goal."""
    stats = result.stats
    of_proof: dict[str, Any] = {}
    if proof is not None:
        of_proof = {
            "order": proof.order,
            "words": proof.words,
            "bounds": [
                {
                    "bound": each.bound,
                    "heuristic": each.heuristic or proof.heuristic,
                    "side": each.side,
                    "expanded": each.expanded,
                    "generated": each.generated,
                }
                for each in proof.passes
            ],
            "tables": proof.tables,
        }
    return {
        "algorithm": result.algorithm,
        "heuristic": result.heuristic,
        "rules": result.rules,
        "engine": result.engine,
        "passes": stats.iterations,
        "expanded_below_cost": stats.expanded_below_cost,
        "expanded": stats.expanded,
        "generated": stats.generated,
        **of_proof,
    }
