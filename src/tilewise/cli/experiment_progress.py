"""The bar of a running experiment: runs done, rate, time left, the last result."""

from __future__ import annotations

import sys

from tilewise.cli.progress import BAR, ProgressLine, bar, room
from tilewise.lab import Moment

SHORTEST_BAR, ROOM_FOR_WORDS = 6, 40


class RunsLine(ProgressLine):
    """One line that is rewritten in place; without a terminal only what holds the work up."""

    def __init__(self) -> None:
        super().__init__()
        self._reported: set[str] = set()
        self.moment: Moment | None = None

    def __call__(self, moment: Moment) -> None:
        """Show how far it is."""
        self.moment = moment
        if moment.waiting and moment.waiting not in self._reported and not self._shown:
            print(f"tilewise: {moment.waiting}", file=sys.stderr, flush=True)
            self._reported.add(moment.waiting)
        if self.due():
            self.write(line(moment, room()))


def line(moment: Moment, width: int) -> str:
    """The text of the line; where there is little room the bar is shorter and the end is cut."""
    if moment.planning:
        rate = moment.planning / max(moment.seconds, 1e-3)
        return f"planning: {moment.planning:,} runs, {rate:,.0f}/s"[:width]
    length = max(SHORTEST_BAR, min(BAR, width - ROOM_FOR_WORDS))
    text = f"{bar(moment.done, moment.planned, length)} {moment.done:,} of {moment.planned:,}"
    if moment.waiting:
        return f"{text}, {moment.waiting}"[:width]
    if moment.done_now and moment.seconds:
        rate = moment.done_now / moment.seconds
        left = duration((moment.planned - moment.done) / rate)
        text += f", {rate:,.1f}/s, {left} left"
    return (f"{text}, {moment.last}" if moment.last else text)[:width]


def duration(seconds: float) -> str:
    """Seconds as people say them: 42 s, 7 min, 3.5 h."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"
