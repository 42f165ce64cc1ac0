"""Incumbent, bound and gap: a good solution at once, better ones later, and what is proved."""

from __future__ import annotations

from tilewise.anytime.algorithm import anytime
from tilewise.anytime.windows import without_detours

__all__ = ["anytime", "without_detours"]
