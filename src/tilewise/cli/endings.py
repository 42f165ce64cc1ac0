"""The exit codes of the courses' programs."""

from __future__ import annotations

from tilewise.cli import exit_codes
from tilewise.core.result import Status
from tilewise.courses.program_screen import BAD_INPUT, Ending


def exit_code(ending: Ending | None) -> int:
    """The exit code for an ending; None is a program that did what it was meant to do."""
    if ending is None:
        return exit_codes.OK
    return exit_codes.BAD_INPUT if ending == BAD_INPUT else exit_codes.OF_STATUS[Status(ending)]
