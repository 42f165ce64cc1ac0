"""Bars made of characters, in eighths of a character where the output can show them.

rich has such bars, but none for an output that cannot show blocks, none that shows every share
above 0, and it would be imported for nothing else in these commands.
"""

from __future__ import annotations

import sys

_FULL, _EIGHTHS = "\u2588", "\u258f\u258e\u258d\u258c\u258b\u258a\u2589"


def bar(share: float, width: int) -> str:
    """A bar that fills a share of the width; anything above 0 can be seen."""
    share = min(1.0, share)
    if not _blocks_can_be_shown():
        return "#" * max(round(share * width), share > 0)
    eighths = max(round(share * width * 8), share > 0)
    full, rest = divmod(eighths, 8)
    return _FULL * full + (_EIGHTHS[rest - 1] if rest else "")


def _blocks_can_be_shown() -> bool:
    try:
        (_FULL + _EIGHTHS).encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
