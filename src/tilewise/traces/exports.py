"""A search for other programs: Graphviz DOT, and the search trace of Posthoc."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tilewise.core.events import Event, Kind
from tilewise.traces.json_lines import json_lines
from tilewise.traces.watched import Watched

POSTHOC_VERSION = "1.4.0"
"""https://posthoc.pathfinding.ai/docs/search-trace"""
_MADE = (Kind.START, Kind.GENERATE, Kind.REOPEN)
_POSTHOC_TYPES = {
    Kind.START: "source",
    Kind.EXPAND: "expand",
    Kind.GENERATE: "generate",
    Kind.DUPLICATE: "duplicate",
    Kind.REOPEN: "reopen",
    Kind.STALE: "stale",
    Kind.BOUND: "bound",
    Kind.GOAL: "destination",
}
_CELL = 10


def dot(search: Watched, program: str | None = None) -> Iterator[str]:
    """The tree of a search for Graphviz: green the solution, yellow expanded, white open."""
    made = {event.node: event for event in search.events if event.kind in _MADE}
    expanded: dict[int, int] = {}
    for event in search.events:
        if event.kind is Kind.EXPAND:
            expanded.setdefault(event.node, len(expanded) + 1)
    on_path = _solution(search, made)
    heuristic = f", {search.heuristic}" if search.heuristic else ""
    yield "digraph search {"
    yield f'  label="{search.algorithm}{heuristic} on {search.board}"; labelloc=t;'
    yield '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="monospace"];'
    yield '  edge [fontname="monospace", fontsize=10];'
    for node, event in made.items():
        fill = "palegreen" if node in on_path else "khaki" if node in expanded else "white"
        order = f"\\nexpanded {expanded[node]}" if node in expanded else ""
        yield f'  {node} [label="{_label(search, event)}{order}", fillcolor={fill}];'
    for node, event in made.items():
        if event.parent >= 0:
            bold = ", penwidth=2.5" if node in on_path else ""
            yield f'  {event.parent} -> {node} [label="{event.move}"{bold}];'
    yield "}"


def posthoc(search: Watched, program: str | None = None) -> Iterator[str]:
    """A search for the visualiser Posthoc, with a view that draws the board of each event."""
    yield "{"
    yield f'"version": "{POSTHOC_VERSION}",'
    yield f'"views": {json.dumps(_view(search))},'
    yield '"events": ['
    shown = [event for event in search.events if event.kind in _POSTHOC_TYPES]
    for place, event in enumerate(shown, start=1):
        yield json.dumps(_posthoc_event(event)) + ("," if place < len(shown) else "")
    yield "]"
    yield "}"


FORMATS = {"jsonl": json_lines, "dot": dot, "posthoc": posthoc}
"""The formats in which a search can be written, each with its writer of lines."""
SUFFIXES = {".trace.json": "posthoc", ".jsonl": "jsonl", ".dot": "dot", ".gv": "dot"}


def _solution(search: Watched, made: dict[int, Event]) -> set[int]:
    """The nodes from the root to the goal, if it was reached among the events kept."""
    node = next((event.node for event in search.events if event.kind is Kind.GOAL), -1)
    found: set[int] = set()
    while node in made:
        found.add(node)
        node = made[node].parent
    return found


def _label(search: Watched, event: Event) -> str:
    rows = "\\n".join(" ".join(str(tile or ".") for tile in row) for row in event.board.grid())
    if search.heuristic is None:
        return f"{rows}\\ng = {event.g}"
    return f"{rows}\\n{event.g} + {event.h} = {event.g + event.h}"


def _posthoc_event(event: Event) -> dict[str, Any]:
    return {
        "type": _POSTHOC_TYPES[event.kind],
        "id": event.node,
        "pId": event.parent if event.parent >= 0 else None,
        "g": event.g,
        "h": event.h,
        "f": event.g + event.h,
        "move": event.move,
        "board": list(event.board.tiles),
    }


def _view(search: Watched) -> dict[str, Any]:
    """One square a cell with its tile, drawn for one event at a time."""
    columns = search.board.columns
    return {
        "main": [
            {
                "$": "rect",
                "$for": {"$let": "i", "$from": 0, "$to": len(search.board.tiles)},
                "x": f"${{{{ ($.i % {columns}) * {_CELL} }}}}",
                "y": f"${{{{ Math.floor($.i / {columns}) * {_CELL} }}}}",
                "width": _CELL - 0.5,
                "height": _CELL - 0.5,
                "fill": "${{ $.board[$.i] == 0 ? theme.background : color.blue }}",
                "label": "${{ $.board[$.i] == 0 ? '' : $.board[$.i] }}",
                "label-x": 0.35 * _CELL,
                "label-y": 0.65 * _CELL,
                "label-size": 0.5 * _CELL,
                "label-color": "${{ theme.foreground }}",
                "clear": True,
            }
        ]
    }
