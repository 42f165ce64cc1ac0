"""The command `tilewise`: a table of sub-commands, loaded when they are called."""

from __future__ import annotations

import _thread
import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import Any, NoReturn

import click

import tilewise
from tilewise import child_processes, files, native
from tilewise.cli import commands, exit_codes, interrupts, streams
from tilewise.errors import (
    EngineWarning,
    TableWarning,
    TilewiseError,
    in_one_line,
    shortened,
    visible,
)
from tilewise.puzzle.formats.notation import BLANKS

COMMANDS = {
    "solve": "tilewise.cli.solve:solve",
    "check": "tilewise.cli.check:check",
    "improve": "tilewise.cli.improve:improve",
    "prove": "tilewise.cli.prove:prove",
    "proofs": "tilewise.cli.prove:proofs",
    "compare": "tilewise.cli.compare:compare",
    "scramble": "tilewise.cli.scramble:scramble",
    "convert": "tilewise.cli.convert:convert",
    "space": "tilewise.cli.space:space",
    "pdb": "tilewise.cli.pdb:pdb",
    "learn": "tilewise.cli.learn:learn",
    "experiment": "tilewise.cli.experiment:experiment",
    "why": "tilewise.cli.why:why",
    "audit": "tilewise.cli.audit:audit",
    "zoo": "tilewise.cli.zoo:zoo",
    "explain": "tilewise.cli.explain:explain",
    "trace": "tilewise.cli.trace:trace",
    "verify": "tilewise.cli.verify:verify",
    "course": "tilewise.cli.course:course",
    "grade": "tilewise.cli.grade:grade",
    "classic": "tilewise.cli.classic:command",
    "driver": "tilewise.cli.driver:command",
    "menu": "tilewise.cli.menu:command",
    "serve": "tilewise.cli.serve:serve",
    "play": "tilewise.cli.play:play",
    "list": "tilewise.cli.list_:list_",
}
"""Name of each sub-command and the function, or group of functions, that carries it out."""
SECTIONS = {
    "Solve": "solve check improve prove proofs compare scramble convert list",
    "Study": "explain trace why audit zoo verify",
    "Measure": "experiment space pdb learn",
    "Teach and hand in": "course grade classic driver menu",
    "Play": "serve play",
}
"""The commands as the page of help groups them."""

LONGEST_MESSAGE = 350
TIDYING = 0.04
"""Seconds for what is left to do at a sudden end: a full pipe may take no more text."""
NO_MEMORY = "expected more memory than the system gives: set a smaller --memory, or free some"
SETTINGS = {"help_option_names": ["--help", "-h"], "show_default": True}


class LazyCommands(MutableMapping[str, click.Command]):
    """The sub-commands; each module is imported when its command is looked up."""

    def __init__(self) -> None:
        self._loaded: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._loaded:
            module, _, target = COMMANDS[name].partition(":")
            self._loaded[name] = getattr(import_module(module), target)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(COMMANDS)

    def __len__(self) -> int:
        return len(COMMANDS)

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._loaded[name]


