"""How the native engine is kept within the limits of a search."""

from __future__ import annotations

from collections.abc import Callable

from tilewise.core.limits import Meter
from tilewise.core.stats import Stats

_SHORTEST = 1e-9
"""Seconds for a search whose time is up already; 0 would be no limit."""


def seconds_for(meter: Meter) -> float:
    """The time that is left, as the native engine has it."""
    left = meter.seconds_left
    return 0.0 if left is None else max(left, _SHORTEST)


def ended_by(meter: Meter) -> Callable[[], bool]:
    """What is called while something is made for a search: shows that it lives, may end it."""

    def ended() -> bool:
        meter.tell(Stats())
        return meter.over

    return ended
