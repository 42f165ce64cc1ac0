"""The laboratory: experiments as data, a store that loses nothing, runners for one machine or many.

>>> from tilewise.experiments import Boards, Experiment, Part
>>> mine = Experiment("mine", [Part("all", [Boards(("1b2 345 678",))], heuristics=["manhattan"])])
>>> mine.cells()[0].run.algorithm
'astar'
"""

from __future__ import annotations

from tilewise.experiments.database import StoreError
from tilewise.experiments.exporting import export
from tilewise.experiments.instances import (
    Boards,
    FromFile,
    FromSuite,
    Instance,
    Scramble,
    Source,
)
from tilewise.experiments.model import Cell, Experiment, Part, Run
from tilewise.experiments.reading import from_file, from_toml, load
from tilewise.experiments.running import Moment, Summary, run_experiment
from tilewise.experiments.store import Progress, Session, Store

__all__ = [
    "Boards",
    "Cell",
    "Experiment",
    "FromFile",
    "FromSuite",
    "Instance",
    "Moment",
    "Part",
    "Progress",
    "Run",
    "Scramble",
    "Session",
    "Source",
    "Store",
    "StoreError",
    "Summary",
    "export",
    "from_file",
    "from_toml",
    "load",
    "run_experiment",
]
