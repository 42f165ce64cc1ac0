"""Tables, code and prose as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    lines += ["| " + " | ".join(_cell(text) for text in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def code(text: str) -> str:
    """A text as code in a cell, a line below the other."""
    return "<br>".join(f"`{line}`" for line in text.split("\n"))


def prose(text: str) -> str:
    """A text in which a star is a star."""
    return text.replace("*", "\\*")
