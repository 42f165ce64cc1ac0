"""The compiled module, if it is installed, and the facts that it reports."""

from __future__ import annotations

LOAD_ERROR: ImportError | None = None
"""Why a module that is there could not be loaded."""

try:
    import tilewise.native._native as compiled
except ImportError as error:
    compiled = None  # type: ignore[assignment]
    NATIVE = False
    if error.name != "tilewise.native._native" or not isinstance(error, ModuleNotFoundError):
        LOAD_ERROR = error
else:
    NATIVE = True

__all__ = ["CHANGES_BY_ONE", "ENGINES", "LOAD_ERROR", "LOOPS", "NATIVE", "compiled"]

ENGINES = {
    "python": "the searches of this package, as they can be read; always there",
    "native": "the same searches in C++, under the default rules and any order of successors: "
    "same moves, counters and events"
    if NATIVE
    else "not in this installation; `tilewise list engines` says why",
}
"""Name and description of every engine."""

CHANGES_BY_ONE: dict[str, bool] = dict(compiled.heuristics()) if NATIVE else {}
"""The heuristics of the native engine, and whether every move changes them by exactly one."""

LOOPS: list[compiled.Loop] = compiled.loops() if NATIVE else []
"""Which loop of the native engine serves which search: the first row that fits."""
