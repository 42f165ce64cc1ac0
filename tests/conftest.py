"""Fixtures for tests that run the real program."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tilewise.registry import ALGORITHMS, HEURISTICS

Run = Callable[..., subprocess.CompletedProcess[str]]

HANG_GUARD = 120
CACHE = "TILEWISE_CACHE"


def pytest_configure(config: pytest.Config) -> None:
    """Give all processes of a test run a cache of their own, empty at the start."""
    if not hasattr(config, "workerinput"):
        os.environ[CACHE] = tempfile.mkdtemp(prefix="tilewise-tables-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the cache of the test run."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(os.environ.pop(CACHE), ignore_errors=True)


@pytest.fixture(autouse=True)
def registry_as_it_was() -> Iterator[None]:
    """What a test registers is forgotten after it."""
    heuristics, algorithms = dict(HEURISTICS), dict(ALGORITHMS)
    yield
    HEURISTICS.clear()
    HEURISTICS.update(heuristics)
    ALGORITHMS.clear()
    ALGORITHMS.update(algorithms)


@pytest.fixture
def tilewise(tmp_path: Path) -> Run:
    """Run `tilewise ARGS` as a process of its own, in an empty folder, without a terminal."""

    def run(
        *args: str,
        input: str | None = None,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "tilewise", *args],
            input=input if input is not None else "",
            cwd=cwd or tmp_path,
            env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", **(env or {})},
            capture_output=True,
            text=True,
            timeout=HANG_GUARD,
            check=False,
        )

    return run
