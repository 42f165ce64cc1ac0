"""Russell and Norvig, Artificial Intelligence: A Modern Approach, chapters 3 and 4."""

from __future__ import annotations

from tilewise.courses.form import packaged

COURSE = packaged(__file__)
