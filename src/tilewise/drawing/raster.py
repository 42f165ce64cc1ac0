"""Pictures made of points: PNG and GIF, by Pillow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from io import BytesIO
from math import ceil, floor
from typing import Any

from PIL import Image, ImageDraw, ImageFont

from tilewise.core.build_context import never
from tilewise.core.result import Result
from tilewise.core.waiting import Cancelled, check_cancelled
from tilewise.drawing import svg
from tilewise.drawing.search_tree import INK, PAPER, Box, Drawing, Line, Words
from tilewise.drawing.svg import Frame, Geometry, Tiles

FINE = 3
"""The factor by which pictures are drawn larger and then reduced, for smooth corners."""
SLIDES, SLIDE_MS, REST_MS, END_MS = 4, 40, 160, 1_600
MOST_FRAMES = 800
"""Long solutions are shown with fewer steps between two boards."""
CELL, COLOURS = 44.0, 64


def png(result: Result, shown: Sequence[Frame], cancelled: Cancelled) -> bytes:
    """A sheet with every board, twice as fine as its size on the page."""
    goal = result.goal.board.tiles
    plan, across, right, down = svg.sheet_size(len(shown), result.board.rows, result.board.columns)
    lines, width = -(-len(shown) // across), 16 + across * right
    picture = Image.new("RGB", (round(width * 2), round((18 + lines * down) * 2)), svg.PAPER)
    for line in range(lines):  # one at a time: all together would be very large before the end
        above = floor((16 + line * down) * 2) / 2
        brush = Brush(width, ceil(down) + 1, svg.PAPER, scale=2)
        for column, frame in enumerate(shown[line * across : (line + 1) * across]):
            check_cancelled(cancelled)
            left, top = 16 + column * right, 34 + line * down - above
            brush.text(left + plan.width / 2, top - 12, frame.label, 12, svg.SOFT)
            brush.board(plan, frame.tiles, goal, frame.moved, left, top)
        picture.paste(brush.picture(), (0, round(above * 2)))
    return _saved(picture, "PNG", cancelled, optimize=True)


def tree_png(drawing: Drawing) -> bytes:
    """A search tree, twice as fine as its size on the page."""
    brush = Brush(drawing.width, drawing.height, PAPER, scale=2)
    for shape in drawing.shapes:
        brush.shape(shape)
    return _saved(brush.picture(), "PNG", never, optimize=True)


def gif(result: Result, shown: Sequence[Frame], cancelled: Cancelled) -> bytes:
    """A film: the tile slides, the board rests, at both ends longer."""
    rows, columns = result.board.rows, result.board.columns
    plan = Geometry(rows, columns, min(CELL, svg.usual_cell(rows, columns)))
    goal = result.goal.board.tiles
    # one palette, from a board with all colours, so that only what changes is stored
    palette = _still(plan, shown[-1], goal, shown[-1], 1.0).quantize(COLOURS)
    stills = _stills(shown)

    def film() -> Iterator[Image.Image]:
        for before, frame, part, _ in stills:
            check_cancelled(cancelled)
            still = _still(plan, before, goal, frame, part)
            yield still.quantize(palette=palette, dither=Image.Dither.NONE)

    images = film()
    times = [milliseconds for *_, milliseconds in stills]
    how = {"duration": times, "loop": 0, "optimize": False}
    return _saved(next(images), "GIF", cancelled, save_all=True, append_images=images, **how)


def _stills(shown: Sequence[Frame]) -> list[tuple[Frame, Frame, float, int]]:
    """The board before, the one after, how far the tile has moved, and for how long it is shown."""
    between = max(1, min(SLIDES, MOST_FRAMES // len(shown)))
    stills = []
    for before, frame in zip([shown[0], *shown], shown, strict=False):
        parts = range(1, between) if frame.moved else ()
        stills += [(before, frame, part / between, SLIDE_MS) for part in parts]
        ends = frame is shown[0] or frame is shown[-1]
        stills.append((before, frame, 1.0, END_MS if ends else REST_MS))
    return stills


def _still(plan: Geometry, at: Frame, goal: Tiles, after: Frame, part: float) -> Image.Image:
    """A board in the middle of a move: the tile is between two cells."""
    edge = 10.0
    brush = Brush(plan.width + 2 * edge, plan.height + 2 * edge, svg.PAPER)
    if part == 1.0:
        brush.board(plan, after.tiles, goal, after.moved, edge, edge)
    else:
        still = [0 if tile == after.moved else tile for tile in at.tiles]
        brush.board(plan, still, goal, 0, edge, edge)
        (x, y), (to_x, to_y) = (
            plan.corner(tiles.index(after.moved)) for tiles in (at.tiles, after.tiles)
        )
        slid = x + (to_x - x) * part, y + (to_y - y) * part
        brush.tile(plan, after.moved, (svg.MOVED, svg.MOVED_INK), edge, edge, slid)
    return brush.picture()


class Brush:
    """Draws boards on a ground, larger than they will be."""

    def __init__(self, width: float, height: float, ground: str, *, scale: int = 1) -> None:
        self._size = round(width * scale), round(height * scale)
        self._scale = scale * FINE
        self._image = Image.new("RGB", (self._size[0] * FINE, self._size[1] * FINE), ground)
        self._draw = ImageDraw.Draw(self._image)

    def picture(self) -> Image.Image:
        """What was drawn, in its real size."""
        return self._image.resize(self._size, Image.Resampling.LANCZOS)

    def board(
        self, plan: Geometry, tiles: Tiles, goal: Tiles, moved: int, left: float, top: float
    ) -> None:
        """A board with its upper left corner at a place."""
        corner = plan.round + plan.pad
        self._box(left, top, plan.width, plan.height, corner, svg.TRAY)
        for cell, tile in enumerate(tiles):
            if tile:
                look = svg.colours(tile, cell, goal, moved)
                self.tile(plan, tile, look, left, top, plan.corner(cell))

    def tile(
        self,
        plan: Geometry,
        tile: int,
        look: tuple[str, str],
        left: float,
        top: float,
        corner: tuple[float, float],
    ) -> None:
        """A tile with its number, its upper left corner at a place on the board."""
        x, y = left + corner[0], top + corner[1]
        self._box(x, y, plan.side, plan.side, plan.round, look[0])
        self.text(x + plan.side / 2, y + plan.side / 2, str(tile), plan.letters, look[1], 0.025)

    def shape(self, shape: Line | Box | Words) -> None:
        """A shape of a search tree."""
        if isinstance(shape, Line):
            ends = [end * self._scale for end in shape[:4]]
            grey = INK if shape.opacity == 1 else "#8f949a"
            self._draw.line(ends, grey, round(shape.width * self._scale))
        elif isinstance(shape, Box):
            if shape.rim:
                rim = shape.rim
                grown = shape.x - rim, shape.y - rim, shape.width + 2 * rim, shape.height + 2 * rim
                self._box(*grown, shape.corner, INK)
            self._box(*shape[:6])
        else:
            middle = shape.y - shape.size * 0.36
            anchor = "mm" if shape.anchor == "middle" else "rm"
            at = shape.x * self._scale, middle * self._scale
            self._draw.text(
                at, shape.text, INK, font=_font(shape.size * self._scale), anchor=anchor
            )

    def text(
        self, x: float, y: float, text: str, size: float, colour: str, bold: float = 0.0
    ) -> None:
        """A text around a point; `bold` is how much thicker than usual, in parts of its size."""
        size *= self._scale
        self._draw.text(
            (x * self._scale, y * self._scale),
            text,
            colour,
            font=_font(size),
            anchor="mm",
            stroke_width=bold * size,
        )

    def _box(
        self, x: float, y: float, width: float, height: float, corner: float, colour: str
    ) -> None:
        box = [edge * self._scale for edge in (x, y, x + width, y + height)]
        self._draw.rounded_rectangle(box, corner * self._scale, colour)


@lru_cache(maxsize=8)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


class _Watched(BytesIO):
    """A file in memory; writing to it ends when it is cancelled."""

    def __init__(self, cancelled: Cancelled) -> None:
        super().__init__()
        self._cancelled = cancelled

    def write(self, data: Any) -> int:
        check_cancelled(self._cancelled)
        return super().write(data)


def _saved(image: Image.Image, kind: str, cancelled: Cancelled, **how: Any) -> bytes:
    file = _Watched(cancelled)
    image.save(file, kind, **how)
    return file.getvalue()
