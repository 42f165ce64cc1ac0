"""Numbers from the command line; errors name the option, what was expected and what came."""

from __future__ import annotations

import re

from tilewise.core.limits import Limits
from tilewise.errors import LimitsError, shortened

LONGEST = 30
MOST_SECONDS = 10**9
_SECONDS = re.compile(r"[0-9]{1,12}\.?[0-9]{0,12}|\.[0-9]{1,12}|[0-9](\.[0-9]{1,12})?e-?[0-9]{1,2}")


def whole(option: str, text: str | None, least: int = 1, most: int = 10**15) -> int | None:
    """A whole number from `least` to `most`; None stays None."""
    if text is None:
        return None
    digits = text.strip().replace(",", "").replace("_", "")
    if digits.isascii() and digits.isdigit() and len(digits) <= LONGEST:
        number = int(digits)
        if least <= number <= most:
            return number
        if number > most:
            raise LimitsError(
                f"expected a whole number of at most {most:,} for {option}, got {shortened(text)}"
            )
    raise LimitsError(
        f"expected a whole number of at least {least} for {option}, got {shortened(text)}"
    )


def limits(max_nodes: str | None, seconds: str | None, megabytes: str | None) -> Limits:
    """The limits that --max-nodes, --seconds and --memory name."""
    memory = whole("--memory", megabytes, most=10**9)
    return Limits(
        generated=whole("--max-nodes", max_nodes),
        seconds=_seconds(seconds),
        memory=None if memory is None else memory * 2**20,
    )


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    if _SECONDS.fullmatch(text.strip()) and 0 < float(text) <= MOST_SECONDS:
        return float(text)
    raise LimitsError(
        f"expected a positive number of at most {MOST_SECONDS:,} for --seconds, "
        f"got {shortened(text)}"
    )
