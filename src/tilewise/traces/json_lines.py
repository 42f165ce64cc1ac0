"""Traces as JSON Lines: a header with what is claimed, then one event a line.

The format is open: docs/traces.md describes it for other people's solvers, `reader` reads
it, `conformance` checks it against the rules that its header claims.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tilewise.core.events import Event, Kind
from tilewise.core.rules import Rules
from tilewise.puzzle.board import Board, Goal
from tilewise.traces.watched import Watched

FORMAT, VERSION = "tilewise-trace", 1
CLAIMED_KNOBS = ("order", "ties", "duplicates", "goal_test")
"""The knobs that change what a search does; `count` only changes what is counted."""
MOST_MOVES = 10_000
"""Longer solutions, as depth-first search finds them, are left out of the header's one line."""


@dataclass(frozen=True)
class TraceHeader:
    """What the header of a trace says about the search; None and knobs not `stated` are open.

    `note` is a remark about the goal where the header names none.
    """

    board: Board
    goal: Goal
    algorithm: str | None
    heuristic: str | None
    rules: Rules
    stated: frozenset[str]
    program: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class ReadTrace:
    """A trace that was read: its events have everything that a trace of tilewise has.

    `lines` are the lines where the events stand, `given` what the file said of each; what it left
    out was filled in. `made_up` says that the file had only expansions, so that successors were
    filled in by the claimed rules.
    """

    claims: TraceHeader
    events: tuple[Event, ...]
    lines: tuple[int, ...]
    given: tuple[frozenset[str], ...]
    made_up: bool = False

    def __iter__(self) -> Iterator[Event]:
        return iter(self.events)

    def __len__(self) -> int:
        return len(self.events)


def json_lines(search: Watched, program: str | None = None) -> Iterator[str]:
    """A search as JSON Lines, without line ends."""
    yield json.dumps(header(search, program))
    for event in search.events:
        yield json.dumps(event_object(event))


def header(search: Watched, program: str | None) -> dict[str, Any]:
    """The first line: format, version, the search and its rules, and how much follows."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "program": program,
        "board": str(search.board),
        "goal": str(search.goal.board),
        "algorithm": search.algorithm,
        "heuristic": search.heuristic,
        "rules": {knob: getattr(search.rules, knob) for knob in CLAIMED_KNOBS},
        "status": search.status.value,
        "moves": None if len(search.moves or "") > MOST_MOVES else search.moves,
        "events": search.count,
        "complete": search.whole,
    }


def event_object(event: Event) -> dict[str, Any]:
    """One event; what an event does not have is left out."""
    if event.kind is Kind.STOP:
        return {"kind": event.kind.value}
    record: dict[str, Any] = {"kind": event.kind.value, "node": event.node}
    if event.parent >= 0:
        record["parent"] = event.parent
    if event.move:
        record["move"] = event.move
    record |= {"g": event.g, "h": event.h, "key": list(event.key), "board": str(event.board)}
    return record
