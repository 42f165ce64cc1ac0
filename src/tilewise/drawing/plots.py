"""Plots with matplotlib: readable in print, at half size, and without telling colours apart.

Every series has a colour of Okabe and Ito's palette (2008), a marker and a line style of its own,
and its name stands beside its last point instead of in a legend; only curves that all end at the
same height have a list of names. Points are exact: no jitter.
Figures are made without pyplot, so no window and no global state is involved.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Sequence
from typing import Any

from tilewise.drawing.plot_data import Plot, Point, Series
from tilewise.errors import MissingExtraError

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#000000", "#56B4E9", "#E69F00", "#7F7F7F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: tuple[Any, ...] = ("-", "--", "-.", (0, (1, 1.2)), (0, (5, 1, 1, 1)), "-", "--", "-.")
WIDTH, HEIGHT = 7.2, 4.6
SQUARE = 4.9
"""The width of a scatter plot, in which both axes have the same scale."""
FONT, SMALL = 12, 10.5
LINE_HEIGHT, LONGEST_LINE = 1.3, 20
LEADER = 0.5
"""Inches between a curve and its name, where a line leads from one to the other."""
EARLY = 0.7
"""A curve that ends in this share of the width is named where it ends."""
PNG_DOTS = 160
WIDE_RANGE, NARROW_RANGE, FEW_TICKS, MANY_POINTS = 200, 50, 14, 20
"""From this ratio on, in a narrow plot from that one, powers of ten are enough ticks; up to this
number of values, each has a tick of its own; curves of more points have small markers."""
STYLE: Any = {
    "font.size": FONT,
    "axes.titlesize": FONT + 1,
    "axes.labelsize": FONT,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "svg.hashsalt": "tilewise",
    "svg.fonttype": "path",
    "font.family": "DejaVu Sans",
}


def picture(plot: Plot, kind: str) -> bytes:
    """The plot as an SVG or PNG file."""
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "for plots", "lab") from None
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(SQUARE if plot.kind == "scatter" else WIDTH, HEIGHT))
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        _draw(figure, axes, plot)
        file = io.BytesIO()
        metadata = {"Date": None} if kind == "svg" else {}
        figure.savefig(file, format=kind, dpi=PNG_DOTS, metadata=metadata)
    return file.getvalue()


def _draw(figure: Any, axes: Any, plot: Plot) -> None:
    axes.set_title(plot.title, loc="left", wrap=True, pad=10)
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
    axes.set_axisbelow(True)
    if plot.log_x:
        axes.set_xscale("log")
    if plot.log_y:
        axes.set_yscale("log")
    looks = _looks(plot.series)
    for series in plot.series:
        _draw_points(axes, series, looks[series.like or series.label], plot.kind == "steps")
    if plot.kind == "scatter":
        _draw_diagonal(axes)
    _scale(axes, plot)
    note = _note(plot)
    if note:
        figure.text(0.02, 0.015, note, fontsize=SMALL - 1, color="#444444", va="bottom")
    labelled = [
        series
        for series in plot.series
        if series.points and not series.printed and not (series.like and series.dashed)
    ]
    at_ends = len(labelled) > 1 and plot.labels == "ends"
    _fit_margins(
        figure,
        axes,
        right=_label_share(figure, labelled) if at_ends else 0.03,
        below=0.02 + 0.036 * len(note.splitlines()),
    )
    if at_ends and plot.kind == "steps":
        _list_names(axes, labelled, looks)
    elif at_ends:
        _label(figure, axes, labelled, looks)
    elif len(labelled) > 1:
        _label_peaks(axes, labelled, looks)


def _draw_diagonal(axes: Any) -> None:
    """The line where x and y are equal, from corner to corner of axes with the same scale."""
    ends = [*axes.get_xlim(), *axes.get_ylim()]
    both = (min(ends), max(ends))
    axes.set(xlim=both, ylim=both, aspect="equal")
    axes.plot(both, both, linestyle=":", color="#555555", linewidth=1.2, zorder=1)


def _fit_margins(figure: Any, axes: Any, right: float, below: float) -> None:
    """Leave as much room around the axes as their numbers and titles take."""
    figure.subplots_adjust(left=0.12, right=1 - right, bottom=0.15, top=0.9)
    figure.canvas.draw()
    inner, outer = axes.get_window_extent(), axes.get_tightbbox(figure.canvas.get_renderer())
    width, height = figure.get_size_inches() * figure.dpi
    left = (inner.x0 - outer.x0) / width + 0.015
    bottom = (inner.y0 - outer.y0) / height + below
    figure.subplots_adjust(left=left, right=1 - right, bottom=bottom, top=0.9)


def _note(plot: Plot) -> str:
    """The note of a plot; hollow points are explained wherever there are any."""
    hollow = any(point.partial for series in plot.series for point in series.points)
    notes = [plot.note, "hollow: the mean of the solved runs only; others found no solution"]
    return "\n".join(notes[: 1 + hollow]).strip()


def _looks(series: Sequence[Series]) -> dict[str, int]:
    """The number of the colour, marker and dash of each label."""
    own = {each.label: each.look for each in reversed(series) if not each.like}
    numbered = enumerate(reversed(own.items()))
    return {label: place if look is None else look for place, (label, look) in numbered}


def _colour(look: int) -> str:
    return COLOURS[look % len(COLOURS)]


def _with_next_round(look: int) -> int:
    """A place in markers and dashes: the next one where colours come a second time."""
    return (look + look // len(COLOURS)) % len(COLOURS)


def _dash(look: int) -> Any:
    return DASHES[_with_next_round(look)]


def _marker(look: int) -> str:
    return MARKERS[_with_next_round(look)]


def _draw_points(axes: Any, series: Series, look: int, steps: bool) -> None:
    colour = _colour(look)
    xs, ys = [p.x for p in series.points], [p.y for p in series.points]
    if series.printed:
        axes.plot(xs, ys, linestyle="", marker="x", color="white", markersize=9, mew=3.2, zorder=4)
        axes.plot(xs, ys, linestyle="", marker="x", color=colour, markersize=8, mew=1.5, zorder=5)
        return
    if series.line:
        style = ":" if series.dashed else _dash(look)
        drawn = "steps-post" if steps else "default"
        axes.plot(xs, ys, linestyle=style, color=colour, linewidth=1.6, drawstyle=drawn, zorder=2)
    if steps:
        return
    bars = [p for p in series.points if p.low is not None and p.high is not None]
    axes.vlines(
        [p.x for p in bars],
        [p.low for p in bars],
        [p.high for p in bars],
        color=colour,
        linewidth=1.1,
        zorder=2,
    )
    for partial in (False, True):
        chosen = [p for p in series.points if p.partial is partial]
        axes.plot(
            [p.x for p in chosen],
            [p.y for p in chosen],
            linestyle="",
            marker="" if series.dashed else _marker(look),
            color=colour,
            markerfacecolor="white" if partial else colour,
            markersize=6 if len(series.points) <= MANY_POINTS else 3.5,
            zorder=3,
        )


def _scale(axes: Any, plot: Plot) -> None:
    """Ticks that people read: whole depths, powers of ten, thousands apart, per cent."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

    plain = FuncFormatter(lambda value, _: _tick(value))
    wide = NARROW_RANGE if plot.kind == "scatter" else WIDE_RANGE
    if plot.x_names:
        axes.set_xticks(range(len(plot.x_names)), plot.x_names)
        axes.set_xlim(-0.5, len(plot.x_names) - 0.5)
    elif plot.log_x:
        axes.xaxis.set_major_locator(_powers(axes.get_xlim(), wide))
        axes.xaxis.set_major_formatter(plain)
        axes.xaxis.set_minor_formatter(NullFormatter())
    elif plot.kind == "scatter":
        axes.xaxis.set_major_formatter(plain)
    else:
        places = sorted({point.x for series in plot.series for point in series.points})
        if 1 < len(places) <= FEW_TICKS:
            axes.set_xticks(places)
        else:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 4, 5, 10]))
        axes.xaxis.set_major_formatter(plain)
    if plot.log_y:
        axes.yaxis.set_major_locator(_powers(axes.get_ylim(), wide))
        axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(
        FuncFormatter(lambda value, _: f"{100 * value:.0f} %") if plot.percent else plain
    )
    if plot.percent:
        axes.set_ylim(-0.03, 1.05)


