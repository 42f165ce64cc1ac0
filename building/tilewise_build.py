"""The build backend: scikit-build-core, which also keeps why the native engine was not built.

Where CMake fails, scikit-build-core builds the package a second time without it (pyproject.toml).
What CMake and the compiler printed is then put into the wheel, beside its metadata, so that
`tilewise --version` and `tilewise list engines` can give the reason long after pip is gone.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import os
import re
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from scikit_build_core import build as backend
from scikit_build_core.build import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
)
from scikit_build_core.errors import CMakeNotFoundError, NinjaNotFoundError

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
]

Settings = dict[str, list[str] | str]
LINES_KEPT = 200
REPORT = "native_build.txt"


def build_wheel(
    wheel_directory: str,
    config_settings: Settings | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build the package."""
    return _build(backend.build_wheel, wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str,
    config_settings: Settings | None = None,
    metadata_directory: str | None = None,
) -> str:
    """Build the package so that it is imported from this folder."""
    return _build(backend.build_editable, wheel_directory, config_settings, metadata_directory)


def _build(
    hook: Callable[[str, Settings | None, str | None], str],
    wheel_directory: str,
    settings: Settings | None,
    metadata_directory: str | None,
) -> str:
    output: list[bytes] = []
    reason = ""
    try:
        with _copied_to(output):
            name = hook(wheel_directory, settings, metadata_directory)
    except (CMakeNotFoundError, NinjaNotFoundError) as error:
        reason = " ".join(str(error).split())
        sys.stdout.write(f"tilewise is built WITHOUT its native engine: {reason}\n")
        without = {**(settings or {}), "wheel.cmake": "false"}
        name = hook(wheel_directory, without, metadata_directory)
    wheel = Path(wheel_directory, name)
    if not _has_native_module(wheel):
        text = b"".join(output).decode(errors="replace")
        lines = text.splitlines()[-LINES_KEPT:]
        _add(wheel, "\n".join([reason or reason_in(text), "", *lines, ""]))
    return name


@contextlib.contextmanager
def _copied_to(output: list[bytes]) -> Iterator[None]:
    """Collect what this process and its children print, while it is printed as ever."""
    reading, writing = os.pipe()
    saved = {number: os.dup(number) for number in (1, 2)}

    def copy() -> None:
        while data := os.read(reading, 65536):
            output.append(data)
            os.write(saved[1], data)

    copying = threading.Thread(target=copy)
    _flush()
    for number in saved:
        os.dup2(writing, number)
    os.close(writing)
    copying.start()
    try:
        yield
    finally:
        _flush()
        for number, copied in saved.items():
            os.dup2(copied, number)
        copying.join()
        for descriptor in (reading, *saved.values()):
            os.close(descriptor)


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()


def reason_in(text: str) -> str:
    """The first error that CMake or a compiler reported, in one line.

    >>> reason_in("a\\nsrc/a.cpp:3:5: error: no such thing\\n")
    'src/a.cpp:3:5: error: no such thing'
    >>> reason_in("CMake Error at CMakeLists.txt:2 (project):\\n  No compiler\\n\\n  was found.\\n")
    'CMake: No compiler was found.'
    """
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if line.startswith("CMake Error"):
            return f"CMake: {_first_sentence(lines[number + 1 :])}"
        if re.search(r"\berror: ", line):
            return line.strip().removeprefix(f"{Path.cwd()}{os.sep}")
    failed = [line.strip() for line in lines if re.search(r"\b(FAILED|failed|Error)\b", line)]
    return failed[0] if failed else "CMake failed"


def _first_sentence(lines: list[str]) -> str:
    words = []
    for line in lines:
        if line and not line.startswith(" "):
            break
        words += line.split()
        if line.endswith("."):
            break
    return " ".join(words) or "it failed"


def _has_native_module(wheel: Path) -> bool:
    with zipfile.ZipFile(wheel) as archive:
        return any("/_native." in name and "pyi" not in name for name in archive.namelist())


def _add(wheel: Path, report: str) -> None:
    """Put the report into the folder of the metadata, and into the list of files there."""
    data = report.encode()
    rewritten = wheel.with_suffix(".rewritten")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(rewritten, "w") as new:
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename.endswith(".dist-info/RECORD"):
                name = f"{entry.filename.removesuffix('RECORD')}{REPORT}"
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=")
                new.writestr(name, data, zipfile.ZIP_DEFLATED)
                content = f"{name},sha256={digest.decode()},{len(data)}\n".encode() + content
            new.writestr(entry, content)
    rewritten.replace(wheel)
