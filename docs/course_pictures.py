"""The pictures of the course, drawn from what the program computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from html import escape

import tilewise as tw
from tilewise.drawing.search_tree import tree_svg
from tilewise.tables.distances import distance_table
from tilewise.tables.patterns.partitions import patterns_of

INK, PAPER, TILE, BLUE, GOLD, GREEN = (
    "#1f2933",
    "#ffffff",
    "#e4e9ef",
    "#9cc5f0",
    "#f7c948",
    "#8eedc7",
)


def svg(width: int, height: int, what: str, body: Iterable[str]) -> str:
    """A picture with a light ground, so that it can be read on a dark page too."""
    size = f'width="{width}" height="{height}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {size} '
        f'font-family="sans-serif" fill="{INK}" role="img" aria-label="{escape(what)}">'
    )
    ground = f'<rect {size} rx="8" fill="{PAPER}"/>'
    return "\n".join((head, ground, *body, "</svg>\n"))


def words(x: float, y: float, text: str, size: float, anchor: str = "middle") -> str:
    """A line of text."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


def rect(x: float, y: float, width: float, height: float, fill: str, corner: float = 4) -> str:
    """A rounded rectangle."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{corner:g}" '
        f'fill="{fill}"/>'
    )


def board(given: tw.Board, left: float, top: float, cell: float, fills: dict[int, str]) -> str:
    """A board; tiles have a colour of their own or the usual one."""
    parts = []
    for place, tile in enumerate(given.tiles):
        row, column = divmod(place, given.columns)
        if tile:
            x, y = left + column * cell, top + row * cell
            parts.append(rect(x, y, cell - 3, cell - 3, fills.get(tile, TILE)))
            parts.append(words(x + (cell - 3) / 2, y + cell * 0.6, str(tile), cell * 0.45))
    return "\n".join(parts)


def ring() -> str:
    """All boards of 2x2 in the order of a walk round them, the goal on top."""
    goal = tw.Goal.blank_first(2, 2)
    boards = [goal.board, goal.board.move("R")]
    while boards[-1] != goal.board:
        here = boards[-1]
        boards.append(next(n for m in here.legal_moves() if (n := here.move(m)) != boards[-2]))
    boards.pop()
    body, middle, radius = [], 200.0, 155.0
    spots = [
        (
            middle + radius * math.sin(2 * math.pi * n / len(boards)),
            middle - radius * math.cos(2 * math.pi * n / len(boards)),
        )
        for n in range(len(boards))
    ]
    for (x, y), (to_x, to_y) in zip(spots, [*spots[1:], spots[0]], strict=True):
        ends = f'x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"'
        body.append(f'<line {ends} stroke="{INK}" stroke-width="1.5" opacity="0.5"/>')
    for (x, y), each in zip(spots, boards, strict=True):
        ground = GREEN if each == goal.board else "#f3f5f8"
        body.append(rect(round(x - 25, 1), round(y - 25, 1), 50, 50, ground, 7))
        body.append(board(each, round(x - 21, 1), round(y - 21, 1), 22.5, {}))
    distances = len(boards) // 2
    body.append(words(middle, middle - 4, f"{len(boards)} boards", 17))
    body.append(words(middle, middle + 18, f"at most {distances} moves", 13))
    return svg(400, 400, "the state space of the 2x2 puzzle", body)


def levels() -> str:
    """Boards of 3x3 by distance, as bars."""
    counts = distance_table(tw.Goal.blank_first(3, 3)).levels
    body, step, high, base = [], 19.0, 190.0, 225.0
    for depth, count in enumerate(counts):
        length = max(1.0, high * count / max(counts))
        x = 60 + depth * step
        body.append(rect(x, round(base - length, 1), step - 4, round(length, 1), BLUE, 2))
        if depth % 5 == 0 or depth == len(counts) - 1:
            body.append(words(x + (step - 4) / 2, base + 16, str(depth), 11))
    for count in (0, 10_000, 20_000):
        y = round(base - high * count / max(counts), 1)
        body.append(f'<line x1="54" y1="{y}" x2="670" y2="{y}" stroke="{INK}" opacity="0.2"/>')
        body.append(words(50, y + 4, f"{count:,}", 11, "end"))
    body.append(words(364, base + 36, "moves from the goal", 12))
    return svg(690, 275, "boards of the 8-puzzle by distance from the goal", body)


def conflict() -> str:
    """Linear conflict: a row in reverse order, and which tiles must step aside."""
    before = tw.Board.parse("321 b45 678")
    body = [board(before, 30, 34, 44, {3: GOLD, 2: GOLD, 1: GREEN})]
    body.append(words(94, 24, "3 2 1 belong as 1 2 3", 13))
    lines = (
        "All three tiles stand in the row where they belong.",
        "A longest run in the right order has one tile: 1 stays.",
        "3 and 2 must leave the row and come back:",
        "2 · 2 = 4 moves more than Manhattan distance.",
    )
    for number, line in enumerate(lines):
        body.append(words(190, 62 + 26 * number, line, 14, "start"))
    return svg(590, 185, "linear conflict", body)


def partition() -> str:
    """The partition 7-8 of 4x4, a colour for each pattern."""
    goal = tw.Goal.blank_first(4, 4)
    fills: dict[int, str] = {}
    for pattern, colour in zip(patterns_of(goal, "7-8"), (BLUE, GOLD), strict=True):
        fills |= {goal.board.tiles[cell]: colour for cell in pattern.cells}
    return svg(220, 220, "the partition 7-8", [board(goal.board, 23, 23, 44, fills)])


def bfs_tree() -> str:
    """`tilewise trace export "125 34b 678" -a bfs -o bfs.svg`."""
    return tree_svg(tw.trace("125 34b 678", algorithm="bfs"))


PICTURES: dict[str, Callable[[], str]] = {
    "docs/images/course-bfs.svg": bfs_tree,
    "docs/images/course-conflict.svg": conflict,
    "docs/images/course-levels.svg": levels,
    "docs/images/course-partition.svg": partition,
    "docs/images/course-ring.svg": ring,
}
