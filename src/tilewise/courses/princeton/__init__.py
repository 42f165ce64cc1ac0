"""COS 226 at Princeton, 8 Puzzle: A* with the Manhattan priority, board after board."""

from __future__ import annotations

from tilewise.courses.form import packaged

COURSE = packaged(__file__)