def _powers(ends: tuple[float, float], wide: int) -> Any:
    """Ticks of a log axis: powers of ten, with 2 and 5 between them where there are few."""
    from matplotlib.ticker import LogLocator

    low, high = ends
    subs = (1.0, 2.0, 5.0) if high < wide * low else (1.0,)
    return LogLocator(base=10, subs=subs, numticks=12)


def _tick(value: float) -> str:
    if value and (abs(value) >= 1e6 or abs(value) < 1e-3):
        exponent = math.floor(math.log10(abs(value)) + 1e-9)
        factor = value / 10**exponent
        head = "" if math.isclose(factor, 1) else f"{factor:g}\u00b7"
        return f"{head}$10^{{{exponent}}}$"
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:g}"


def _wrapped(label: str) -> str:
    """A long name on several lines, broken behind commas and spaces."""
    return "\n".join(textwrap.wrap(label, LONGEST_LINE, break_long_words=False)) or label


def _label_share(figure: Any, labelled: Sequence[Series]) -> float:
    """The share of the width that the longest name and its leader take."""
    renderer = figure.canvas.get_renderer()
    widest = 0.0
    for series in labelled:
        text = figure.text(0, 0, _wrapped(series.label), fontsize=SMALL + 0.5)
        widest = max(widest, text.get_window_extent(renderer).width)
        text.remove()
    return float((widest + LEADER * figure.dpi) / (WIDTH * figure.dpi))


