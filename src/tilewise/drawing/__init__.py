"""Pictures in files: solutions (SVG and PNG show every board, GIF and HTML move), search trees."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tilewise.core.build_context import never
from tilewise.core.events import Event
from tilewise.core.result import Result
from tilewise.core.waiting import Cancelled
from tilewise.drawing import search_tree, svg
from tilewise.errors import SpecError, shortened
from tilewise.files import write_file

Picture = Callable[[Result, Cancelled], bytes]
"""Makes the bytes of a picture, unless it is cancelled."""
MOST_MOVES_SHOWN = svg.LARGEST_SHEET - 1


def save(result: Result, path: str | Path, cancelled: Cancelled = never) -> int:
    """Write a picture of the solution. A result without a solution shows its board alone.

    Args:
        result: What `solve` returned.
        path: A file that ends in .svg, .png, .gif or .html.
        cancelled: Asked while a long film or a large sheet is painted.

    Returns:
        How many bytes the file has.

    Raises:
        CancelledError: It was cancelled.
        SpecError: Another ending, a solution that is too long, or no Pillow for PNG and GIF.

    Example:
        >>> import tempfile
        >>> import tilewise as tw
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     size = save(tw.solve("312 475 68b"), f"{folder}/solution.svg")
        >>> size > 1000
        True
    """
    picture = kind_of(path)(result, cancelled)
    write_file(path, picture)
    return len(picture)


def save_tree(events: Iterable[Event], path: str | Path) -> int:
    """Write a picture of a search tree: green the solution, yellow expanded, white still open.

    Args:
        events: A trace, from its first event on.
        path: A file that ends in .svg or .png.

    Returns:
        How many bytes the file has.

    Raises:
        SpecError: Another ending, a tree of too many nodes, or no Pillow for PNG.

    Example:
        >>> import tempfile
        >>> import tilewise as tw
        >>> record = tw.trace("125 34b 678", algorithm="astar", heuristic="manhattan")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     size = save_tree(record, f"{folder}/tree.svg")
        >>> size > 1000
        True
    """
    ending = Path(path).suffix.lower()
    if ending not in TREE_KINDS:
        raise SpecError(
            f"expected a file that ends in {', '.join(TREE_KINDS)} for a tree, "
            f"got {shortened(str(path))}"
        )
    picture = tree_picture(events, ending)
    write_file(path, picture)
    return len(picture)


def tree_picture(events: Iterable[Event], ending: str) -> bytes:
    """A search tree as the bytes of a file with that ending, .svg or .png."""
    if ending == ".svg":
        return search_tree.tree_svg(events).encode()
    picture: bytes = _raster().tree_png(search_tree.tree(events))
    return picture


def kind_of(path: str | Path) -> Picture:
    """What makes the picture for a file of that name."""
    ending = Path(path).suffix.lower()
    if ending not in KINDS:
        raise SpecError(
            f"expected a file that ends in {', '.join(KINDS)} for a picture, "
            f"got {shortened(str(path))}"
        )
    return KINDS[ending]


def frames_of(result: Result) -> list[svg.Frame]:
    """The boards to show."""
    if result.cost is not None and result.cost > MOST_MOVES_SHOWN:
        raise SpecError(
            f"expected a solution of at most {MOST_MOVES_SHOWN} moves for a picture, "
            f"got {result.cost:,}"
        )
    states = [board.tiles for board in result.boards()] or [result.board.tiles]
    return svg.frames(states, result.moves or "")


def sheet(result: Result, cancelled: Cancelled = never) -> bytes:
    """Every board of the solution, as SVG."""
    board, goal = result.board, result.goal.board
    text = svg.sheet_svg(board.rows, board.columns, frames_of(result), goal=goal.tiles)
    return f"{text}\n".encode()


def page(result: Result, cancelled: Cancelled = never) -> bytes:
    """The solution to step through: an HTML file that needs nothing else."""
    from tilewise.drawing.solution_page import page_html

    return page_html(result, frames_of(result)).encode()


def painted_sheet(result: Result, cancelled: Cancelled = never) -> bytes:
    """Every board of the solution, as PNG."""
    picture: bytes = _raster().png(result, frames_of(result), cancelled)
    return picture


def film(result: Result, cancelled: Cancelled = never) -> bytes:
    """The solution, tile by tile, as an animated GIF."""
    picture: bytes = _raster().gif(result, frames_of(result), cancelled)
    return picture


def _raster() -> Any:
    try:
        from tilewise.drawing import raster
    except ModuleNotFoundError:
        raise SpecError(
            "expected the extra pictures for PNG and GIF, got no Pillow: "
            "pip install 'tilewise[pictures]'"
        ) from None
    return raster


TREE_KINDS = (".svg", ".png")
KINDS: dict[str, Picture] = {
    ".svg": sheet,
    ".png": painted_sheet,
    ".gif": film,
    ".html": page,
}
"""What makes a picture, by the end of the file's name."""
