"""Numbers of nodes, sizes of memory and times as people write them: 1e6, 10k, 2GB, 1m30s.

The command line and the TOML files read them here. A reader gives None for a text that it cannot
read; the caller knows where the text stands and says so. Whole numbers are computed without
floating point, so that 1.1e6 is exactly 1,100,000.
"""

from __future__ import annotations

import math
import re

LONGEST = 40
"""Characters of a text that is read at all."""
MEGABYTE = 2**20
COUNT_EXAMPLES = "1e6 or 10k"
MEMORY_EXAMPLES = "500, 500MB or 2GB"
TIME_EXAMPLES = "90, 0.5s or 1m30s"

_DIGITS = r"(?:[0-9]{1,3}(?:[,_][0-9]{3})+|[0-9]+)(?:\.[0-9]+)?|\.[0-9]+"
_NUMBER = re.compile(rf"({_DIGITS})(?:e([+-]?[0-9]{{1,2}}))?\s*([a-z]*)")
_TIME = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)\s*(h|min|ms|m|s)\s*")
_SECONDS = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]{1,2})?")

_TIMES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
_BYTES = {
    "": MEGABYTE,
    "b": 1,
    **{
        f"{letter}{rest}": 2**power
        for letter, power in (("k", 10), ("m", 20), ("g", 30), ("t", 40))
        for rest in ("", "b", "ib")
    },
}
_UNITS = {"h": 3600.0, "min": 60.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def read_count(text: str) -> int | None:
    """A whole number: 1000000, 1,000,000, 1e6, 10k, 2.5M (k, M, G and T are powers of 1000)."""
    plain = text.strip().replace(",", "").replace("_", "")
    if plain.isascii() and plain.isdigit() and len(plain) <= LONGEST:
        return int(plain)
    scaled = _scaled(text, _TIMES)
    return None if scaled is None or scaled[1] else scaled[0]


def read_memory(text: str) -> int | None:
    """A size in bytes: 500 and 500MB are megabytes of 2**20 bytes; 2GB, 1.5g, 64KiB, 4096b."""
    scaled = _scaled(text, _BYTES)
    return None if scaled is None else scaled[0]


def read_seconds(text: str) -> float | None:
    """A time in seconds: 90, 0.5, 1e-3; 0.5s, 250ms, 1m30s, 2h, 1h 15min."""
    text = text.strip().lower()
    if not text.isascii() or len(text) > LONGEST:
        return None
    if _SECONDS.fullmatch(text):
        return _finite(float(text))
    total, position, last = 0.0, 0, math.inf
    while position < len(text):
        match = _TIME.match(text, position)
        if match is None or _UNITS[match[2]] >= last:  # each unit once, the longest first
            return None
        last = _UNITS[match[2]]
        total += float(match[1]) * last
        position = match.end()
    return _finite(total) if position else None


def _finite(value: float) -> float | None:
    return value if value < math.inf else None


def _scaled(text: str, units: dict[str, int]) -> tuple[int, int] | None:
    """The number times its unit, as a whole number and a remainder that is 0 if it is exact."""
    text = text.strip().lower()
    match = _NUMBER.fullmatch(text) if text.isascii() and len(text) <= LONGEST else None
    if match is None or match[3] not in units:
        return None
    whole, _, fraction = match[1].replace(",", "").replace("_", "").partition(".")
    power = int(match[2] or 0) - len(fraction)
    number = int(whole + fraction) * units[match[3]]
    if power >= 0:
        return number * int(10**power), 0
    return divmod(number, int(10**-power))
