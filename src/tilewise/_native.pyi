"""The native engine of tilewise: the default rules at full speed."""

from collections.abc import Sequence
import enum
from typing import Any


class Algorithm(enum.Enum):
    QUEUE = 0

    STACK = 1

    BUCKETS = 2

    DEEPENING = 3

    BEAM = 4

class Estimate:
    """The largest or the sum of named heuristics, for one goal."""

    def __init__(self, rows: int, columns: int, goal: bytes, names: Sequence[str], combined: str = 'max') -> None: ...

    def __call__(self, tiles: bytes) -> int: ...

def search(algorithm: Algorithm, estimate: Estimate, start: bytes, *, for_g: int, for_h: int, reopen: bool, width: int, order: str, generated: int, seconds: float, memory: int, keep_events: int | None, poll: object | None) -> tuple[int, str, dict[str, int], Any]:
    """
    Run one search without the GIL: status, moves, counters, and the events if they are kept.
    """
