"""What the compiled module was built from, and why there is none."""

from __future__ import annotations

import os
import warnings
from functools import lru_cache

from tilewise.errors import EngineWarning
from tilewise.native.compiled import LOAD_ERROR, NATIVE, compiled

_ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))  # noqa: PTH100, PTH118, PTH120
_BUILD_REPORT = "native_build.txt"


@lru_cache(maxsize=1)
def why_absent() -> str | None:
    """Why this installation has no native engine, in one line; None where it has one.

    A build that fails leaves its reason beside the metadata of the package, see
    building/tilewise_build.py.
    """
    if NATIVE:
        return None
    if LOAD_ERROR is not None:
        return f"its module cannot be loaded: {' '.join(str(LOAD_ERROR).split())}"
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        report = distribution("tilewise").read_text(_BUILD_REPORT)
    except PackageNotFoundError:
        return "it has not been built in this folder"
    if not report:
        return "it was left out when the package was built"
    return f"its build failed: {report.splitlines()[0]}"


@lru_cache(maxsize=1)
def why_stale() -> str | None:
    """What is wrong where the module was built from other C++ files than those beside it.

    That can only be in a checkout, such as one with an editable installation. None elsewhere.
    """
    if not NATIVE or not os.path.isfile(os.path.join(_ROOT, "cpp", "bind", "module.cpp")):  # noqa: PTH113, PTH118
        return None
    if getattr(compiled, "sources_hash", "") == sources_hash(_ROOT):
        return None
    return (
        "the native engine was built from other C++ files than those in this checkout; "
        "`pip install --editable .` builds it again"
    )


@lru_cache(maxsize=1)
def warn_if_stale() -> None:
    """Warn before the first use of a module that is stale."""
    text = why_stale()
    if text is not None:
        warnings.warn(text, EngineWarning, stacklevel=2)


def sources_hash(root: str) -> str:
    """The hash of the files that the module is built from: the same sum is in CMakeLists.txt."""
    import hashlib

    names = ["CMakeLists.txt"]
    for part in ("include", "src", "bind"):
        for folder, _, files in os.walk(os.path.join(root, "cpp", part)):  # noqa: PTH118
            inside = os.path.relpath(folder, root).replace(os.sep, "/")
            names += [f"{inside}/{name}" for name in files if name.endswith((".hpp", ".cpp"))]
    lines = []
    for name in sorted(names):
        with open(os.path.join(root, name), "rb") as file:  # noqa: PTH118, PTH123
            lines.append(f"{name} {hashlib.sha256(file.read()).hexdigest()}\n")
    return hashlib.sha256("".join(lines).encode()).hexdigest()
