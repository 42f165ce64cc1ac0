"""What `tilewise prove --survey` prints: how far the proof is, and about how much is left."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

from tilewise.cli.render import rough_time
from tilewise.proofs.survey import PassSurvey, Survey

DIGITS, GUESSED_DIGITS = 3, 1
"""Of an estimate, that are worth showing."""


def facts(found: Survey) -> dict[str, Any]:
    """The survey as JSON has it."""
    known = bool(found.passes) or found.proved
    return {
        "board": str(found.position.board),
        "goal": found.position.goal.name,
        "cost": found.cost,
        "bound": found.bound,
        "gap": None if found.cost is None else found.cost - found.bound,
        "proved": found.proved,
        "heuristic": found.heuristic,
        "generated": found.nodes_done,
        "estimated_nodes_left": found.nodes if known else None,
        "standard_error": found.error if known else None,
        "estimated_seconds_left": found.seconds if known else None,
        "passes": [asdict(each) for each in found.passes],
    }


def lines(found: Survey) -> list[str]:
    """The survey for people."""
    if found.proved:
        return [f"{found.cost} moves, proved with {found.nodes_done:,} nodes: nothing is left"]
    known = "no solution yet" if found.cost is None else f"{found.cost} moves"
    gap = "" if found.cost is None else f" (gap {found.cost - found.bound})"
    first = f"{known}; at least {found.bound}{gap}, {found.nodes_done:,} nodes so far"
    if not found.passes:
        return [first, "how much is left is not known yet: give it more --seconds"]
    number, sure = _estimate(found.nodes, found.error)
    return [
        first,
        f"left, an estimate: {number} nodes{sure}, about {rough_time(found.seconds)}",
        f"  {'bound':>5}  {'subtrees searched':>20}  nodes",
        *map(_row, found.passes),
    ]


def _row(each: PassSurvey) -> str:
    searched = f"{each.searched:,} of {each.subtrees:,}" if each.subtrees else "-"
    number, sure = _estimate(each.nodes, each.error)
    return f"  {each.bound:>5}  {searched:>20}  {number}{sure}"


def _estimate(nodes: float, error: float | None) -> tuple[str, str]:
    """A number with no more digits than it deserves, and how sure it is."""
    if error == 0:
        return f"{nodes:,.0f}", ""
    digits = GUESSED_DIGITS if error is None else DIGITS
    unit = 10 ** max(0, math.floor(math.log10(max(nodes, 1))) - digits + 1)
    number = f"{round(nodes / unit) * unit:,}"
    if error is None:
        return number, " (by the growth of passes)"
    return number, f" +/- {math.ceil(100 * error / nodes)} %"
