"""Loading a user's own heuristics and algorithms from a Python file."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from tilewise.errors import SpecError, TilewiseError, in_one_line, shortened

LARGEST_SOURCE = 10_000_000
"""Bytes of a Python file that is loaded."""


def load_file(path: str) -> ModuleType:
    """Run a Python file, so that what it registers can be used by name.

    Args:
        path: A Python file with `@heuristic` or `@algorithm` in it.

    Returns:
        The module that the file makes.

    Raises:
        SpecError: There is no such file, or it fails.

    Example:
        >>> load_file("nothing.py")
        Traceback (most recent call last):
            ...
        tilewise.errors.SpecError: expected a Python file to load, got 'nothing.py'
    """
    file = Path(path)
    if not file.is_file():
        raise SpecError(f"expected a Python file to load, got {shortened(path)}")
    if file.stat().st_size > LARGEST_SOURCE:
        raise SpecError(
            f"expected a Python file of at most {LARGEST_SOURCE:,} bytes to load, got more: "
            f"{shortened(path)}"
        )
    name = f"tilewise_user_{file.stem}"
    spec = importlib.util.spec_from_loader(
        name, importlib.machinery.SourceFileLoader(name, str(file))
    )
    if spec is None or spec.loader is None:
        raise SpecError(f"expected a Python file to load, got {shortened(path)}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(file.resolve().parent))  # for modules that stand beside the file
    kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # nothing is left there
    try:
        spec.loader.exec_module(module)
    except (TilewiseError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise SpecError(f"expected {shortened(path)} to load, got {in_one_line(error)}") from error
    finally:
        sys.path.pop(0)
        sys.dont_write_bytecode = kept
    return module
