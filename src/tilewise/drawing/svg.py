"""Boards as SVG: one board, a sheet of many, and a solution that moves by itself.

Plain text from plain tuples, so that the lowest layer can use it. Every picture has a ground of
its own and can be read on light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from zlib import crc32

Tiles = Sequence[int]

INK, SOFT, PAPER = "#1d1c1a", "#5c5953", "#f7f6f3"
TRAY, TILE, HOME, MOVED, MOVED_INK = "#d3cec4", "#ffffff", "#dfe4fb", "#3346c8", "#ffffff"
FONT = "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', 'Noto Sans', Arial, sans-serif"
LARGEST_SHEET = 1_000
"""The most boards on a sheet."""
SECONDS_A_MOVE, SECONDS_AT_THE_ENDS = 0.45, 1.6
_SLIDING = 0.55
"""The part of a move's time in which the tile slides; then the board rests."""


@dataclass(frozen=True)
class Geometry:
    """Where things are on a board whose cells have a certain size."""

    rows: int
    columns: int
    cell: float

    @property
    def pad(self) -> float:
        """Between the tray's edge and the cells."""
        return round(self.cell * 0.11, 2)

    @property
    def gap(self) -> float:
        """Between two tiles."""
        return round(self.cell * 0.08, 2)

    @property
    def round(self) -> float:
        """The radius of a tile's corners."""
        return round(self.cell * 0.15, 2)

    @property
    def width(self) -> float:
        return round(self.columns * self.cell + 2 * self.pad, 2)

    @property
    def height(self) -> float:
        return round(self.rows * self.cell + 2 * self.pad, 2)

    @property
    def side(self) -> float:
        """The side of a tile."""
        return round(self.cell - self.gap, 2)

    @property
    def letters(self) -> float:
        """The height of the numbers: three digits need smaller ones."""
        digits = len(str(self.rows * self.columns - 1))
        return round(self.cell * (0.46, 0.46, 0.4, 0.31)[digits], 2)

    def corner(self, cell: int) -> tuple[float, float]:
        """The upper left corner of the tile on a cell."""
        row, column = divmod(cell, self.columns)
        inset = self.pad + self.gap / 2
        return round(inset + column * self.cell, 2), round(inset + row * self.cell, 2)


def usual_cell(rows: int, columns: int) -> float:
    """A size of cells with which a board of any shape is neither tiny nor huge."""
    return max(18.0, min(48.0, 480.0 / max(rows, columns)))


def described(columns: int, tiles: Tiles) -> str:
    """A board for those who hear it."""
    rows = [tiles[start : start + columns] for start in range(0, len(tiles), columns)]
    read = "; ".join(" ".join(str(tile or "blank") for tile in row) for row in rows)
    return f"{len(rows)}x{columns} board: {read}"


def board_svg(rows: int, columns: int, tiles: Tiles, *, goal: Tiles | None = None) -> str:
    """One board; with a goal, tiles that are at home are tinted."""
    plan = Geometry(rows, columns, usual_cell(rows, columns))
    body = _board(plan, tiles, goal=goal)
    return _svg(plan.width, plan.height, described(columns, tiles), body)


@dataclass(frozen=True)
class Frame:
    """A board of a sequence, with the tile that has just moved (0 for none) and what to call it."""

    tiles: Tiles
    moved: int
    label: str


def frames(states: Sequence[Tiles], moves: str) -> list[Frame]:
    """The boards on the way, labelled with the step and the move."""
    found = [Frame(states[0], 0, "start")]
    for step, (before, after) in enumerate(pairwise(states), start=1):
        moved = before[after.index(0)]
        found.append(Frame(after, moved, f"{step} {moves[step - 1]}"))
    return found


