"""The laboratory: experiments as data, a store that loses nothing, runners for one machine or many.

>>> from tilewise.lab import Boards, Experiment, Part
>>> mine = Experiment("mine", [Part("all", [Boards(("1b2 345 678",))], heuristics=["manhattan"])])
>>> mine.cells()[0].run.algorithm
'astar'
"""

from __future__ import annotations

from tilewise.lab.database import StoreError
from tilewise.lab.definitions import from_file, from_toml, load
from tilewise.lab.experiment import Cell, Experiment, Part
from tilewise.lab.exporting import export
from tilewise.lab.instances import Boards, FromFile, FromSuite, Instance, Scramble, Source
from tilewise.lab.run import Run
from tilewise.lab.runner import Moment, Summary, run_experiment
from tilewise.lab.store import Progress, Session, Store

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
