"""The native engine: which searches it serves, running them, its tables."""

from __future__ import annotations

from tilewise.native.compiled import CHANGES_BY_ONE, ENGINES, LOOPS, NATIVE
from tilewise.native.paths import shorten_path
from tilewise.native.searching import run
from tilewise.native.serving import choose, may_serve
from tilewise.native.table_functions import (
    Poll,
    build_distances,
    build_pattern,
    distance,
    distance_bytes,
    states_at,
    table_kernels,
    wrong_entries,
)
from tilewise.native.twins import twin_of

__all__ = [
    "CHANGES_BY_ONE",
    "ENGINES",
    "LOOPS",
    "NATIVE",
    "Poll",
    "build_distances",
    "build_pattern",
    "choose",
    "distance",
    "distance_bytes",
    "may_serve",
    "run",
    "shorten_path",
    "states_at",
    "table_kernels",
    "twin_of",
    "wrong_entries",
]
