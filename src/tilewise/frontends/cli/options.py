"""Options that several sub-commands have, described once."""

from __future__ import annotations

from typing import Annotated

import typer

GoalOption = Annotated[
    str, typer.Option(metavar="GOAL", help="auto, first, last, snail or a board.")
]
RulesOption = Annotated[
    str | None,
    typer.Option(metavar="RULES", help="default, fifo, a profile, or order=LRUD,ties=fifo ..."),
]
EngineOption = Annotated[str, typer.Option(metavar="NAME", help="auto, python or native.")]
LoadOption = Annotated[
    list[str] | None,
    typer.Option(metavar="FILE.py", help="Load your own heuristics and algorithms first."),
]
