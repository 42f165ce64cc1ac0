"""Options that several sub-commands have, described once."""

from __future__ import annotations

from typing import Annotated

import typer

AlgorithmOption = Annotated[
    str | None,
    typer.Option("--algorithm", "-a", metavar="SPEC", help="astar, beam(width=10) ..."),
]
HeuristicOption = Annotated[
    str | None,
    typer.Option("--heuristic", "-H", metavar="SPEC", help="manhattan, max(h1, h2) ..."),
]
MaxNodesOption = Annotated[
    str | None, typer.Option(metavar="N", help="Stop after exactly N generated nodes.")
]
SecondsOption = Annotated[str | None, typer.Option(metavar="S", help="Stop after S seconds.")]
GoalOption = Annotated[
    str, typer.Option(metavar="GOAL", help="auto, first, last, snail or a board.")
]
RulesOption = Annotated[
    str | None,
    typer.Option(metavar="RULES", help="default, fifo, columbia ... or order=LRUD,ties=fifo ..."),
]
EngineOption = Annotated[str, typer.Option(metavar="NAME", help="auto, python or native.")]
LoadOption = Annotated[
    list[str] | None,
    typer.Option(
        "--load", metavar="FILE.py", help="Load your own heuristics and algorithms first."
    ),
]
