"""Run: one search to be done, as strings and numbers."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter
from typing import Annotated

from tilewise.core.limits import Limits
from tilewise.lab.columns import Meaning, columns_of

KEY_LENGTH = 32


@dataclass(frozen=True)
class Run:
    """One search to be done: strings and numbers only, so it can go to another machine.

    The key is made of the values in the order of the fields, so neither may change.
    """

    board: Annotated[str, Meaning("the start, as tilewise writes it")]
    goal: Annotated[str, Meaning("first, last, snail or a board")]
    algorithm: Annotated[str, Meaning("the algorithm in full")]
    heuristic: Annotated[str, Meaning("the heuristic, empty where there is none")] = ""
    rules: Annotated[str, Meaning("the rule set")] = "default"
    profile: Annotated[
        str, Meaning("the course whose own search ran, empty for the searches of tilewise")
    ] = ""
    measure: Annotated[str, Meaning("the measurement that was made in place of a search")] = ""
    max_nodes: Annotated[int | None, Meaning("limit of generated nodes", unit="nodes")] = None
    max_seconds: Annotated[float | None, Meaning("limit of seconds", unit="s")] = None
    max_memory: Annotated[int | None, Meaning("limit of bytes", unit="bytes")] = None
    seed: Annotated[
        int, Meaning("the seed of a search that draws, and of the boards drawn for it")
    ] = 0

    def __reduce__(self) -> tuple[type[Run], tuple[str | int | float | None, ...]]:
        """Runs go to workers often: the values alone take a third of the usual time."""
        return Run, _VALUES(self)

    @property
    def text(self) -> str:
        """The run as one line; two runs are the same exactly if their texts are."""
        return json.dumps(_VALUES(self), separators=(",", ":"))

    @cached_property
    def key(self) -> str:
        """The hash of the text; neither the engine nor the version is part of it."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:KEY_LENGTH]

    @property
    def limits(self) -> Limits:
        """The limits in the form that a search takes."""
        return Limits(generated=self.max_nodes, seconds=self.max_seconds, memory=self.max_memory)


RUN_COLUMNS = columns_of(Run)
"""What a run is."""
_VALUES = attrgetter(*(each.name for each in fields(Run)))
