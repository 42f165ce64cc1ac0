"""Sphinx: how these pages become a site (`make docs`)."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from surface import PAGES

from tilewise import COUNTERS

nodes: Any = import_module("docutils.nodes")
latex2mathml: Any = import_module("docutils.utils.math.latex2mathml")

project = "tilewise"
project_copyright = "the tilewise authors"
version = release = installed_version("tilewise")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_heading_anchors = 3
myst_enable_extensions = ["attrs_inline", "dollarmath", "deflist"]

html_theme = "furo"
html_title = f"tilewise {release}"
html_logo = "_static/logo.svg"
html_favicon = "_static/logo.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#3346c8",
        "color-brand-content": "#3346c8",
    },
    "dark_css_variables": {
        "color-brand-primary": "#a3b0ff",
        "color-brand-content": "#a3b0ff",
    },
}

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
maximum_signature_line_length = 90
napoleon_use_rtype = False
napoleon_preprocess_types = False

_NAMES = {name: f"{module}.{name}" for page in PAGES for module, name in reversed(page.names())}
_MEANINGS = {
    counter.name: f"{counter.meaning[0].upper()}{counter.meaning[1:]}." for counter in COUNTERS
}
_QUOTED = re.compile(r"`([^`\n]+)`")


def _as_rst(line: str) -> str:
    """A line of a docstring, which quotes code as Markdown does, for autodoc."""
    if line.lstrip().startswith((">>>", "...")):
        return line

    def quoted(match: re.Match[str]) -> str:
        text = match[1]
        if text in _NAMES:
            return f":py:obj:`~{_NAMES[text]}`"
        return f"``{text}``"

    parts = _QUOTED.split(line)
    for place in range(0, len(parts), 2):
        parts[place] = re.sub(r"(?<=[\w ])\*(?=[\s:,.;)]|$)", r"\\*", parts[place])
    for place in range(1, len(parts), 2):
        parts[place] = _QUOTED.sub(quoted, f"`{parts[place]}`")
    return "".join(parts)


def _docstring(_: Any, what: str, name: str, __: Any, ___: Any, lines: list[str]) -> None:
    """Markdown becomes reStructuredText, and each counter says what it means."""
    if not any(lines) and name.startswith("tilewise.Stats."):
        lines[:] = [
            meaning for counter, meaning in _MEANINGS.items() if name.endswith(f".{counter}")
        ]
    lines[:] = [_as_rst(line) for line in lines if ">>> del " not in line]  # tidying up after tests
    if what in ("attribute", "data", "property"):
        # an empty comment, else napoleon takes what stands before a colon for a type
        lines[:0] = ["..", ""]


def _signature(
    _: Any, __: str, ___: str, ____: Any, _____: Any, arguments: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Types by their short names, but for the one that tilewise has another of."""
    return (arguments or "").replace("~threading.Event", "threading.Event") or None, returns


def _mathml(writer: Any, node: Any) -> None:
    """Formulas as MathML, which browsers draw themselves: no script, no network."""
    block = isinstance(node, nodes.math_block)
    drawn = latex2mathml.tex2mathml(node.astext(), as_block=block)
    drawn = drawn.replace("<mo>*</mo>", "<mo>&#8727;</mo>")  # a star that is not raised twice
    writer.body.append(f'<div class="formula">{drawn}</div>' if block else drawn)
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Connect them."""
    app.connect("autodoc-process-signature", _signature)
    app.connect("autodoc-process-docstring", _docstring, priority=100)
    app.add_html_math_renderer("mathml", (_mathml, None), (_mathml, None))


html_math_renderer = "mathml"
