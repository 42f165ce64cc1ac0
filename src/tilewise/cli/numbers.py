"""Numbers on the command line, as types of options.

They are types of their own, not click's IntRange and FloatRange: those refuse 1,000,000 and take
digits of any script, inf and nan, and their errors name neither what was expected nor the option
in the form that all other errors of tilewise have.
"""

from __future__ import annotations

import re
from typing import Any

import click

from tilewise.errors import LimitsError, shortened

LONGEST = 30
MOST_SECONDS = 10**9
LARGEST_SEED = 2**64
_SECONDS = re.compile(r"[0-9]{1,12}\.?[0-9]{0,12}|\.[0-9]{1,12}|[0-9](\.[0-9]{1,12})?e-?[0-9]{1,2}")


class Whole(click.ParamType[int]):
    """A whole number from `least` to `most`; 1,000,000 and 1_000_000 are read as well."""

    name = "number"

    def __init__(self, least: int = 1, most: int = 10**15) -> None:
        self._least, self._most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the text; a default is a number already."""
        if isinstance(value, int):
            return value
        expected = f"of at least {self._least}"
        digits = value.strip().replace(",", "").replace("_", "")
        if digits.isascii() and digits.isdigit() and len(digits) <= LONGEST:
            if self._least <= int(digits) <= self._most:
                return int(digits)
            if int(digits) > self._most:
                expected = f"of at most {self._most:,}"
        raise LimitsError(
            f"expected a whole number {expected} for {_name(param)}, got {shortened(value)}"
        )


class Seconds(click.ParamType[float]):
    """A positive number of seconds."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the text; a default is a number already."""
        if isinstance(value, float):
            return value
        if _SECONDS.fullmatch(value.strip()) and 0 < float(value) <= MOST_SECONDS:
            return float(value)
        raise LimitsError(
            f"expected a positive number of at most {MOST_SECONDS:,} for {_name(param)}, "
            f"got {shortened(value)}"
        )


def _name(param: click.Parameter | None) -> str:
    """The option as people know it: --count rather than -n."""
    return max(param.opts, key=len) if param else "a number"
