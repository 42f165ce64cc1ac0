"""The engines that can run a search. This is the only place that knows of a native one."""

from __future__ import annotations

from tilewise.errors import EngineError, shortened

ENGINES = {
    "python": "the searches of this package, as they can be read; always there",
}
"""Name and description of every engine of this installation."""


def choose(name: str) -> str:
    """The engine that serves a request; only `auto` leaves the choice to us."""
    if name == "auto":
        return "python"
    if name == "native":
        raise EngineError("expected engine auto or python: this installation has no native engine")
    if name not in ENGINES:
        raise EngineError(f"expected engine auto, python or native, got {shortened(name)}")
    return name
