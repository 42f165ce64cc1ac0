"""The experiments that come with tilewise, each with its report. Loaded when they are needed."""

from __future__ import annotations

BUILT_IN: dict[str, str] = {
    name: f"tilewise.lab.builtin.{name}:EXPERIMENT"
    for name in (
        "efficiency",
        "limits",
        "queues",
        "claims",
        "heuristics",
        "ties",
        "korf100",
        "korf24",
        "space",
        "scaling",
        "learning",
        "aima",
    )
}
"""Name of each experiment and where it is defined."""

REPORTS: dict[str, str] = {name: f"tilewise.lab.builtin.{name}:report" for name in BUILT_IN}
"""What an experiment's `report` names, and the function of the rows that makes it."""
