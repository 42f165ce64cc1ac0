"""The files of the page, read once when the server starts: no request touches the disk."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".webmanifest": "application/manifest+json",
}
"""What is served; files with other endings are not."""


@dataclass(frozen=True)
class File:
    """A file of the page, ready to be sent."""

    body: bytes
    media_type: str
    tag: str


def load() -> dict[str, File]:
    """Every file under static/, by its path there."""
    return dict(_files(resources.files("tilewise.web") / "static", ""))


def _files(folder: Traversable, above: str) -> list[tuple[str, File]]:
    found = []
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        name = above + entry.name
        ending = name[name.rfind(".") :]
        if entry.is_dir():
            found += _files(entry, f"{name}/")
        elif ending in MEDIA_TYPES:
            body = entry.read_bytes()
            tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
            found.append((name, File(body, MEDIA_TYPES[ending], tag)))
    return found


def answer(request: Request, file: File) -> Response:
    """The file, or the news that the browser has it already."""
    headers = {"ETag": file.tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    return Response(file.body, media_type=file.media_type, headers=headers)
