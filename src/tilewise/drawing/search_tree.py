"""Search trees as pictures: every node that was made, with its board, g + h = f and its turn.

Green is the solution, yellow was expanded, white was made and not expanded. The number beside a
node says when it was expanded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import NamedTuple

from tilewise.core.events import Event, Kind
from tilewise.errors import SpecError
from tilewise.puzzle.board import Board

MOST_NODES = 400
"""Larger trees cannot be read in any picture."""
INK, PAPER, TILE, EXPANDED, SOLUTION = "#1f2933", "#ffffff", "#e4e9ef", "#f7c948", "#8eedc7"
_CELL, _EDGE, _BETWEEN, _BELOW, _LABEL = 14, 4, 12, 22, 16
_MADE = (Kind.START, Kind.GENERATE, Kind.REOPEN)


class Line(NamedTuple):
    """From a node down to a child."""

    x: float
    y: float
    to_x: float
    to_y: float
    width: float
    opacity: float


class Box(NamedTuple):
    """A rounded rectangle; `rim` is the width of its outline."""

    x: float
    y: float
    width: float
    height: float
    corner: float
    fill: str
    rim: float


class Words(NamedTuple):
    """A text; `anchor` is its middle or its end."""

    x: float
    y: float
    text: str
    size: float
    anchor: str


class Drawing(NamedTuple):
    """A picture as shapes, for SVG and for points."""

    width: int
    height: int
    shapes: tuple[Line | Box | Words, ...]


def tree_svg(events: Iterable[Event]) -> str:
    """The tree of a search as SVG, from its events.

    Args:
        events: A trace, from its first event on.

    Raises:
        SpecError: The tree has too many nodes for a picture.

    Example:
        >>> import tilewise as tw
        >>> picture = tree_svg(tw.trace("1b2 345 678", algorithm="bfs"))
        >>> picture[:4], picture.count("<line")
        ('<svg', 6)
    """
    drawing = tree(events)
    size = f'width="{drawing.width}" height="{drawing.height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawing.width} {drawing.height}" '
        f'{size} font-family="sans-serif" fill="{INK}" role="img" aria-label="search tree">',
        f'<rect {size} rx="8" fill="{PAPER}"/>',
        *map(_element, drawing.shapes),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _element(shape: Line | Box | Words) -> str:
    if isinstance(shape, Line):
        return (
            f'<line x1="{shape.x:g}" y1="{shape.y:g}" x2="{shape.to_x:g}" y2="{shape.to_y:g}" '
            f'stroke="{INK}" stroke-width="{shape.width:g}" opacity="{shape.opacity:g}"/>'
        )
    if isinstance(shape, Box):
        rim = f' stroke="{INK}" stroke-width="{shape.rim:g}"' if shape.rim else ""
        return (
            f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" '
            f'height="{shape.height:g}" rx="{shape.corner:g}" fill="{shape.fill}"{rim}/>'
        )
    return (
        f'<text x="{shape.x:g}" y="{shape.y:g}" font-size="{shape.size:g}" '
        f'text-anchor="{shape.anchor}">{escape(shape.text)}</text>'
    )


def tree(events: Iterable[Event]) -> Drawing:
    """The tree of a search as shapes."""
    events = tuple(events)
    nodes = {event.node: event for event in events if event.kind in _MADE}
    if len(nodes) > MOST_NODES:
        raise SpecError(
            f"expected a tree of at most {MOST_NODES} nodes for a picture, got {len(nodes):,}; "
            "keep fewer events"
        )
    turn: dict[int, int] = {}
    for event in events:
        if event.kind is Kind.EXPAND:
            turn.setdefault(event.node, len(turn) + 1)
    place = _places({node: event.parent for node, event in nodes.items()})
    board = next(iter(nodes.values())).board if nodes else Board.parse("b1 23")
    layout = _TreeLayout(board, informed=any(event.h for event in nodes.values()))
    on_path = _solution(events, nodes)
    shapes: list[Line | Box | Words] = []
    for node, event in nodes.items():
        if event.parent in place:
            shapes.append(layout.line(place[event.parent], place[node], node in on_path))
    for node, event in nodes.items():
        fill = SOLUTION if node in on_path else EXPANDED if node in turn else PAPER
        shapes += layout.node(place[node], event, fill, turn.get(node))
    columns = max((column for column, _ in place.values()), default=0.0)
    depth = max((row for _, row in place.values()), default=0)
    return Drawing(
        round(layout.x(columns) + layout.wide / 2 + 12), layout.y(depth + 1), tuple(shapes)
    )


class _TreeLayout:
    """Where things are in a tree of boards of one shape."""

    def __init__(self, board: Board, *, informed: bool) -> None:
        self.wide = max(board.columns * _CELL + 2 * _EDGE - 2, 50)
        self.high = board.rows * _CELL + 2 * _EDGE + _LABEL - 4
        self.informed = informed

    def x(self, column: float) -> float:
        return round(24 + self.wide / 2 + column * (self.wide + _BETWEEN), 1)

    def y(self, depth: int) -> int:
        return 16 + depth * (self.high + _BELOW)

    def line(self, above: tuple[float, int], here: tuple[float, int], bold: bool) -> Line:
        width, opacity = (3, 1) if bold else (1, 0.5)
        top = self.y(above[1]) + self.high
        return Line(self.x(above[0]), top, self.x(here[0]), self.y(here[1]), width, opacity)

    def node(
        self, spot: tuple[float, int], event: Event, fill: str, turn: int | None
    ) -> Iterator[Box | Words]:
        """The box of a node with its board, its numbers and its turn."""
        x, y = self.x(spot[0]), self.y(spot[1])
        yield Box(x - self.wide / 2, y, self.wide, self.high, 5, fill, 0.6)
        left, side = x - (event.board.columns * _CELL - 2) / 2, _CELL - 2
        for cell, tile in enumerate(event.board.tiles):
            if tile:
                row, column = divmod(cell, event.board.columns)
                at = left + column * _CELL, y + _EDGE + row * _CELL
                yield Box(*at, side, side, 3, TILE, 0)
                yield Words(at[0] + side / 2, at[1] + 9.5, str(tile), 8.4, "middle")
        numbers = f"{event.g}+{event.h}={event.g + event.h}" if self.informed else f"g={event.g}"
        yield Words(x, y + self.high - 5, numbers, 9.5, "middle")
        if turn is not None:
            yield Words(x - self.wide / 2 - 3, y + 10, str(turn), 10, "end")


def _solution(events: Iterable[Event], nodes: dict[int, Event]) -> set[int]:
    node = next((event.node for event in events if event.kind is Kind.GOAL), -1)
    found: set[int] = set()
    while node in nodes:
        found.add(node)
        node = nodes[node].parent
    return found


def _places(parent_of: dict[int, int]) -> dict[int, tuple[float, int]]:
    """For each node of a tree its column and its depth: leaves in a row, parents above them."""
    children: dict[int, list[int]] = {}
    for node, parent in parent_of.items():
        children.setdefault(parent, []).append(node)
    depth: dict[int, int] = {}
    in_order: list[int] = []
    waiting = [(node, 0) for node in reversed(children.get(-1, []))]
    while waiting:  # from left to right, parents before their children
        node, level = waiting.pop()
        in_order.append(node)
        depth[node] = level
        waiting += [(child, level + 1) for child in reversed(children.get(node, []))]
    column: dict[int, float] = {}
    leaves = 0
    for node in in_order:
        if node not in children:
            column[node] = leaves
            leaves += 1
    for node in reversed(in_order):
        if node in children:
            below = children[node]
            column[node] = (column[below[0]] + column[below[-1]]) / 2
    return {node: (column[node], depth[node]) for node in in_order}
