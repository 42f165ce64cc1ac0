"""The pages of the Python reference, made from the public surface: Sphinx fills in docstrings."""

from __future__ import annotations

import inspect
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from surface import DATA, PAGES, Page

FOLDER = "docs/reference"


def text_of(page: Page) -> str:
    """A page as Markdown with a directive for each name."""
    lines = [f"# {page.title}", "", page.about, ""]
    module = ""
    for (where, name), (_, thing) in zip(page.names(), page.objects(), strict=True):
        if where != module:
            lines += [f"## {where}", "", _import(where, page), ""]
            module = where
        lines += ["```{eval-rst}", *_directive(f"{where}.{name}", thing), "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def _import(module: str, page: Page) -> str:
    """How to get at the names of a module, each a link to its place below."""
    names = [name for where, name in page.names() if where == module]
    short = "tw." if module == "tilewise" else ""
    links = ", ".join(f"{{py:obj}}`{short}{name} <{module}.{name}>`" for name in names)
    if module == "tilewise":
        return f"`import tilewise as tw`, then {links}."
    return f"From `{module}`: {links}."


def _directive(name: str, thing: Any) -> list[str]:
    if inspect.isclass(thing):
        lines = [f".. autoclass:: {name}"]
        if not issubclass(thing, Exception):
            lines += ["   :members:", "   :undoc-members:"]
        else:
            lines += ["   :show-inheritance:"]
        return lines
    if callable(thing):
        return [f".. autofunction:: {name}"]
    return [f".. py:data:: {name}", "", f"   {DATA[name]}".replace("`", "``")]


def pages() -> dict[str, str]:
    """The name of each file and what it must hold."""
    return {f"{FOLDER}/{page.file}.md": text_of(page) for page in PAGES}
