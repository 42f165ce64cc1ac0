"""The columns of a store: what a run is, what came of it, and which of them may differ."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tilewise.core.stats import COUNTERS, Stats

Value = str | int | float | None
"""What a column of a run holds."""
Row = dict[str, Any]
"""One line of results by column; strings, numbers and None, and a dict under `measured`."""
Values = tuple[Any, ...]
"""The values of `RESULT_COLUMNS` in their order: a row on its way to the store."""

RUN_COLUMNS: dict[str, str] = {
    "board": "TEXT",
    "goal": "TEXT",
    "algorithm": "TEXT",
    "heuristic": "TEXT",
    "rules": "TEXT",
    "profile": "TEXT",
    "measure": "TEXT",
    "max_nodes": "INTEGER",
    "max_seconds": "REAL",
    "max_memory": "INTEGER",
    "seed": "INTEGER",
}
"""What a run is, with the types of SQL: the fields of `Run`, which its key is made of."""

COUNTER_COLUMNS: dict[str, str] = {
    field.name: "REAL" if "float" in str(field.type) else "INTEGER"
    for field in fields(Stats)
    if field.metadata
}

RESULT_COLUMNS: dict[str, str] = {
    "status": "TEXT",
    "cost": "INTEGER",
    "moves": "TEXT",
    "optimal": "INTEGER",
    **COUNTER_COLUMNS,
    "measured": "TEXT",
    "engine": "TEXT",
    "version": "TEXT",
    "machine": "TEXT",
    "reason": "TEXT",
}
"""What came of it. The engine and the version are columns, not part of the key."""

VOLATILE = ("seconds", "peak_memory", "machine")
"""The columns that may differ when a run is repeated; all others are the same."""

FAILED, MEASURED = "failed", "measured"
"""Statuses beside those of a search: the run ended its worker or broke; it was a measurement."""

MEANINGS: dict[str, str] = {
    "part": "the part of the experiment",
    "instance": "the name of the instance",
    "key": "the hash of the run",
    "board": "the start, as tilewise writes it",
    "shape": "rows x columns",
    "goal": "first, last, snail or a board",
    "algorithm": "the algorithm in full",
    "heuristic": "the heuristic, empty where there is none",
    "rules": "the rule set",
    "profile": "the course whose own search ran, empty for the searches of tilewise",
    "measure": "the measurement that was made in place of a search",
    "max_nodes": "limit of generated nodes",
    "max_seconds": "limit of seconds",
    "max_memory": "limit of bytes",
    "seed": "the seed of a search that draws, and of the boards drawn for it",
    "status": "solved, unsolvable, limit, stuck, measured or failed",
    "cost": "moves of the solution",
    "moves": "the solution, as the blank goes",
    "optimal": "whether the search proves that no solution is shorter",
    **{counter.name: counter.meaning for counter in COUNTERS},
    "measured": "the values of a measurement",
    "engine": "python or native",
    "version": "the version of tilewise",
    "machine": "the host that ran it",
    "reason": "why a run failed",
}
