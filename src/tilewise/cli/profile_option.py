"""The option --profile. It is not with the shared ones, since it needs the courses loaded."""

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
