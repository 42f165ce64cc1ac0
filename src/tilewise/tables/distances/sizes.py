"""Which shapes have a table of all distances, and how it is made."""

from __future__ import annotations

from tilewise.puzzle.shapes import solvable_states

SMALL_STATES = solvable_states(3, 3)
"""Spaces of up to this many states get a table in memory, made in Python in a moment."""
PYTHON_STATES = solvable_states(2, 5)
"""The largest space that Python goes through while a person waits: 1.8 million states."""
WHOLE_CELLS = 12
"""Shapes of up to this many cells get a table by the native core, kept in the cache."""
