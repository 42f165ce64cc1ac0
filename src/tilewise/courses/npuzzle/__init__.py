"""n-puzzle of the 42 school: A* to the snail goal, greedy and uniform cost as its bonus."""

from __future__ import annotations

from tilewise.courses.form import packaged

COURSE = packaged(__file__)
