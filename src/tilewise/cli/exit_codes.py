"""Exit codes, the same for every command; with several boards the worst one counts."""

from __future__ import annotations

from tilewise.core.result import Status

OK = 0
FAILED = 1
CLAIM_FAILS = 1
BAD_INPUT = 2
UNSOLVABLE = 10
LIMIT = 20
INTERNAL = 30
INTERRUPTED = 130

OF_STATUS = {
    Status.SOLVED: OK,
    Status.UNSOLVABLE: UNSOLVABLE,
    Status.LIMIT: LIMIT,
    Status.STUCK: LIMIT,
    Status.CANCELLED: INTERRUPTED,
}
