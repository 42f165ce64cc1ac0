"""`tilewise classic`: the command language of EECS 391, in its two versions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress

import click

from tilewise.cli import commands, typed
from tilewise.cli.endings import exit_code
from tilewise.courses import eecs391
from tilewise.courses.eecs391.commands import split_line
from tilewise.courses.eecs391.session import CommandSession
from tilewise.errors import SpecError, shortened

SETTINGS = {
    "ignore_unknown_options": True,
    "allow_extra_args": True,
    "help_option_names": ["--help"],
}
"""-setState and its like are not options of click: they arrive as they were typed. With an option
-h, any unknown word such as -path would be taken for it."""

PROMPT = "> "
END_WORDS = ("quit", "exit")


@commands.command("classic", context_settings=SETTINGS)
@click.argument(
    "args",
    nargs=-1,
    type=click.UNPROCESSED,
    metavar="[COMMANDS]",
    help="What to do; without any, a prompt asks for it.",
)
@click.option(
    "--profile", metavar="NAME", default="eecs391", help="The version: eecs391 or eecs391-table."
)
def command(args: tuple[str, ...], profile: str) -> int:
    """Solve 8-puzzles in the command language of EECS 391.

    Commands: -setState STATE, -randomizeState N, -move DIRECTION, -printState,
    -prettyPrintState, -solveAStar h1 or h2, -solveBeam K, -maxNodes N,
    -prettyPrintSolution, -readCommands FILE, -seed N, -help. The profile
    eecs391-table also has -tablePrintState and -tablePrintSolution.

    On the command line they take effect in this order, however they stand:
    seed and maxNodes; setState and randomizeState; move; printState;
    prettyPrintState; the solves; prettyPrintSolution; readCommands.

    In a file, or typed at the prompt, they need no dash and are carried out
    in sequence. There maxNodes applies to the nearest solve before it in the
    file (or on the line), else to all that follow.

    The goal is b12 345 678. So is the board until one is set.

    Examples:

      tilewise classic -setState "312 475 68b" -solveAStar h1 -prettyPrintSolution

      tilewise classic -randomizeState 20 -solveBeam 10 -maxNodes 5000

      tilewise classic -setState "b12 345 678" -move right -printState

      tilewise classic -readCommands commands.txt

      tilewise classic --profile eecs391-table -randomizeState 15 -tablePrintState

      tilewise classic
    """
    versions = {course.name: course for course in eecs391.COURSES}
    if profile not in versions:
        known = " or ".join(versions)
        raise SpecError(f"expected a profile {known}, got {shortened(profile)}")
    session = CommandSession(versions[profile], Console())
    if args:
        session.run_arguments("-help" if arg == "-h" else arg for arg in args)
    else:
        _converse(session)
    return exit_code(session.failure)


class Console:
    """The screen of a session: standard output, and standard error for notes."""

    def say(self, text: str) -> None:
        """Print a text of the program."""
        print(text)

    def note(self, text: str) -> None:
        """Print what is wrong, or why there is no solution."""
        sys.stdout.flush()  # so that both streams keep their order on a terminal
        print(f"tilewise: {text}", file=sys.stderr)


def _converse(session: CommandSession) -> None:
    """Carry out a line at a time until quit, exit or the end of the input."""
    for line, where in _typed_lines(session.course.name):
        words = split_line(line, where)
        ends = [place for place, word in enumerate(words) if word.text.lower() in END_WORDS]
        session.run_words(words[: ends[0]] if ends else words)
        sys.stdout.flush()
        if ends:
            return


def _typed_lines(profile: str) -> Iterator[tuple[str, str]]:
    """The lines of the input: typed at a prompt on a terminal, else with their place."""
    if not sys.stdin.isatty():
        for number, line in enumerate(typed.lines(sys.stdin), start=1):
            yield line.removeprefix("\ufeff"), f"line {number}"
        return
    with suppress(ImportError):  # absent on Windows
        import readline  # noqa: F401  (gives the prompt its history)
    print(f"Profile {profile}. Type help for the commands, quit to end.")
    with suppress(EOFError):
        while True:
            yield input(PROMPT), ""
    print()