def sheet_size(count: int, rows: int, columns: int) -> tuple[Geometry, int, float, float]:
    """The plan of each board on a sheet, how many stand in a row, and the step right and down."""
    plan = Geometry(rows, columns, max(14.0, min(26.0, 110.0 / max(rows, columns))))
    right, down = plan.width + 16, plan.height + 32
    across = max(1, min(count, int(820 // right)))
    return plan, across, right, down


def sheet_svg(rows: int, columns: int, shown: Sequence[Frame], *, goal: Tiles) -> str:
    """Many boards in rows, each with its label, the tile that moved marked."""
    plan, across, right, down = sheet_size(len(shown), rows, columns)
    body = []
    for place, frame in enumerate(shown):
        row, column = divmod(place, across)
        left, top = 16 + column * right, 34 + row * down
        body.append(
            f'<text x="{left + plan.width / 2:g}" y="{top - 8:g}" font-size="12" fill="{SOFT}">'
            f"{escape(frame.label)}</text>"
        )
        body.append(f'<g transform="translate({left:g} {top:g})">')
        body += _board(plan, frame.tiles, goal=goal, moved=frame.moved)
        body.append("</g>")
    lines = -(-len(shown) // across)
    width, height = 16 + across * right, 18 + lines * down
    paper = f'<rect width="{width:g}" height="{height:g}" rx="12" fill="{PAPER}"/>'
    title = f"{len(shown) - 1} moves, board by board, from {described(columns, shown[0].tiles)}"
    return _svg(width, height, title, [paper, *body])


def moving_svg(rows: int, columns: int, states: Sequence[Tiles]) -> str:
    """A solution that plays itself, again and again, by style sheets alone.

    Where motion is unwelcome it shows the first board.
    """
    plan = Geometry(rows, columns, usual_cell(rows, columns))
    key = f"t{crc32(repr(states).encode()):08x}"
    seconds = 2 * SECONDS_AT_THE_ENDS + SECONDS_A_MOVE * (len(states) - 1)
    rules, tiles = [], []
    for tile in range(1, rows * columns):
        stops = _stops(plan, tile, states, seconds)
        moving = len(stops) > 1
        name = f"{key}-{tile}"
        x, y = plan.corner(states[0].index(tile))
        tiles.append(
            f'<g class="{name}" transform="translate({x:g} {y:g})">'
            f"{_tile(plan, tile, TILE, INK)}</g>"
        )
        if moving:
            frames_of = " ".join(
                f"{at:.3f}%{{transform:translate({where})}}" for at, where in stops
            )
            rules.append(f"@keyframes {name}{{{frames_of}}}")
            rules.append(f".{name}{{animation:{name} {seconds:g}s linear infinite}}")
    style = "@media (prefers-reduced-motion: no-preference){" + "".join(rules) + "}"
    tray = _tray(plan)
    title = f"{len(states) - 1} moves from {described(columns, states[0])}"
    return _svg(plan.width, plan.height, title, [f"<style>{style}</style>", tray, *tiles])


def figure_html(picture: str, summary: str, moves: str, facts: Iterable[str]) -> str:
    """A picture with its summary and facts, for notebooks."""
    lines = [f"<strong>{escape(summary)}</strong>", *(escape(fact) for fact in facts)]
    if moves:
        lines.insert(1, f"<code>{escape(moves)}</code>")
    return f"<figure>{picture}<figcaption>{'<br>'.join(lines)}</figcaption></figure>"


def _stops(
    plan: Geometry, tile: int, states: Sequence[Tiles], seconds: float
) -> list[tuple[float, str]]:
    """When, in percent of the time, a tile is where; only around its own moves."""
    cells = [state.index(tile) for state in states]
    stops = [(0.0, _place(plan, cells[0]))]
    for step, (before, after) in enumerate(pairwise(cells)):
        if before != after:
            began = SECONDS_AT_THE_ENDS + step * SECONDS_A_MOVE
            ended = began + SECONDS_A_MOVE * _SLIDING
            stops.append((100 * began / seconds, _place(plan, before)))
            stops.append((100 * ended / seconds, _place(plan, after)))
    if len(stops) > 1:
        stops.append((100.0, _place(plan, cells[-1])))
    return stops


def _place(plan: Geometry, cell: int) -> str:
    x, y = plan.corner(cell)
    return f"{x:g}px,{y:g}px"


def _board(
    plan: Geometry, tiles: Tiles, *, goal: Tiles | None = None, moved: int = 0
) -> Iterable[str]:
    yield _tray(plan)
    for cell, tile in enumerate(tiles):
        if tile:
            fill, ink = colours(tile, cell, goal, moved)
            x, y = plan.corner(cell)
            yield f'<g transform="translate({x:g} {y:g})">{_tile(plan, tile, fill, ink)}</g>'


def colours(tile: int, cell: int, goal: Tiles | None, moved: int) -> tuple[str, str]:
    """Ground and ink of a tile: one that has just moved, one at home, any other."""
    if tile == moved:
        return MOVED, MOVED_INK
    return (HOME if goal is not None and goal[cell] == tile else TILE), INK


def _tray(plan: Geometry) -> str:
    corner = plan.round + plan.pad
    return f'<rect width="{plan.width:g}" height="{plan.height:g}" rx="{corner:g}" fill="{TRAY}"/>'


def _tile(plan: Geometry, tile: int, fill: str, ink: str) -> str:
    middle = plan.side / 2
    return (
        f'<rect width="{plan.side:g}" height="{plan.side:g}" rx="{plan.round:g}" fill="{fill}"/>'
        f'<text x="{middle:g}" y="{middle + plan.letters * 0.36:g}" font-size="{plan.letters:g}" '
        f'font-weight="600" fill="{ink}">{tile}</text>'
    )


def _svg(width: float, height: float, title: str, body: Iterable[str]) -> str:
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img" font-family="{FONT}" '
            f'text-anchor="middle"><title>{escape(title)}</title>',
            *body,
            "</svg>",
        )
    )
