"""Worksheets as an HTML page that needs nothing but itself, made for printing."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from tilewise.core.events import Event
from tilewise.puzzle.board import Board
from tilewise.traces.worksheet import LISTED_IN_KEY, Sheet, SheetStep

STYLE = """\
@page { margin: 18mm 16mm; }
:root { --ink: #1c2430; --soft: #5b6675; --line: #c9d0d9; --tint: #f3f5f8; --mark: #e3f0e6; }
* { box-sizing: border-box; }
body { font: 11pt/1.45 Georgia, 'Times New Roman', serif; color: var(--ink); background: #fff;
  max-width: 178mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 17pt; margin: 0 0 4mm; }
h2 { font-size: 12pt; margin: 0 0 2mm; }
header p { display: flex; gap: 8mm; margin: 0 0 5mm; color: var(--soft); }
.fill { display: inline-block; border-bottom: 1px solid var(--ink); min-width: 14mm; }
.long { flex: 1; }
.date { min-width: 30mm; }
.given { display: flex; gap: 10mm; align-items: flex-start; margin-bottom: 5mm; }
.given figure { margin: 0; }
figcaption { font-size: 9pt; color: var(--soft); margin-bottom: 1mm; }
.given ul { margin: 0; padding-left: 5mm; font-size: 10pt; }
section { break-inside: avoid; border-top: 1px solid var(--line); padding: 4mm 0 5mm; }
.key { break-before: page; }
.nodes { display: flex; flex-wrap: wrap; gap: 4mm; font-variant-numeric: tabular-nums; }
.node { border: 1px solid var(--line); border-radius: 1.5mm; padding: 2mm 3mm; font-size: 10pt;
  text-align: center; break-inside: avoid; }
.node p { margin: 0 0 1.5mm; }
.node small { color: var(--soft); font-size: 9pt; }
.node dl { display: flex; justify-content: center; gap: 2.5mm; margin: 2mm 0 0; }
.node dl div { display: flex; align-items: center; gap: 1mm; }
.node dd { margin: 0; }
.node dd.blank { width: 9mm; height: 6.5mm; border: 1px solid var(--ink); }
.key .nodes { gap: 2.5mm; }
.key .node { padding: 1mm 2mm; font-size: 9pt; }
.taken { background: var(--mark); border-color: var(--ink); font-weight: bold; }
.board { display: inline-grid; border: 1px solid var(--ink); vertical-align: middle;
  font: 9pt/1 'Helvetica Neue', Arial, sans-serif; font-weight: normal; background: #fff; }
.board span { min-width: 5mm; height: 5mm; padding: 0 .7mm; display: flex; align-items: center;
  justify-content: center; border: .5px solid var(--line); }
.board .hole { background: var(--tint); }
.answer { display: flex; align-items: baseline; gap: 2mm; margin: 3mm 0 0; }
.also { margin: 2mm 0 0; font-size: 10pt; color: var(--soft); }
@media print { body { margin: 0; padding: 0; max-width: none; } }
@media print { .taken, .board .hole { print-color-adjust: exact; } }"""


def page(sheet: Sheet) -> str:
    """The worksheet, then the answer key from a new page on."""
    body = "\n".join([*_exercise(sheet), *_key(sheet)])
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(sheet.title)}</title>\n<style>\n{STYLE}\n</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _exercise(sheet: Sheet) -> Iterator[str]:
    yield f"<header><h1>{escape(sheet.title)}</h1>"
    yield '<p>Name <span class="fill long"></span> Date <span class="fill date"></span></p>'
    yield "</header>"
    rules = "".join(f"<li>{escape(rule)}</li>" for rule in sheet.rules)
    yield (
        f'<div class="given">{_figure("Start", sheet.search.board)}'
        f"{_figure('Goal', sheet.search.goal.board)}<ul>{rules}</ul></div>"
    )
    for step in sheet.steps:
        yield f"<section><h2>Step {step.choice.step}</h2>"
        yield from _question(sheet, step)
        yield "</section>"


def _question(sheet: Sheet, step: SheetStep) -> Iterator[str]:
    yield _nodes(sheet, step.new) if step.new else "<p>No node is new.</p>"
    if sheet.has_open_list:
        yield f'<p class="also">Also on the open list: {step.waiting_text or "none"}</p>'
    yield (
        '<p class="answer">Taken next: node <span class="fill"></span> because '
        '<span class="fill long"></span></p>'
    )


def _key(sheet: Sheet) -> Iterator[str]:
    yield '<div class="key"><h1>Answer key</h1>'
    for step in sheet.steps:
        yield f"<section><h2>Step {step.choice.step}</h2>"
        taken = step.choice.event.node
        if sheet.has_open_list:
            entries = [entry.event for entry in step.choice.open if not entry.stale]
            yield _nodes(sheet, tuple(entries[:LISTED_IN_KEY]), taken)
            if len(entries) > LISTED_IN_KEY:
                yield f'<p class="also">and {len(entries) - LISTED_IN_KEY:,} more</p>'
        else:
            yield _nodes(sheet, step.new, taken) if step.new else ""
            path = ", ".join(map(str, step.choice.path))
            yield f'<p class="also">The current path: {path}</p>'
        if step.known:
            yield f'<p class="also">Thrown away: {escape(step.thrown_away)}</p>'
        yield f'<p class="answer">Taken next: {escape(step.answer)}</p></section>'
    yield "</div>"


def _nodes(sheet: Sheet, events: tuple[Event, ...], taken: int | None = None) -> str:
    """A card for each node; with `taken` the answers are filled in and that node is marked."""
    cards = []
    for event in events:
        origin = f"from {event.parent} by {event.move}" if event.parent >= 0 else "the start"
        values = "".join(
            f"<div><dt>{escape(column.title)} =</dt>"
            + (
                f"<dd>{escape(column.value(event))}</dd></div>"
                if column.given or taken is not None
                else '<dd class="blank"></dd></div>'
            )
            for column in sheet.columns
        )
        mark = " taken" if event.node == taken else ""
        cards.append(
            f'<div class="node{mark}"><p>node {event.node} <small>{origin}</small></p>'
            f"{_board(event.board)}<dl>{values}</dl></div>"
        )
    return f'<div class="nodes">{"".join(cards)}</div>'


def _figure(caption: str, board: Board) -> str:
    return f"<figure><figcaption>{caption}</figcaption>{_board(board)}</figure>"


def _board(board: Board) -> str:
    cells = "".join(
        f"<span>{tile}</span>" if tile else '<span class="hole"></span>' for tile in board.tiles
    )
    across = f"grid-template-columns:repeat({board.columns},auto)"
    return f'<span class="board" style="{across}">{cells}</span>'
