"""Worksheets as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from tilewise.core.events import Event
from tilewise.puzzle.board import Board
from tilewise.traces.worksheet import LISTED_IN_KEY, Sheet, SheetStep

BLANK = "____"
LINE = "_" * 40
PAGE_BREAK = '<div style="page-break-before: always"></div>'


def markdown(sheet: Sheet) -> str:
    """The worksheet, then the answer key behind a page break."""
    return "\n".join([*_exercise(sheet), "", PAGE_BREAK, "", *_key(sheet)]) + "\n"


def _exercise(sheet: Sheet) -> Iterator[str]:
    yield f"# {_escaped(sheet.title)}"
    yield ""
    yield f"Name: {LINE}  Date: {BLANK * 3}"
    yield ""
    yield f"- Start: `{rows(sheet.search.board)}`"
    yield f"- Goal: `{rows(sheet.search.goal.board)}`"
    for rule in sheet.rules:
        yield f"- {_escaped(rule)}"
    for step in sheet.steps:
        yield ""
        yield f"## Step {step.choice.step}"
        yield ""
        yield from _question(sheet, step)


def _question(sheet: Sheet, step: SheetStep) -> Iterator[str]:
    if step.new:
        yield from _table(sheet, step.new, filled=False)
    else:
        yield "No node is new."
    yield ""
    if sheet.has_open_list:
        yield f"Also on the open list: {step.waiting_text or 'none'}"
        yield ""
    yield f"Taken next: node {BLANK} because {LINE}"


def _key(sheet: Sheet) -> Iterator[str]:
    yield "# Answer key"
    for step in sheet.steps:
        yield ""
        yield f"## Step {step.choice.step}"
        yield ""
        if not sheet.has_open_list:
            if step.new:
                yield from _table(sheet, step.new, filled=True)
                yield ""
            yield f"The current path: {', '.join(map(str, step.choice.path))}"
        else:
            entries = [entry.event for entry in step.choice.open if not entry.stale]
            yield "The open list, in the order in which it would be taken:"
            yield ""
            yield from _table(sheet, tuple(entries[:LISTED_IN_KEY]), filled=True)
            if len(entries) > LISTED_IN_KEY:
                yield ""
                yield f"and {len(entries) - LISTED_IN_KEY:,} more"
        if step.known:
            yield ""
            yield f"Thrown away: {step.thrown_away}"
        yield ""
        yield f"Taken next: {_escaped(step.answer)}"


def _table(sheet: Sheet, events: tuple[Event, ...], filled: bool) -> Iterator[str]:
    titles = ["node", "from", "move", "board", *(_escaped(c.title) for c in sheet.columns)]
    yield f"| {' | '.join(titles)} |"
    yield f"|{' --- |' * len(titles)}"
    for event in events:
        values = [
            column.value(event) if filled or column.given else BLANK for column in sheet.columns
        ]
        parent = str(event.parent) if event.parent >= 0 else ""
        cells = [str(event.node), parent, event.move, f"`{rows(event.board)}`", *values]
        yield f"| {' | '.join(cells)} |"


def rows(board: Board) -> str:
    """A board on one line: rows with slashes, a dot for the blank."""
    return " / ".join(" ".join(str(tile or ".") for tile in row) for row in board.grid())


def _escaped(text: str) -> str:
    return text.replace("*", "\\*").replace("_", "\\_").replace("|", "\\|")
