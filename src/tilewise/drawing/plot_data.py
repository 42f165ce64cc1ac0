"""What a plot shows, as data: axes, series and points. `plots.py` draws it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """A point of a plot; `partial` where some of its runs found no solution.

    `low` and `high`: what y is likely to be between, drawn as a bar.
    """

    x: float
    y: float
    partial: bool = False
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """Points that belong together, named beside their last one.

    `like`: drawn in the colour of the series of that label. `printed`: figures of another
    author, drawn as crosses without a line and without a label of their own. `line`: joined or not.
    `look`: the number of its colour, marker and dash, to look the same in several plots.
    """

    label: str
    points: tuple[Point, ...]
    like: str = ""
    printed: bool = False
    line: bool = True
    dashed: bool = False
    look: int | None = None


@dataclass(frozen=True)
class Plot:
    """A plot as data: axes with their units, series, and a note below.

    `x_names`: the x of points are places in this list of words. `kind`: lines, steps, or scatter,
    which has a line where both axes are equal.
    `labels`: the names stand at the ends of the curves or at their peaks.
    """

    name: str
    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    log_x: bool = False
    log_y: bool = False
    percent: bool = False
    x_names: tuple[str, ...] = ()
    kind: str = "lines"
    labels: str = "ends"
    note: str = ""

    @property
    def empty(self) -> bool:
        return not any(series.points for series in self.series)

    @property
    def why_empty(self) -> str:
        """What stands in place of a plot without points."""
        return f"No plot ({self.title}): no run has a value for it."
