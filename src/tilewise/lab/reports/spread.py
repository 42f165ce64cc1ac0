"""How values are spread: mean, quartiles, geometric mean, and a confidence interval of a mean.

Intervals are bootstrapped (Efron 1979): the boards are drawn again and again, as many as there are
and with repeats, and the middle 95 % of the means are the interval. The draws have a fixed seed, so
a report of the same rows has the same figures.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass

RESAMPLES, SEED = 2000, 1
CONFIDENCE = 0.95
MOST_DRAWN, DRAWN_AT_ONCE = 20_000_000, 1_000_000
"""Values drawn for an interval; of very many boards fewer samples are enough."""


@dataclass(frozen=True)
class Interval:
    """What a mean is likely to be between."""

    low: float
    high: float


@dataclass(frozen=True)
class Spread:
    """The figures of a list of values; there is at least one."""

    count: int
    mean: float
    interval: Interval | None
    """Of the mean; None for a single value."""
    low_quartile: float
    median: float
    high_quartile: float
    geometric_mean: float | None
    """None where a value is 0 or less."""

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The figures of values."""
        low, middle, high = quartiles(values)
        return cls(
            len(values),
            statistics.fmean(values),
            bootstrapped(values),
            low,
            middle,
            high,
            geometric_mean(values),
        )


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """The values below which a quarter, a half and three quarters lie, between two if need be."""
    if len(values) == 1:
        return (float(values[0]),) * 3
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def geometric_mean(values: Sequence[float]) -> float | None:
    """The mean of ratios: the exponential of the mean logarithm; None where it makes no sense."""
    if not values or min(values) <= 0:
        return None
    return math.exp(statistics.fmean(map(math.log, values)))


def bootstrapped(
    values: Sequence[float], change: Callable[[float], float] = lambda value: value
) -> Interval | None:
    """The interval of the mean of values; `change` is applied to both of its ends."""
    import numpy as np  # late: a report of the terminal may have no intervals

    count = len(values)
    if count < 2:
        return None
    samples = max(200, min(RESAMPLES, MOST_DRAWN // count))
    draw = np.random.default_rng(SEED)
    given = np.asarray(values, dtype=float)
    at_once = max(1, DRAWN_AT_ONCE // count)
    means = [
        given[draw.integers(0, count, (min(at_once, samples - done), count))].mean(axis=1)
        for done in range(0, samples, at_once)
    ]
    low, high = np.quantile(np.concatenate(means), [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(change(float(low)), change(float(high)))