class Program(commands.CommandGroup):
    """The whole program; a bare board means `solve`, nothing at all the start page."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the options before the sub-command."""
        if not args and not ctx.resilient_parsing:
            click.echo(START_PAGE)
            ctx.exit()
        if args and _may_be_board(args[0]):
            args = ["solve", *args]
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands in groups, each with its first sentence."""
        for title, names in SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name, self.commands[name].get_short_help_str()) for name in names.split()]
                )


def _show_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        click.echo(f"tilewise {tilewise.__version__}")
        if (reason := native.why_absent()) is not None:
            click.echo(f"without its native engine: {reason}")
        if (stale := native.why_stale()) is not None:
            click.echo(stale)
        ctx.exit()


def _show_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is not None and not ctx.resilient_parsing:
        from tilewise.cli import completion

        click.echo(completion.script(ctx.command, shell))
        ctx.exit()


def _install_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is not None and not ctx.resilient_parsing:
        from tilewise.cli import completion

        click.echo(f"installed in {completion.install(shell)}; it works in the next shell")
        ctx.exit()


@click.group("tilewise", cls=Program, commands=LazyCommands(), context_settings=SETTINGS)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and stop.",
)
@click.option(
    "--install-completion",
    metavar="[SHELL]",
    is_flag=False,
    flag_value="",
    expose_value=False,
    callback=_install_completion,
    help="Let your shell complete commands and options: bash, zsh or fish.",
)
@click.option(
    "--show-completion",
    metavar="[SHELL]",
    is_flag=False,
    flag_value="",
    expose_value=False,
    callback=_show_completion,
    help="Show the script for completion instead.",
)
def program() -> None:
    """Solve sliding-tile puzzles, see how heuristic search does it, and teach with it.

    Examples:
        tilewise "8b6 547 231"
        tilewise explain "867 254 3b1" --step 5
        tilewise compare "8b6 547 231" -a bfs -a astar -a greedy
        tilewise serve --open
    """


START_PAGE = """\
tilewise solves sliding-tile puzzles and shows how searches work.

Solve
  tilewise "8b6 547 231"                       the shortest solution
  tilewise solve "8b6 547 231" --pretty        ... board by board
  tilewise solve "8b6 547 231" -a greedy       ... by another algorithm
  tilewise solve --suite korf100 --json        many boards, for programs
  tilewise compare "8b6 547 231"               several searches side by side
  tilewise check "8b6 547 231"                 solvable? what do heuristics say?
  tilewise check "312 475 68b" --path LULU     is that a shortest solution?
  tilewise scramble 3x3 --depth 20             a random board of that depth
  tilewise convert "8b6 547 231" --to json     the board in another notation
  tilewise list                                what you can choose from

Study
  tilewise solve "1b2 345 678" --trace         a search, step by step
  tilewise explain "867 254 3b1" --step 5      why was this node expanded?
  tilewise why 8,6,4,2,1,3,5,7,0 --count 1585  why does my search count that?
  tilewise audit my_file.py:my_heuristic       is my heuristic admissible?
  tilewise trace check my_search.jsonl         does my solver do what it claims?
  tilewise space 3x3                           all boards by depth
  tilewise pdb explain 4x4 7-8                 pattern databases
  tilewise experiment list                     tables and plots of many searches

Teach
  tilewise course new my_course.toml           your own course, in one file
  tilewise grade answers --assignment hw.toml  a class's answers, with reasons

