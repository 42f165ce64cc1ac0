"""The files of the page, served by Starlette; a browser that has the current file keeps it."""

from __future__ import annotations

import mimetypes
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

INDEX = "index.html"

# the registry of Windows can name another type, and browsers refuse modules that are not JavaScript
mimetypes.add_type("text/javascript", ".js")


class PageFiles(StaticFiles):
    """The folder `static` of this package."""

    def __init__(self) -> None:
        super().__init__(packages=[("tilewise.web", "static")])

    def file_response(self, *arguments: Any, **options: Any) -> Response:
        """The file, or the answer that the browser's copy is current: it must ask every time."""
        response = super().file_response(*arguments, **options)
        response.headers["Cache-Control"] = "no-cache"
        return response
