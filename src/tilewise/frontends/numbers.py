"""Numbers from the command line; errors name the option, what was expected and what came."""

from __future__ import annotations

from tilewise.errors import LimitsError, shortened
from tilewise.limits import Limits

LONGEST = 30


def whole(option: str, text: str | None, least: int = 1) -> int | None:
    """A whole number of at least `least`; None stays None."""
    if text is None:
        return None
    digits = text.strip().replace(",", "").replace("_", "")
    if digits.isascii() and digits.isdigit() and len(digits) <= LONGEST and int(digits) >= least:
        return int(digits)
    raise LimitsError(
        f"expected a whole number of at least {least} for {option}, got {shortened(text)}"
    )


def limits(max_nodes: str | None, seconds: str | None, megabytes: str | None) -> Limits:
    """The limits that --max-nodes, --seconds and --memory name."""
    memory = whole("--memory", megabytes)
    return Limits(
        generated=whole("--max-nodes", max_nodes),
        seconds=_seconds(seconds),
        memory=None if memory is None else memory * 2**20,
    )


def _seconds(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return Limits(seconds=float(text)).seconds
    except (ValueError, OverflowError):
        message = f"expected a positive number for --seconds, got {shortened(text)}"
        raise LimitsError(message) from None