Page:     tilewise serve --open     play, solve, watch and race in a browser
Game:     tilewise play             in the terminal
Courses:  tilewise classic --help  tilewise driver --help  tilewise menu --help
Options:  tilewise COMMAND --help"""


def main() -> None:
    """Run the program and exit with its code.

    Nothing is left to do then. What still runs, a thread that a time limit has left behind or a
    process of a cluster, is not waited for; nor is memory given back piece by piece after Ctrl-C.
    """
    streams.make_safe()  # first: a file opened later must not get the number of a closed stream
    try:
        if os.name == "posix":
            interrupts.watch(_leave)
        else:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        threads = threading.active_count()
        code = run(sys.argv[1:], at_once=True)
        interrupts.stop_watching()
    except KeyboardInterrupt:  # it came between two of these lines
        _leave()
    if interrupts.came():
        _leave()
    if _end_children() or threading.active_count() > threads:
        os._exit(code)
    gc.freeze()  # Python's last collections would look at all that was imported
    sys.exit(code)


def run(arguments: list[str], *, at_once: bool = False) -> int:
    """Carry out one command line; the exit codes are in docs/command-line.md.

    With `at_once` the process ends at Ctrl-C here: a search may hold millions of nodes, and to
    give them back one by one takes seconds.
    """
    code: int | None = None
    try:
        streams.make_safe()
        code = _carry_out(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = exit_codes.INTERRUPTED
        if at_once:
            _leave()
    except BaseException as error:
        if at_once and interrupts.came():  # some libraries turn Ctrl-C into an error of their own
            _leave()
        code = _code_of(error, code)
    for stream in (sys.stdout, sys.stderr):
        streams.close_quietly(stream)
    return code


def _code_of(error: BaseException, reached: int | None) -> int:
    """The exit code of a command that ended with an error, which is said in one line."""
    match error:
        case BrokenPipeError():  # who read the output has left; a verdict that was reached stays
            return exit_codes.OK if reached is None else reached
        case TilewiseError() | click.ClickException():
            return _fail(_one_line(error), exit_codes.BAD_INPUT)
        case OSError():
            named = f": {shortened(error.filename)}" if error.filename is not None else ""
            return _fail(f"{error.strerror or error}{named}", exit_codes.BAD_INPUT)
        case MemoryError():
            return _fail(NO_MEMORY, exit_codes.LIMIT)
        case Exception() if not os.environ.get("TILEWISE_DEBUG"):
            return _fail(
                f"internal error, a defect of tilewise: {in_one_line(error)} "
                "(TILEWISE_DEBUG=1 shows more)",
                exit_codes.INTERNAL,
            )
    raise error


def _carry_out(arguments: list[str]) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("default", EngineWarning)
        warnings.simplefilter("default", TableWarning)
        warnings.showwarning = _warn
        return _call(arguments)


def _call(arguments: list[str]) -> int:
    """The exit code of a command. Unlike click's own `main` it leaves Ctrl-C and pipes to `run`."""
    if "_TILEWISE_COMPLETE" in os.environ:
        from tilewise.cli import completion

        return completion.answer(program, os.environ[completion.VARIABLE])
    colour = False if os.environ.get("NO_COLOR") else None
    try:
        with program.make_context("tilewise", arguments, color=colour) as context:
            code = program.invoke(context)
    except click.exceptions.Exit as end:
        code = end.exit_code
    except SystemExit as end:  # rich ends so when it writes to a closed pipe
        if isinstance(end.__context__, BrokenPipeError):
            raise BrokenPipeError from end
        code = end.code
    return code if isinstance(code, int) else exit_codes.OK


def _may_be_board(argument: str) -> bool:
    """Whether the first word is that of a board: it has a digit or is the blank.

    It is left to `solve` to read the board, once, and to say what is wrong with it.
    """
    if argument.startswith("-") or argument in COMMANDS:
        return False
    return argument in BLANKS or any(character.isdigit() for character in argument)


def _one_line(error: TilewiseError | click.ClickException) -> str:
    message = error.format_message() if isinstance(error, click.ClickException) else str(error)
    line = " ".join(message.split())
    return line if len(line) <= LONGEST_MESSAGE else f"{line[:LONGEST_MESSAGE]} ..."


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    """Show a warning as one line, as errors are shown."""
    print(f"tilewise: warning: {visible(str(message))}", file=sys.stderr)


def _fail(message: str, code: int) -> int:
    print(f"tilewise: error: {visible(message)}", file=sys.stderr)
    return code


def _end_children() -> bool:
    """End the processes of ours that still run; whether there were any."""
    ended = child_processes.end_children()
    if ended:
        child_processes.forget_children()
    return ended


def _leave() -> NoReturn:
    """End the process as Ctrl-C does. Any thread may do it, wherever the others are."""
    ended = child_processes.end_children()
    tidied = _thread.allocate_lock()
    tidied.acquire()

    def tidy() -> None:
        files.remove_unfinished()
        for stream in (sys.stderr, sys.stdout):
            streams.close_quietly(stream)
        if ended:
            child_processes.forget_children()
        tidied.release()

    _thread.start_new_thread(tidy, ())  # not Thread, which waits for locks
    tidied.acquire(timeout=TIDYING)
    if ended:
        child_processes.end_children()  # a cluster starts those again that it has lost
    os._exit(interrupts.code())
