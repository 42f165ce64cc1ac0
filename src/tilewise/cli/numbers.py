"""Numbers on the command line, as types of options.

They are types of their own, not click's IntRange and FloatRange: those refuse 1,000,000 and take
digits of any script, inf and nan, and their errors name neither what was expected nor the option
in the form that all other errors of tilewise have. How a quantity is written: `quantities`.
"""

from __future__ import annotations

from typing import Any

import click

from tilewise import quantities
from tilewise.errors import LimitsError, shortened

MOST_SECONDS = 10**9
MOST_MEMORY = 10**9 * quantities.MEGABYTE
LARGEST_SEED = 2**64


class Whole(click.ParamType[int]):
    """A whole number from `least` to `most`; 1,000,000, 1_000_000, 1e6 and 10k are read as well."""

    name = "number"

    def __init__(self, least: int = 1, most: int = 10**15) -> None:
        self._least, self._most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the text; a default is a number already."""
        if isinstance(value, int):
            return value
        number = quantities.read_count(value)
        if number is not None and self._least <= number <= self._most:
            return number
        too_large = number is not None and number > self._most
        bound = f"at most {self._most:,}" if too_large else f"at least {self._least}"
        raise LimitsError(
            f"expected a whole number of {bound}{self._examples} for {_name(param)}, "
            f"got {shortened(value)}"
        )

    _examples = ""


class Nodes(Whole):
    """A number of nodes."""

    name = "nodes"
    _examples = f", such as {quantities.COUNT_EXAMPLES},"


class Memory(click.ParamType[int]):
    """A size of memory in bytes; a plain number is in megabytes."""

    name = "memory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the text; a default is a number of bytes already."""
        if isinstance(value, int):
            return value
        size = quantities.read_memory(value)
        if size is not None and 0 < size <= MOST_MEMORY:
            return size
        raise LimitsError(
            f"expected a size above 0 and of at most {MOST_MEMORY // 2**20:,} MB, such as "
            f"{quantities.MEMORY_EXAMPLES}, for {_name(param)}, got {shortened(value)}"
        )


class Seconds(click.ParamType[float]):
    """A time above 0, in seconds."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the text; a default is a number already."""
        if isinstance(value, float):
            return value
        seconds = quantities.read_seconds(value)
        if seconds is not None and 0 < seconds <= MOST_SECONDS:
            return seconds
        raise LimitsError(
            f"expected a time above 0 and of at most {MOST_SECONDS:,} seconds, such as "
            f"{quantities.TIME_EXAMPLES}, for {_name(param)}, got {shortened(value)}"
        )


def _name(param: click.Parameter | None) -> str:
    """The option as people know it: --count rather than -n."""
    return max(param.opts, key=len) if param else "a number"
