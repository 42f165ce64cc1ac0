"""TOML files: without pydantic the extra is named, and only by what needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest

WITHOUT = "import sys; sys.modules['pydantic'] = None\n"


def run_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "code",
    [
        "from tilewise.lab import from_toml; from_toml('name = \"x\"')",
        "from tilewise.grading import read_assignment",
        "from tilewise.cli import grade_actions",
    ],
)
def test_what_reads_toml_names_the_extra(code: str) -> None:
    found = run_python(code)
    assert found.returncode == 1
    assert found.stderr.splitlines()[-1].endswith(
        "expected pydantic to read TOML files, got none: pip install 'tilewise[lab]'"
    )


def test_experiments_that_are_no_files_need_no_pydantic() -> None:
    found = run_python("from tilewise.lab import load; print(load('space').title)")
    assert found.stdout.startswith("all boards of small shapes"), found.stderr
