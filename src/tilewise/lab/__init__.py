"""The laboratory: experiments as data, a store that loses nothing, executors.

>>> from tilewise.lab import Boards, Experiment, Part
>>> mine = Experiment("mine", [Part("all", [Boards(("1b2 345 678",))], heuristics=["manhattan"])])
>>> mine.planned_runs()[0].run.algorithm
'astar'
"""

from __future__ import annotations

from tilewise.lab.database import StoreError
from tilewise.lab.definitions import from_file, from_toml, load
from tilewise.lab.experiment import Experiment, Part, PlannedRun
from tilewise.lab.exporting import export
from tilewise.lab.instances import Boards, FromFile, FromSuite, Instance, Scramble, Source
from tilewise.lab.outcome import RunOutcome
from tilewise.lab.row import Row
from tilewise.lab.run import Run
from tilewise.lab.runner import run_experiment
from tilewise.lab.store import Progress, Session, Store
from tilewise.lab.work_loop import Moment, Summary

__all__ = [
    "Boards",
    "Experiment",
    "FromFile",
    "FromSuite",
    "Instance",
    "Moment",
    "Part",
    "PlannedRun",
    "Progress",
    "Row",
    "Run",
    "RunOutcome",
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
