"""Fixtures for tests that run the real program."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

HANG_GUARD = 120


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
