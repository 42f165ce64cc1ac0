"""The table of `tilewise compare`: a row for each search, with bars for its work."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from tilewise.cli import render
from tilewise.cli.bars import bar
from tilewise.core.result import Result, Status

NARROW, WIDE = 70, 96
"""Below the first width algorithm and heuristic share a column; from the second on there is room
for the seconds and for long names."""
LIMIT_MARK = "(limit)"
SHORTEST_BAR, GOOD_BAR, LONGEST_BAR = len(LIMIT_MARK), 10, 24
SHORTEST_NAME, LONGEST_NAME = 8, 28
GAP = 2
PROVED = "*"


@dataclass(frozen=True)
class TableColumn:
    """A title and a text for each row; texts fold at `width`."""

    title: str
    texts: Sequence[str]
    width: int
    right: bool = False


def table_text(found: Sequence[Result], width: int, methods: Sequence[str] = ()) -> str:
    """The table, at most `width` characters wide.

    `methods` are a course's words for the searches, shown in place of algorithm and heuristic.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    columns = _columns(found, width, methods)
    needed = sum(column.width + GAP for column in columns)  # no figure may lose a digit
    console = Console(width=max(width, needed), highlight=False, markup=False)
    table = Table(box=SIMPLE_HEAD, padding=(0, GAP - 1, 0, 0), pad_edge=False, show_edge=False)
    for column in columns:
        table.add_column(
            column.title,
            justify="right" if column.right else "left",
            min_width=column.width,
            max_width=column.width,
            overflow="fold",
        )
    for row in zip(*(column.texts for column in columns), strict=True):
        table.add_row(*row)
    with console.capture() as captured:
        console.print(table)
    lines = [line.rstrip() for line in captured.get().rstrip("\n").split("\n")]
    shown = {column.title.strip() for column in columns}
    missing = [name for name in ("expanded", "seconds") if name not in shown]
    if missing:
        text = f"no room for {' and '.join(missing)}: {WIDE} columns or --json show all"
        lines += textwrap.wrap(text, width)
    if any(result.optimal for result in found):
        lines.append(f"{PROVED} proved optimal")
    lines += dict.fromkeys(result.doubt for result in found if result.doubt)
    return "\n".join(lines)


def _columns(found: Sequence[Result], width: int, methods: Sequence[str]) -> list[TableColumn]:
    """Names, moves and counters; bars behind the counters as far as there is room."""
    counters = ("expanded", "generated") if width >= NARROW else ("generated",)
    plain = [_counter(name, found, 0) for name in counters]
    seconds = []
    if width >= WIDE:
        times = [f"{result.stats.seconds:.3f}" for result in found]
        seconds = [_fitted("seconds", times, right=True)]
        if len({result.engine for result in found}) > 1:
            seconds.append(_fitted("engine", [result.engine for result in found]))
    moves = _moves(found, says_limit=False)
    figures = sum(column.width + GAP for column in (_moves(found, says_limit=True), *plain))
    names = _names(found, width, width - figures)
    if methods:
        names = [_fitted("method", methods, most=max(SHORTEST_NAME, width - figures))]
    room = width - sum(column.width + GAP for column in (*names, moves, *plain, *seconds)) + GAP
    for barred, shortest in ((counters, GOOD_BAR), (counters[-1:], SHORTEST_BAR)):
        bar_width = min(LONGEST_BAR, room // len(barred) - 1)
        if bar_width >= shortest:
            counts = [
                _counter(name, found, bar_width if name in barred else 0) for name in counters
            ]
            return [*names, moves, *counts, *seconds]
    return [*names, _moves(found, says_limit=True), *plain, *seconds]


def _names(found: Sequence[Result], width: int, room: int) -> list[TableColumn]:
    """Algorithm and heuristic in two columns, or one below the other on a narrow terminal."""
    algorithms = [result.algorithm for result in found]
    heuristics = [result.heuristic or "-" for result in found]
    if width >= NARROW:
        return [
            _fitted(title, texts, most=LONGEST_NAME if width >= WIDE else _longest_word(texts))
            for title, texts in (("algorithm", algorithms), ("heuristic", heuristics))
        ]
    most = max(SHORTEST_NAME, room)
    both = []
    for algorithm, heuristic in zip(algorithms, heuristics, strict=True):
        lines = textwrap.wrap(algorithm, most)
        if heuristic != "-":
            lines += textwrap.wrap(heuristic, most, initial_indent="  ", subsequent_indent="  ")
        both.append("\n".join(lines))
    return [_fitted("search", both, most=most)]


def _moves(found: Sequence[Result], *, says_limit: bool) -> TableColumn:
    """The length of each solution, marked if proved optimal, or why there is none."""
    texts = []
    for result in found:
        if result.cost is not None:
            texts.append(f"{result.cost:,}{PROVED if result.optimal else ' '}")
        elif result.status is Status.LIMIT and not says_limit:
            texts.append("- ")
        else:
            texts.append(f"{result.status.value} ")
    return _fitted("moves ", texts, right=True)


def _counter(name: str, found: Sequence[Result], bar_width: int) -> TableColumn:
    """The values of a counter with bars; where a limit came first the true value is larger."""
    values = [getattr(result.stats, name) for result in found]
    stopped = [result.status is Status.LIMIT for result in found]
    numbers = [
        f"{'> ' if limit else ''}{render.number_text(name, value)}"
        for value, limit in zip(values, stopped, strict=True)
    ]
    column = _fitted(name, numbers, right=True)
    if not bar_width:
        return column
    most = max(
        [value for value, limit in zip(values, stopped, strict=True) if not limit], default=0
    )
    texts = [
        f"{number:>{column.width}} {LIMIT_MARK if limit else bar(value / max(most, 1), bar_width)}"
        for number, value, limit in zip(numbers, values, stopped, strict=True)
    ]
    return TableColumn(f"{name:>{column.width}}", texts, column.width + 1 + bar_width)


def _longest_word(texts: Sequence[str]) -> int:
    """The least width at which texts fold between words only, within reason."""
    return min(LONGEST_NAME, max(len(word) for text in texts for word in text.split()))


def _fitted(
    title: str, texts: Sequence[str], *, right: bool = False, most: int = 99
) -> TableColumn:
    """A column as wide as its longest text, but not wider than `most`."""
    longest = max(len(line) for text in texts for line in text.split("\n"))
    return TableColumn(title, texts, max(len(title), min(longest, most)), right)
