"""Commands and groups of commands, and the pages of help that they show."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click


class Page(click.HelpFormatter):
    """A page of help: headings in bold and names in colour, if the output is a terminal."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """The line at the top."""
        super().write_usage(prog, args, prefix or click.style("Usage:", bold=True) + " ")

    def write_heading(self, heading: str) -> None:
        """The name of a section."""
        self.write(click.style(f"{heading}:", bold=True) + "\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], *args: Any, **settings: Any) -> None:
        """Arguments, options or commands, each with its meaning."""
        coloured = [(click.style(name, fg="cyan"), meaning) for name, meaning in rows]
        super().write_dl(coloured, *args, **settings)


class Context(click.Context):
    """One call of a command."""

    formatter_class = Page


class Command(click.Command):
    """A command. Its docstring is its help; the examples in it are shown before the options."""

    context_class = Context

    def __init__(self, *args: Any, **settings: Any) -> None:
        prose, _, examples = (settings.pop("help", None) or "").partition("Examples:\n")
        super().__init__(*args, **{**settings, "help": prose.rstrip()})
        self.examples = [line.strip() for line in examples.splitlines() if line.strip()]

    def get_short_help_str(self, limit: int = 0) -> str:
        """The first sentence or two of the help, whole: the page of the group wraps them."""
        return " ".join((self.help or "").split("\n\n")[0].split())

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What the command does, and then its examples, a line each, before the options."""
        super().format_help_text(ctx, formatter)
        if self.examples:
            with formatter.section("Examples"):
                formatter.write_text("\n".join(["\b", *self.examples]))  # \b: keep the lines


class CommandGroup(Command, click.Group):
    """A command that has commands of its own. Alone, it shows its help."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order in which the commands are defined."""
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read what stands before the name of the command."""
        return super().parse_args(ctx, args or ["--help"])


def command(
    name: str | None = None, cls: type[Command] = Command, **settings: Any
) -> Callable[[Callable[..., Any]], Command]:
    """Make a function a command; what it returns is the exit code, None for 0."""
    return click.command(name, cls, **settings)


def group(function: Callable[..., None]) -> CommandGroup:
    """Make a function a group of commands."""
    return click.group(cls=CommandGroup)(function)
