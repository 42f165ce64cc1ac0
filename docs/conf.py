"""Sphinx: how these pages become a site (`make docs`)."""

from __future__ import annotations

project = "tilewise"
project_copyright = "the tilewise authors"
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "tilewise"
html_show_copyright = False
html_show_sphinx = False
