"""Measurements by name: functions of a run that are called in place of a search."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any

from tilewise.errors import SpecError, shortened
from tilewise.lab.run import Run

Measurement = Callable[[Run], dict[str, Any]]

PROOF = "proof"
"""In place of a search the board is proved, with a checkpoint in the folder of the experiment. What
comes of it is the outcome of a search."""
BUILT_IN = "tilewise.experiments.builtin.measures"
"""The name under which runs have the built-in measurements. It is part of their keys, so it stays
as version 0.1 had it, wherever the functions are."""
_MODULE_OF_BUILT_IN = "tilewise.lab.builtin.measurements"


@lru_cache(maxsize=64)
def measurement(target: str) -> Measurement:
    """The function that `module:name` names."""
    module, _, name = target.partition(":")
    try:
        found = import_module(_MODULE_OF_BUILT_IN if module == BUILT_IN else module)
        function: Measurement = getattr(found, name)
    except (ImportError, AttributeError, ValueError) as error:
        raise SpecError(
            f"expected a measurement as module:name, got {shortened(target)}"
        ) from error
    return function
