"""How `tilewise explain` shows the reasons: a page for one step, a line for each of many."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from tilewise.cli import render
from tilewise.core.configured_algorithm import build_algorithm
from tilewise.core.events import Event, Kind
from tilewise.courses import own_search
from tilewise.puzzle.position import board_text
from tilewise.traces.explain import Choice, pseudo_code
from tilewise.traces.open_list import rule_words
from tilewise.traces.watched import Watched

INDENT = "  "


def search_line(search: Watched) -> str:
    """One line: what searched, from where to where, under which rules."""
    parts = [search.algorithm]
    if search.heuristic:
        parts.append(search.heuristic)
    parts.append(f"goal {search.goal.name}")
    if search.rules_text and not own_search(search.algorithm):
        parts.append(f"rules {search.rules_text}")
    return f"{board_text(search.board, search.goal)}: {', '.join(parts)}"


def listing(search: Watched, choices: Sequence[Choice], width: int) -> Iterator[str]:
    """The first steps, one a line; the reason goes on below where it does not fit."""
    yield from heading(search)
    with_h, with_open = search.heuristic is not None, any(choice.open_count for choice in choices)
    titles = ["step", "node", "g", *["h"] * with_h, *["open"] * with_open, "board"]
    rows = [titles]
    for choice in choices:
        event = choice.event
        numbers = [choice.step, event.node, event.g]
        numbers += [event.h] * with_h + [choice.open_count] * with_open
        board = board_text(event.board, search.goal)
        rows.append([*(f"{number:,}" for number in numbers), board])
    reasons = ["why", *(_ended(choice) + choice.reason for choice in choices)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(titles))]
    room = max(24, width - sum(widths) - 2 * len(widths))
    for row, reason in zip(rows, reasons, strict=True):
        cells = [f"{text:>{size}}" for text, size in zip(row[:-1], widths, strict=False)]
        start = "  ".join([*cells, f"{row[-1]:<{widths[-1]}}"])
        first, *more = textwrap.wrap(reason, room)
        yield f"{start}  {first}"
        for line in more:
            yield f"{'':<{len(start)}}  {line}"


def page(search: Watched, choice: Choice, width: int) -> Iterator[str]:
    """One step: the node, why it was taken, the open list, what other rules would take."""
    yield from heading(search)
    event = choice.event
    what = "the goal," if event.kind is Kind.GOAL else "the expansion of"
    yield f"step {choice.step}: {what} node {event.node}, {_values(search, event)}"
    path = _moves_to(search, event)
    if path:
        yield (
            f"from the start by {path}"
            if len(path) < width - 18
            else (f"from the start by {len(path):,} moves, ... {path[-8:]}")
        )
    yield from (f"{INDENT}{line}" for line in render.grid_lines(event.board))
    yield ""
    yield from textwrap.wrap(f"why: {choice.reason}", width, subsequent_indent=" " * len("why: "))
    if choice.tied:
        yield from _ties(choice, width)
    if choice.open:
        yield ""
        yield from _open_list(search, choice)
    if choice.path:
        yield ""
        yield from textwrap.wrap(
            "the current path: " + " ".join(f"{node}" for node in choice.path),
            width,
            subsequent_indent=INDENT,
        )
    if choice.others:
        yield ""
        yield from _others(choice)
    if choice.line is not None:
        yield ""
        yield from _pseudo_code(search, choice.line)


def heading(search: Watched) -> Iterator[str]:
    """What there is to say about the goal, then the search."""
    if search.note:
        yield search.note
    yield search_line(search)
    yield ""


def _values(search: Watched, event: Event) -> str:
    if search.heuristic is None:
        return f"g = {event.g}"
    return f"g = {event.g}, h = {event.h}, f = {event.g + event.h}"


def _ended(choice: Choice) -> str:
    return "the goal: " if choice.event.kind is Kind.GOAL else ""


def _ties(choice: Choice, width: int) -> Iterator[str]:
    names = ", ".join(map(str, choice.tied))
    more = choice.tied_count - len(choice.tied)
    rest = f" and {more:,} more" if more else ""
    plural = "s" * (choice.tied_count > 1)
    text = f"tied with it: node{plural} {names}{rest}"
    yield from textwrap.wrap(text, width, subsequent_indent=INDENT)


def _open_list(search: Watched, choice: Choice) -> Iterator[str]:
    yield f"open list, {choice.open_count:,} in the order in which they will be taken:"
    known = search.heuristic is not None
    rows = [("place", "node", "g", *(("h", "f") if known else ()), "move", "board")]
    for place, (event, stale) in enumerate(choice.open, start=1):
        values = (str(event.h), str(event.g + event.h)) if known else ()
        rows.append(
            (
                str(place),
                str(event.node),
                str(event.g),
                *values,
                event.move,
                board_text(event.board, search.goal)
                + ("  stale: a cheaper path is known" if stale else ""),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [f"{text:>{size}}" for text, size in zip(row[:-2], widths, strict=False)]
        yield f"{INDENT}{'  '.join(cells)}  {row[-2]:<{widths[-2]}}  {row[-1]}".rstrip()
    more = choice.open_count - sum(not entry.stale for entry in choice.open)
    if more:
        yield f"{INDENT}... {more:,} more (--show N shows N of them)"


def _others(choice: Choice) -> Iterator[str]:
    yield "other rules would take from this open list:"
    widest = max(len(rule_words(other.rule)) for other in choice.others)
    for other in choice.others:
        same = "the same" if other.node == choice.event.node else f"node {other.node}"
        yield f"{INDENT}{rule_words(other.rule):<{widest}}  {same}"


def _pseudo_code(search: Watched, current: int) -> Iterator[str]:
    yield f"{build_algorithm(search.algorithm).entry.title} in pseudo-code; -> marks this step:"
    for number, line in enumerate(pseudo_code(search.algorithm).lines, start=1):
        yield f"{'->' if number == current else '  '} {line}"


def _moves_to(search: Watched, event: Event) -> str:
    """The moves from the root to the node of an event."""
    made = {
        each.node: each
        for each in search.events[: event.seq]
        if each.kind in (Kind.GENERATE, Kind.REOPEN)
    }
    moves = []
    node = event.node
    while node in made:
        moves.append(made[node].move)
        node = made[node].parent
    return "".join(reversed(moves))
