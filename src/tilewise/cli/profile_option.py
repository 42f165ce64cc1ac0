"""The option --profile, apart from the shared ones: only commands that have it need the courses."""

from __future__ import annotations

from functools import partial

import click

from tilewise.courses import COURSES

profile = partial(
    click.option,
    "--profile",
    metavar="NAME",
    help=f"A course's search: {', '.join(COURSES)}.",
)
