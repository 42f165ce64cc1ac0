"""The laboratory: experiments as data, a store that loses nothing, runners for one machine or many.

>>> from tilewise.experiments import Boards, Experiment, Part
>>> mine = Experiment("mine", [Part("all", [Boards(("1b2 345 678",))], heuristics=["manhattan"])])
>>> mine.cells()[0].run.algorithm
'astar'
"""

from __future__ import annotations

from tilewise.experiments.instances import (
    Boards,
    FromFile,
    FromSuite,
    Instance,
    Scramble,
    Source,
)
from tilewise.experiments.model import Cell, Experiment, Part, Run

__all__ = [
    "Boards",
    "Cell",
    "Experiment",
    "FromFile",
    "FromSuite",
    "Instance",
    "Part",
    "Run",
    "Scramble",
    "Source",
]
