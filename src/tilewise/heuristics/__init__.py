"""The heuristics, one idea per file. Importing this package registers all of them."""

from __future__ import annotations

from tilewise.heuristics import (
    combinators,
    gaschnig,
    learned,
    linear_conflict,
    manhattan,
    misplaced,
    pdb,
    perfect,
    walking_distance,
    zero,
)

__all__ = [
    "combinators",
    "gaschnig",
    "learned",
    "linear_conflict",
    "manhattan",
    "misplaced",
    "pdb",
    "perfect",
    "walking_distance",
    "zero",
]
