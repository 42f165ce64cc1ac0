"""The commands of the program and their options, from the command line itself."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial

import click
from markdown_parts import code, prose, table

from tilewise.cli import app as cli


def commands() -> str:
    """Every sub-command and its first line of help."""
    rows = []
    for name in cli.COMMANDS:
        about = inspect.cleandoc(command(name).help or "")
        rows.append((code(f"tilewise {name}"), prose(about.split("\n\n")[0])))
    return table(("command", "what it does"), rows)


def command(words: str) -> click.Command:
    """The command of that name, or of a group and a name in it."""
    found: click.Command = cli.program
    for word in words.split():
        found = found.commands[word] if isinstance(found, click.Group) else found
    return found


def sub_commands(name: str) -> str:
    """The commands of a group, each with its first line of help."""
    group = command(name)
    assert isinstance(group, click.Group)
    rows = []
    for word, each in group.commands.items():
        usage = " ".join(each.collect_usage_pieces(click.Context(each)))
        rows.append((code(f"tilewise {name} {word} {usage}"), prose(each.get_short_help_str())))
    return table(("command", "what it does"), rows)


def options(name: str) -> str:
    """The arguments and options of a sub-command."""
    rows = []
    for each in command(name).params:
        if getattr(each, "hidden", False):
            continue
        names = ", ".join(code(word) for word in (*each.opts, *each.secondary_opts))
        metavar, meaning = each.metavar or "", each.help or ""
        named = each.param_type_name == "option"
        about = f"{meaning} ({code(each.default)})" if isinstance(each.default, str) else meaning
        rows.append((f"{names} {metavar}".strip() if named else metavar, about))
    return table(("argument or option", "what it is (and the default)"), rows)


GROUPS = {
    name: list(found.commands)
    for name in cli.COMMANDS
    if isinstance(found := command(name), click.Group)
}
"""The commands that have commands of their own, and the names of these."""

PARTS: dict[str, Callable[[], str]] = {
    "commands": commands,
    **{f"options-{name}": partial(options, name) for name in cli.COMMANDS},
    **{f"commands-{name}": partial(sub_commands, name) for name in GROUPS},
    **{
        f"options-{name}-{word}": partial(options, f"{name} {word}")
        for name, words in GROUPS.items()
        for word in words
    },
}
