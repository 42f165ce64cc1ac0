"""Numbers on the command line: what is read, and what an error says."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

HARD = "8b6 547 231"


@pytest.mark.parametrize("text", ["1000000", "1,000,000", "1_000_000", " 1000000 "])
def test_thousands_may_be_separated(tilewise: Run, text: str) -> None:
    run = tilewise("solve", HARD, "--max-nodes", text)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("text", ["", "x", "0", "-1", "1.5", "\u0663", "1e3", "9" * 31])
def test_what_is_no_whole_number_is_refused_with_the_option_and_the_text(
    tilewise: Run, text: str
) -> None:
    run = tilewise("solve", HARD, "--max-nodes", text)
    expected = "expected a whole number of at least 1 for --max-nodes, got "
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"tilewise: error: {expected}{text!r}\n"


def test_a_number_that_is_too_large_is_refused_with_the_largest(tilewise: Run) -> None:
    run = tilewise("scramble", "3x3", "-n", "1000000001")
    assert run.returncode == 2
    assert "expected a whole number of at most 1,000,000,000 for --count, got" in run.stderr


@pytest.mark.parametrize("text", ["inf", "nan", "0", "-1", "1e99", "soon"])
def test_seconds_are_positive_and_finite(tilewise: Run, text: str) -> None:
    run = tilewise("solve", HARD, "--seconds", text)
    expected = "expected a positive number of at most 1,000,000,000 for --seconds, got "
    assert (run.returncode, run.stderr) == (2, f"tilewise: error: {expected}{text!r}\n")


def test_the_help_shows_the_default_of_a_number(tilewise: Run) -> None:
    assert "[default: 200000]" in " ".join(tilewise("compare", "--help").stdout.split())