def _label(figure: Any, axes: Any, labelled: Sequence[Series], looks: dict[str, int]) -> None:
    """The names beside the last points: at the right edge, or at once where a curve ends early."""
    figure.canvas.draw()
    box = axes.get_window_extent()
    at_edge = []
    for series in labelled:
        last = max(series.points, key=lambda point: point.x)
        x, y = axes.transData.transform((last.x, last.y))
        if (x - box.x0) / box.width < EARLY:
            _name_point(axes, series, last, looks, (8, 4), "left")
        else:
            at_edge.append((series, last, y))
    lines = max((_wrapped(series.label).count("\n") + 1 for series, _, _ in at_edge), default=1)
    step = LINE_HEIGHT * lines * (SMALL + 0.5) * figure.dpi / 72
    heights = _spread([y for _, _, y in at_edge], step, box.y0, box.y1)
    for (series, last, _), height in zip(at_edge, heights, strict=True):
        colour = _colour(looks[series.like or series.label])
        axes.annotate(
            _wrapped(series.label),
            xy=(last.x, last.y),
            xytext=(1 + 0.3 * figure.dpi / box.width, (height - box.y0) / box.height),
            textcoords="axes fraction",
            color=colour,
            fontsize=SMALL + 0.5,
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 0.7,
                "relpos": (0, 0.5),
                "shrinkA": 1,
                "shrinkB": 5,
            },
        )


def _list_names(axes: Any, labelled: Sequence[Series], looks: dict[str, int]) -> None:
    """The names in a list beside the axes, for curves that end at the same height.

    Those that end first, from the left, stand above.
    """
    from matplotlib.lines import Line2D

    ordered = sorted(labelled, key=lambda series: (-series.points[-1].y, series.points[-1].x))
    numbers = [looks[series.like or series.label] for series in ordered]
    lines = [
        Line2D([], [], color=_colour(look), linestyle=_dash(look), linewidth=1.6)
        for look in numbers
    ]
    names = axes.legend(
        lines,
        [_wrapped(series.label) for series in ordered],
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        frameon=False,
        fontsize=SMALL + 0.5,
        handlelength=1.6,
        handletextpad=0.5,
        borderaxespad=0.3,
    )
    for text, look in zip(names.get_texts(), numbers, strict=True):
        text.set_color(_colour(look))


def _name_point(
    axes: Any,
    series: Series,
    point: Point,
    looks: dict[str, int],
    offset: tuple[float, float],
    align: str,
) -> None:
    """A name directly beside a point, on white so that curves behind it do not disturb."""
    axes.annotate(
        series.label,
        xy=(point.x, point.y),
        xytext=offset,
        textcoords="offset points",
        ha=align,
        color=_colour(looks[series.like or series.label]),
        fontsize=SMALL + 0.5,
        annotation_clip=False,
        bbox={"boxstyle": "square,pad=0.05", "facecolor": "white", "edgecolor": "none"},
    )


def _label_peaks(axes: Any, labelled: Sequence[Series], looks: dict[str, int]) -> None:
    """The names above the highest points, for curves that rise and fall."""
    for series in labelled:
        peak = max(series.points, key=lambda point: (point.y, point.x))
        _name_point(axes, series, peak, looks, (0, 7), "center")
    axes.margins(y=0.12)


def _spread(wanted: Sequence[float], step: float, low: float, high: float) -> list[float]:
    """Heights as near as possible to those wanted, in the same order and a step apart."""
    order = sorted(range(len(wanted)), key=lambda place: wanted[place])
    blocks: list[tuple[float, list[int]]] = []  # mean height and members of each touching block
    for place in order:
        blocks.append((min(max(wanted[place], low), high), [place]))
        while len(blocks) > 1 and _top(blocks[-2], step) + step > _bottom(blocks[-1], step):
            (mean_a, a), (mean_b, b) = blocks[-2:]
            mean = (mean_a * len(a) + mean_b * len(b)) / (len(a) + len(b))
            lowest = low + step * (len(a) + len(b) - 1) / 2  # else it would hang below
            blocks[-2:] = [(max(mean, lowest), a + b)]
    heights = [0.0] * len(wanted)
    for block in blocks:
        for rank, place in enumerate(block[1]):
            heights[place] = _bottom(block, step) + rank * step
    overflow = max(heights, default=0.0) - max(high, low + step * (len(wanted) - 1))
    return [height - max(0.0, overflow) for height in heights] if overflow > 0 else heights


def _bottom(block: tuple[float, list[int]], step: float) -> float:
    return block[0] - step * (len(block[1]) - 1) / 2


def _top(block: tuple[float, list[int]], step: float) -> float:
    return block[0] + step * (len(block[1]) - 1) / 2
