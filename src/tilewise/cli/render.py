"""Text for people: moves, boards side by side, and the lines of a result."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence

from tilewise.core.events import Event
from tilewise.core.result import Result
from tilewise.core.stats import COUNTERS, Stats
from tilewise.puzzle import formats
from tilewise.puzzle.board import Board, Goal
from tilewise.puzzle.position import board_text

GAP = "   "
COUNTER_WIDTH = 10


def terminal_width() -> int:
    """Columns of the terminal, or of COLUMNS, or 80."""
    return max(20, shutil.get_terminal_size().columns)


def moves_text(moves: str, perspective: str) -> str:
    """The moves as the blank goes, or as the tiles do."""
    return formats.write_moves(moves, "letters", perspective)


def headline(result: Result, perspective: str = "blank") -> str:
    """One line: how many moves, whether optimal, and which."""
    moves = moves_text(result.moves or "", perspective)
    whose = " (of the tiles)" if perspective == "tile" else ""
    return f"{result.summary}: {moves}{whose}" if moves else result.summary


def search_line(result: Result) -> str:
    """One line: what searched, and under which rules."""
    parts = [result.algorithm]
    if result.heuristic:
        parts.append(result.heuristic)
    parts.append(f"goal {result.goal.name}")
    if result.rules != "default":
        parts.append(f"rules {result.rules}")
    parts.append(f"{result.engine} engine")
    return ", ".join(parts)


def counter_lines(stats: Stats, width: int) -> Iterator[str]:
    """All counters that are not empty, in as many columns as fit."""
    cells = []
    for counter in COUNTERS:
        value = getattr(stats, counter.name)
        if value is not None:
            cells.append((counter.name, number_text(counter.name, value)))
    name_width = max(len(name) for name, _ in cells)
    value_width = max(COUNTER_WIDTH, *(len(value) for _, value in cells))
    across = max(1, (width + len(GAP)) // (name_width + value_width + 1 + len(GAP)))
    for start in range(0, len(cells), across):
        yield GAP.join(
            f"{name:<{name_width}} {value:>{value_width}}"
            for name, value in cells[start : start + across]
        ).rstrip()


def number_text(name: str, value: float) -> str:
    """A counter's value as people read it."""
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4f}"


def grid_lines(board: Board) -> list[str]:
    """A board as lines of aligned numbers, a dot for the blank."""
    cell = len(str(len(board.tiles) - 1))
    return [" ".join(f"{tile or '.':>{cell}}" for tile in row) for row in board.grid()]


def side_by_side(boards: Sequence[Board], labels: Sequence[str], width: int) -> Iterator[str]:
    """Boards with a label above each, as many in a row as the terminal is wide."""
    column = max(len(grid_lines(boards[0])[0]), *map(len, labels))
    across = max(1, (width + len(GAP)) // (column + len(GAP)))
    for start in range(0, len(boards), across):
        if start:
            yield ""
        row = slice(start, start + across)
        yield GAP.join(f"{label:<{column}}" for label in labels[row]).rstrip()
        for line in zip(*map(grid_lines, boards[row]), strict=True):
            yield GAP.join(f"{text:<{column}}" for text in line).rstrip()


def solution_boards(result: Result, width: int, perspective: str = "blank") -> Iterator[str]:
    """Every board of a solution, labelled with the step and the move that led to it."""
    boards = result.boards()
    moves = moves_text(result.moves or "", perspective)
    labels = ["start", *(f"{step} {move}" for step, move in enumerate(moves, start=1))]
    yield from side_by_side(boards, labels, width)


EVENT_TITLES = ("seq", "event", "node", "parent", "move", "g", "h", "key")
_LEFT = (1, 4, 7)


def event_lines(events: Sequence[Event], goal: Goal) -> Iterator[str]:
    """A trace as a table: one event a line; the notation of the boards implies the goal.

    The widths are found first, and quickly, so that the first line need not wait for the last.
    """
    longest: dict[int, int] = {place: len(title) for place, title in enumerate(EVENT_TITLES)}
    for place, values in enumerate(zip(*map(_cells_without_board, events), strict=True)):
        longest[place] = max(longest[place], *map(len, set(values)))
    form = "  ".join(f"{{:{'<' if n in _LEFT else '>'}{width}}}" for n, width in longest.items())
    yield form.format(*EVENT_TITLES) + "  board"
    for event in events:
        cells = form.format(*_cells_without_board(event))
        yield f"{cells}  {board_text(event.board, goal)}"


def _cells_without_board(event: Event) -> tuple[str, ...]:
    return (
        str(event.seq),
        event.kind.value,
        str(event.node),
        str(event.parent) if event.parent >= 0 else "",
        event.move,
        str(event.g),
        str(event.h),
        "({}, {})".format(*event.key),
    )


def rough_time(seconds: float) -> str:
    """Seconds as people say them, roughly."""
    for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"
