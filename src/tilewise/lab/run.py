"""Run: one search to be done, as strings and numbers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from tilewise.core.limits import Limits
from tilewise.lab.columns import RUN_COLUMNS, Value

KEY_LENGTH = 32
_VALUES = attrgetter(*RUN_COLUMNS)


@dataclass(frozen=True)
class Run:
    """One search to be done: strings and numbers only, so it can go to another machine."""

    board: str
    goal: str
    algorithm: str
    heuristic: str = ""
    rules: str = "default"
    profile: str = ""
    measure: str = ""
    max_nodes: int | None = None
    max_seconds: float | None = None
    max_memory: int | None = None
    seed: int = 0

    @property
    def text(self) -> str:
        """The run as one line; two runs are the same exactly if their texts are."""
        return json.dumps(self.values(), separators=(",", ":"))

    @cached_property
    def key(self) -> str:
        """The hash of the text; neither the engine nor the version is part of it."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:KEY_LENGTH]

    @property
    def limits(self) -> Limits:
        """The limits in the form that a search takes."""
        return Limits(generated=self.max_nodes, seconds=self.max_seconds, memory=self.max_memory)

    def values(self) -> tuple[Value, ...]:
        """The fields in the order of `RUN_COLUMNS`."""
        values: tuple[Value, ...] = _VALUES(self)
        return values
