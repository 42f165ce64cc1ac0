"""Numbers on the command line: what is read, and what an error says."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

HARD = "8b6 547 231"


@pytest.mark.parametrize("text", ["1,000,000", "1_000_000", " 1000000 ", "1e6", "1M", "1000k"])
def test_a_million_may_be_written_as_people_do(tilewise: Run, text: str) -> None:
    run = tilewise("solve", HARD, "--max-nodes", text)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("text", ["", "x", "0", "-1", "1.5", "1e-3", "1,5k", "10kb", "\u0663"])
def test_what_is_no_whole_number_is_refused_with_the_option_and_the_text(
    tilewise: Run, text: str
) -> None:
    run = tilewise("solve", HARD, "--max-nodes", text)
    expected = "expected a whole number of at least 1, such as 1e6 or 10k, for --max-nodes, got "
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"tilewise: error: {expected}{text!r}\n"


def test_a_number_that_is_too_large_is_refused_with_the_largest(tilewise: Run) -> None:
    run = tilewise("scramble", "3x3", "-n", "1000000001")
    assert run.returncode == 2
    assert "expected a whole number of at most 1,000,000,000 for --count, got" in run.stderr


@pytest.mark.parametrize("text", ["inf", "nan", "0", "-1", "1e99", "soon", "30s1m", "1m30", "1,5"])
def test_seconds_are_positive_and_finite(tilewise: Run, text: str) -> None:
    run = tilewise("solve", HARD, "--seconds", text)
    expected = (
        "expected a time above 0 and of at most 1,000,000,000 seconds, such as 90, 0.5s or 1m30s, "
        "for --seconds, got "
    )
    assert (run.returncode, run.stderr) == (2, f"tilewise: error: {expected}{text!r}\n")


@pytest.mark.parametrize("text", ["0", "-1", "x", "2XB", "1e60", "1,5GB"])
def test_a_size_of_memory_is_positive_and_has_a_known_unit(tilewise: Run, text: str) -> None:
    run = tilewise("solve", HARD, "--memory", text)
    assert run.returncode == 2 and run.stderr.startswith("tilewise: error: expected a size above 0")
    assert run.stderr.endswith(f" MB, such as 500, 500MB or 2GB, for --memory, got {text!r}\n")


def test_every_command_with_a_limit_reads_it_as_people_write_it(tilewise: Run) -> None:
    for command in (
        ("solve", HARD, "--max-nodes", "1e6", "--seconds", "1m30s", "--memory", "2GB"),
        ("check", HARD, "--max-nodes", "1M", "--seconds", "0.5h"),
        ("compare", HARD, "-a", "astar", "--max-nodes", "500k", "--seconds", "90s"),
        ("scramble", "3x3", "--depth", "5", "--seconds", "1min"),
        ("trace", "export", "1b2 345 678", "--max-nodes", "10k", "--seconds", "1m"),
        ("why", "1b2 345 678", "--count", "2", "-a", "bfs", "--seconds", "1m", "--processes", "1"),
    ):
        assert tilewise(*command).returncode == 0, command


def test_a_plain_number_of_memory_is_in_megabytes(tilewise: Run) -> None:
    board = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"
    said = {
        tilewise("solve", board, "-H", "pdb(7-8)", "--memory", size).stderr
        for size in ("100", "100MB", "100MiB", "0.09765625g", "102400k")
    }
    assert len(said) == 1
    assert "got 100 MB" in said.pop()


def test_the_help_shows_the_default_of_a_number(tilewise: Run) -> None:
    assert "[default: 200000]" in " ".join(tilewise("compare", "--help").stdout.split())
