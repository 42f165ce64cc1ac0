"""Completion of commands and options by the shell: shown, installed, and answered."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class, shell_complete

from tilewise.errors import SpecError, shortened

VARIABLE = "_TILEWISE_COMPLETE"
"""The shell sets it when it asks for completions."""

_STARTS = {
    "bash": (".bashrc", f'eval "$({VARIABLE}=bash_source tilewise)"'),
    "zsh": (".zshrc", f'eval "$({VARIABLE}=zsh_source tilewise)"'),
    "fish": (
        ".config/fish/completions/tilewise.fish",
        f"{VARIABLE}=fish_source tilewise | source",
    ),
}
"""For each shell the file that it reads when it starts, and the line to put there."""


def answer(program: click.Command, instruction: str) -> int:
    """Do what the shell asks for: write its script, or what completes the words so far."""
    return shell_complete(program, {}, "tilewise", VARIABLE, instruction)


def script(program: click.Command, shell: str) -> str:
    """The script that teaches a shell the commands and options."""
    completion = get_completion_class(_known(shell))
    return completion(program, {}, "tilewise", VARIABLE).source() if completion else ""


def install(shell: str) -> Path:
    """Put the line into the file that the shell reads when it starts, unless it is there."""
    name, line = _STARTS[_known(shell)]
    file = Path.home() / name
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if line not in text.splitlines():
        file.parent.mkdir(parents=True, exist_ok=True)
        gap = "" if not text or text.endswith("\n") else "\n"
        with file.open("a", encoding="utf-8") as end:
            end.write(f"{gap}{line}\n")
    return file


def _known(shell: str) -> str:
    name = shell or Path(os.environ.get("SHELL", "")).name
    if name not in _STARTS:
        raise SpecError(f"expected a shell {', '.join(_STARTS)}; got {shortened(name)}")
    return name
