"""Numbers of the native engine and what they mean."""

from __future__ import annotations

from tilewise.core.result import Status

STATUSES = (
    Status.SOLVED,
    Status.UNSOLVABLE,
    Status.LIMIT,
    Status.STUCK,
    Status.CANCELLED,
)
"""What the numbers of statuses are."""
MET = len(STATUSES)
"""The number for a bound that has come to the length of the solution that was given."""
LARGEST = 2**63 - 1
"""The largest limit."""
