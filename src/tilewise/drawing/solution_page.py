"""A solution as one HTML file: scrub, step, play; nothing is loaded from anywhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib import resources

from tilewise.core.result import Result
from tilewise.drawing.svg import Frame
from tilewise.puzzle.position import board_text


def page_html(result: Result, shown: Sequence[Frame]) -> str:
    """The page, with the boards of a solution filled in."""
    template = (resources.files("tilewise.drawing") / "solution.html").read_text("utf-8")
    data = {
        "rows": result.board.rows,
        "columns": result.board.columns,
        "goal": list(result.goal.board.tiles),
        "boards": [list(frame.tiles) for frame in shown],
        "labels": [frame.label for frame in shown],
    }
    board = board_text(result.board, result.goal)
    parts = [result.algorithm, result.heuristic, f"goal {result.goal.name}"]
    values = {
        "title": escape(f"{board}: {result.summary}"),
        "summary": escape(result.summary),
        "board": escape(board),
        "how": escape(", ".join(part for part in parts if part)),
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    }
    for name, value in values.items():
        template = template.replace(f"@{name}@", value)
    return template
