"""The option --profile, apart from the shared ones: only who has it needs the courses."""

from __future__ import annotations

from typing import Annotated

import typer

from tilewise.courses import COURSES

ProfileOption = Annotated[
    str | None,
    typer.Option(metavar="NAME", help=f"A course's search: {', '.join(COURSES)}."),
]
